import type { Page } from 'playwright';
import { expect } from 'vitest';
import { eventually, press } from '../browser/support/test.js';
import { cookieServer } from './support/cookieServer.js';
import { enter, says } from './support/demoApp.js';
import { jwtServer } from './support/jwtServer.js';
import { PAGE_SIZE, SHELVES } from './support/people.js';
import type { ServerOptions } from './support/ServerOptions.js';
import { test } from './support/test.js';

/** A token that no test outlives, in seconds. */
const LONG = 300;

const longLived = (options: ServerOptions) =>
  jwtServer({ ...options, shelves: SHELVES, pageSize: PAGE_SIZE, lifetime: LONG });

/** What the callers were told so far. */
const told = (page: Page, expected: string) => eventually(() => page.locator('#told').textContent(), expected);

async function signIn(page: Page, person: string): Promise<void> {
  await enter(page, person);
  await says(page, 'authenticated');
}

async function signOut(page: Page): Promise<void> {
  await press(page, 'Sign out');
  await says(page, 'anonymous signed-out');
}

test('ten calls of a generated client and ten reads meet a token that has ended: 20 requests, 1 refresh, 20 requests', async ({
  start,
  openApp,
}) => {
  const server = await start(longLived);
  const page = await openApp(server, { session: 'jwt-clients' });
  await signIn(page, 'ada');
  await server.stop();
  await server.start();
  server.log.clear();
  await press(page, 'Ask ten and ten');
  await told(page, '20 and 0');
  const notes = (end: string) =>
    Array.from({ length: 10 }, (_, index) => [1, 2].map(() => `GET /api/note/${index + 1}  ${end}`)).flat();
  // The browser opens a few connections at a time, so the last of the twenty may arrive after the refresh.
  expect(server.log.lines().sort()).toEqual(
    [...notes('nobody  401'), 'POST /auth/refresh  ada  200', ...notes('ada  200')].sort(),
  );
});

test('a GraphQL server that refuses with 200 gets the query again, with a new token', async ({ start, openApp }) => {
  const server = await start(longLived);
  const page = await openApp(server, { session: 'jwt-clients' });
  await signIn(page, 'ada');
  await server.stop();
  await server.start();
  server.log.clear();
  await press(page, 'Ask by GraphQL');
  await told(page, 'me: ada');
  expect(server.log.lines()).toEqual([
    'POST /api/graphql  nobody  200',
    'POST /auth/refresh  ada  200',
    'POST /api/graphql  ada  200',
  ]);
});

test('an upload of 3 MB that was refused arrives byte for byte', async ({ start, openApp }) => {
  const server = await start(longLived);
  const page = await openApp(server, { session: 'jwt-clients' });
  await signIn(page, 'ada');
  await server.stop();
  await server.start();
  server.log.clear();
  await press(page, 'Upload');
  await told(page, '3145728 bytes, all of them the same');
  expect(server.log.lines()).toEqual([
    'POST /api/upload  nobody  401',
    'POST /auth/refresh  ada  200',
    'POST /api/upload  ada  200',
  ]);
});

test('with a cookie, an upload whose CSRF token is out of date is sent once more', async ({ start, openApp }) => {
  const server = await start(cookieServer);
  const page = await openApp(server, { session: 'cookie-clients' });
  await says(page, 'anonymous');
  await signIn(page, 'ada');
  server.changeCsrfSecret();
  server.log.clear();
  await press(page, 'Upload');
  await told(page, '3145728 bytes, all of them the same');
  expect(server.log.lines()).toEqual([
    'POST /api/upload  ada  403',
    'GET /auth/csrf  ada  204',
    'GET /auth/whoami  ada  200',
    'POST /api/upload  ada  200',
  ]);
});

test('twenty requests in flight are called off by a sign-out, and none is sent as the next user', async ({
  start,
  openApp,
}) => {
  const server = await start(longLived);
  const page = await openApp(server, { session: 'jwt-clients' });
  await signIn(page, 'ada');
  server.log.clear();
  const release = server.holdApi();
  await press(page, 'Ask ten and ten');
  await release.reached;
  await signOut(page);
  await told(page, '0 and 20');
  await signIn(page, 'grace');
  release();
  await press(page, 'Ask by GraphQL');
  await told(page, '0 and 20; me: grace');
  // How many of the twenty have reached the server is the browser's affair.
  expect(server.log.lines().filter(line => !line.includes('/api/note/'))).toEqual([
    'POST /auth/login  nobody  200',
    'POST /api/graphql  grace  200',
  ]);
  const notes = server.log.requests().filter(({ path }) => path.startsWith('/api/note/'));
  expect(notes.filter(({ who, status }) => who !== 'ada' || status === 200)).toEqual([]);
});

test('a response whose body is being read when the user signs out is never read to its end', async ({
  start,
  openApp,
}) => {
  const server = await start(longLived);
  const page = await openApp(server, { session: 'jwt-clients' });
  await signIn(page, 'ada');
  const release = server.holdSlow();
  await press(page, 'Read slowly');
  await told(page, '200');
  await signOut(page);
  await told(page, '200; AbortError');
  release();
  await eventually(() => server.log.lines().at(-1), 'GET /api/slow  ada  cut off');
});
