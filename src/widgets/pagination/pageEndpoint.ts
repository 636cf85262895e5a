import type { LooseEndpoint, LooseParams } from '../shared/resourceTypes.js';

const forgiving = new WeakMap<LooseEndpoint, LooseEndpoint>();

/** The endpoint with failures that leave on the screen what is there: a page shares the key of its list. */
function softly(endpoint: LooseEndpoint): LooseEndpoint {
  const known = forgiving.get(endpoint) ?? endpoint.extend({ errorPolicy: () => 'soft' });
  forgiving.set(endpoint, known);
  return known;
}

/**
 * The endpoint that appends a page to the list of these params: `getPage`, or where more than the `paginationField` tells
 * the pages apart, one that appends to the same list all the same.
 */
export function pageEndpoint(getList: LooseEndpoint, params: LooseParams, next: LooseParams): LooseEndpoint {
  const { paginationField: field } = getList;
  const isToldByField =
    field !== undefined && !(field in params) && Object.entries(next).every(([name, value]) => name === field || String(params[name]) === String(value));
  return softly(isToldByField ? getList.getPage : getList.paginated(() => [params]));
}
