import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import type { Express } from 'express';
import { expect, onTestFinished, test, vi } from 'vitest';
import { initialIssues, issueErrors, listIssues } from '../../examples/issue-tracker/server/issueStore.js';
import { codeBlocks } from '../docs/support/codeBlocks.js';
import { storyFiles } from '../docs/support/pages.js';

const ROOT = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8');

type Ranges = Readonly<Record<string, string>>;
interface Manifest {
  dependencies: Ranges;
  devDependencies: Ranges;
}
const kit = JSON.parse(read('package.json')) as Manifest;
const example = JSON.parse(read('examples/issue-tracker/package.json')) as Manifest;

test('the example depends on the versions that the repository tests with', () => {
  const { 'data-client-auth': _kit, ...others } = { ...example.dependencies, ...example.devDependencies };
  expect(others).toEqual(Object.fromEntries(Object.keys(others).map(name => [name, kit.devDependencies[name]])));
});

test('the example has the `requireSession` of the guide', () => {
  const guide = storyFiles('.mdx').find(({ file }) => file === 'guides/Routers.mdx')!;
  const block = codeBlocks(guide).find(({ name }) => name === 'requireSession.ts');
  expect(read('examples/issue-tracker/src/requireSession.ts')).toBe(block?.code);
});

test('the issues of the demo are valid, and their ids grow with their dates', () => {
  expect(initialIssues).toHaveLength(60);
  expect(initialIssues.filter(issue => Object.keys(issueErrors({ ...issue })).length > 0)).toEqual([]);
  const byDate = [...initialIssues].sort((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt));
  expect(byDate.map(({ id }) => id)).toEqual([...initialIssues].sort((a, b) => +b.id - +a.id).map(({ id }) => id));
});

test('the pages of a list have each visible issue once, and no confidential one of another user', () => {
  const pages = [1, 2, 3].map(page => listIssues(initialIssues, new URLSearchParams({ page: `${page}` }), 'grace'));
  const ids = pages.flatMap(({ results }) => results.map(({ id }) => id));
  const visible = initialIssues.filter(({ confidential, author }) => !confidential || author === 'grace');
  expect(ids).toEqual(visible.map(({ id }) => id));
  expect(pages.map(({ count }) => count)).toEqual(pages.map(() => visible.length));
  expect(pages.map(({ next }) => next)).toEqual(['/api/issues?page=2', '/api/issues?page=3', null]);
});

/** The example's server on a free port; resolves with its address. */
async function startServer(variant: 'token' | 'cookie' = 'token'): Promise<string> {
  vi.spyOn(console, 'log').mockImplementation(() => {});
  // By its name only: the server's files import each other with `.ts`, which the types of the tests do not allow.
  const { createApi } = await vi.importActual<{ createApi(variant: string): Promise<Express> }>(
    '../../examples/issue-tracker/server/createApi',
  );
  const server = (await createApi(variant)).listen(0, '127.0.0.1');
  await new Promise(resolve => server.once('listening', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Sends to the example's server, as a browser with its cookies would. */
async function startBrowser(variant: 'token' | 'cookie') {
  const url = await startServer(variant);
  const cookies = new Map<string, string>();
  return async (method: string, path: string, body?: object, accessToken = '') => {
    const headers = {
      'Content-Type': 'application/json',
      Authorization: `Bearer ${accessToken}`,
      Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      'X-CSRF-Token': decodeURIComponent(cookies.get('csrf') ?? ''),
    };
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const response = await fetch(`${url}${path}`, init);
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const text = await response.text();
    return (text === '' ? {} : JSON.parse(text)) as Record<string, string>;
  };
}

test.each(['token', 'cookie'] as const)(
  'with a %s, a maintainer may view as a reporter, and no reporter as anybody',
  async variant => {
    const send = await startBrowser(variant);
    if (variant === 'cookie') await send('GET', '/csrf');
    const { accessToken } = await send('POST', '/login', { username: 'ada', password: 'lovelace' });
    const viewed = await send('POST', '/view-as', { user: 'grace' }, accessToken);
    const grace = { id: 'grace', name: 'Grace Hopper', role: 'reporter' };
    if (variant === 'token') expect(viewed).toMatchObject({ user: grace });
    else expect(await send('GET', '/whoami')).toMatchObject({ ...grace, actor: { id: 'ada' } });
    const refused = await send('POST', '/view-as', { user: 'ada' }, viewed.accessToken);
    expect(refused).toEqual({ message: 'Only maintainers may view as another user.' });
    if (variant === 'token') return;
    expect(await send('DELETE', '/view-as')).toMatchObject({ id: 'ada' });
    expect(await send('GET', '/whoami')).toEqual({ id: 'ada', name: 'Ada Lovelace', role: 'maintainer' });
  },
);

test('a refresh token works once, and stays good when the user types the password for something else', async () => {
  const send = await startBrowser('token');
  const post = (path: string, body: object, accessToken = '') => send('POST', path, body, accessToken);
  const { accessToken, refreshToken } = await post('/login', { username: 'ada', password: 'lovelace' });
  // Another tab refreshes while the answer is on its way.
  expect(Object.keys(await post('/step-up', { password: 'lovelace' }, accessToken))).not.toContain('refreshToken');
  const refreshed = await post('/refresh', { refreshToken });
  expect(refreshed).toHaveProperty('accessToken');
  await post('/refresh', { refreshToken });
  expect(await post('/refresh', { refreshToken: refreshed.refreshToken })).toEqual({ message: 'Sign in again.' });
});

test('an attachment is downloaded under its name, byte by byte; who may not change the issue attaches nothing', async () => {
  const url = await startServer();
  const authorizationOf = async (username: string, password: string) => {
    const headers = { 'Content-Type': 'application/json' };
    const body = JSON.stringify({ username, password });
    const answer = await fetch(`${url}/login`, { method: 'POST', headers, body });
    return `Bearer ${((await answer.json()) as { accessToken: string }).accessToken}`;
  };
  const [ada, grace] = [await authorizationOf('ada', 'lovelace'), await authorizationOf('grace', 'hopper')];
  const { id } = initialIssues.find(({ author, confidential }) => author !== 'grace' && !confidential)!;
  const address = `${url}/issues/${id}/attachments`;
  const bytes = Uint8Array.from({ length: 300_000 }, (_, index) => index % 251);
  const attach = (authorization: string) =>
    fetch(`${address}?name=Skizze%20%C3%BC.png`, {
      method: 'POST',
      headers: { Authorization: authorization, 'Content-Type': 'application/octet-stream' },
      body: bytes,
    });
  expect((await attach(grace)).status).toBe(403);
  const attached = await attach(ada);
  expect([attached.status, await attached.json()]).toMatchObject([
    201,
    { id, attachments: [{ name: 'Skizze ü.png' }] },
  ]);
  const file = await fetch(`${address}/1`, { headers: { Authorization: grace } });
  expect(file.headers.get('Content-Type')).toBe('image/png');
  expect(file.headers.get('Content-Disposition')).toContain("filename*=UTF-8''Skizze%20%C3%BC.png");
  expect(Buffer.from(await file.arrayBuffer()).equals(bytes)).toBe(true);
  expect((await fetch(`${address}/1`)).status).toBe(401);
});
