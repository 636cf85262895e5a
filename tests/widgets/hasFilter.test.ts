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
])('whether %j can leave rows out: %j', (params, expected) => {
  expect(hasFilter(list, params)).toBe(expected);
});
