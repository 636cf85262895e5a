import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, expect, vi } from 'vitest';
import { buildApp } from '../browser/support/buildApp.js';
import { noted, probe } from '../browser/support/probe.js';
import { recordMessages } from '../browser/support/recordMessages.js';
import { eventually, newContext, test as browserTest } from '../browser/support/test.js';
import { passwordOf } from './support/people.js';
import { renderingServer, type RenderingServer } from './support/renderingServer.js';

const PEOPLE = ['ada', 'grace'] as const;
const OTHER = { ada: 'grace', grace: 'ada' } as const;
const notesOf = (person: string) => [1, 2].map(number => `${person}’s note ${number}`);

/** What React says of data-client's own provider, and the browser of a 401; neither is about a mismatch. */
const KNOWN = [/Support for defaultProps will be removed from function components/, /status of 401/];
const complaints = (said: string[]) =>
  said.filter(line => /^(error|warning|uncaught)/.test(line) && !KNOWN.some(known => known.test(line)));

let pages: string;
beforeAll(async () => {
  pages = await mkdtemp(join(process.cwd(), 'node_modules/.cache/data-client-auth/rendered-'));
  // The development build, because it complains of more.
  await buildApp(join(import.meta.dirname, 'rendered'), 'development', pages);
});
afterAll(() => rm(pages, { recursive: true, force: true }));

// data-client advises against its CacheProvider on servers, and React against its defaultProps.
beforeEach(() => {
  const silenced = (['warn', 'error'] as const).map(level => vi.spyOn(console, level).mockImplementation(() => {}));
  return () => silenced.forEach(spy => spy.mockRestore());
});

const test = browserTest.extend<{ server: RenderingServer }>({
  server: async ({}, give) => {
    const server = await renderingServer(pages);
    await give(server);
    await server.close();
  },
});

const become = (context: BrowserContext, server: RenderingServer, person: string) =>
  context.addCookies([{ name: 'sid', value: server.signIn(person), url: server.url, httpOnly: true }]);
const who = (page: Page) => page.locator('#who').textContent();
const lists = (page: Page, titles: readonly string[]) =>
  eventually(() => page.getByRole('listitem').allTextContents(), [...titles]);
const shownTexts = async (page: Page) => (await noted(page)).shown.map(({ text }) => text);

test('two users whose pages are rendered in turns: each document holds its own user only', async ({ server }) => {
  for (const order of [PEOPLE, [...PEOPLE].reverse()]) {
    const releases = { ada: server.hold('ada'), grace: server.hold('grace') };
    const documents = PEOPLE.map(async person => {
      const answer = await fetch(server.url, { headers: { Cookie: `sid=${server.signIn(person)}` } });
      return answer.text();
    });
    // Both renders are under way, and wait.
    await Promise.all(PEOPLE.map(person => releases[person].reached));
    for (const person of order) releases[person]();
    const htmls = await Promise.all(documents);
    PEOPLE.forEach((person, index) => {
      expect(htmls[index]).toContain(`authenticated ${person}`);
      expect(htmls[index]).toMatch(new RegExp(`Welcome back, (<!-- -->)?${person}`));
      expect(htmls[index]).toContain(`{"id":"${person}"}`);
      expect(htmls[index]).not.toContain(OTHER[person]);
      expect(htmls[index]).not.toContain('The gate');
    });
  }
});

test('two browsers, one server: each page and each hydrated store has its own user’s data only', async ({
  server,
  browser,
}) => {
  const releases = { ada: server.hold('ada'), grace: server.hold('grace') };
  const opened = await Promise.all(
    PEOPLE.map(async person => {
      const context = await newContext(browser);
      await become(context, server, person);
      const page = await context.newPage();
      return { person, page, context, loaded: page.goto(server.url) };
    }),
  );
  await Promise.all(PEOPLE.map(person => releases[person].reached));
  releases.grace();
  releases.ada();
  for (const { person, page, context, loaded } of opened) {
    await loaded;
    await lists(page, notesOf(person));
    const everything = (await page.content()) + (await page.evaluate(() => window.storeState()));
    expect(everything).toContain(`${person}-2`);
    expect(everything).not.toContain(OTHER[person]);
    await context.close();
  }
  const api = server.log.lines().filter(line => !line.startsWith('GET / '));
  expect(api.sort()).toEqual(PEOPLE.map(person => `GET /api/note  ${person}  200`));
});

test('hydration: no warning, no frame of the gate, no whoami, and one request in the place of two', async ({
  server,
  context,
}) => {
  await probe(context, 'present');
  await become(context, server, 'ada');
  const page = await context.newPage();
  const { said } = recordMessages(page);
  await page.goto(server.url);
  await lists(page, notesOf('ada'));
  const frames = await shownTexts(page);
  expect(frames.some(text => text.includes('authenticated ada'))).toBe(true);
  expect(frames.filter(text => /The gate|One moment|restoring|anonymous/.test(text))).toEqual([]);
  expect(complaints(said)).toEqual([]);
  expect(server.log.lines()).toEqual(['GET /  ada  200', 'GET /api/note  ada  200']);

  server.log.clear();
  await page.goto(`${server.url}/?untold`);
  await lists(page, notesOf('ada'));
  expect(server.log.lines()).toEqual([
    'GET /?untold  ada  200',
    'GET /auth/whoami  ada  200',
    'GET /api/note  ada  200',
  ]);
  expect((await shownTexts(page)).some(text => text.includes('One moment'))).toBe(true);
});

test('a server that knows that no user is signed in renders the sign-in, and the page asks nothing', async ({
  server,
  context,
}) => {
  const page = await context.newPage();
  const { said } = recordMessages(page);
  const html = await (await page.goto(server.url))?.text();
  expect(html).toContain('The gate');
  await page.getByLabel('User name').fill('ada');
  await page.getByLabel('Password').fill(passwordOf('ada'));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await lists(page, notesOf('ada'));
  expect(server.log.lines()).toEqual([
    'GET /  nobody  200',
    'POST /auth/login  nobody  200',
    'GET /api/note  ada  200',
  ]);
  expect(complaints(said)).toEqual([]);
});

for (const [next, expected, requests] of [
  [
    'grace',
    'authenticated grace',
    ['GET /api/note  grace  200', 'GET /auth/whoami  grace  200', 'GET /api/note  grace  200'],
  ],
  [undefined, 'anonymous expired', ['GET /api/note  nobody  401', 'GET /auth/whoami  nobody  401']],
] as const) {
  test(`a cookie that is ${next ? 'another user’s' : 'gone'} before the page starts: corrected, and nothing of one user is shown to the other`, async ({
    server,
    context,
  }) => {
    await probe(context, 'present');
    await become(context, server, 'ada');
    const page = await context.newPage();
    // The page's script comes after the cookie has changed.
    await context.route('**/assets/**', async route => {
      if (next) await become(context, server, next);
      else await context.clearCookies();
      await route.continue();
    });
    await page.goto(server.url);
    await eventually(() => who(page), expected);
    if (next) await lists(page, notesOf(next));
    else await page.getByRole('heading', { name: 'The gate' }).waitFor();
    expect(server.log.lines()).toEqual(['GET /  ada  200', ...requests]);
    const frames = await shownTexts(page);
    expect(frames.filter(text => /ada’s note/.test(text))).toEqual([]);
    expect(frames.filter(text => text.includes('authenticated ada') && /’s note/.test(text))).toEqual([]);
  });
}

test('a document of the user before, from the browser’s history: checked before a request is sent', async ({
  server,
  context,
}) => {
  await become(context, server, 'ada');
  const page = await context.newPage();
  await page.goto(`${server.url}/?cacheable`);
  await lists(page, notesOf('ada'));
  await page.goto(`${server.url}/other`);
  await become(context, server, 'grace');
  server.log.clear();
  // Playwright's own `goBack` waits for a load, which a page from the back/forward cache does not have. The page may be left before it answers.
  await page.evaluate(() => history.back()).catch(() => {});
  await eventually(() => who(page), 'authenticated grace');
  await lists(page, notesOf('grace'));
  // No document: it came from a cache. Firefox asks for the icon of the site again.
  expect(server.log.lines().filter(line => !line.includes('favicon'))).toEqual([
    'GET /auth/whoami  grace  200',
    'GET /api/note  grace  200',
  ]);
  expect(await page.evaluate(() => window.storeState())).not.toContain('ada');
});
