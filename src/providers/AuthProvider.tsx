import { __INTERNAL__, CacheProvider, Controller } from '@data-client/react';
import { useState, useSyncExternalStore, type ReactNode } from 'react';
import { SessionContext } from '../endpoints/SessionContext.js';
import type { SessionCore } from '../session/core.js';
import { RoutersBelow } from './RoutersBelow.js';
import { storeManagers } from './storeManagers.js';

/**
 * The one provider below the three public ones: a session, and a store for each identity that holds it.
 *
 * When an identity is left, the store and everything mounted on it are thrown away with it. When somebody signs in from
 * nobody, the tree stays and the store is emptied (`SignInManager`), so that mounted lists are fetched again.
 */
export function AuthProvider({ session, children }: { session: SessionCore; children: ReactNode }) {
  const storeGeneration = useSyncExternalStore(session.subscribe, session.getStoreGeneration, () => 0);
  return (
    <SessionContext.Provider value={session}>
      <Store key={`${session.id}.${storeGeneration}`} session={session}>
        {storeGeneration > 0 ? <RoutersBelow session={session}>{children}</RoutersBelow> : children}
      </Store>
    </SessionContext.Provider>
  );
}

function Store({ session, children }: { session: SessionCore; children: ReactNode }) {
  const [managers] = useState(() => storeManagers(session));
  return (
    <CacheProvider managers={managers} initialState={__INTERNAL__.initialState} Controller={Controller} devButton={null}>
      {children}
    </CacheProvider>
  );
}
