// Rows are edited while pages are on their way. The answer that was requested later counts.
import type { Page } from 'playwright';
import { expect } from 'vitest';
import { createGate } from '../../src/testing/createGate.js';
import { pagedRows, rowsOf } from './support/pagedRows.js';
import { eventually, press, test } from './support/test.js';

const rowsIn = (page: Page) => page.locator('.dca-item > span').allTextContents();
const search = (params: Record<string, string>) => ({ session: 'context', subject: 'ada', token: 't', ...params });

test.for(['items', 'optimistic', 'foreign'])(
  '%s: a row is edited while a page with it is on its way: the edit stays',
  async (rows, { startServer, open }) => {
    const list = pagedRows(rowsOf(12));
    const page = await open(await startServer({ otherwise: list.answer }), search({ rows }));
    await eventually(() => rowsIn(page), list.titles());
    // The rows move up, so the list is fetched again: as soon as the answer says so, for an optimistic row is hidden before.
    const isDeleted = page.waitForResponse(response => response.request().method() === 'DELETE');
    await press(page, 'Delete 1');
    await isDeleted;
    await eventually(() => rowsIn(page), ['Row 2', 'Row 3', 'Row 4', 'Row 5']);
    const [gets, patches] = [createGate(), createGate()];
    list.beforeAnswer = ({ method }) => (method === 'GET' ? gets : patches).pass();
    const [releasePage, releaseEdit] = [gets.hold(), patches.hold()];
    await press(page, 'Load more');
    await eventually(() => gets.held, 1);
    await press(page, 'Rename 2');
    await press(page, 'Rename 3');
    await eventually(() => patches.held, 2);
    const edited = ['New 2', 'New 3', 'Row 4', 'Row 5', 'Row 6'];
    if (rows === 'optimistic') {
      await eventually(() => rowsIn(page), edited.slice(0, 4));
      releasePage();
      await eventually(() => rowsIn(page), edited);
      releaseEdit();
      // Not by `waitFor`, which refuses two rows that are still busy.
      await eventually(() => page.locator('.dca-item[aria-busy="true"]').count(), 0);
    } else {
      releaseEdit();
      await eventually(() => rowsIn(page), edited.slice(0, 4));
      releasePage();
    }
    await eventually(() => rowsIn(page), edited);
    expect(list.log).toEqual(['GET /row', 'DELETE /row/1', 'GET /row', 'PATCH /row/2', 'PATCH /row/3']);
  },
);

test.for(['push', 'unshift'])(
  '%s: a row is created while a page is on its way: it stays where the list has put it',
  async (create, { startServer, open }) => {
    const list = pagedRows(rowsOf(12));
    const page = await open(await startServer({ otherwise: list.answer }), search({ rows: 'items', create }));
    await eventually(() => rowsIn(page), list.titles());
    const gets = createGate();
    list.beforeAnswer = ({ method }) => (method === 'GET' ? gets.pass() : Promise.resolve());
    const release = gets.hold();
    await press(page, 'Load more');
    await eventually(() => gets.held, 1);
    await page.getByLabel('Title').fill('Mine');
    await page.getByLabel('Title').press('Enter');
    const loaded = create === 'push' ? [...list.titles(), 'Mine'] : ['Mine', ...list.titles()];
    await eventually(() => rowsIn(page), loaded);
    release();
    await eventually(() => rowsIn(page), [...loaded, ...list.titles(2)]);
  },
);
