import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import * as router from 'react-router';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { createTokenSession } from '../../src/index.js';
import type { SessionCore } from '../../src/session/extension.js';
import { codeBlocks } from './support/codeBlocks.js';
import { STORIES } from './support/pages.js';

interface Recipe {
  requireSession(request: Request): Promise<void>;
  checkedReturnTo(returnTo: string | null): string;
}

let restored: { accessToken: string; user?: { id: string } } | null = null;
const session = createTokenSession({
  server: true,
  login: async () => ({ accessToken: 'ada-1', user: { id: 'ada' } }),
  restore: async () => restored,
});
const { requireSession, checkedReturnTo } = loadRecipe();

/** Runs the code of the page as it stands there. */
function loadRecipe<T = Recipe>(name = 'requireSession.ts', others: Record<string, unknown> = {}): T {
  const file = 'guides/Routers.mdx';
  const blocks = codeBlocks({ file, text: readFileSync(new URL(file, STORIES), 'utf8') });
  const { code = '' } = blocks.find(block => block.name === name) ?? {};
  const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 };
  const exports = {};
  const modules: Record<string, unknown> = { 'react-router': router, './session': { session }, ...others };
  runInNewContext(ts.transpileModule(code, { compilerOptions }).outputText, {
    exports,
    require: (module: string) => modules[module],
    URL,
    location: new URL('https://app.test/login'),
  });
  return exports as T;
}

test('a loader waits for the check, and sends a signed-out user to the login page with the way back', async () => {
  const request = new Request('https://app.test/articles?page=2&q=a');
  expect(session.getSnapshot().status).toBe('restoring');
  const response = (await requireSession(request).catch((thrown: unknown) => thrown)) as Response;
  expect(response.status).toBe(302);
  const location = new URL(response.headers.get('Location')!, 'https://app.test');
  expect(location.pathname).toBe('/login');
  expect(checkedReturnTo(location.searchParams.get('returnTo'))).toBe('/articles?page=2&q=a');
});

test('a loader lets a user pass whom the check finds', async () => {
  session.dispose();
  restored = { accessToken: 'ada-1' };
  expect(session.getSnapshot().status).toBe('restoring');
  await expect(requireSession(new Request('https://app.test/articles'))).resolves.toBeUndefined();
});

test('a loader lets a locked user pass, who continues on the page', async () => {
  session.dispose();
  restored = { accessToken: 'ada-1', user: { id: 'ada' } };
  await session.ready();
  const core = session as unknown as SessionCore;
  const stopLocking = core.use(() => ({ onEnd: () => 'lock' }));
  core.expire();
  expect(session.getSnapshot().status).toBe('locked');
  await expect(requireSession(new Request('https://app.test/articles'))).resolves.toBeUndefined();
  const { requireUser } = loadRecipe<{ requireUser: (context: object) => Promise<void> }>('requireUser.ts', {
    '@tanstack/react-router': { redirect: () => new Error('redirected') },
  });
  await expect(requireUser({ location: { href: '/articles' } })).resolves.toBeUndefined();
  stopLocking();
});

test('a `beforeLoad` of TanStack Router waits for the check too, and lets a user pass', async () => {
  const redirect = (options: { to: string; search: { returnTo: string } }) => options;
  const { requireUser } = loadRecipe<{ requireUser: (context: object) => Promise<void> }>('requireUser.ts', {
    '@tanstack/react-router': { redirect },
  });
  const call = () => requireUser({ location: { href: '/articles?page=2' } }).catch((thrown: unknown) => thrown);
  session.dispose();
  restored = null;
  expect(await call()).toEqual({ to: '/login', search: { returnTo: '/articles?page=2' } });
  session.dispose();
  restored = { accessToken: 'ada-1' };
  expect(await call()).toBeUndefined();
});

test.each(['/', '/articles', '/articles?page=2#top', '/login?returnTo=//evil.test'])('%s is a way back', returnTo => {
  expect(checkedReturnTo(returnTo)).toBe(returnTo);
});

test.each([
  null,
  '',
  'articles',
  '//evil.test',
  '///evil.test',
  '/\\evil.test',
  '\\\\evil.test',
  '/\t/evil.test',
  '/.//evil.test',
  '/a/..//evil.test',
  '//',
  'https://evil.test/',
  'https:evil.test',
  'javascript:alert(1)',
  ' javascript:alert(1)',
  'data:text/html,a',
])('%j leads to the front page', returnTo => {
  expect(checkedReturnTo(returnTo)).toBe('/');
});
