// Servers that hold rows, and answer by each kind of pages.
import type { Answer, Arrived } from './apiServer.js';

interface Row {
  readonly id: string;
  readonly title: string;
  /** Where the row is in the order of the server. */
  readonly place: number;
}

/** Where the server puts a new row in its order. */
export type NewRowsAt = 'start' | 'middle' | 'end';

const SIZE = 2;
const origin = 'https://api.example.com/row';

interface Found {
  readonly rows: readonly Row[];
  readonly params: URLSearchParams;
}

function byPage({ rows, params }: Found, first = 1) {
  const number = Number(params.get('page') ?? first);
  const end = (number - first + 1) * SIZE;
  const pages = Math.ceil(rows.length / SIZE);
  return { number, pages, shown: rows.slice(end - SIZE, end), next: end < rows.length ? number + 1 : undefined };
}

function byOffset({ rows, params }: Found, name = 'offset') {
  const offset = Number(params.get(name) ?? 0);
  const end = offset + SIZE;
  return { offset, shown: rows.slice(offset, end), next: end < rows.length ? end : undefined };
}

/** Rows after the one with this key. Undefined if there is no such row any more. */
function afterKey({ rows, params }: Found, name: string) {
  const key = params.get(name);
  const index = key === null ? 0 : rows.findIndex(({ id }) => id === key) + 1;
  if (key !== null && index === 0) return undefined;
  return { shown: rows.slice(index, index + SIZE), hasMore: index + SIZE < rows.length };
}

const noSuchKey: Answer = { status: 400, body: { detail: 'No row has this key.' } };

/** Answers to the request for a page, by the name of the list in tests/browser/app/ChangingList.tsx. */
export const ANSWERS: Readonly<Record<string, (found: Found) => Answer>> = {
  page: found => ({ body: byPage(found).shown }),
  'page, by nextPageNumber()': found => ({ body: byPage(found).shown }),
  'page, with the number of pages': found => {
    const { shown, number, pages } = byPage(found);
    return { body: { items: shown, total: found.rows.length, page: number, size: SIZE, pages } };
  },
  'page, from 0': found => {
    const { shown, number, pages, next } = byPage(found, 0);
    const totals = { totalElements: found.rows.length, totalPages: pages };
    return { body: { content: shown, number, size: SIZE, first: number === 0, last: next === undefined, ...totals } };
  },
  'page, in a link': found => pageLink(found),
  'page, in a link, by nextLink()': found => pageLink(found),
  'page, in the Link header': found => {
    const { shown, next } = byPage(found);
    const link = next ? { Link: `<${origin}?page=${next}>; rel="next"` } : {};
    return { body: shown, headers: { 'X-Total-Count': String(found.rows.length), ...link } };
  },
  offset: found => ({ body: byOffset(found).shown }),
  'offset, with a total': found => skip(found),
  'offset, in a link': found => {
    const { shown, next } = byOffset(found);
    const link = next === undefined ? null : `${origin}?limit=${SIZE}&offset=${next}`;
    return { body: { count: found.rows.length, next: link, previous: null, results: shown } };
  },
  'offset, by the app': found => skip(found),
  'key of the last row': found => bareAfterKey(found),
  'key of the last row, by nextCursor()': found => bareAfterKey(found),
  'key of the last row, as Stripe has it': found => {
    const page = afterKey(found, 'starting_after');
    return page ? { body: { object: 'list', has_more: page.hasMore, data: page.shown } } : noSuchKey;
  },
  'key of the last row, in the answer': found => keyInAnswer(found),
  'key of the last row, in the answer, by nextCursor()': found => keyInAnswer(found),
  'cursor of a place in the order': ({ rows, params }) => {
    const place = Number(atob(params.get('cursor') ?? '') || -Infinity);
    const rest = rows.filter(row => row.place > place);
    const shown = rest.slice(0, SIZE);
    const cursor = rest.length > SIZE ? btoa(String(shown.at(-1)?.place)) : null;
    return { body: { results: shown, cursor } };
  },
};

function pageLink(found: Found): Answer {
  const { shown, next } = byPage(found);
  // Django REST framework answers 404 to a page that does not exist.
  if (shown.length === 0 && found.params.has('page')) return { status: 404, body: { detail: 'Invalid page.' } };
  const link = next === undefined ? null : `${origin}?page=${next}`;
  return { body: { count: found.rows.length, next: link, previous: null, results: shown } };
}

function skip(found: Found): Answer {
  const { offset, shown } = byOffset(found, 'skip');
  return { body: { items: shown, total: found.rows.length, skip: offset, limit: SIZE } };
}

function bareAfterKey(found: Found): Answer {
  const page = afterKey(found, 'since');
  return page ? { body: page.shown } : noSuchKey;
}

function keyInAnswer(found: Found): Answer {
  const page = afterKey(found, 'cursor');
  return page ? { body: { results: page.shown, cursor: page.hasMore ? page.shown.at(-1)?.id : null } } : noSuchKey;
}

/** A server with rows in one order. Each of its answers is that of the moment at which the request arrives. */
export function rowServer(list: string) {
  let rows: Row[] = [];
  let created = 0;
  let newRowsAt: NewRowsAt = 'end';
  const log: string[] = [];

  function create(): Answer {
    const id = `new-${++created}`;
    const middle = Math.floor(rows.length / 2);
    const index = { start: 0, middle, end: rows.length }[newRowsAt];
    const [before, after] = [rows[index - 1]?.place, rows[index]?.place];
    const place =
      before === undefined ? (after ?? 0) - 1 : after === undefined ? before + 1 : before + (after - before) / 2;
    const row = { id, title: id, place };
    rows = [...rows.slice(0, index), row, ...rows.slice(index)];
    return { status: 201, body: row };
  }

  return {
    log,
    /** The keys of the rows, in the order of the server. */
    keys: () => rows.map(({ id }) => id),
    start(count: number, at: NewRowsAt) {
      rows = Array.from({ length: count }, (_, index) => ({ id: `${index + 1}`, title: `${index + 1}`, place: index }));
      created = 0;
      newRowsAt = at;
      log.length = 0;
    },
    answer({ method, path }: Arrived): Answer {
      const { pathname, searchParams: params } = new URL(path, origin);
      log.push(`${method} ${decodeURIComponent(path)}`);
      if (method === 'POST') return create();
      if (method === 'GET') return ANSWERS[list]?.({ rows, params }) ?? { status: 404 };
      rows = rows.filter(({ id }) => id !== pathname.split('/')[2]);
      return { status: 204 };
    },
  };
}
