import type { Page } from 'playwright';
import { beforeAll, expect } from 'vitest';
import { buildRecipe } from './recipes/buildRecipe.js';
import type { ApiServer, ApiServerOptions, Arrived } from './support/apiServer.js';
import { newsSockets } from './support/newsSockets.js';
import { eventually, test } from './support/test.js';

const HTML = '<!doctype html><div id="root"></div><script type="module" src="/app.js"></script>';
let script: string;

beforeAll(async () => {
  script = await buildRecipe('guides/YourManagers', 'NewsApp', 'reads');
}, 60_000);

/** The app with a socket of the guide “Your managers”, with Ada signed in. */
async function setup(startServer: (options: ApiServerOptions) => Promise<ApiServer>, page: Page) {
  const sockets = newsSockets();
  const answer = ({ path, headers, body }: Arrived) => {
    const person = (text: unknown) => /secret-\w+-([a-z]+)-/.exec(String(text))?.[1] ?? '';
    if (path === '/login') return server.signIn((JSON.parse(body) as { username: string }).username);
    if (path === '/refresh') return server.signIn(person(body));
    return { id: '1', title: `The news of ${person(headers['access-token'])}` };
  };
  const server: ApiServer = await startServer({
    pages: { '/app': HTML },
    upgrade: sockets.upgrade,
    otherwise: arrived =>
      arrived.path === '/app.js'
        ? { headers: { 'Content-Type': 'text/javascript' }, body: script }
        : { body: answer(arrived) },
  });
  await page.goto(`${server.url}/app`);
  await signIn(page, 'ada');
  const count = (address: string) => server.requests.filter(({ path }) => path === address).length;
  return { sockets, refreshes: () => count('/refresh'), reads: () => count('/news/1') };
}

async function signIn(page: Page, person: string): Promise<void> {
  await page.getByLabel('User name').fill(person);
  await page.getByLabel('Password').fill('secret');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await heading(page, `The news of ${person}`);
}

const heading = (page: Page, name: string) => page.getByRole('heading', { name }).waitFor();

test('a socket whose token the server refuses is opened again after one refresh; a lost one without', async ({
  context,
  startServer,
}) => {
  const page = await context.newPage();
  const { sockets, refreshes } = await setup(startServer, page);
  await eventually(sockets.tokens, ['secret-access-ada-1']);
  sockets.send({ id: '1', title: 'The first message' });
  await heading(page, 'The first message');
  sockets.close(1001);
  await eventually(sockets.tokens, ['secret-access-ada-1', 'secret-access-ada-1']);
  expect(refreshes()).toBe(0);
  sockets.close(4401);
  await eventually(() => sockets.tokens().slice(2), ['secret-access-ada-2']);
  expect(refreshes()).toBe(1);
  sockets.send({ id: '1', title: 'The second message' });
  await heading(page, 'The second message');
});

test('messages that were missed while the socket was closed are made up for by one request', async ({
  context,
  startServer,
}) => {
  const page = await context.newPage();
  const { sockets, reads } = await setup(startServer, page);
  await eventually(sockets.countOpen, 1);
  sockets.send({ id: '1', title: 'The first message' });
  await heading(page, 'The first message');
  expect(reads()).toBe(1);
  sockets.close(1001);
  await heading(page, 'The news of ada');
  expect(reads()).toBe(2);
});

test('a sign-out closes the socket, and the next user has one of their own', async ({ context, startServer }) => {
  const page = await context.newPage();
  const { sockets, refreshes } = await setup(startServer, page);
  await eventually(sockets.countOpen, 1);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await eventually(sockets.countOpen, 0);
  await signIn(page, 'grace');
  await eventually(sockets.countOpen, 1);
  sockets.send({ id: '1', title: 'A message for Grace' });
  await heading(page, 'A message for Grace');
  expect(sockets.tokens()).toEqual(['secret-access-ada-1', 'secret-access-grace-2']);
  expect(refreshes()).toBe(0);
});
