import { describe, expect, test } from 'vitest';
import { readPageOverview } from '../../src/widgets/pagination/pageOverview.js';
import { SERVERS } from './pageServers.js';

const rowsIn = (body: unknown, path: readonly string[]) =>
  path.reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], body) as object[];

/** The servers that number their pages, with the param of the number, and the number of the first page. */
const numbered = SERVERS.flatMap(server => {
  const [, field, second] = /(?:^|&)(page|page\[number\]|_page)=(\d)/.exec(server.requests[0] ?? '') ?? [];
  return field === undefined ? [] : [{ ...server, param: field, first: Number(second) - 1 }];
});

test('most servers of the table number their pages', () => expect(numbered.length).toBeGreaterThan(13));

describe.each(numbered)('$name', ({ answer, path, param, first, ...server }) => {
  const read = (page: number, size?: number) => {
    const body = answer({ [param]: String(page + first - 1) });
    return readPageOverview({ body, path, rows: rowsIn(body, path), page, field: server.field ?? param, size });
  };
  const saysNoCount = ['Laravel, simplePaginate()', 'Spring Data, Slice'].includes(server.name);
  const saysNoEnd = path.length === 0 || server.requests.length > 2;

  test('the first page tells the number of pages, if the server says it', () => {
    const count = saysNoCount || saysNoEnd ? undefined : 3;
    const total = server.total === 'unknown' ? undefined : 5;
    expect(read(1)).toEqual({ count, total, size: 2, hasNext: true });
  });

  test('the last page is known as the last one, unless its server says nothing', () => {
    expect(read(3, 2)).toMatchObject(saysNoEnd ? { count: undefined, hasNext: true } : { count: 3, hasNext: false });
  });
});

test('a bare list ends with an empty page, which is not counted', () => {
  const read = readPageOverview({ body: [], path: [], rows: [], page: 4, field: 'page', size: 2 });
  expect(read).toEqual({ count: undefined, total: undefined, size: 2, hasNext: false });
});

test('a page in the middle that is opened first does not pretend to know how long a page is', () => {
  const rows = [{ id: '5' }];
  const opened = { body: { items: rows, total: 5 }, path: ['items'], rows, page: 3, field: 'page' };
  expect(readPageOverview({ ...opened, size: undefined })).toMatchObject({ count: undefined, total: 5, hasNext: true });
  expect(readPageOverview({ ...opened, size: 2 })).toMatchObject({ count: 3, hasNext: false });
});

test.each([['https://[broken'], ['/articles/after/9']])('a link that leads nowhere counts as a link: %s', next => {
  const rows = [{ id: '1' }];
  const page = { body: { results: rows, next }, path: ['results'], rows, page: 1, field: 'page', size: undefined };
  expect(readPageOverview(page)).toMatchObject({ count: undefined, hasNext: true });
});

test('an address of the last page that is none tells nothing', () => {
  const rows = [{ id: '1' }];
  const body = { data: rows, links: { next: '/articles?page=2', last: 'https://[broken' } };
  expect(
    readPageOverview({ body, path: ['data'], rows, page: 1, field: 'page', size: undefined }).count,
  ).toBeUndefined();
});
