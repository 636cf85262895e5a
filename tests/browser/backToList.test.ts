import type { BrowserContext, Page } from 'playwright';
import { describe, expect } from 'vitest';
import type { ApiServer, ApiServerOptions } from './support/apiServer.js';
import { eventually, press, says, test } from './support/test.js';

const ROWS = 1_000;
const PAGE_SIZE = 250;
const SCROLLED_TO = 11_150;
const PAGES = ['/article', '/article?page=2', '/article?page=3', '/article?page=4'];

/** The server's list of 1,000 rows, in four pages. Each title names the user. */
const answers: NonNullable<ApiServerOptions['answers']> = Object.fromEntries(
  PAGES.map((path, page) => [
    `GET ${path}`,
    usual => {
      const [{ author }] = usual.body as [{ author: string }];
      const rows = Array.from({ length: PAGE_SIZE }, (_, index) => {
        const number = page * PAGE_SIZE + index + 1;
        return { id: `${number}`, title: `On ${author} ${number}` };
      });
      return { ...usual, body: rows };
    },
  ]),
);

interface Search extends Record<string, string> {
  router: 'plain' | 'restoring';
  scroller: 'window' | 'inner';
  /** Whether the browser has the Navigation API. */
  navigation: 'yes' | 'no';
  /** Whether the list stays for 200 ms after Back to a detail page. */
  loader: 'none' | 'slow';
  rows: 'virtual' | 'all';
}

/** The part of the page that scrolls. */
const SCROLLER = `(document.querySelector('#scroller[style]') ?? document.scrollingElement)`;
const scrollTo = (page: Page, top: number) => page.evaluate(`${SCROLLER}.scrollTop = ${top}`);

/** The first row that begins in the visible part, and its distance from the top of the window. */
const firstVisible = (page: Page) =>
  page.evaluate(() => {
    const start = document.querySelector('#scroller[style]')?.getBoundingClientRect().top ?? 0;
    const row = [...document.querySelectorAll('.dca-item')].find(item => item.getBoundingClientRect().top >= start);
    return row && { title: row.textContent, top: Math.round(row.getBoundingClientRect().top) };
  });

/** Resolves after two frames: scroll events have been handled, and rows rendered. */
const painted = (page: Page) =>
  page.evaluate(() => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve))));

/** Follows a link, and sees the page behind it: a short page that is never laid out leaves the window scrolled. */
const follow = async (page: Page, name: string) => {
  const url = page.url();
  await page.getByRole('link', { name, exact: true }).dispatchEvent('click');
  await page.waitForURL(now => now.href !== url);
  await painted(page);
};

/** Ada loads all rows, and scrolls down. Returns the row that she sees first. */
async function readFarDown(page: Page) {
  await press(page, 'Sign in as ada');
  await page.getByText('On ada 250', { exact: true }).waitFor({ state: 'attached' });
  for (let count = 2 * PAGE_SIZE; count <= ROWS; count += PAGE_SIZE) {
    await press(page, 'Load more');
    await page.locator(`.dca-item[aria-setsize="${count}"]`).first().waitFor({ state: 'attached' });
    // Until then, a press is taken for the second one of the same page.
    if (count < ROWS)
      await page.locator('.dca-note', { hasText: `250 more loaded, ${count} in all.` }).waitFor({ state: 'attached' });
  }
  await scrollTo(page, SCROLLED_TO);
  await painted(page);
  await painted(page);
  const seen = await firstVisible(page);
  expect(Number(seen?.title?.split(' ').at(-1))).toBeGreaterThan(100);
  return seen!;
}

/** She presses the browser's Back, and sees the article. */
async function goBackToArticle(page: Page) {
  await page.goBack();
  await page.getByRole('link', { name: 'All articles' }).waitFor();
  await painted(page);
}

/** She opens the row, and presses the browser's Back. */
async function openAndReturn(page: Page, title: string) {
  await follow(page, title);
  await page.getByRole('link', { name: 'All articles' }).waitFor();
  await page.goBack();
}

/** Where the list is, once it is there and two frames have passed. */
async function whereAfterReturn(page: Page) {
  await page.getByRole('listitem').first().waitFor({ state: 'attached' });
  await painted(page);
  return (await firstVisible(page))!;
}

const requestsOf = ({ dataCalls }: ApiServer) => dataCalls().map(({ path }) => path);

interface Fixtures {
  context: BrowserContext;
  startServer: (options: ApiServerOptions) => Promise<ApiServer>;
  open: (server: ApiServer, search: Record<string, string>) => Promise<Page>;
}

describe.each<Search>([
  { router: 'plain', scroller: 'window', navigation: 'yes', loader: 'none', rows: 'virtual' },
  { router: 'plain', scroller: 'inner', navigation: 'yes', loader: 'none', rows: 'virtual' },
  { router: 'restoring', scroller: 'window', navigation: 'yes', loader: 'none', rows: 'virtual' },
  { router: 'restoring', scroller: 'inner', navigation: 'yes', loader: 'none', rows: 'virtual' },
  { router: 'plain', scroller: 'window', navigation: 'no', loader: 'none', rows: 'virtual' },
  { router: 'plain', scroller: 'window', navigation: 'yes', loader: 'slow', rows: 'virtual' },
  { router: 'plain', scroller: 'inner', navigation: 'no', loader: 'slow', rows: 'virtual' },
  { router: 'restoring', scroller: 'window', navigation: 'yes', loader: 'slow', rows: 'virtual' },
  { router: 'plain', scroller: 'window', navigation: 'yes', loader: 'none', rows: 'all' },
  { router: 'plain', scroller: 'inner', navigation: 'yes', loader: 'none', rows: 'all' },
])('router: $router, scroller: $scroller, Navigation API: $navigation, loader: $loader, rows: $rows', search => {
  const setup = async ({ context, startServer, open }: Fixtures) => {
    if (search.navigation === 'no')
      await context.addInitScript(() => Object.defineProperty(window, 'navigation', { value: undefined }));
    const server = await startServer({ answers, caching: 'no-store' });
    const page = await open(server, { session: 'token', ...search });
    return { server, page, seen: await readFarDown(page) };
  };

  test('Back into a list of 1,000 rows shows the same row at the same place, and sends nothing', async ({
    context,
    startServer,
    open,
  }) => {
    const { server, page, seen } = await setup({ context, startServer, open });
    await openAndReturn(page, seen.title);
    const found = await whereAfterReturn(page);
    expect(found.title).toBe(seen.title);
    expect(Math.abs(found.top - seen.top)).toBeLessThanOrEqual(1);
    // A second time: what was restored is saved again.
    await openAndReturn(page, seen.title);
    expect((await whereAfterReturn(page)).title).toBe(seen.title);
    expect(requestsOf(server)).toEqual(PAGES);
  });

  test('a link to the list shows its start', async ({ context, startServer, open }) => {
    const { server, page, seen } = await setup({ context, startServer, open });
    await follow(page, seen.title);
    await follow(page, 'All articles');
    expect((await whereAfterReturn(page)).title).toBe('On ada 1');
    expect(requestsOf(server)).toEqual(PAGES);
  });

  test('each visit has its own place, which Back and Forward find', async ({ context, startServer, open }) => {
    const { server, page, seen } = await setup({ context, startServer, open });
    await follow(page, seen.title);
    await follow(page, 'All articles');
    await whereAfterReturn(page);
    await scrollTo(page, SCROLLED_TO / 2);
    await painted(page);
    const second = await firstVisible(page);
    await goBackToArticle(page);
    await page.goForward();
    expect((await whereAfterReturn(page)).title).toBe(second?.title);
    await goBackToArticle(page);
    await page.goBack();
    expect((await whereAfterReturn(page)).title).toBe(seen.title);
    expect(requestsOf(server)).toEqual(PAGES);
  });

  test('another user who goes back finds her own list at its start', async ({ context, startServer, open }) => {
    const { server, page, seen } = await setup({ context, startServer, open });
    await follow(page, seen.title);
    await press(page, 'Sign out');
    await says(page, 'anonymous');
    await press(page, 'Sign in as grace');
    await says(page, 'authenticated grace');
    await page.goBack();
    await eventually(async () => (await firstVisible(page))?.title, 'On grace 1');
    expect(requestsOf(server)).toEqual([...PAGES, '/article']);
  });
});
