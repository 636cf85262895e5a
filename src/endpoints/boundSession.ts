import type { SessionCore } from '../session/core.js';

/** A session as one screen has it. Whatever the screen captures works until the identity is left that it was rendered for. */
export interface BoundSession {
  readonly session: SessionCore;
  /** Aborted when that identity is left; neither a refresh nor a sign-in of a signed-out user ends it. */
  readonly end: AbortSignal;
}

const boundSessions = new WeakMap<AbortSignal, BoundSession>();

/** The session, bound to the store generation of now: the same object until that generation ends. */
export function bindSession(session: SessionCore): BoundSession {
  const end = session.getStoreGenerationSignal();
  const known = boundSessions.get(end);
  if (known) return known;
  const bound: BoundSession = { session, end };
  boundSessions.set(end, bound);
  return bound;
}
