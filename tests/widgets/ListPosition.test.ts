import { expect, test } from 'vitest';
import { compareRows } from '../../src/widgets/pagination/compareRows.js';
import { firstPage, ListPosition, type StoredPosition } from '../../src/widgets/pagination/ListPosition.js';

const EXPIRES_AT = 1;
const rowsOf = (...ids: readonly number[]) => ids.map(id => ({ id }));
const afterFirstPage = () => firstPage(rowsOf(1, 2, 3), EXPIRES_AT);

/** The position of a list that has these rows now. */
function positionOf(stored: StoredPosition, ...ids: readonly number[]): ListPosition {
  return new ListPosition(stored, compareRows(rowsOf(...ids), stored.received, undefined));
}

/** The list gets a page with these rows. */
function addPage(position: ListPosition, search: string, ...ids: readonly number[]): StoredPosition {
  return position.after({ rows: ids.map(String), search, isLinked: false, expiresAt: EXPIRES_AT }, new Set());
}

test.each([
  ['nothing has changed', [1, 2, 3], { pages: 1, offset: 3, deleted: 0, created: 0, lastKey: '3' }],
  ['a row was deleted', [2, 3], { pages: 0, pagesBack: 1, offset: 2, deleted: 1, created: 0, lastKey: '3' }],
  ['the last row was deleted', [1, 2], { offset: 2, deleted: 1, lastKey: '2', lastSentKey: '3' }],
  ['all rows were deleted', [], { pages: 0, pagesBack: 1, offset: 0, deleted: 3, lastKey: undefined }],
  ['a row was created', [9, 1, 2, 3], { pages: 1, offset: 3, deleted: 0, created: 1, rows: 4 }],
  ['a created row makes up for no deleted one', [9, 2, 3], { offset: 2, deleted: 1, created: 1, rows: 3 }],
])('after the first page: %s', (_, ids, expected) => {
  expect(positionOf(afterFirstPage(), ...ids).current).toMatchObject(expected);
});

test('a created row that is deleted after the next page counts as deleted: it may have been before that page', () => {
  const stored = addPage(positionOf(afterFirstPage(), 9, 1, 2, 3), 'page=2', 4, 5, 6);
  expect(positionOf(stored, 9, 1, 2, 3, 4, 5, 6).current).toMatchObject({ received: 7, created: 0, deleted: 0 });
  expect(positionOf(stored, 1, 2, 3, 4, 5, 6).current).toMatchObject({ pages: 1, offset: 5, deleted: 1 });
});

test.each([
  ['brings new rows', [1, 2, 3], [4, 5, 6], { shown: 3, isStuck: false }],
  ['brings no rows', [1, 2, 3], [], { shown: 0, isStuck: true }],
  ['brings the rows of the first page again', [1, 2, 3], [1, 2, 3], { shown: 0, isStuck: true }],
  ['brings them again after a deletion', [2, 3], [2, 3], { shown: 0, isStuck: false }],
  ['brings only the row that was created', [9, 1, 2, 3], [9], { shown: 0, isStuck: false }],
])('a next page that %s', (_, now, page, expected) => {
  expect(addPage(positionOf(afterFirstPage(), ...now), 'page=2', ...page)).toMatchObject(expected);
});

test('a page counts as requested until a row is deleted', () => {
  const stored = addPage(positionOf(afterFirstPage(), 1, 2, 3), 'page=2', 4, 5, 6);
  expect(positionOf(stored, 1, 2, 3, 4, 5, 6).wasRequested('page=2')).toBe(true);
  const afterDeletion = positionOf(stored, 1, 2, 3, 4, 5);
  expect(afterDeletion.wasRequested('page=2')).toBe(false);
  expect([...addPage(afterDeletion, 'page=3', 6, 7).requested]).toEqual(['page=3']);
});

test('a row that is created while a page is on its way may be before the next one', () => {
  const position = positionOf(afterFirstPage(), 1, 2, 3);
  const sent = { rows: ['4', '5'], search: 'page=2', isLinked: false, expiresAt: EXPIRES_AT };
  expect([...position.after(sent, new Set(['8', '5'])).own]).toEqual(['8']);
});

test('a position that was read before the next page stays as it was', () => {
  const position = positionOf(afterFirstPage(), 1, 2, 3);
  addPage(position, 'page=2', 4, 5);
  expect(position.current).toMatchObject({ offset: 3, deleted: 0 });
});
