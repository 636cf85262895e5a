// An app with plain data-client, and the commit that moves it to the kit: the same app, with its own managers, a data router, GraphQL,
// a generated client and its own Storybook, before and after.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, test as base } from 'vitest';
import { chromiumOptions } from '../../scripts/chromium.mjs';
import { serve } from '../../scripts/serve.mjs';
import { consumerApp, typeErrors } from './support/consumerApp.js';
import { buildStorybook, STORYBOOK_MODULES } from './support/consumerStorybook.js';
import { deskServer, type DeskServer } from './support/deskServer.js';

const PATCH = join(import.meta.dirname, 'existingApp/move-to-the-kit.patch');
/** More than a busy machine needs to build both versions, or a Storybook. */
const BUILD_TIMEOUT_MS = 180_000;
/** More than a busy page needs for its last request. */
const TIMEOUT_MS = 15_000;
const COMPILER = 'tests/consumer/compilers/7/node_modules/typescript';
const app = { source: 'existingApp/app', modules: ['openapi-fetch', 'react-router', ...STORYBOOK_MODULES] };

type Version = 'as it was' | 'moved to the kit';
const VERSIONS: readonly Version[] = ['as it was', 'moved to the kit'];
let apps: Record<Version, ReturnType<typeof consumerApp>>;
let browser: Browser;

beforeAll(async () => {
  apps = {
    'as it was': consumerApp({ ...app, withoutPackage: true }),
    'moved to the kit': consumerApp({ ...app, patch: PATCH }),
  };
  for (const { folder } of Object.values(apps)) await build({ root: folder, logLevel: 'error' });
  browser = await chromium.launch(chromiumOptions());
}, BUILD_TIMEOUT_MS);
afterAll(async () => {
  await browser?.close();
  for (const { remove } of Object.values(apps ?? {})) remove();
});

interface Visit {
  server: DeskServer;
  page: Page;
}

/**
 * Opens one version of the app in a browser profile of its own, with a server of its own. A page with an uncaught error fails. If a
 * test fails, prints what the pages said to their consoles.
 */
const test = base.extend<{ visit: (version: Version) => Promise<Visit> }>({
  visit: async ({ onTestFailed }, give) => {
    const said: string[] = [];
    onTestFailed(() => console.log(said.join('\n')));
    const errors: string[] = [];
    const endings: (() => Promise<void>)[] = [];
    await give(async version => {
      const server = await deskServer(join(apps[version].folder, 'dist'));
      const context = await browser.newContext();
      endings.push(
        () => context.close(),
        () => server.close(),
      );
      const page = await context.newPage();
      page.on('console', message => said.push(`${message.type()}: ${message.text()}`));
      page.on('pageerror', error => errors.push(error.message));
      // Before the page has timers of its own: one that is older than the clock, such as that of a lock, may be lost with it.
      await page.clock.install();
      await page.goto(server.url);
      return { server, page };
    });
    for (const end of endings) await end();
    expect(errors).toEqual([]);
  },
});

const PASSWORDS = { ada: 'lovelace', grace: 'hopper' };

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first().click();
const eventually = <T>(read: () => T | Promise<T>, expected: T) =>
  expect.poll(read, { timeout: TIMEOUT_MS }).toEqual(expected);
const toasts = (page: Page) => page.locator('#toasts').textContent();

async function enter({ page }: Visit, person: 'ada' | 'grace'): Promise<void> {
  await page.getByLabel('User name').fill(person);
  await page.getByLabel('Password').fill(PASSWORDS[person]);
  await press(page, 'Sign in');
  await page.getByText(person === 'ada' ? 'Parcels of Ada' : 'Parcels of Grace').waitFor();
}

async function signIn(opened: Visit, person: 'ada' | 'grace'): Promise<void> {
  await enter(opened, person);
  await opened.page.getByText(person === 'ada' ? 'Charles Babbage 10' : 'Howard Aiken 10').waitFor();
  await opened.page.getByText('Depot').waitFor();
}

/** Opens the login page while a user is signed in. */
const switchUser = ({ page }: Visit) => page.getByRole('link', { name: 'Switch user' }).click();

async function signOut({ page }: Visit): Promise<void> {
  await press(page, 'Sign out');
  await page.getByLabel('User name').waitFor();
}

const news = (person: string) => ({ id: '11', to: `News for ${person}`, status: 'new' });

/** What the button `Refresh all` sends: ten reads of the store, ten calls of the generated client, and GraphQL. */
const all = (end: string) => [
  ...Array.from({ length: 10 }, (_, index) => `GET /api/parcels/${index + 1}  ${end}`),
  ...Array.from({ length: 10 }, (_, index) => `GET /api/parcels/${index + 1}/scans  ${end}`),
  `POST /api/graphql  ${end}`,
];

test('the move is one patch of fewer than 40 lines, added and removed ones together', () => {
  const numstat = execFileSync('git', ['apply', '--numstat', PATCH], { encoding: 'utf8' });
  const counts = [...numstat.matchAll(/^(\d+)\t(\d+)/gm)];
  const [added, removed] = [1, 2].map(index => counts.reduce((sum, count) => sum + Number(count[index]), 0));
  // The guide names the two counts.
  expect({ added, removed }).toEqual({ added: 17, removed: 22 });
});

describe.each(VERSIONS)('the app %s', version => {
  test('has no type errors', async () => {
    expect(await typeErrors(apps[version].folder, COMPILER)).toEqual([]);
  });

  test('signs in, lists, writes, and reads by its socket, by GraphQL and by its generated client', async ({
    visit,
  }) => {
    const opened = await visit(version);
    const { page, server } = opened;
    await signIn(opened, 'ada');
    await page.getByText('Depot London: 10 parcels').waitFor();
    await eventually(() => server.live.open(), ['ada']);
    server.live.send('ada', news('Ada'));
    await page.getByText('News for Ada').waitFor();
    await press(page, 'Deliver');
    await page.getByText('delivered').waitFor();
    await page.getByRole('link', { name: 'Charles Babbage 2' }).click();
    await page.getByText('09:30 ada’s counter').waitFor();
    expect(server.takeLines().sort()).toEqual(
      [
        'POST /api/login  nobody  200',
        'GET /api/parcels  ada  200',
        'POST /api/graphql  ada  200',
        'PATCH /api/parcels/1  ada  200',
        'GET /api/parcels/2/scans  ada  200',
      ].sort(),
    );
  });

  test('a cold start: one set of managers, and one request a key of the loader and the widgets', async ({ visit }) => {
    const opened = await visit(version);
    const { page, server } = opened;
    await signIn(opened, 'ada');
    await eventually(() => server.live.open(), ['ada']);
    server.takeLines();
    server.reports.length = 0;
    await page.goto(`${server.url}/parcels/3`);
    await page.getByRole('heading', { name: 'Charles Babbage 3' }).waitFor();
    await page.getByText('Depot London').waitFor();
    await eventually(() => server.reports, ['visit 1 begins']);
    await eventually(() => server.live.open(), ['ada']);
    expect(server.takeLines().sort()).toEqual(
      ['GET /api/parcels/3  ada  200', 'GET /api/parcels/3/scans  ada  200', 'POST /api/graphql  ada  200'].sort(),
    );
  });
});

/** Lets the tokens of the page expire, by its own clock. */
const letTimePass = (page: Page) => page.clock.setSystemTime(Date.now() + 3_600_000);

/** Counts the requests that the page sends from now on to addresses with this part. */
function countRequests(page: Page, part: string): () => number {
  let count = 0;
  page.on('request', request => (count += Number(request.url().includes(part))));
  return () => count;
}

/** Ten reads, ten calls of the generated client and GraphQL, of a page whose token the server refuses from now on. */
async function refreshWithRefusedToken({ page, server }: Visit, outcome: string): Promise<string[]> {
  server.expireTokens();
  server.takeLines();
  const sent = countRequests(page, '/api/');
  const release = server.hold();
  await press(page, 'Refresh all');
  // The browser opens a few connections at a time, so most of them have not reached the server.
  await eventually(sent, 21);
  release();
  await eventually(() => toasts(page), outcome);
  return server.takeLines().sort();
}

describe('the app as it was', () => {
  const version = 'as it was';

  test('has one set of managers for all users: Grace sees the rows of Ada, and what Ada’s socket sends', async ({
    visit,
  }) => {
    const opened = await visit(version);
    const { page, server } = opened;
    await signIn(opened, 'ada');
    await eventually(() => server.live.open(), ['ada']);
    server.takeLines();
    await switchUser(opened);
    await enter(opened, 'grace');
    server.live.send('ada', news('Ada'));
    await page.getByText('News for Ada').waitFor();
    expect(await page.getByText('Charles Babbage').count()).toBe(10);
    expect(server.takeLines()).toEqual(['POST /api/login  nobody  200']);
    expect(server.reports).toEqual(['visit 1 begins']);
    expect(server.live.open()).toEqual(['ada']);
  });

  test('a sign-out empties the store below the open page, which reads its data again without a token', async ({
    visit,
  }) => {
    const opened = await visit(version);
    await signIn(opened, 'ada');
    opened.server.takeLines();
    await signOut(opened);
    await eventually(
      () => opened.server.log.lines().sort(),
      ['GET /api/parcels  nobody  401', 'POST /api/graphql  nobody  401'],
    );
  });

  test('a known expiry costs one refresh for each request', async ({ visit }) => {
    const opened = await visit(version);
    const { page, server } = opened;
    await signIn(opened, 'ada');
    const refreshes = countRequests(page, '/api/refresh');
    await letTimePass(page);
    const release = server.holdRefresh();
    await press(page, 'Refresh all');
    await eventually(refreshes, 21);
    release();
    await eventually(() => toasts(page), 'Refreshed: 21 done, 0 failed');
  });

  test('a refused token fails every request, and nothing gets a new one', async ({ visit }) => {
    const opened = await visit(version);
    await signIn(opened, 'ada');
    const lines = await refreshWithRefusedToken(opened, 'Refreshed: 0 done, 21 failed');
    expect(lines).toEqual(all('nobody  401').sort());
  });

  test('a sign-out leaves the calls of the generated client in flight, and they are answered', async ({ visit }) => {
    const opened = await visit(version);
    const { page, server } = opened;
    await signIn(opened, 'ada');
    const release = server.hold();
    await press(page, 'Refresh all');
    await release.reached;
    await signOut(opened);
    release();
    await eventually(() => toasts(page), 'Refreshed: 10 done, 11 failed');
  });
});

describe('the app moved to the kit', () => {
  const version = 'moved to the kit';

  test('has one set of managers for each identity, one socket at a time, and nothing of Ada under Grace', async ({
    visit,
  }) => {
    const opened = await visit(version);
    const { page, server } = opened;
    await signIn(opened, 'ada');
    await eventually(() => server.live.open(), ['ada']);
    server.live.sendLate('ada', news('Ada'));
    server.takeLines();
    await switchUser(opened);
    await signIn(opened, 'grace');
    await eventually(() => server.live.open(), ['grace']);
    server.live.send('grace', news('Grace'));
    await page.getByText('News for Grace').waitFor();
    expect(await page.getByRole('listitem').count()).toBe(11);
    expect(await page.getByText('Howard Aiken').count()).toBe(10);
    await signOut(opened);
    await eventually(() => server.reports.length, 7);
    // Four factories, four `init`, three `cleanup`, and each before the next `init`.
    expect(server.reports).toEqual([
      'visit 1 begins',
      'visit 1 ends',
      'visit 2 begins',
      'visit 2 ends',
      'visit 3 begins',
      'visit 3 ends',
      'visit 4 begins',
    ]);
    await eventually(() => server.live.open(), []);
    expect(server.live.opened).toEqual(['ada', 'grace']);
    expect(server.live.mostOpen()).toBe(1);
    const sent = ['POST /api/login  nobody  200', 'GET /api/parcels  grace  200', 'POST /api/graphql  grace  200'];
    expect(server.takeLines().sort()).toEqual(sent.sort());
  });

  test('a known expiry costs one refresh for all requests', async ({ visit }) => {
    const opened = await visit(version);
    const { page, server } = opened;
    await signIn(opened, 'ada');
    await letTimePass(page);
    server.takeLines();
    await press(page, 'Refresh all');
    await eventually(() => toasts(page), 'Refreshed: 21 done, 0 failed');
    expect(server.takeLines().sort()).toEqual([...all('ada  200'), 'POST /api/refresh  ada  200'].sort());
  });

  test('a refused token costs one refresh, and each request once more', async ({ visit }) => {
    const opened = await visit(version);
    await signIn(opened, 'ada');
    const lines = await refreshWithRefusedToken(opened, 'Refreshed: 21 done, 0 failed');
    expect(lines).toEqual([...all('nobody  401'), 'POST /api/refresh  ada  200', ...all('ada  200')].sort());
    expect(opened.server.reports).toEqual(['visit 1 begins', 'visit 1 ends', 'visit 2 begins']);
  });

  test('a switch calls off what is in flight, and nothing is sent as Grace', async ({ visit }) => {
    const opened = await visit(version);
    const { page, server } = opened;
    await signIn(opened, 'ada');
    server.takeLines();
    const release = server.hold();
    await press(page, 'Refresh all');
    await release.reached;
    await signOut(opened);
    await eventually(() => toasts(page), 'Refreshed: 0 done, 21 failed');
    release();
    await signIn(opened, 'grace');
    // How many of the 21 have reached the server is the browser's affair.
    const requests = server.log.requests();
    expect(requests.filter(({ who, status }) => who === 'ada' && status === 200)).toEqual([]);
    expect(
      requests
        .filter(({ who }) => who !== 'ada')
        .map(({ path }) => path)
        .sort(),
    ).toEqual(['/api/login', '/api/parcels', '/api/graphql'].sort());
    expect(await page.getByText('Charles Babbage').count()).toBe(0);
  });
});

describe.each(VERSIONS)('the Storybook of the app %s', version => {
  let storybook: Awaited<ReturnType<typeof serve>>;
  beforeAll(async () => {
    storybook = await serve(await buildStorybook(apps[version].folder, '--test'));
  }, BUILD_TIMEOUT_MS);
  afterAll(() => storybook?.close());

  /** Opens a story. Returns each request of it, with the token that it carries. */
  async function requestsOf(story: string, text: string): Promise<string[]> {
    const context = await browser.newContext();
    const page = await context.newPage();
    const sent: string[] = [];
    page.on('request', request => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith('/api/'))
        sent.push(`${request.method()} ${pathname} ${request.headers().authorization?.trim()}`);
    });
    await page.goto(`${storybook.url}/iframe.html?id=${story}&viewMode=story`);
    await page.getByText(text).waitFor();
    await context.close();
    return sent;
  }

  const credential = { 'as it was': 'Bearer', 'moved to the kit': 'Bearer ada' }[version];

  test.for([
    ['parcel-list--two-parcels', 'Mary Somerville', '/api/parcels'],
    ['parcel--on-its-way', '09:30 Dorset Street', '/api/parcels/1'],
  ] as const)('%s sends its one read and no login', async ([story, text, path]) => {
    expect(await requestsOf(story, text)).toEqual([`GET ${path} ${credential}`]);
  });
});
