import { expect, test } from 'vitest';
import { hasFilter } from '../../src/widgets/nextPage/pageParams.js';

const list = { path: '/group/:group/article', paginationField: 'from' };

test.each([
  [{ title: 'On tokens' }, true],
  [{ group: '1', title: 'On tokens' }, true],
  [{ limit: 20, author: 'ada' }, true],
  [{ sold: false }, true],
  [{}, false],
  [{ group: '1' }, false],
  [{ title: '' }, false],
  [{ from: '40' }, false],
  [{ page: 2, page_size: 20, sortBy: 'title', ordering: '-date' }, false],
  [{ skip: 40, take: 20 }, false],
  [{ start: 40, maxResults: 20 }, false],
  [{ p: '2' }, false],
  [{ p: 'shoes' }, true],
  [{ 'page[number]': 2, 'page[size]': 20 }, false],
  [{ 'pagination[page]': 2, 'pagination[withCount]': false, populate: '*' }, false],
  [{ pageToken: 'b', page_token: 'b', nextToken: 'b', starting_after: '20' }, false],
  [{ $skip: 40, $top: 20, $count: true, $orderby: 'title', $select: 'title' }, false],
  [{ $skiptoken: 'b' }, false],
  [{ $filter: "title eq 'On tokens'" }, true],
  [{ created_after: '2026-01-01' }, true],
  [{ start: '2026-01-01' }, true],
  [{ skipped: 1 }, true],
  [{ skip_reason: 1 }, true],
  [{ offset_days: 7 }, true],
  [{ marker: 'red' }, true],
  [{ first: 'Ada' }, true],
  [{ token: 'invited' }, true],
  [{ shoe_size: 42 }, true],
])('whether %j can leave rows out: %j', (params, expected) => {
  expect(hasFilter(list, params)).toBe(expected);
});
