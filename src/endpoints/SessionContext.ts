import { createContext, useContext } from 'react';
import { MissingProviderError } from '../errors.js';
import type { SessionCore } from '../session/core.js';
import type { BoundSession } from './boundSession.js';

/** The session of the nearest provider. The same object until the identity ends, so other changes of the session re-render nothing. */
export const SessionContext = createContext<BoundSession | undefined>(undefined);

/** @throws MissingProviderError naming the hook that was called. */
export function useBoundSession(hook: string): BoundSession {
  const bound = useContext(SessionContext);
  if (!bound) throw new MissingProviderError(hook);
  return bound;
}

/** @throws MissingProviderError naming the hook that was called. */
export function useSessionCore(hook: string): SessionCore {
  return useBoundSession(hook).session;
}
