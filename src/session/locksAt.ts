import type { SessionParts } from './parts.js';
import type { TabReason } from './persistence.js';
import type { SignOutReason } from './session.js';

/** Why a session has ended on this page, or what another tab has said about that. */
export type EndReason = SignOutReason | TabReason;

/**
 * True if an end for this reason locks the session: no act of the user has ended it. The SDK of a context session keeps its
 * sign-in when the user is idle, and would unlock the page without its user.
 */
export function locksAt(
  { locking, mechanism }: Pick<SessionParts<unknown, unknown>, 'locking' | 'mechanism'>,
  reason: EndReason | undefined,
): boolean {
  return locking.callers > 0 && (reason === 'expired' || (reason === 'idle' && !mechanism.readIdentity));
}

/** Why a session ends here that another tab has ended. */
export function reasonHere(reason: EndReason | undefined): SignOutReason {
  return reason === 'expired' ? reason : 'elsewhere';
}

/** How the session ends here when another tab has ended it: see `locksAt` and `reasonHere`. */
export interface EndElsewhere {
  readonly reason: SignOutReason;
  readonly locks: boolean;
}
