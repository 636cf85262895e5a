import { useMemo } from 'react';
import type { LooseEndpoint } from '../shared/resourceTypes.js';

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
