import { useMemo } from 'react';
import { pathParams, type LooseEndpoint, type LooseParams } from '../shared/resource.js';

/** The endpoints of a resource that change one record. Undefined where the resource has no such hook. */
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

/** Calls the resource's hooks in render, so that event handlers can use the endpoints. */
export function useMutations(resource: object): Mutations {
  const hooks = resource as MutationHooks;
  const update = hooks.useUpdate?.();
  const partialUpdate = hooks.usePartialUpdate?.();
  const remove = hooks.useDelete?.();
  return useMemo(() => ({ update, partialUpdate, remove }), [update, partialUpdate, remove]);
}

const createEndpoints = new WeakMap<LooseEndpoint, LooseEndpoint>();

/**
 * `push` or `unshift` for a list with search params. The new row joins the list with exactly these params, but the URL holds the path's
 * params only. The same endpoint for the same `addEndpoint`.
 */
export function toCreateEndpoint(addEndpoint: LooseEndpoint): LooseEndpoint {
  const cached = createEndpoints.get(addEndpoint);
  if (cached) return cached;
  const { url } = addEndpoint;
  const endpoint = addEndpoint.extend({
    url(this: LooseEndpoint, params: LooseParams) {
      return url.call(this, pathParams(addEndpoint, params));
    },
  });
  createEndpoints.set(addEndpoint, endpoint);
  return endpoint;
}
