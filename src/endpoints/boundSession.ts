import { getOrCreate } from '../getOrCreate.js';
import type { SessionCore } from '../session/extension.js';

/**
 * A session together with the identity that a screen was rendered for. Endpoints that the screen captured work until
 * that identity ends.
 */
export interface BoundSession {
  readonly session: SessionCore;
  /** Aborted when that identity ends. A refresh does not abort it, and neither does the sign-in of a signed-out user. */
  readonly end: AbortSignal;
}

const boundSessions = new WeakMap<AbortSignal, BoundSession>();

/** Binds the session to the current store generation. Returns the same object until that generation ends. */
export function bindSession(session: SessionCore): BoundSession {
  const end = session.getStoreGenerationSignal();
  return getOrCreate(boundSessions, end, () => ({ session, end }));
}
