import { pathParams } from '../shared/endpointParams.js';
import type { LooseEndpoint, LooseParams } from '../shared/resourceTypes.js';

const made = new WeakMap<LooseEndpoint, LooseEndpoint>();

/**
 * `push` or `unshift` of a list with search params: the new row joins the very list that it is created in, and the
 * address holds the params of the path only.
 */
export function createEndpoint(adder: LooseEndpoint): LooseEndpoint {
  const known = made.get(adder);
  if (known) return known;
  const url = (adder as unknown as { url: (this: object, params: LooseParams) => string }).url;
  const endpoint = adder.extend({
    url(this: LooseEndpoint, params: LooseParams) {
      return url.call(this, pathParams(adder, params));
    },
  });
  made.set(adder, endpoint);
  return endpoint;
}
