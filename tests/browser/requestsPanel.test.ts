import type { Browser, Locator, Page } from 'playwright';
import { afterAll, beforeAll, expect } from 'vitest';
import { NEWS, type PanelNews, type PanelRow } from '../../src/storybook/PanelNews.js';
import { axeSource } from './support/axeSource.js';
import { serveStorybook } from './support/serveStorybook.js';
import { showProofs } from './support/showProofs.js';
import { eventually, newContext, test as base } from './support/test.js';

const BURST = 'proofs-refresh--burst';

type Theme = 'light' | 'dark';

let storybook: Awaited<ReturnType<typeof serveStorybook>>;
beforeAll(async () => {
  storybook = await serveStorybook();
});
afterAll(() => storybook?.close());

/** Opens a story in Storybook, with the requests panel in front. */
async function openStory(browser: Browser, story: string, theme: Theme = 'light') {
  const context = await newContext(browser);
  const page = await context.newPage();
  await page.emulateMedia({ colorScheme: theme });
  // The theme of this Storybook is in its own bundle; elsewhere it is the reader's.
  await page.route('**/sb-addons/**/*.js', async route => {
    const response = await route.fetch();
    await route.fulfill({
      response,
      body: (await response.text()).replace(/base:\s?"(light|dark)"/g, `base:"${theme}"`),
    });
  });
  await page.addInitScript(listenToNews, NEWS);
  await page.goto(`${storybook.url}/?path=/story/${story}`);
  await page.getByRole('tab', { name: /^Requests/ }).click();
  return { page, panel: page.getByRole('region', { name: 'Requests of this story' }), close: () => context.close() };
}

/** Keeps what the story's frame tells the panel, as it comes. */
function listenToNews(type: string) {
  const heard: string[] = [];
  Object.assign(window, { heard });
  addEventListener('message', ({ data }) => {
    if (typeof data === 'string' && data.includes(type)) heard.push(data);
  });
}

const heard = (page: Page) => page.evaluate(() => (window as unknown as { heard: string[] }).heard.join('\n'));

/** The texts of a column, by what stands above it. */
function column(panel: Locator, name: string): Promise<string[]> {
  return panel.evaluate((element, head) => {
    const [first, ...rows] = element.querySelectorAll('tr');
    const index = [...(first?.cells ?? [])].findIndex(cell => cell.textContent === head);
    return rows.map(row => row.cells[index]?.textContent ?? '');
  }, name);
}

const counter = (words: string[]) =>
  Object.fromEntries([...new Set(words)].map(word => [word, words.filter(other => other === word).length]));

/** Tells the panel of rows, the way a story's frame does. */
async function tell(page: Page, news: PanelNews): Promise<void> {
  const frame = page.frame({ url: /iframe\.html/ });
  await frame?.evaluate(
    ([type, told]) => {
      const { __STORYBOOK_ADDONS_CHANNEL__: channel } = window as unknown as {
        __STORYBOOK_ADDONS_CHANNEL__: { emit: (type: string, news: unknown) => void };
      };
      channel.emit(type, told);
    },
    [NEWS, news] as const,
  );
}

const manyRows = (count: number): PanelRow[] =>
  Array.from({ length: count }, (_, id) => ({
    id,
    method: 'GET',
    address: `https://api.example.com/article/${id}`,
    outcome: 'pending',
    unhandled: false,
    sentAt: id,
    took: undefined,
    credentials: ['access-token: ‹k3x9›'],
    details: { attempt: 1, cause: 'first send', sessionId: 1, status: 'authenticated' },
  }));

/** The burst, open in the light theme: Storybook takes seconds to start, so the tests go on from where the one before has stopped. */
const test = base.extend<{ opened: Awaited<ReturnType<typeof openStory>> }>({
  opened: [
    async ({ browser }, give) => {
      const opened = await openStory(browser, BURST);
      await give(opened);
      await opened.close();
    },
    { scope: 'file' },
  ],
});

/** Nothing for axe to complain of, in the colours of the theme. */
async function isAccessible(page: Page, panel: Locator, theme: Theme) {
  const background = await panel.evaluate(
    element => getComputedStyle(element).backgroundColor.match(/\d+/g)?.map(Number) ?? [],
  );
  expect(background.slice(0, 3).every(shade => (theme === 'dark' ? shade < 80 : shade > 200))).toBe(true);
  await page.evaluate(axeSource());
  const violations = await page.evaluate(async () => {
    const { axe } = window as unknown as {
      axe: { run: (where: string) => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    return (await axe.run('section[aria-label="Requests of this story"]')).violations.map(
      ({ id, nodes }) => `${id}: ${nodes[0]?.html}`,
    );
  });
  expect(violations).toEqual([]);
}

test('the panel lists what a story sent, and passes the accessibility check', async ({ opened: { page, panel } }) => {
  await eventually(async () => counter(await column(panel, 'Cause')), { 'first send': 20, refresh: 1, replay: 20 });
  await eventually(async () => counter(await column(panel, 'Status')), { 401: 20, 200: 21 });
  expect(counter(await column(panel, 'Attempt'))).toEqual({ 1: 21, 2: 20 });
  expect(counter(await column(panel, 'Session'))).toEqual({ authenticated: 41 });
  expect(counter(await column(panel, 'Credential'))).toEqual({
    'access-token: ada-1': 20,
    'access-token: ada-2': 20,
    none: 1,
  });
  expect(await panel.getByRole('list', { name: 'Sessions now' }).textContent()).toBe('Session: authenticated');
  expect(await heard(page)).toContain('access-token: ada-1');
  await isAccessible(page, panel, 'light');
});

test('in the dark theme it passes as well', async ({ browser }) => {
  const { page, panel, close } = await openStory(browser, BURST, 'dark');
  await eventually(async () => (await column(panel, '#')).length, 41);
  await isAccessible(page, panel, 'dark');
  await close();
});

test('the table is read by keyboard, and its sum is announced once all is quiet', async ({
  opened: { page, panel },
}) => {
  await eventually(() => panel.getByRole('status').textContent(), '41 requests, 20 replays, 1 refresh, 20 failed');
  const table = panel.getByRole('region', { name: 'Requests, oldest first' });
  await panel.getByRole('button', { name: 'Clear' }).focus();
  await page.keyboard.press('Tab');
  expect(await table.evaluate(element => element === document.activeElement)).toBe(true);
  await page.keyboard.press('Home');
  await eventually(() => table.evaluate(element => element.scrollTop), 0);
  await page.keyboard.press('End');
  await eventually(
    () => table.evaluate(element => element.scrollTop + element.clientHeight >= element.scrollHeight - 1),
    true,
  );
  expect(await panel.getByRole('rowheader').first().textContent()).toMatch(/^GET.*\/article\/\d+$/);
  expect(await panel.getByRole('columnheader').count()).toBe(9);
});

test('a thousand requests, and the answers to them, are all shown', async ({ opened: { page, panel } }) => {
  await eventually(async () => (await column(panel, '#')).length, 41);
  const news: PanelNews = { run: 'a thousand', storyId: BURST, source: 'journal', rows: manyRows(1000), sessions: [] };
  await tell(page, news);
  await panel.getByText('1000 requests, 1000 pending').first().waitFor();
  await tell(page, { ...news, rows: news.rows.map(row => ({ ...row, outcome: 200, took: 5 })) });
  await panel.getByText('1000 requests', { exact: true }).first().waitFor();
  expect(counter(await column(panel, 'Status'))).toEqual({ 200: 1000 });
});

test('another story begins with an empty panel, and so does Clear', async ({ opened: { page, panel } }) => {
  await showProofs(page);
  await page.getByRole('link', { name: 'Late Refusal', exact: true }).click();
  // Those of its last case, and none of those before.
  await eventually(async () => counter(await column(panel, 'Cause')), { 'first send': 3, replay: 2 });
  await panel.getByRole('button', { name: 'Clear' }).click();
  await panel.getByText('This story has sent no request yet.').waitFor();
});

test('an end of the session is told to the panel, and at its head stands who signed in since', async ({
  opened: { page, panel },
}) => {
  expect(await heard(page)).not.toContain('expired');
  await showProofs(page);
  await page.getByRole('link', { name: 'Refused With Requests Waiting', exact: true }).click();
  await eventually(async () => (await heard(page)).includes('expired'), true);
  await eventually(() => panel.getByRole('list', { name: 'Sessions now' }).textContent(), 'Session: authenticated');
  // Between two cases of a story the panel is empty.
  await eventually(async () => new Set((await column(panel, 'Cause')).slice(0, 2)), new Set(['first send']));
});
