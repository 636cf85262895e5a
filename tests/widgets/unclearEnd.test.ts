import { expect, test } from 'vitest';
import { nextPageNumber } from '../../src/entries/widgets.js';
import { describeUnclearEnd } from '../../src/widgets/pagination/LoadMore.js';

const body = { items: [{ id: '1', secret: 'of ada' }], total: 200 };

test.each([
  [
    'a response that names no way to more',
    'unknown',
    undefined,
    /does not say .* Tell PaginatedList by its `next` prop/,
  ],
  ['a `next` that asks for a page again', 'unknown', nextPageNumber(), /`next` prop .* loaded before/],
  [
    'a `next` that ends before the total',
    'end',
    nextPageNumber({ size: 100 }),
    /says that there are more rows, but the `next` prop .* options/,
  ],
] as const)('%s: the sentence names `next` and the fields, and no value', (_, state, next, sentence) => {
  const text = describeUnclearEnd(state, false, next, body);
  expect(text).toMatch(sentence);
  expect(text).toContain('answered an object with items, total');
  expect(text).not.toContain('ada');
});

test('a known end needs no sentence', () => {
  expect(describeUnclearEnd('end', true, nextPageNumber(), body)).toBeUndefined();
  expect(describeUnclearEnd('end', false, undefined, body)).toBeUndefined();
  expect(describeUnclearEnd('more', false, undefined, body)).toBeUndefined();
});

test('it says what the paginationField of the resource is for', () => {
  const text = describeUnclearEnd('unknown', false, undefined, { results: [] }, 'cursor');
  expect(text).toMatch(/ The resource's `paginationField` names the search param of a page only\.$/);
});
