import { HttpResponse } from 'msw';

/**
 * How a list is cut into pages:
 * `page` answers `?page=2` with a bare array;
 * `cursor` answers `?cursor=3` with `{ results, cursor }`, the cursor being the id of the last row, or null at the end;
 * `next-link` answers as Django REST framework, `{ count, next, previous, results }` with absolute links;
 * `link-header` answers as GitHub, a bare array with the header `Link: <...>; rel="next"`.
 */
export interface MockPagination {
  style: 'page' | 'cursor' | 'next-link' | 'link-header';
  /**
   * Rows on a page; `?limit=` changes it for one request.
   * @default 10
   */
  size?: number;
  /** @default 'cursor' for that style, else 'page' */
  param?: string;
  /**
   * The origin of the links in answers, for a server that sends its clients elsewhere.
   * @default that of the request
   */
  linkOrigin?: string;
}

/** Answers with one page of rows; 404 for a cursor that is no row's, and for a numbered page beyond the end of a `next-link` list. */
export function paginate<Row>(
  rows: readonly Row[],
  url: URL,
  idOf: (row: Row) => string,
  { style, size: usual = 10, param, linkOrigin }: MockPagination & { param: string },
): Response {
  const size = Number(url.searchParams.get('limit')) || usual;
  const asked = url.searchParams.get(param);
  if (style === 'cursor') {
    const start = asked ? rows.findIndex(row => idOf(row) === asked) + 1 : 0;
    if (asked && start === 0) return HttpResponse.json({ message: `No cursor "${asked}".` }, { status: 404 });
    const results = rows.slice(start, start + size);
    const last = results.at(-1);
    return HttpResponse.json({ results, cursor: last && start + size < rows.length ? idOf(last) : null });
  }
  const page = asked === null ? 1 : Number(asked);
  const pages = Math.max(1, Math.ceil(rows.length / size));
  const results = Number.isInteger(page) && page > 0 ? rows.slice((page - 1) * size, page * size) : [];
  if (style === 'page') return HttpResponse.json(results);

  const link = (to: number) => {
    if (to < 1 || to > pages) return null;
    const target = new URL(url.pathname + url.search, linkOrigin ?? url.origin);
    target.searchParams.set(param, String(to));
    return target.href;
  };
  if (style === 'link-header') {
    const links = Object.entries({ prev: link(page - 1), next: link(page + 1) }).filter(([, href]) => href);
    const header = links.map(([rel, href]) => `<${href}>; rel="${rel}"`).join(', ');
    return HttpResponse.json(results, header ? { headers: { Link: header } } : {});
  }
  if (!Number.isInteger(page) || page < 1 || page > pages) {
    return HttpResponse.json({ detail: 'Invalid page.' }, { status: 404 });
  }
  return HttpResponse.json({ count: rows.length, next: link(page + 1), previous: link(page - 1), results });
}
