import { useMemo } from 'react';
import { pathParams } from '../shared/params.js';
import type { LooseEndpoint, LooseParams } from '../shared/resourceTypes.js';

/** The endpoints that change one record, as far as the resource has them. */
export interface Mutations {
  readonly update: LooseEndpoint | undefined;
  readonly partialUpdate: LooseEndpoint | undefined;
  readonly remove: LooseEndpoint | undefined;
}

interface MutationHooks {
  useUpdate?: () => LooseEndpoint;
  usePartialUpdate?: () => LooseEndpoint;
  useDelete?: () => LooseEndpoint;
}

/** Calls the hooks of the resource in render; handlers use the endpoints that they return. */
export function useMutations(resource: object): Mutations {
  const hooks = resource as MutationHooks;
  const update = hooks.useUpdate?.();
  const partialUpdate = hooks.usePartialUpdate?.();
  const remove = hooks.useDelete?.();
  return useMemo(() => ({ update, partialUpdate, remove }), [update, partialUpdate, remove]);
}

const made = new WeakMap<LooseEndpoint, LooseEndpoint>();

/**
 * `push` or `unshift` of a list with search params: the new row joins the very list that it is created in, and the
 * address holds the params of the path only.
 */
export function toCreateEndpoint(adder: LooseEndpoint): LooseEndpoint {
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
