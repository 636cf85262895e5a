import { createContext, useContext } from 'react';
import { MissingProviderError } from '../errors.js';
import type { SessionEngine } from '../session/SessionEngine.js';

/** The session of the nearest provider. Its value is the session object itself, so that no change of its state re-renders. */
export const SessionContext = createContext<SessionEngine | undefined>(undefined);

/** @throws MissingProviderError naming the hook that was called. */
export function useSessionEngine(hook: string): SessionEngine {
  const engine = useContext(SessionContext);
  if (!engine) throw new MissingProviderError(hook);
  return engine;
}
