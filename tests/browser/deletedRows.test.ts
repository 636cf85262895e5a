// Rows are deleted while pages are on their way. An answer from before a deletion has the deleted row, and the wrong counts.
import type { Page } from 'playwright';
import { expect } from 'vitest';
import { createGate } from '../../src/testing/createGate.js';
import type { Answer } from './support/apiServer.js';
import { pagedRows, rowsOf } from './support/pagedRows.js';
import { eventually, press, test } from './support/test.js';

const rowsIn = (page: Page) => page.locator('.dca-item > span').allTextContents();
const note = (page: Page) => page.locator('.dca-more .dca-note').textContent();
const search = (params: Record<string, string>) => ({ session: 'context', subject: 'ada', token: 't', ...params });

/** Two minutes later: lists expire after one. */
function setClockForward() {
  const now = Date.now.bind(Date);
  Date.now = () => now() + 120_000;
}

test.for(['items', 'bare', 'optimistic', 'foreign'])(
  '%s, numbered pages: a second row is deleted while the page is fetched again: both stay away, and the page is full',
  async (rows, { startServer, open }) => {
    const list = pagedRows(rowsOf(12), rows === 'bare' ? { toBody: items => items } : {});
    const page = await open(await startServer({ otherwise: list.answer }), search({ rows, paginated: 'pages' }));
    await eventually(() => rowsIn(page), list.titles());
    const gets = createGate();
    list.beforeAnswer = ({ method }) => (method === 'GET' ? gets.pass() : Promise.resolve());
    const release = gets.hold();
    list.log.length = 0;
    await press(page, 'Delete 1');
    await eventually(() => gets.held, 1);
    await press(page, 'Delete 2');
    await eventually(() => rowsIn(page), ['Row 3', 'Row 4', 'Row 5']);
    release();
    await eventually(() => rowsIn(page), ['Row 3', 'Row 4', 'Row 5', 'Row 6', 'Row 7']);
    if (rows !== 'bare') await eventually(() => note(page), '1–5 of 10');
    expect(list.log).toEqual(['DELETE /row/1', 'GET /row?page=1', 'DELETE /row/2', 'GET /row?page=1']);
  },
);

test('an appended list: a row is deleted while the list is fetched again: it stays away, and the counts are right', async ({
  startServer,
  open,
}) => {
  const list = pagedRows(rowsOf(12));
  const page = await open(await startServer({ otherwise: list.answer }), search({ rows: 'items' }));
  await eventually(() => rowsIn(page), list.titles());
  const gets = createGate();
  list.beforeAnswer = ({ method }) => (method === 'GET' ? gets.pass() : Promise.resolve());
  const release = gets.hold();
  await press(page, 'Fetch again');
  await eventually(() => gets.held, 1);
  await press(page, 'Delete 2');
  await eventually(() => list.log.at(-1), 'DELETE /row/2');
  release();
  await eventually(() => rowsIn(page), ['Row 1', 'Row 3', 'Row 4', 'Row 5', 'Row 6']);
  await eventually(() => note(page), '5 of 11 loaded.');
});

test('a row is deleted while a list that has expired is fetched again: the counts are right', async ({
  startServer,
  open,
}) => {
  const list = pagedRows([...rowsOf(12), ...rowsOf(1, 'closed').map(row => ({ ...row, id: 'c1', title: 'Closed' }))]);
  const page = await open(await startServer({ otherwise: list.answer }), search({ rows: 'items' }));
  await eventually(() => rowsIn(page), list.titles());
  await press(page, 'Show closed');
  await eventually(() => rowsIn(page), ['Closed']);
  await page.evaluate(setClockForward);
  const gets = createGate();
  list.beforeAnswer = ({ method }) => (method === 'GET' ? gets.pass() : Promise.resolve());
  const release = gets.hold();
  list.log.length = 0;
  await press(page, 'Show open');
  await eventually(() => gets.held, 1);
  await press(page, 'Delete 2');
  await eventually(() => rowsIn(page), ['Row 1', 'Row 3', 'Row 4', 'Row 5']);
  release();
  await eventually(() => rowsIn(page), ['Row 1', 'Row 3', 'Row 4', 'Row 5', 'Row 6']);
  await eventually(() => note(page), '5 of 11 loaded.');
  expect(list.log).toEqual(['GET /row', 'DELETE /row/2', 'GET /row']);
});

test.for(['items', 'foreign'])(
  '%s: a row is deleted while a page with it is read again: it stays away',
  async (rows, { startServer, open }) => {
    const list = pagedRows(rowsOf(12));
    const page = await open(await startServer({ otherwise: list.answer }), search({ rows }));
    await eventually(() => rowsIn(page), list.titles());
    await press(page, 'Delete 1');
    await eventually(() => rowsIn(page), ['Row 2', 'Row 3', 'Row 4', 'Row 5']);
    const gets = createGate();
    list.beforeAnswer = ({ method }) => (method === 'GET' ? gets.pass() : Promise.resolve());
    const release = gets.hold();
    // Rows have moved up, so the first page is read again.
    await press(page, 'Load more');
    await eventually(() => gets.held, 1);
    await press(page, 'Delete 2');
    await eventually(() => rowsIn(page), ['Row 3', 'Row 4', 'Row 5']);
    release();
    await eventually(() => rowsIn(page), ['Row 3', 'Row 4', 'Row 5', 'Row 6', 'Row 7']);
  },
);

test.for(['items', 'bare', 'optimistic', 'foreign'])(
  '%s: the next page is requested when the deletion is answered, so that no row is left out',
  async (rows, { startServer, open }) => {
    const list = pagedRows(rowsOf(12), rows === 'bare' ? { toBody: items => items } : {});
    const page = await open(await startServer({ otherwise: list.answer }), search({ rows }));
    await eventually(() => rowsIn(page), list.titles());
    const deletions = createGate();
    list.beforeAnswer = ({ method }) => (method === 'DELETE' ? deletions.pass() : Promise.resolve());
    const release = deletions.hold();
    list.log.length = 0;
    // The server has moved its rows up, and has not answered.
    await press(page, 'Delete 1');
    await eventually(() => deletions.held, 1);
    await press(page, 'Load more');
    await eventually(() => page.locator('.dca-more').getAttribute('aria-busy'), 'true');
    expect(list.log).toEqual(['DELETE /row/1']);
    release();
    await eventually(() => rowsIn(page), list.titles().concat(list.titles(2)));
    expect(list.log).toEqual(['DELETE /row/1', 'GET /row', 'GET /row?page=2']);
  },
);

test.for(['items', 'bare', 'optimistic', 'foreign'])(
  '%s: a row is deleted while the rows are on their way: they are requested again, and none is left out',
  async (rows, { startServer, open }) => {
    const list = pagedRows(rowsOf(12), rows === 'bare' ? { toBody: items => items } : {});
    const page = await open(await startServer({ otherwise: list.answer }), search({ rows }));
    await eventually(() => rowsIn(page), list.titles());
    const [gets, deletions] = [createGate(), createGate()];
    list.beforeAnswer = ({ method }) => (method === 'DELETE' ? deletions : gets).pass();
    const [releaseGets, releaseDeletions] = [gets.hold(), deletions.hold()];
    list.log.length = 0;
    await press(page, 'Delete 1');
    await eventually(() => deletions.held, 1);
    releaseDeletions();
    await eventually(() => rowsIn(page), ['Row 2', 'Row 3', 'Row 4', 'Row 5']);
    await press(page, 'Load more');
    await eventually(() => gets.held, 1);
    await press(page, 'Delete 3');
    await eventually(() => rowsIn(page), ['Row 2', 'Row 4', 'Row 5']);
    releaseGets();
    await eventually(() => rowsIn(page), ['Row 2', 'Row 4', 'Row 5', 'Row 6', 'Row 7']);
    await press(page, 'Load more');
    await eventually(() => rowsIn(page), list.titles().concat(list.titles(2)));
    expect(list.log).toEqual(['DELETE /row/1', 'GET /row', 'DELETE /row/3', 'GET /row', 'GET /row?page=2']);
  },
);

test.for(['items', 'bare'])(
  '%s: after a deletion, each page that was shown before is fetched again when it is shown',
  async (rows, { startServer, open }) => {
    const list = pagedRows(rowsOf(14), rows === 'bare' ? { toBody: items => items } : {});
    const page = await open(await startServer({ otherwise: list.answer }), search({ rows, paginated: 'pages' }));
    const goTo = async (button: 'Next' | 'Previous', number: number) => {
      await press(page, button);
      await eventually(() => rowsIn(page), list.titles(number));
    };
    await eventually(() => rowsIn(page), list.titles());
    await goTo('Next', 2);
    await goTo('Next', 3);
    await goTo('Previous', 2);
    await goTo('Previous', 1);
    await press(page, 'Delete 1');
    await eventually(() => rowsIn(page), ['Row 2', 'Row 3', 'Row 4', 'Row 5', 'Row 6']);
    await goTo('Next', 2);
    await goTo('Next', 3);
    expect(list.titles(3)).toEqual(['Row 12', 'Row 13', 'Row 14']);
    const pages = [1, 2, 3].map(number => `GET /row?page=${number}`);
    expect(list.log).toEqual([...pages, 'DELETE /row/1', ...pages]);
  },
);

test('a row of the page before is deleted when the next one is shown already: the shown page is fetched again', async ({
  startServer,
  open,
}) => {
  const list = pagedRows(rowsOf(12));
  const page = await open(
    await startServer({ otherwise: list.answer }),
    search({ rows: 'items', paginated: 'pages', deleteMode: 'undo' }),
  );
  await eventually(() => rowsIn(page), list.titles());
  await press(page, 'Delete 2');
  await press(page, 'Next');
  await eventually(() => rowsIn(page), ['Row 6', 'Row 7', 'Row 8', 'Row 9', 'Row 10']);
  await eventually(() => rowsIn(page), ['Row 7', 'Row 8', 'Row 9', 'Row 10', 'Row 11'], 12_000);
  await press(page, 'Previous');
  await eventually(() => rowsIn(page), ['Row 1', 'Row 3', 'Row 4', 'Row 5', 'Row 6']);
  const [first, second] = ['GET /row?page=1', 'GET /row?page=2'];
  expect(list.log).toEqual([first, second, 'DELETE /row/2', second, first]);
});

const DELETION_ANSWERS: Record<string, Answer> = {
  '200 with a message': { body: { message: 'Row deleted' } },
  '200 with a count': { body: { deletedCount: 1 } },
  '200 with the key in a field': { body: { data: { id: '2' } } },
  '200 with true': { body: true },
  '200 with a list': { body: [] },
  '200 with a text': { headers: { 'Content-Type': 'text/plain' }, body: 'OK' },
  '200 with the row': { body: { id: '2', title: 'Row 2' } },
  '404, for others have deleted the row': { status: 404, body: { detail: 'Not found.' } },
  '410, for others have deleted the row': { status: 410 },
};

test.for(
  Object.keys(DELETION_ANSWERS).flatMap(answer => [[answer, 'items'] as const, [answer, 'optimistic'] as const]),
)(
  'the answer to a deletion is %s (%s): the row goes, without an error',
  async ([name, rows], { startServer, open }) => {
    const list = pagedRows(rowsOf(3));
    list.special = ({ method }) => (method === 'DELETE' ? DELETION_ANSWERS[name] : undefined);
    const page = await open(await startServer({ otherwise: list.answer }), search({ rows }));
    await eventually(() => rowsIn(page), list.titles());
    await press(page, 'Delete 2');
    await eventually(() => rowsIn(page), ['Row 1', 'Row 3']);
    await eventually(() => note(page), 'All 2 loaded.');
    expect(await page.getByRole('alert').count()).toBe(0);
  },
);

test.for(['items', 'optimistic'])(
  'the answer to a deletion is a page, as a proxy or a captive portal sends it (%s): the row stays, and says that it failed',
  async (rows, { startServer, open }) => {
    const list = pagedRows(rowsOf(3));
    const maintenance = { headers: { 'Content-Type': 'text/html' }, body: '<!doctype html><h1>Maintenance</h1>' };
    list.special = ({ method }) => (method === 'DELETE' ? maintenance : undefined);
    const page = await open(await startServer({ otherwise: list.answer }), search({ rows }));
    await eventually(() => rowsIn(page), list.titles());
    await press(page, 'Delete 2');
    await eventually(
      () => page.locator('.dca-item', { hasText: 'Row 2' }).getByRole('alert').textContent(),
      'The server sent something that this page cannot show.',
    );
    expect(await rowsIn(page)).toEqual(list.titles());
  },
);
