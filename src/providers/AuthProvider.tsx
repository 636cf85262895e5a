import { __INTERNAL__, CacheProvider, Controller } from '@data-client/react';
import { useState, useSyncExternalStore, type ReactNode } from 'react';
import { SessionContext } from '../endpoints/SessionContext.js';
import type { SessionEngine } from '../session/SessionEngine.js';
import { RoutersBelow } from './RoutersBelow.js';
import { storeManagers } from './storeManagers.js';

/**
 * The one provider below the three public ones: a session, and a store for each identity that holds it.
 *
 * When an identity is left, the store and everything mounted on it are thrown away with it. When somebody signs in from
 * nobody, the tree stays and the store is emptied (`SignInManager`), so that mounted lists are fetched again.
 */
export function AuthProvider({ engine, children }: { engine: SessionEngine; children: ReactNode }) {
  const departures = useSyncExternalStore(engine.subscribe, engine.getDepartures, () => 0);
  return (
    <SessionContext.Provider value={engine}>
      <Store key={`${engine.id}.${departures}`} engine={engine}>
        {departures > 0 ? <RoutersBelow engine={engine}>{children}</RoutersBelow> : children}
      </Store>
    </SessionContext.Provider>
  );
}

function Store({ engine, children }: { engine: SessionEngine; children: ReactNode }) {
  const [managers] = useState(() => storeManagers(engine));
  return (
    <CacheProvider managers={managers} initialState={__INTERNAL__.initialState} Controller={Controller} devButton={null}>
      {children}
    </CacheProvider>
  );
}
