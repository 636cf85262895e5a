import { useState, useSyncExternalStore, type ReactNode } from 'react';
import { createStoreParts, IdentityStore, type IdentityStoreParts } from '../dataClient/IdentityStore.js';
import { bindSession, type BoundSession } from '../endpoints/boundSession.js';
import { SessionContext } from '../endpoints/SessionContext.js';
import type { SessionCore } from '../session/core.js';
import { AnnounceAddress } from './AnnounceAddress.js';

/**
 * The one provider below the three public ones: a session, and a store for each identity that holds it.
 *
 * When an identity is left, the store and everything mounted on it are thrown away with it, and what the old screen has captured
 * ends: its endpoints and its controller. When a signed-out user signs in, the tree stays and the store is emptied
 * (`SignInManager`), so that mounted lists are fetched again.
 */
export function AuthProvider({ session, children }: { session: SessionCore; children: ReactNode }) {
  const storeGeneration = useSyncExternalStore(session.subscribe, session.getStoreGeneration, () => 0);
  const bound = bindSession(session);
  const parts = useStoreParts(bound);
  return (
    <SessionContext.Provider value={bound}>
      <IdentityStore key={`${session.id}.${storeGeneration}`} parts={parts}>
        {children}
        {storeGeneration > 0 && <AnnounceAddress session={session} />}
      </IdentityStore>
    </SessionContext.Provider>
  );
}

/**
 * What the store of a generation is made of, made once in this provider. It is not state of the store's own component: when something
 * below throws, React discards that component and mounts another one, which must join the requests that were sent.
 */
function useStoreParts(bound: BoundSession): IdentityStoreParts {
  const [partsOf] = useState(() => new WeakMap<BoundSession, IdentityStoreParts>());
  const known = partsOf.get(bound);
  if (known) return known;
  const parts = createStoreParts(bound.session, bound.end);
  partsOf.set(bound, parts);
  return parts;
}
