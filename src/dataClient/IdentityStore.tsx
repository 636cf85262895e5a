import { __INTERNAL__, CacheProvider, type Controller, type Manager } from '@data-client/react';
import type { ReactNode } from 'react';
import type { SessionCore } from '../session/core.js';
import { storeControllerClass } from './storeController.js';
import { storeManagers } from './storeManagers.js';

/** The managers and the controller of one store. */
export interface IdentityStoreParts {
  readonly managers: Manager[];
  readonly StoreController: typeof Controller;
}

/** Made once for each store generation of a session. */
export function createStoreParts(session: SessionCore, generationEnd: AbortSignal): IdentityStoreParts {
  return { managers: storeManagers(session), StoreController: storeControllerClass(generationEnd) };
}

/** data-client's store for one identity. Give it a new `key` when the identity is left. 0.10 has defaults for none of these props. */
export function IdentityStore({ parts, children }: { parts: IdentityStoreParts; children: ReactNode }) {
  return (
    <CacheProvider
      managers={parts.managers}
      initialState={__INTERNAL__.initialState}
      Controller={parts.StoreController}
      devButton={null}
    >
      {children}
    </CacheProvider>
  );
}
