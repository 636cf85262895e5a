import type { SessionParts } from './parts.js';
import type { SignOutReason } from './session.js';

/** True if the session ended without an act of the user. */
export function isAutomaticEnd(reason: string | undefined): reason is 'expired' | 'idle' {
  return reason === 'expired' || reason === 'idle';
}

/**
 * True if an end for this reason locks the session: no act of the user has ended it. The SDK of a context session keeps its
 * sign-in when the user is idle, and would unlock the page without its user.
 */
export function locksAt(
  { locking, mechanism }: Pick<SessionParts<unknown, unknown>, 'locking' | 'mechanism'>,
  reason: SignOutReason,
): boolean {
  return locking.callers > 0 && (reason === 'expired' || (reason === 'idle' && !mechanism.readIdentity));
}
