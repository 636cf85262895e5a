import { expect, test } from 'vitest';
import { nextLink } from '../../src/widgets/nextPage/NextPage.js';

const follow = (next: unknown) =>
  nextLink()({
    body: { next },
    items: [],
    pages: 1,
    offset: 0,
    lastPageSize: 0,
    lastKey: undefined,
    field: 'page',
  });

test('the search params of a link are taken, wherever it points', () => {
  expect(follow('https://elsewhere.example/article?page=2&size=3')).toEqual({ page: '2', size: '3' });
  expect(follow('?page=2')).toEqual({ page: '2' });
});

test('no link is the end of the list', () => {
  expect([undefined, null, '', false].map(next => follow(next)).filter(Boolean)).toEqual([]);
});

test.each([
  ['https://[elsewhere/article?page=2', 'is not an address'],
  ['http://', 'is not an address'],
  [true, 'is not an address'],
  [2, 'is not an address'],
  ['/article/page/2', 'has no search params, and its path is not followed'],
])('the link %s says what is wrong with it, and has a status to be shown by', (link, problem) => {
  const message = `The next link ${JSON.stringify(link)} ${problem}. Tell PaginatedList the next page by a \`next\` function of your own.`;
  expect(() => follow(link)).toThrow(expect.objectContaining({ name: 'NextLinkError', status: 502, message }) as Error);
});
