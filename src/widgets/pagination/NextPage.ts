/** How far a list has been loaded. */
export interface LoadedPages {
  /** The newest response: the list, or the object that holds it. */
  readonly body: unknown;
  /** All loaded rows. */
  readonly items: readonly object[];
  /** The number of loaded pages. */
  readonly pages: number;
  /** The number of rows on the last page. */
  readonly lastPageSize: number;
  /** The primary key of the last page's last row. */
  readonly lastKey: string | undefined;
  /** The resource's `paginationField`. */
  readonly field: string | undefined;
}

/** Returns the search params of the next page; undefined at the end of the list. Called when the list renders. */
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
 * <PaginatedList resource={ArticleResource} next={nextPageNumber({ size: 20 })} renderItem={…} />
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
 * <PaginatedList resource={ArticleResource} next={nextCursor({ field: 'next_cursor', param: 'after' })} renderItem={…} />
 */
export function nextCursor({ field: cursorField, param }: NextCursorOptions = {}): NextPage {
  return ({ body, lastKey, lastPageSize, field = 'cursor' }) => {
    const name = param ?? field;
    const keyCursor = lastPageSize === 0 ? undefined : lastKey;
    const cursor = Array.isArray(body) ? keyCursor : (body as Record<string, unknown>)[cursorField ?? name];
    return (typeof cursor === 'string' && cursor !== '') || typeof cursor === 'number' ? { [name]: cursor } : undefined;
  };
}
