import type { Page } from 'playwright';
import { expect } from 'vitest';
import { noted, probe } from '../browser/support/probe.js';
import { eventually, press } from '../browser/support/test.js';
import {
  enter,
  expectLog,
  lists,
  makeNote,
  showsNothingOf,
  signIn,
  signOut,
  secondUserLog,
  titled,
  work,
  workLog,
} from './support/demoApp.js';
import { jwtServer, type JwtServer } from './support/jwtServer.js';
import { PAGE_SIZE, SHELVES } from './support/people.js';
import type { ServerOptions } from './support/ServerOptions.js';
import { test } from './support/test.js';

/** How long an access token lives, in seconds. */
const LIFETIME = 4;

/** How long one lives that must not come to its end while a test looks on, in seconds. */
const LONG = 300;

const smallShelves = (options: ServerOptions) =>
  jwtServer({ ...options, shelves: SHELVES, pageSize: PAGE_SIZE, lifetime: LIFETIME });

/** Calls of the API that were not refused for a token that had come to its end; such are sent once more. */
const answered = (server: JwtServer) =>
  server.log.lines().filter(line => line.includes(' /api/') && !line.endsWith('401'));

test('a day’s work, and then somebody else’s: every request by the right person', async ({
  context,
  start,
  openApp,
}) => {
  await probe(context, 'present');
  const server = await start(smallShelves);
  const page = await openApp(server, { session: 'jwt', note: '25' });
  await signIn(page, 'ada');
  await work(page, 'ada');
  await signOut(page);
  await signIn(page, 'grace');
  await page.getByText('This does not exist, or it was deleted.').waitFor();

  expectLog(answered(server), [...workLog('ada', 25, 1), ...secondUserLog('grace', 25)]);
  expect(showsNothingOf('ada', await noted(page))).toBe(true);
});

test('a token that has come to its end costs ten requests one refresh, and none of them a refusal', async ({
  start,
  openApp,
}) => {
  const server = await start(smallShelves);
  const page = await openApp(server, { session: 'jwt', note: '25' });
  await signIn(page, 'ada');
  await eventually(() => server.allExpired(), true);
  server.setLifetime(LONG);
  server.log.clear();
  await press(page, 'Ask ten times');
  await page.getByText('10 answered, 0 failed').waitFor();
  expect(server.log.lines()).toEqual([
    'POST /auth/refresh  ada  200',
    ...Array.from({ length: 10 }, () => 'GET /api/note/25  ada  200'),
  ]);
});

test('what waits for a refresh when the person leaves is never sent, least of all as the next one', async ({
  context,
  start,
  openApp,
}) => {
  await probe(context, 'present');
  const server = await start(smallShelves);
  const page = await openApp(server, { session: 'jwt', note: '25' });
  await signIn(page, 'ada');
  await eventually(() => server.allExpired(), true);
  server.setLifetime(LONG);
  server.log.clear();
  const releaseRefresh = server.holdRefresh();
  await page.getByRole('form', { name: 'Change it' }).getByLabel('Title').fill('Changed here');
  await press(page, 'Save');
  await press(page, 'Ask ten times');
  await releaseRefresh.reached;
  await signOut(page);
  await signIn(page, 'grace');
  releaseRefresh();
  // The sign-out aborted her refresh: the page reads no answer of it, and the requests that waited for it have been rejected.
  await eventually(() => server.log.lines()[0], 'POST /auth/refresh  ada  cut off');
  await eventually(() => page.evaluate(async () => (await navigator.locks.query()).held), []);
  await makeNote(page, 'Made by her');

  expectLog(server.log.lines(), [
    ['POST /auth/refresh  ada  cut off'],
    ['POST /auth/login  nobody  200'],
    ...secondUserLog('grace', 25),
    ['POST /api/note  grace  201'],
  ]);
  expect(showsNothingOf('ada', await noted(page))).toBe(true);
});

test('what the server answers after the person has left is shown to nobody', async ({ context, start, openApp }) => {
  await probe(context, 'present');
  const server = await start(smallShelves);
  server.setLifetime(LONG);
  const page = await openApp(server, { session: 'jwt', note: '25' });
  await signIn(page, 'ada');
  server.log.clear();
  const releaseApi = server.holdApi();
  await press(page, 'Read again');
  await press(page, 'Load more');
  await releaseApi.reached;
  await signOut(page);
  await enter(page, 'grace');
  await eventually(() => server.log.lines().some(line => line.includes('/api/note  grace')), true);
  const adas = () => server.log.lines().filter(line => line.includes('  ada  '));
  await eventually(() => adas().filter(line => !line.endsWith('cut off')), []);
  releaseApi();
  await lists(page, titled('grace', 10));

  expectLog(
    server.log.lines().filter(line => !adas().includes(line)),
    [['POST /auth/login  nobody  200'], ...secondUserLog('grace', 25)],
  );
  expect(showsNothingOf('ada', await noted(page))).toBe(true);
});

const ROWS = 10_000;
const LONG_PAGE = 500;

/** After how many rows the pages stand that are cut off in their middle. */
const CUTS = [1_500, 6_000];

/** The numbers of all rows that are loaded, in their order. */
const loaded = async (page: Page) => ((await page.locator('#numbers').textContent()) ?? '').split(' ').map(Number);

/** The rows in the document: what each should be by its place, and what it is. */
const rowsInDocument = (page: Page) =>
  page
    .getByRole('region', { name: 'Notes' })
    .getByRole('listitem')
    .evaluateAll(rows => rows.map(row => [`ada’s note ${row.ariaPosInSet}`, row.textContent]));

test('10,000 rows by cursor, from a server that goes down in the middle of two pages: each is there once, in order', async ({
  start,
  openApp,
}) => {
  const server = await start(options =>
    jwtServer({ ...options, shelves: { ada: ROWS, grace: 1 }, pageSize: LONG_PAGE, lifetime: LIFETIME }),
  );
  const page = await openApp(server, { session: 'jwt' });
  await enter(page, 'ada');
  const has = (count: number) => eventually(async () => (await loaded(page)).length, count);
  await has(LONG_PAGE);

  for (let count = LONG_PAGE; count < ROWS; count += LONG_PAGE) {
    const cut = CUTS.includes(count) ? server.cutPage(count) : undefined;
    await press(page, 'Load more');
    if (cut) {
      await cut;
      await server.stop();
      await page.getByText('The server could not be reached. Check the connection.').waitFor();
      expect(await loaded(page)).toHaveLength(count);
      await server.start();
      await press(page, 'Try again');
    }
    await has(count + LONG_PAGE);
  }

  await page.locator('.dca-note', { hasText: 'All 10,000 loaded.' }).waitFor();
  expect(await loaded(page)).toEqual(Array.from({ length: ROWS }, (_, index) => index + 1));
  for (const place of [0.15, 0.6, 1]) {
    await page.evaluate(part => scrollTo(0, part * document.body.scrollHeight), place);
    const numbers = async () => (await rowsInDocument(page)).map(([, text]) => Number(text?.split(' ').at(-1)));
    await eventually(async () => (await numbers()).some(number => Math.abs(number - place * ROWS) < ROWS / 20), true);
    const rows = await rowsInDocument(page);
    expect(rows.map(([, is]) => is)).toEqual(rows.map(([should]) => should));
  }

  const pages = Array.from({ length: ROWS / LONG_PAGE }, (_, index) => index * LONG_PAGE);
  expectLog(
    answered(server).filter(line => line.includes('/api/note')),
    pages.map(after => {
      const line = `GET /api/note${after ? `?cursor=after-${after}` : ''}  ada  `;
      return CUTS.includes(after) ? [`${line}cut off`, `${line}200`] : [`${line}200`];
    }),
  );
});
