import type { Page } from 'playwright';
import { expect } from 'vitest';
import { eventually } from '../browser/support/test.js';
import { cookieServer, type CookieServer } from './support/cookieServer.js';
import { lists, says, signIn, titled } from './support/demoApp.js';
import { test } from './support/test.js';

const SECOND = 1_000;
/** Long enough for two tabs to open and to sign in. The warning comes after half of it. */
const IDLE_MS = 12 * SECOND;
const SEARCH = { session: 'cookie', idle: String(IDLE_MS) };

const warnings = (page: Page) => page.getByText('You will soon be signed out').count();
const logoutsOf = (lines: readonly string[]) => lines.filter(line => line.startsWith('POST /auth/logout'));

type Open = (server: CookieServer, search: Record<string, string>) => Promise<Page>;

/** Two tabs of Ada's, who is away: both warn her. */
async function twoWarnedTabs(server: CookieServer, openApp: Open): Promise<[Page, Page]> {
  const first = await openApp(server, SEARCH);
  await says(first, 'anonymous');
  await signIn(first, 'ada');
  const second = await openApp(server, SEARCH);
  await lists(second, titled('ada', 10));
  await Promise.all([first, second].map(page => page.getByText('You will soon be signed out').waitFor()));
  return [first, second];
}

test('two tabs of a user who is away end once on the server, and both say why', async ({ start, openApp }) => {
  const server = await start(cookieServer);
  const [first, second] = await twoWarnedTabs(server, openApp);
  await Promise.all([first, second].map(page => says(page, 'anonymous idle')));
  for (const page of [first, second])
    expect(await page.getByText('You were signed out because you were away.').count()).toBe(1);
  await eventually(() => Promise.resolve(logoutsOf(server.log.lines())), ['POST /auth/logout  ada  204']);
  await eventually(() => Promise.resolve(server.sessions().map(({ owner }) => owner)), []);

  // The tab that did not tell the server has not signed out the next user.
  await signIn(first, 'grace');
  await lists(second, titled('grace', 10));
  expect(logoutsOf(server.log.lines())).toHaveLength(1);
}, 60_000);

test('a key in one tab takes the warning from both, and sends nothing', async ({ start, openApp }) => {
  const server = await start(cookieServer);
  const [first, second] = await twoWarnedTabs(server, openApp);
  const before = server.log.lines().length;
  await second.keyboard.press('a');
  await eventually(async () => [await warnings(first), await warnings(second)], [0, 0]);
  expect(server.log.lines().slice(before)).toEqual([]);
  expect(await first.locator('#who').textContent()).toBe('authenticated');
}, 60_000);

test('a page that was closed for longer than the time ends when it is opened, before it shows anything', async ({
  context,
  start,
  openApp,
}) => {
  const server = await start(cookieServer);
  const page = await openApp(server, { ...SEARCH, idle: '3000' });
  await says(page, 'anonymous');
  await signIn(page, 'ada');
  await page.close();
  // The time in which the page was closed.
  await context.addInitScript(() => {
    const { now } = Date;
    Date.now = () => now() + 60_000;
  });
  const before = server.log.lines().length;
  const reopened = await openApp(server, { ...SEARCH, idle: '3000' });
  await says(reopened, 'anonymous idle');
  await eventually(() => Promise.resolve(logoutsOf(server.log.lines())), ['POST /auth/logout  ada  204']);
  expect(server.log.lines().slice(before)).toEqual(['GET /auth/whoami  ada  200', 'POST /auth/logout  ada  204']);
}, 60_000);
