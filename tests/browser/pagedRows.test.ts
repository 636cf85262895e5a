// Lists in pages: lists and pages without rows, pages that are gone, and where the window is scrolled to.
import type { Page } from 'playwright';
import { describe, expect } from 'vitest';
import { createGate } from '../../src/testing/createGate.js';
import { pagedRows, rowsOf } from './support/pagedRows.js';
import { eventually, press, test } from './support/test.js';

const rowsIn = (page: Page) => page.locator('.dca-item > span').allTextContents();
const search = (params: Record<string, string>) => ({ session: 'context', subject: 'ada', token: 't', ...params });
/** The text, or that of a list with a filter. */
const nothingHere = (page: Page) =>
  page
    .locator('.dca-empty')
    .getByText(/^(Nothing here yet|No matches)\.$/)
    .count();

describe('“Nothing here yet.” is not shown while there is a next page', () => {
  test('all loaded rows are deleted', async ({ startServer, open }) => {
    const list = pagedRows(rowsOf(12));
    const page = await open(await startServer({ otherwise: list.answer }), search({ rows: 'items' }));
    for (const [index, title] of list.titles().entries()) {
      await page.getByText(title, { exact: true }).waitFor();
      await press(page, `Delete ${index + 1}`);
    }
    await eventually(() => rowsIn(page), []);
    expect(await page.getByText('0 of 7 loaded.').count()).toBe(1);
    expect(await nothingHere(page)).toBe(0);
    await press(page, 'Load more');
    await eventually(() => rowsIn(page), list.titles());
  });

  test.for(['append', 'scroll'])(
    'an empty first page names a next one (%s)',
    async (paginated, { startServer, open }) => {
      const list = pagedRows(rowsOf(3));
      list.special = ({ path }) => ({
        body: path.includes('page=') ? { items: list.rows } : { items: [], nextPageToken: 'abc' },
      });
      const page = await open(await startServer({ otherwise: list.answer }), search({ rows: 'items', paginated }));
      if (paginated === 'append') {
        await page.getByRole('button', { name: 'Load more' }).waitFor();
        expect(await nothingHere(page)).toBe(0);
        await press(page, 'Load more');
      }
      await eventually(() => rowsIn(page), ['Row 1', 'Row 2', 'Row 3']);
      expect(list.log).toEqual(['GET /row', 'GET /row?page=abc']);
    },
  );

  test.for(['items', 'bare'])('%s: all rows of a numbered page are deleted', async (rows, { startServer, open }) => {
    const list = pagedRows(rowsOf(8), rows === 'bare' ? { toBody: items => items } : {});
    const page = await open(await startServer({ otherwise: list.answer }), search({ rows, paginated: 'pages' }));
    await eventually(() => rowsIn(page), list.titles());
    let answer = () => {};
    const answered = new Promise<void>(resolve => (answer = resolve));
    list.beforeAnswer = ({ method }) => (method === 'GET' ? answered : Promise.resolve());
    for (const number of [1, 2, 3, 4, 5]) await press(page, `Delete ${number}`);
    await eventually(() => rowsIn(page), []);
    expect(await nothingHere(page)).toBe(0);
    answer();
    await eventually(() => rowsIn(page), ['Row 6', 'Row 7', 'Row 8']);
  });
});

describe('the server answers 404 to the next page', () => {
  const toBody = (items: readonly object[], total: number, number: number) => ({
    items,
    count: total,
    next: number * 5 < total ? `/row?page=${number + 1}` : null,
  });
  const gone = { status: 404, body: { detail: 'Invalid page.' } };

  test('for others have deleted its rows: the list is fetched again', async ({ startServer, open }) => {
    const list = pagedRows(rowsOf(12), { toBody });
    const page = await open(await startServer({ otherwise: list.answer }), search({ rows: 'items' }));
    await eventually(() => rowsIn(page), list.titles());
    list.rows = list.rows.slice(2, 6);
    list.special = ({ path }) => (path.includes('page=2') ? gone : undefined);
    await press(page, 'Load more');
    await eventually(() => rowsIn(page), ['Row 3', 'Row 4', 'Row 5', 'Row 6']);
    await page.locator('.dca-note', { hasText: 'All 4 loaded.' }).waitFor();
    await page.getByRole('status').filter({ hasText: 'All 4 loaded.' }).waitFor({ state: 'attached' });
    expect(list.log).toEqual(['GET /row', 'GET /row?page=2', 'GET /row']);
  });

  test('to two widgets that show the list: it is fetched again once', async ({ startServer, open }) => {
    const list = pagedRows(rowsOf(12), { toBody });
    const page = await open(await startServer({ otherwise: list.answer }), search({ rows: 'items', twice: '' }));
    const loadMore = (index: number) =>
      page.getByRole('button', { name: 'Load more' }).nth(index).dispatchEvent('click');
    await eventually(() => rowsIn(page), [...list.titles(), ...list.titles()]);
    list.rows = list.rows.slice(2, 6);
    list.special = ({ path }) => (path.includes('page=2') ? gone : undefined);
    const lists = createGate();
    list.beforeAnswer = ({ path }) => (path.includes('page=2') ? Promise.resolve() : lists.pass());
    const releaseList = lists.hold();
    await loadMore(0);
    await eventually(() => lists.held, 1);
    await loadMore(1);
    releaseList();
    await eventually(() => page.locator('.dca-note', { hasText: 'All 4 loaded.' }).count(), 2);
    expect(list.log).toEqual(['GET /row', 'GET /row?page=2', 'GET /row']);
  });

  test('always: after the list was fetched again, the list says so', async ({ startServer, open }) => {
    const list = pagedRows(rowsOf(12), { toBody });
    list.special = ({ path }) => (path.includes('page=2') ? gone : undefined);
    const page = await open(
      await startServer({ otherwise: list.answer }),
      search({ rows: 'items', paginated: 'scroll' }),
    );
    await page.getByText('Invalid page.').waitFor();
    await eventually(() => rowsIn(page), list.titles());
    expect(list.log).toEqual(['GET /row', 'GET /row?page=2', 'GET /row', 'GET /row?page=2']);
  });
});

test('“5 more loaded” is said of the rows that are there: not after a deletion, and not of a list that was fetched again', async ({
  startServer,
  open,
}) => {
  const list = pagedRows(rowsOf(12));
  const page = await open(await startServer({ otherwise: list.answer }), search({ rows: 'items' }));
  const note = () => page.locator('.dca-note').textContent();
  await eventually(note, '5 of 12 loaded.');
  await press(page, 'Load more');
  await eventually(note, '5 more loaded, 10 of 12.');
  await press(page, 'Delete 2');
  await eventually(note, '9 of 11 loaded.');
  await press(page, 'Fetch again');
  await eventually(note, '10 of 11 loaded.');
});

test('a page fails after the list was fetched again: the counts are those of the new list', async ({
  startServer,
  open,
}) => {
  const list = pagedRows(rowsOf(20));
  const page = await open(await startServer({ otherwise: list.answer }), search({ rows: 'items' }));
  await eventually(() => rowsIn(page), list.titles());
  await press(page, 'Load more');
  await eventually(() => rowsIn(page), [...list.titles(), ...list.titles(2)]);
  const pages = createGate();
  list.special = ({ path }) => (path.includes('page=3') ? { status: 500, body: {} } : undefined);
  list.beforeAnswer = ({ path }) => (path.includes('page=3') ? pages.pass() : Promise.resolve());
  const release = pages.hold();
  const failed = page.waitForResponse(/page=3/);
  await press(page, 'Load more');
  await eventually(() => pages.held, 1);
  list.rows = list.rows.slice(1);
  await press(page, 'Fetch again');
  await eventually(() => rowsIn(page), [...list.titles(), ...list.titles(2)]);
  release();
  await (await failed).finished();
  await eventually(() => page.locator('.dca-note').textContent(), '10 of 19 loaded.');
  expect(await page.getByRole('alert').count()).toBe(0);
});

describe('the start of the list', () => {
  const all = [
    ...rowsOf(180),
    ...rowsOf(60, 'closed').map(row => ({ ...row, id: `c${row.id}`, title: `Closed ${row.id}` })),
  ];
  const startOf = (page: Page) =>
    page.getByRole('region', { name: 'Rows' }).evaluate(list => Math.round(list.getBoundingClientRect().top));
  const scrollTo = (page: Page, top: number) => page.evaluate(y => window.scrollTo(0, y), top);
  const scrollTop = (page: Page) => page.evaluate(() => Math.round(window.scrollY));

  test('is scrolled to when the next page is shown, below what the app keeps above', async ({ startServer, open }) => {
    const list = pagedRows(all, { size: 60 });
    const page = await open(
      await startServer({ otherwise: list.answer }),
      search({ rows: 'items', paginated: 'pages', stuck: '30' }),
    );
    await page.getByText('Row 60', { exact: true }).waitFor();
    expect(await scrollTop(page)).toBe(0);
    await scrollTo(page, 600);
    await press(page, 'Next');
    await page.getByText('Row 61', { exact: true }).waitFor();
    expect(await startOf(page)).toBe(30);
  });

  test('is scrolled to when a filter shows other rows', async ({ startServer, open }) => {
    const list = pagedRows(all, { size: 180 });
    const page = await open(await startServer({ otherwise: list.answer }), search({ rows: 'items' }));
    await page.getByText('Row 1', { exact: true }).waitFor();
    await scrollTo(page, 3_000);
    expect(await startOf(page)).toBeLessThan(-1_000);
    await press(page, 'Show closed');
    await page.getByText('Closed 1', { exact: true }).waitFor();
    await eventually(() => startOf(page), 0);
  });

  test('stays where it is when it is visible', async ({ startServer, open }) => {
    const list = pagedRows(all, { size: 60 });
    const page = await open(
      await startServer({ otherwise: list.answer }),
      search({ rows: 'items', paginated: 'pages' }),
    );
    await page.getByText('Row 60', { exact: true }).waitFor();
    await scrollTo(page, 5);
    await press(page, 'Next');
    await page.getByText('Row 61', { exact: true }).waitFor();
    expect(await scrollTop(page)).toBe(5);
  });

  test('is not scrolled to after Back, but at the next press in the list', async ({ startServer, open }) => {
    const list = pagedRows(all, { size: 60 });
    const page = await open(
      await startServer({ otherwise: list.answer }),
      search({ rows: 'items', paginated: 'pages' }),
    );
    await page.getByText('Row 60', { exact: true }).waitFor();
    // So that the browser moves nothing.
    await page.evaluate(() => (history.scrollRestoration = 'manual'));
    await press(page, 'Show closed');
    await page.getByText('Closed 60', { exact: true }).waitFor();
    await scrollTo(page, 600);
    await page.goBack();
    await page.getByText('Row 60', { exact: true }).waitFor();
    expect(await scrollTop(page)).toBe(600);
    // A link to a part of the page: the browser fires `popstate`, and the list shows the same rows.
    await page.evaluate(() => (location.hash = 'part'));
    await scrollTo(page, 600);
    await press(page, 'Next');
    await page.getByText('Row 61', { exact: true }).waitFor();
    await eventually(() => startOf(page), 0);
  });
});

test('the pages of each of two lists are a landmark with a name of its own', async ({ startServer, open }) => {
  const list = pagedRows([...rowsOf(12), ...rowsOf(12, 'closed').map(row => ({ ...row, id: `c${row.id}` }))]);
  const page = await open(
    await startServer({ otherwise: list.answer }),
    search({ rows: 'items', paginated: 'pages', two: '' }),
  );
  await page.getByRole('navigation', { name: 'Pages: Rows', exact: true }).waitFor();
  await page.getByRole('navigation', { name: 'Pages: Closed rows', exact: true }).waitFor();
});
