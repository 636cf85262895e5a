import { useState, useSyncExternalStore, type ReactNode } from 'react';
import { createStoreParts, IdentityStore, type IdentityStoreParts } from '../dataClient/IdentityStore.js';
import { bindSession, type BoundSession } from '../endpoints/boundSession.js';
import { SessionContext } from '../endpoints/SessionContext.js';
import type { SessionCore } from '../session/core.js';
import { ReportFailureContext, useReportFailureTo, type OnError } from './failureReport.js';
import { NotifyRouters } from './NotifyRouters.js';

interface AuthProviderProps {
  session: SessionCore;
  onError: OnError | undefined;
  children: ReactNode;
}

/**
 * The provider inside the three public ones. It provides a session, and a new store for each identity.
 *
 * When the identity ends, React unmounts the store and the whole tree, and the endpoints and the controller that the old
 * screen captured stop working. When a signed-out user signs in, the tree stays mounted and `SignInManager` empties the store, so
 * that mounted lists fetch their data again.
 */
export function AuthProvider({ session, onError, children }: AuthProviderProps) {
  const reportFailure = useReportFailureTo(onError);
  const storeGeneration = useSyncExternalStore(session.subscribe, session.getStoreGeneration, () => 0);
  const bound = bindSession(session);
  const parts = useStoreParts(bound);
  return (
    <SessionContext.Provider value={bound}>
      <ReportFailureContext.Provider value={reportFailure}>
        <IdentityStore key={`${session.id}.${storeGeneration}`} parts={parts}>
          {children}
          {storeGeneration > 0 && <NotifyRouters session={session} />}
        </IdentityStore>
      </ReportFailureContext.Provider>
    </SessionContext.Provider>
  );
}

/**
 * Creates the parts of each generation's store once. This provider caches them, not the store's own component: after an error below,
 * React may discard that component and mount another one, which must share the requests that were already sent.
 */
function useStoreParts(bound: BoundSession): IdentityStoreParts {
  const [cache] = useState(() => new WeakMap<BoundSession, IdentityStoreParts>());
  const cached = cache.get(bound);
  if (cached) return cached;
  const parts = createStoreParts(bound.session, bound.end);
  cache.set(bound, parts);
  return parts;
}
