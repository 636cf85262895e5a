import type { Controller } from '@data-client/react';

/** The error that the store holds for a key, also if the endpoint's `errorPolicy` hides it: it could not read the newest response. */
export function getStoredError(controller: Controller, key: string): Error | undefined {
  return controller.getState().meta[key]?.error;
}
