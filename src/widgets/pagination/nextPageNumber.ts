import type { NextPage } from './NextPage.js';

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
