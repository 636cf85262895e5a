import { createContext, useContext } from 'react';
import { MissingProviderError } from '../errors.js';
import type { SessionCore } from '../session/core.js';

/** The session of the nearest provider. The value is the session object itself, so a change of its state re-renders nothing. */
export const SessionContext = createContext<SessionCore | undefined>(undefined);

/** @throws MissingProviderError naming the hook that was called. */
export function useSessionCore(hook: string): SessionCore {
  const session = useContext(SessionContext);
  if (!session) throw new MissingProviderError(hook);
  return session;
}
