import { paramNames } from '../../endpoints/path.js';
import type { LooseEndpoint, LooseParams } from '../shared/resourceTypes.js';

/** Search params that choose a page, an order or the fields. They leave no row out. */
const NO_FILTER =
  /^(page|per_?page|page_?size|size|limit|offset|cursor|after|before|sort|sort_?by|order|order_?by|ordering|fields|include|expand)$/i;

/** Whether the params have a search param that can leave rows out. */
export function hasFilter(endpoint: Pick<LooseEndpoint, 'path' | 'paginationField'>, params: LooseParams): boolean {
  const inPath = paramNames(endpoint.path);
  return Object.entries(params).some(
    ([name, value]) =>
      value !== '' && !inPath.includes(name) && name !== endpoint.paginationField && !NO_FILTER.test(name),
  );
}
