import type { Page } from 'playwright';
import { expect } from 'vitest';
import { forget, noted, probe } from '../browser/support/probe.js';
import { eventually, press } from '../browser/support/test.js';
import { cookieServer, type CookieServer } from './support/cookieServer.js';
import {
  expectLog,
  lists,
  makeNote,
  says,
  showsNothingOf,
  signIn,
  signOut,
  secondUserLog,
  titled,
  work,
  workLog,
} from './support/demoApp.js';
import { test } from './support/test.js';

const SEARCH = { session: 'cookie', note: '25' };
const OPENING = ['GET /api/folder  ada  200', 'GET /api/note  ada  200', 'GET /api/note/25  ada  200'];

/** The sessions that the server keeps, by whose they are. */
const owners = (server: CookieServer) => server.sessions().map(({ owner }) => owner ?? 'nobody');

/** The id of the session that the browser of a page is in. */
const sessionId = async (page: Page) => {
  const [cookie] = (await page.context().cookies()).filter(({ name }) => name === 'sid');
  return decodeURIComponent(cookie?.value ?? '').replace(/^s:(.*)\..*$/, '$1');
};

test('a day’s work, and then somebody else’s: every request by the right person, none refused', async ({
  context,
  start,
  openApp,
}) => {
  await probe(context, 'present');
  const server = await start(cookieServer);
  const page = await openApp(server, SEARCH);
  await says(page, 'anonymous');
  await signIn(page, 'ada');
  await work(page, 'ada');
  await signOut(page);
  await signIn(page, 'grace');
  await page.getByText('This does not exist, or it was deleted.').waitFor();

  expectLog(server.log.lines(), [
    ['GET /auth/whoami  nobody  401'],
    ['GET /auth/csrf  nobody  204'],
    ['POST /auth/login  nobody  200'],
    ...workLog('ada', 25, 1),
    ['POST /auth/logout  ada  204'],
    ['GET /auth/csrf  nobody  204'],
    ['POST /auth/login  nobody  200'],
    ...secondUserLog('grace', 25),
  ]);
  expect(owners(server)).toEqual(['grace']);
  expect(showsNothingOf('ada', await noted(page))).toBe(true);
});

test('a sign-in exchanges the session and the CSRF token that goes with it', async ({ context, start, openApp }) => {
  const server = await start(cookieServer);
  const page = await openApp(server, SEARCH);
  await says(page, 'anonymous');
  const csrf = async () => (await context.cookies()).find(({ name }) => name === 'csrf')?.value;
  const releaseLogin = server.holdLogin();
  const signedIn = signIn(page, 'ada');
  await releaseLogin.reached;
  const before = { id: await sessionId(page), csrf: await csrf() };
  expect(owners(server)).toEqual(['nobody']);
  releaseLogin();
  await signedIn;

  expect(owners(server)).toEqual(['ada']);
  expect(server.sessions().map(({ id }) => id)).toEqual([await sessionId(page)]);
  expect(await sessionId(page)).not.toBe(before.id);
  expect(await csrf()).not.toBe(before.csrf);
  await makeNote(page, 'Made after it');
  expect(server.log.lines().at(-1)).toBe('POST /api/note  ada  201');
});

test('a new CSRF secret of the server costs one token more, and no act of the person’s', async ({ start, openApp }) => {
  const server = await start(cookieServer);
  const page = await openApp(server, SEARCH);
  await signIn(page, 'ada');
  server.log.clear();
  server.changeCsrfSecret();
  await makeNote(page, 'Made all the same');
  await page.reload();
  await lists(page, titled('ada', 10));
  expectLog(server.log.lines(), [
    ['POST /api/note  ada  403'],
    ['GET /auth/csrf  ada  204'],
    ['GET /auth/whoami  ada  200'],
    ['POST /api/note  ada  201'],
    ['GET /auth/whoami  ada  200'],
    OPENING,
  ]);
});

for (const [how, end] of [
  ['that came to its end on the server', (server: CookieServer) => server.age('ada')],
  ['that was ended from elsewhere', (server: CookieServer) => server.signOutElsewhere('ada')],
] as const) {
  test(`a session ${how} is left once, however many requests find out, and the next sign-in works`, async ({
    start,
    openApp,
  }) => {
    const server = await start(cookieServer);
    const page = await openApp(server, SEARCH);
    await signIn(page, 'ada');
    server.log.clear();
    end(server);
    await press(page, 'Ask ten times');
    await says(page, 'anonymous expired');
    await page.getByText('Your session has ended. Sign in to continue.').waitFor();
    expect(await page.getByText('ada').count()).toBe(0);
    await signIn(page, 'ada');
    await makeNote(page, 'Made after it');
    const lines = server.log.lines();
    const asked = lines.filter(line => line.startsWith('GET /api/note/25  nobody'));
    expect(asked).toContain('GET /api/note/25  nobody  401');
    // What had not been answered by then was called off, or never sent.
    expect(asked.length).toBeLessThanOrEqual(10);
    expectLog(
      lines.filter(line => !asked.includes(line)),
      [
        ['GET /auth/whoami  nobody  401'],
        ['POST /auth/login  nobody  403'],
        ['GET /auth/csrf  nobody  204'],
        ['POST /auth/login  nobody  200'],
        OPENING,
        ['POST /api/note  ada  201'],
      ],
    );
    expect(owners(server)).toEqual(['ada']);
  });
}

test('who signs out or in in one tab does so in both, and the next act carries the new CSRF token', async ({
  context,
  start,
  openApp,
}) => {
  await probe(context, 'present');
  const server = await start(cookieServer);
  const first = await openApp(server, SEARCH);
  await signIn(first, 'ada');
  const second = await openApp(server, SEARCH);
  await lists(second, titled('ada', 10));
  server.log.clear();

  await press(first, 'Sign out');
  await says(second, 'anonymous elsewhere');
  await eventually(() => server.sessions(), []);
  await forget(second);
  await signIn(first, 'grace');
  await lists(second, titled('grace', 10));
  await makeNote(second, 'Made in the second tab');
  await makeNote(first, 'Made in the first tab');

  expect(showsNothingOf('ada', await noted(second))).toBe(true);
  const lines = server.log.lines();
  expect(lines.filter(line => !line.startsWith('GET'))).toEqual([
    'POST /auth/logout  ada  204',
    'POST /auth/login  nobody  200',
    'POST /api/note  grace  201',
    'POST /api/note  grace  201',
  ]);
  expect(lines.filter(line => line.includes('/api/') && !line.includes('grace'))).toEqual([]);
});
