import { RequestError } from '../../errors.js';

/** How far a list has been loaded. */
export interface LoadedPages {
  /** The newest response: the list, or the object that holds it. With numbered pages, an empty object: only `pages` and `field` are known. */
  readonly body: unknown;
  /** All loaded rows, and those that the user has created. For an offset, use `offset`. */
  readonly items: readonly object[];
  /** The number of loaded pages. */
  readonly pages: number;
  /** The number of rows on these pages. */
  readonly offset: number;
  /** The number of rows on the last page. */
  readonly lastPageSize: number;
  /** The primary key of the last page's last row. */
  readonly lastKey: string | undefined;
  /** The resource's `paginationField`. */
  readonly field: string | undefined;
}

/** Returns the search params of the next page; undefined at the end of the list. Called when the list renders, and when it is fetched again. */
export type NextPage = (loaded: LoadedPages) => Readonly<Record<string, string | number>> | undefined;

export interface NextPageNumberOptions {
  /** The number of rows on a full page. A page with fewer rows is the last one. @default 1: the last page is the one without rows */
  size?: number;
  /** The number of the first page. @default 1 */
  first?: number;
  /** The search param for the number. @default the resource's `paginationField`, or `page` */
  param?: string;
}

/**
 * Finds the next page by its number: `?page=2`.
 *
 * @example
 * <PaginatedList resource={Articles} next={nextPageNumber({ size: 20 })} renderItem={…} />
 */
export function nextPageNumber({ size = 1, first = 1, param }: NextPageNumberOptions = {}): NextPage {
  return ({ pages, lastPageSize, field = 'page' }) =>
    lastPageSize < size ? undefined : { [param ?? field]: first + pages };
}

export interface NextCursorOptions {
  /** The field of the response that holds the cursor. @default the name of the search param */
  field?: string;
  /** The search param for the cursor. @default the resource's `paginationField`, or `cursor` */
  param?: string;
}

/**
 * Finds the next page by a cursor in the response: `{ results: […], cursor: 'abc' }`, then `?cursor=abc`. Without a
 * cursor, or with null, the list has ended. When the response is the bare list, the cursor is the key of its last row.
 *
 * @example
 * <PaginatedList resource={Articles} next={nextCursor({ field: 'next_cursor', param: 'after' })} renderItem={…} />
 */
export function nextCursor({ field: cursorField, param }: NextCursorOptions = {}): NextPage {
  return ({ body, lastKey, lastPageSize, field = 'cursor' }) => {
    const name = param ?? field;
    const keyCursor = lastPageSize === 0 ? undefined : lastKey;
    const cursor = Array.isArray(body) ? keyCursor : (body as Record<string, unknown>)[cursorField ?? name];
    return isCursor(cursor) ? { [name]: cursor } : undefined;
  };
}

export interface NextLinkOptions {
  /** The field of the response that holds the link. @default 'next' */
  field?: string;
}

/** Makes relative links parseable; no request goes to it. */
export const RELATIVE_BASE = 'https://relative.invalid';

/**
 * Finds the next page by a link in the response, absolute or relative, as Django REST framework and `withLinkHeader` provide it.
 *
 * Only the link's search params are used, with the resource's own URL. A link to another origin gets no credentials.
 *
 * @throws NextLinkError when the value is not a URL (for example true) or has no search params. `PaginatedList` shows it, and the rows stay.
 * @example
 * const Articles = hookifyResource(
 *   resource({ path: '/article/:id', schema: Article, paginationField: 'page', rows: 'results' }),
 * );
 * <PaginatedList resource={Articles} next={nextLink()} renderItem={…} />
 */
export function nextLink({ field = 'next' }: NextLinkOptions = {}): NextPage {
  return loaded => {
    const link = (loaded.body as Record<string, unknown>)[field];
    // PHP writes an empty list for nothing.
    if (!link || (typeof link === 'object' && Object.keys(link).length === 0)) return undefined;
    if (typeof link !== 'string') throw new NextLinkError(link, 'is not an address');
    return linkParams(link);
  };
}

/** The search params of a link. @throws NextLinkError when it is not a URL or has none. */
export function linkParams(link: string): Readonly<Record<string, string>> {
  if (!URL.canParse(link, RELATIVE_BASE)) throw new NextLinkError(link, 'is not an address');
  const params = Object.fromEntries(new URL(link, RELATIVE_BASE).searchParams);
  if (Object.keys(params).length === 0)
    throw new NextLinkError(link, 'has no search params, and its path is not followed');
  return params;
}

/** The response's link to the next page cannot be used. With a `status` it is shown like a page that could not be fetched. */
export class NextLinkError extends RequestError {
  override readonly name = 'NextLinkError';
  readonly status = 502;

  constructor(link: unknown, problem: string) {
    super(
      `The next link ${JSON.stringify(link)} ${problem}. Tell PaginatedList the next page by a \`next\` function of your own.`,
    );
  }
}

/** False for null and for an empty text, by which servers say that there is no further page. */
export function isCursor(value: unknown): value is string | number {
  return (typeof value === 'string' && value !== '') || typeof value === 'number';
}
