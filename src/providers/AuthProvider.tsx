import { __INTERNAL__, CacheProvider, type Controller, type Manager } from '@data-client/react';
import { useState, useSyncExternalStore, type ReactNode } from 'react';
import { bindSession, type BoundSession } from '../endpoints/boundSession.js';
import { SessionContext } from '../endpoints/SessionContext.js';
import type { SessionCore } from '../session/core.js';
import { RoutersBelow } from './RoutersBelow.js';
import { storeControllerClass } from './storeController.js';
import { storeManagers } from './storeManagers.js';

/**
 * The one provider below the three public ones: a session, and a store for each identity that holds it.
 *
 * When an identity is left, the store and everything mounted on it are thrown away with it, and what the old screen has captured
 * ends: its endpoints and its controller. When somebody signs in from nobody, the tree stays and the store is emptied
 * (`SignInManager`), so that mounted lists are fetched again.
 */
export function AuthProvider({ session, children }: { session: SessionCore; children: ReactNode }) {
  const storeGeneration = useSyncExternalStore(session.subscribe, session.getStoreGeneration, () => 0);
  const bound = bindSession(session);
  const { managers, StoreController } = useStore(bound);
  return (
    <SessionContext.Provider value={bound}>
      <CacheProvider
        key={`${session.id}.${storeGeneration}`}
        managers={managers}
        initialState={__INTERNAL__.initialState}
        Controller={StoreController}
        devButton={null}
      >
        {storeGeneration > 0 ? <RoutersBelow session={session}>{children}</RoutersBelow> : children}
      </CacheProvider>
    </SessionContext.Provider>
  );
}

interface Store {
  readonly managers: Manager[];
  readonly StoreController: typeof Controller;
}

/**
 * What the store of a generation is made of, made once in this provider. It is not state of the store's own component: when something
 * below throws, React discards that component and mounts another one, which must join the requests that were sent.
 */
function useStore(bound: BoundSession): Store {
  const [stores] = useState(() => new WeakMap<BoundSession, Store>());
  const known = stores.get(bound);
  if (known) return known;
  const store = { managers: storeManagers(bound.session), StoreController: storeControllerClass(bound.end) };
  stores.set(bound, store);
  return store;
}
