// How servers name the search params of a page.
import { paramNames } from '../../endpoints/path.js';
import type { LooseEndpoint, LooseParams } from '../shared/resource.js';

const PAGE = /^(p|page(\[?[-_]?(number|no|num|index)\]?)?)$/i;
const OFFSET = /offset|skip|^start(-?index)?$/i;
const CURSOR = /cursor|after|before|since|token|marker/i;
const SIZE = /(?:^|[^a-z])(?:limit|size|count|take|first|top)\]?$|page_?size$|per_?page$/i;

/** Search params that choose a page, an order or the fields. They leave no row out. Whole names only: `created_after` is a filter. */
const NO_FILTER =
  /^(page|per_?page|page_?size|size|limit|offset|cursor|after|before|sort|sort_?by|order|order_?by|ordering|fields|include|expand)$/i;

export type PageParamKind = 'page' | 'offset' | 'cursor';

/** How a `paginationField` names a page. A name that is neither a cursor's nor an offset's is a page number's. */
export function fieldKind(field: string | undefined): PageParamKind | undefined {
  if (field === undefined) return undefined;
  if (CURSOR.test(field)) return 'cursor';
  return OFFSET.test(field) ? 'offset' : 'page';
}

/** How a param of a link names a page. Undefined for a param that names none. */
export function linkParamKind(name: string, value: string): PageParamKind | undefined {
  if (/^\d+$/.test(value)) {
    if (PAGE.test(name)) return 'page';
    if (OFFSET.test(name)) return 'offset';
  }
  return CURSOR.test(name) ? 'cursor' : undefined;
}

/** True for a param by which a request asks for a number of rows. */
export function isSizeParam(name: string): boolean {
  return SIZE.test(name);
}

/** Whether the params have a search param that can leave rows out. */
export function hasFilter(endpoint: Pick<LooseEndpoint, 'path' | 'paginationField'>, params: LooseParams): boolean {
  const inPath = paramNames(endpoint.path);
  return Object.entries(params).some(
    ([name, value]) =>
      value !== '' && !inPath.includes(name) && name !== endpoint.paginationField && !NO_FILTER.test(name),
  );
}
