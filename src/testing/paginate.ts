import { HttpResponse } from 'msw';

/**
 * How the server divides a list into pages:
 * `page` answers `?page=2` with a bare array;
 * `cursor` answers `?cursor=3` with `{ results, cursor }`, where `cursor` is the id of the last row, or null on the last page;
 * `next-link` answers like Django REST framework, `{ count, next, previous, results }` with absolute links;
 * `link-header` answers like GitHub, a bare array with the header `Link: <...>; rel="next", <...>; rel="last"`.
 * With a resource that has `rows`, each style has the rows in that field.
 */
export interface MockPagination {
  style: 'page' | 'cursor' | 'next-link' | 'link-header';
  /**
   * Rows per page. `?limit=` overrides it for one request.
   * @default 10
   */
  size?: number;
  /**
   * The search param that selects the page.
   * @default 'cursor' for the style `cursor`, else 'page'
   */
  param?: string;
  /** With `link-header`: the header that tells the number of all rows, for example `X-Total-Count`. @default none, as at GitHub */
  totalHeader?: string;
  /**
   * The origin of the links in answers, to mock a server whose links lead to another origin.
   * @default the origin of the request
   */
  linkOrigin?: string;
}

interface PageOptions extends MockPagination {
  readonly param: string;
  /** The field with the rows. @default 'results' for `cursor` and `next-link`, else none: the body is the array */
  readonly field: string | undefined;
}

/** The body of a list: a bare array, or an object with facts about the page and the rows in this field; dots lead into objects. */
export function listBody(rows: readonly unknown[], field: string | undefined, facts: object = {}): object {
  if (field === undefined) return rows;
  const nested = field.split('.').reduceRight<object>((inner, name) => ({ [name]: inner }), rows);
  return { ...facts, ...nested };
}

/** Answers with one page of rows, or with 404 for an unknown cursor and for a page number outside a `next-link` list. */
export function paginate<Row>(
  rows: readonly Row[],
  url: URL,
  idOf: (row: Row) => string,
  { style, size: defaultSize = 10, param, totalHeader, linkOrigin, field }: PageOptions,
): Response {
  const size = Number(url.searchParams.get('limit')) || defaultSize;
  const requested = url.searchParams.get(param);
  if (style === 'cursor') {
    const start = requested ? rows.findIndex(row => idOf(row) === requested) + 1 : 0;
    if (requested && start === 0) return HttpResponse.json({ message: `No cursor "${requested}".` }, { status: 404 });
    const results = rows.slice(start, start + size);
    const last = results.at(-1);
    const cursor = last && start + size < rows.length ? idOf(last) : null;
    return HttpResponse.json(listBody(results, field ?? 'results', { cursor }));
  }
  const page = requested === null ? 1 : Number(requested);
  const pages = Math.max(1, Math.ceil(rows.length / size));
  const results = Number.isInteger(page) && page > 0 ? rows.slice((page - 1) * size, page * size) : [];
  if (style === 'page') return HttpResponse.json(listBody(results, field));

  const link = (to: number) => {
    if (to < 1 || to > pages) return null;
    const target = new URL(url.pathname + url.search, linkOrigin ?? url.origin);
    target.searchParams.set(param, String(to));
    return target.href;
  };
  if (style === 'link-header') {
    const [previous, next] = [link(page - 1), link(page + 1)];
    // GitHub sends no link to the page that is shown.
    const links = { prev: previous, next, last: next && link(pages), first: previous && link(1) };
    const header = Object.entries(links).flatMap(([rel, href]) => (href ? [`<${href}>; rel="${rel}"`] : []));
    const headers = {
      ...(header.length > 0 && { Link: header.join(', ') }),
      ...(totalHeader && { [totalHeader]: String(rows.length) }),
    };
    return HttpResponse.json(listBody(results, field), { headers });
  }
  if (!Number.isInteger(page) || page < 1 || page > pages) {
    return HttpResponse.json({ detail: 'Invalid page.' }, { status: 404 });
  }
  const facts = { count: rows.length, next: link(page + 1), previous: link(page - 1) };
  return HttpResponse.json(listBody(results, field ?? 'results', facts));
}
