import { createContext, useContext } from 'react';
import { MissingProviderError } from '../errors.js';
import type { SessionCore } from '../session/core.js';
import type { BoundSession } from './boundSession.js';

/** The session of the nearest provider. One object until the identity is left, so no other change of the session re-renders anything. */
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
