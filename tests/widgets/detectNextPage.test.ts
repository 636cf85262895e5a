import { describe, expect, test } from 'vitest';
import { detectNextPage, type DetectedPage, type PageAnswer } from '../../src/widgets/nextPage/detectNextPage.js';
import { ROWS, SERVERS, type PageServer } from './pageServers.js';

const rowsIn = (body: unknown, path: readonly string[]): { id: string }[] =>
  path.reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], body) as { id: string }[];

/** A first page, as a list has it. */
const answered = (body: unknown, path: readonly string[], facts: Partial<PageAnswer> = {}): PageAnswer => {
  const items = rowsIn(body, path);
  return {
    body,
    items,
    path,
    field: undefined,
    pages: 1,
    lastPageSize: items.length,
    lastKey: items.at(-1)?.id,
    offset: facts.received ?? items.length,
    received: items.length,
    wasLinked: false,
    ...facts,
  };
};

/** Loads page after page, as long as the detection names one. */
function readAll({ path, field, answer }: PageServer) {
  const requests: string[] = [];
  const seen = new Set<string>();
  let items: { id: string }[] = [];
  let params: Record<string, string> = {};
  let found: DetectedPage | undefined;
  for (let pages = 1; pages < 9; pages++) {
    const body = answer(params);
    const rows = rowsIn(body, path);
    for (const { id } of rows) seen.add(id);
    items = [...items, ...rows];
    found = detectNextPage(
      answered(body, path, {
        items,
        field,
        pages,
        lastPageSize: rows.length,
        lastKey: items.at(-1)?.id,
        received: seen.size,
        wasLinked: found?.state === 'more' && found.by === 'link',
      }),
    );
    if (found.state !== 'more') break;
    params = Object.fromEntries(Object.entries(found.search).map(([name, value]) => [name, String(value)]));
    requests.push(decodeURIComponent(new URLSearchParams(params).toString()));
  }
  return { requests, found, ids: items.map(({ id }) => id) };
}

describe.each(SERVERS)('$name ($source)', server => {
  test('each page is read once, and then the end is known', () => {
    const total = server.total === 'unknown' ? undefined : (server.total ?? ROWS.length);
    expect(readAll(server)).toEqual({
      requests: server.requests,
      found: { state: 'end', total },
      ids: ROWS.map(({ id }) => id),
    });
  });
});

const page = Array.from({ length: 20 }, (_, index) => ({ id: String(index + 1) }));

describe('a response that does not say all of it', () => {
  test.each<[string, PageAnswer, DetectedPage]>([
    [
      '{ items, total: 200 } names no way to the rest',
      answered({ items: page, total: 200 }, ['items']),
      { state: 'unknown', total: 200 },
    ],
    ['{ items } may be all, or not', answered({ items: page }, ['items']), { state: 'unknown', total: undefined }],
    ['a bare list without a paginationField', answered(page, []), { state: 'unknown', total: undefined }],
    [
      '{ items } with a cursor’s paginationField',
      answered({ items: page }, ['items'], { field: 'after' }),
      { state: 'unknown', total: undefined },
    ],
    [
      'a total that is reached is the end',
      answered({ items: page, total: 20 }, ['items']),
      { state: 'end', total: 20 },
    ],
    ['`count` as the total', answered({ items: page, count: 20 }, ['items']), { state: 'end', total: 20 }],
    [
      '`count` as the size of the page, on a later page',
      answered({ items: page, count: 20 }, ['items'], { received: 40, pages: 2, field: 'page' }),
      { state: 'more', by: 'counting', search: { page: 3 }, total: undefined },
    ],
    [
      'JSON:API on its only page omits the link to the next one',
      answered({ data: page, links: { self: '/a', first: '/a?page[number]=1', last: '/a?page[number]=1' } }, ['data']),
      { state: 'end', total: undefined },
    ],
    [
      'a cursor’s param is spelled as its field',
      answered({ data: page, next_page_token: 'c' }, ['data']),
      { state: 'more', by: 'link', search: { page_token: 'c' }, total: undefined },
    ],
    ['no rows at all', answered([], [], { field: 'page' }), { state: 'end', total: undefined }],
    [
      'has_more without a way to more',
      answered({ data: page, has_more: true }, ['data']),
      { state: 'unknown', total: undefined },
    ],
    [
      'a cursor beside the number of the next page',
      answered({ items: page, next: { page: 2, cursor: 'abc' } }, ['items']),
      { state: 'more', by: 'link', search: { cursor: 'abc' }, total: undefined },
    ],
    [
      'the same, with the paginationField of the cursor',
      answered({ items: page, next: { page: 3, cursor: 'abc' }, hasMore: true }, ['items'], { field: 'cursor' }),
      { state: 'more', by: 'link', search: { cursor: 'abc' }, total: undefined },
    ],
    [
      'Intercom',
      answered({ data: page, pages: { page: 1, total_pages: 3, next: { page: 2, starting_after: 'abc' } } }, ['data'], {
        field: 'starting_after',
      }),
      { state: 'more', by: 'link', search: { starting_after: 'abc' }, total: undefined },
    ],
    [
      'the number of the next page, with the paginationField of an offset',
      answered({ items: page, pagination: { next: { page: 2 } } }, ['items'], { field: 'offset' }),
      { state: 'more', by: 'counting', search: { offset: 20 }, total: undefined },
    ],
    [
      'the number of filters, which is no total',
      answered({ items: page, filterCount: 2, total: 100, page: 1 }, ['items']),
      { state: 'more', by: 'number', search: { page: 2 }, total: 100 },
    ],
    [
      'true as the next page, which says no way to it',
      answered({ items: page, next: true }, ['items']),
      { state: 'unknown', total: undefined },
    ],
    [
      'true as the next page, with the number of this one',
      answered({ items: page, next: true, page: 1 }, ['items']),
      { state: 'more', by: 'number', search: { page: 2 }, total: undefined },
    ],
    [
      'true as the next page, with a paginationField',
      answered({ items: page, next: true }, ['items'], { field: 'page' }),
      { state: 'more', by: 'counting', search: { page: 2 }, total: undefined },
    ],
    [
      'false as the next page',
      answered({ items: page, next: false }, ['items'], { field: 'page' }),
      { state: 'end', total: undefined },
    ],
    [
      'AWS on its last page',
      answered({ Contents: page, IsTruncated: false }, ['Contents']),
      { state: 'end', total: undefined },
    ],
    [
      'has_more beside links to other pages',
      answered({ items: page, has_more: true, prev: '/?page=1' }, ['items'], { field: 'page', pages: 2 }),
      { state: 'more', by: 'counting', search: { page: 3 }, total: undefined },
    ],
    [
      'a page number without the number of pages, and a total',
      answered({ items: page, total: 45, page: 1 }, ['items'], { field: 'page' }),
      { state: 'more', by: 'number', search: { page: 2 }, total: 45 },
    ],
    [
      'the number of the next page, under another name',
      answered({ docs: page, totalDocs: 45, page: 1, totalPages: 3, hasNextPage: true, nextPage: 2 }, ['docs'], {
        field: 'p',
      }),
      { state: 'more', by: 'number', search: { p: 2 }, total: 45 },
    ],
    [
      'the fields of a row are not the page’s',
      answered({ data: { items: page, other: { total: 7, next: '?page=9' } } }, ['data', 'items']),
      { state: 'unknown', total: undefined },
    ],
  ])('%s', (_, answer, expected) => {
    expect(detectNextPage(answer)).toEqual(expected);
  });
});
