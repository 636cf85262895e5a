
/** A list as far as it has been loaded, for a strategy that tells the next page. */
export interface LoadedPages {
  /** The newest answer: the rows themselves, or the object that holds them. */
  readonly body: unknown;
  /** All rows on the screen. */
  readonly items: readonly object[];
  /** How many pages have been loaded. */
  readonly pages: number;
  /** How many rows the last of them brought. */
  readonly lastPageSize: number;
  /** The primary key of the last row that it brought. */
  readonly lastKey: string | undefined;
  /** The resource's `paginationField`. */
  readonly field: string | undefined;
}

/** Tells the search params that the next page is asked for with; undefined at the end of the list. */
export type NextPage = (loaded: LoadedPages) => Readonly<Record<string, string | number>> | undefined;

export interface NextCursorOptions {
  /** The field of the answer that holds the cursor. @default the search param's name */
  field?: string;
  /** The search param that takes the cursor. @default the resource's `paginationField`, or `cursor` */
  param?: string;
}

/**
 * The next page by a cursor that the answer holds: `{ results: […], cursor: 'abc' }`, then `?cursor=abc`. Without a cursor, or
 * with null, the list has ended. Of an answer that is the bare list, the cursor is the key of its last row.
 *
 * @example
 * <PaginatedList resource={ArticleResource} next={nextCursor({ field: 'next_cursor', param: 'after' })} renderItem={…} />
 */
export function nextCursor({ field: from, param }: NextCursorOptions = {}): NextPage {
  return ({ body, lastKey, lastPageSize, field = 'cursor' }) => {
    const name = param ?? field;
    const told = (body as Record<string, unknown>)[from ?? name];
    const atEnd = lastPageSize === 0 ? undefined : lastKey;
    const cursor = Array.isArray(body) ? atEnd : told;
    return (typeof cursor === 'string' && cursor !== '') || typeof cursor === 'number' ? { [name]: cursor } : undefined;
  };
}

export interface NextPageNumberOptions {
  /** How many rows a full page has; a page with fewer is the last. Absent, the last page is the one without any row. */
  size?: number;
  /** The number of the page that is fetched without a number. @default 1 */
  first?: number;
  /** The search param that takes the number. @default the resource's `paginationField`, or `page` */
  param?: string;
}

/**
 * The next page by its number: `?page=2`.
 *
 * @example
 * <PaginatedList resource={ArticleResource} next={nextPageNumber({ size: 20 })} renderItem={…} />
 */
export function nextPageNumber({ size = 1, first = 1, param }: NextPageNumberOptions = {}): NextPage {
  return ({ pages, lastPageSize, field = 'page' }) => (lastPageSize < size ? undefined : { [param ?? field]: first + pages });
}
