import type { NextPage } from './NextPage.js';

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
