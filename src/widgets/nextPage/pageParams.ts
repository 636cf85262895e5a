// How servers name the search params of a page.
import { paramNames } from '../../endpoints/path.js';
import type { LooseEndpoint, LooseParams } from '../shared/resource.js';

const OFFSET = /offset|skip|^start(-?index)?$/i;
const CURSOR = /cursor|after|before|since|token|marker/i;
const SIZE = /(?:^|[^a-z])(?:limit|size|count|take|first|top)\]?$|page_?size$|per_?page$/i;

/** Search params that choose a page, an order or the fields. They leave no row out. Whole names only: `created_after` is a filter. */
const NO_FILTER = /* @__PURE__ */ new RegExp(
  `^(${[
    'pag(e|ination)\\[.+|page|offset|cursor|after|before|starting_?after|ending_?before',
    '((next_?)?page|next|continuation|\\$?skip)_?token',
    'per_?page|page_?size|size|limit|take|max_?(results|items|keys)|\\$(top|count)',
    'sort|sort_?by|order|\\$?order_?by|ordering|fields|\\$?select|include|\\$?expand|populate',
  ].join('|')})$`,
  'i',
);

export type PageParamKind = 'page' | 'offset' | 'cursor';

/** How a `paginationField` names a page. A name that is neither a cursor's nor an offset's is a page number's. */
export function fieldKind(field: string | undefined): PageParamKind | undefined {
  if (field === undefined) return undefined;
  if (CURSOR.test(field)) return 'cursor';
  // In a link, `from` may be a date.
  return OFFSET.test(field) || /^from$/i.test(field) ? 'offset' : 'page';
}

/** Whole names, of params that choose a page by a number. */
const PAGE_NUMBER = /^(p|\$?skip|offset|start_?(index|at)?|page_?(number|no|num|index)|page\[.+)$/i;

/** True for a page number or an offset: `p=2`, but not `p=shoes`. */
function isPageNumber(name: string, value: unknown): boolean {
  return PAGE_NUMBER.test(name) && /^\d{1,9}$/.test(String(value));
}

/** True for a param by which a request asks for a number of rows. */
export function isSizeParam(name: string): boolean {
  return SIZE.test(name);
}

/** Whether the params have a search param that can leave rows out. */
export function hasFilter(endpoint: Pick<LooseEndpoint, 'path' | 'paginationField'>, params: LooseParams): boolean {
  const others = [...paramNames(endpoint.path), endpoint.paginationField];
  return Object.entries(params).some(
    ([name, value]) => value !== '' && !others.includes(name) && !NO_FILTER.test(name) && !isPageNumber(name, value),
  );
}
