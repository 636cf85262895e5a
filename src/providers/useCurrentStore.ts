import { useState } from 'react';
import { NOT_A_FUNCTION } from '../dataClient/connectManagers.js';
import type { CreateManagers } from '../dataClient/HostedManagers.js';
import { createStoreParts, type IdentityStoreParts } from '../dataClient/IdentityStore.js';
import { bindSession, type BoundSession } from '../endpoints/boundSession.js';
import { getOrCreate } from '../getOrCreate.js';
import { isDevelopment } from '../isDevelopment.js';
import type { SessionCore } from '../session/extension.js';
import { isServer } from '../session/sharedOnServer.js';
import type { ProviderProps } from './ProviderProps.js';
import { useFreshSnapshot } from './useFreshSnapshot.js';
import { useLatest } from './useLatest.js';

interface CurrentStore {
  readonly storeGeneration: number;
  readonly bound: BoundSession;
  readonly parts: IdentityStoreParts;
}

/** Returns the store generation of the session, and what its store is made of. Renders again when the identity has ended. */
export function useCurrentStore(
  session: SessionCore,
  props: Pick<ProviderProps, 'managers' | 'Controller'>,
): CurrentStore {
  // React Compiler, in an app that compiles its dependencies too, would cache `bindSession` for all identities of the session.
  'use no memo';
  const storeGeneration = useFreshSnapshot(session.subscribe, session.getStoreGeneration, () => 0);
  const bound = bindSession(session);
  return { storeGeneration, bound, parts: useStoreParts(bound, props) };
}

/**
 * Creates the parts of each generation's store once. This provider caches them, not the store's own component: after an error below,
 * React may discard that component and mount another one, which must share the requests that were already sent.
 */
function useStoreParts(
  bound: BoundSession,
  { managers, Controller }: Pick<ProviderProps, 'managers' | 'Controller'>,
): IdentityStoreParts {
  const latest = useLatest(managers);
  const [cache] = useState(() => new WeakMap<BoundSession, IdentityStoreParts>());
  const { session, end } = bound;
  if (isDevelopment && managers && !managers.Host) throw new TypeError(NOT_A_FUNCTION);
  const createManagers: CreateManagers = (subject, signal) =>
    latest.current?.create({ subject, signal, session }) ?? [];
  // Nothing on a server ever cleans up, so a server has no managers of the app.
  const Host = isServer() ? undefined : managers?.Host;
  return getOrCreate(cache, bound, () =>
    createStoreParts(session, end, { Controller, hosted: Host && new Host(session, createManagers) }),
  );
}
