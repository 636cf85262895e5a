import { __INTERNAL__, CacheProvider, type Controller, type Manager } from '@data-client/react';
import type { ReactNode } from 'react';
import { isDevelopment } from '../isDevelopment.js';
import type { SessionCore } from '../session/core.js';
import { assertElementsFit } from './assertElementsFit.js';
import { storeControllerClass } from './storeController.js';
import { storeManagers } from './storeManagers.js';

/** The managers and the controller of one store. */
export interface IdentityStoreParts {
  readonly managers: Manager[];
  readonly StoreController: typeof Controller;
}

/** Creates the managers and the controller of a store. Called once for each store generation of a session. */
export function createStoreParts(session: SessionCore, generationEnd: AbortSignal): IdentityStoreParts {
  if (isDevelopment) assertElementsFit();
  return { managers: storeManagers(session), StoreController: storeControllerClass(generationEnd) };
}

/** data-client's store for one identity. Change its `key` when the identity changes. data-client 0.10 has no defaults for these props. */
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
