import type { Found } from './existingSession.js';
import { locksAt } from '../locksAt.js';
import type { SessionParts } from '../parts.js';
import type { SessionEvent } from '../sessionEvent.js';
import { hasSameCredential, isSameUser } from '../signedIn.js';

/**
 * What the result of a check for an existing session changes. Undefined for the same user with the same data: no snapshot changes.
 *
 * @param askedAt When the check was started, in milliseconds since 1970.
 */
export function eventOfCheck<Credential, User>(
  parts: SessionParts<Credential, User>,
  { signedIn, error }: Found<Credential, User>,
  askedAt: number,
): SessionEvent<Credential, User> | undefined {
  const { mechanism, store, userClass, sharedSignInError } = parts;
  const shared = signedIn && sharedSignInError();
  if (shared) return { type: 'restored', signedIn: undefined, error: shared };
  const current = store.state.signedIn;
  const isSame = isSameUser(current, signedIn);
  // The record may have changed since the last answer, so an equal answer is news for it.
  if (signedIn && isSame && userClass) return { type: 'credential-replaced', signedIn: { ...signedIn, askedAt } };
  if (!signedIn || !isSame || JSON.stringify(current?.user) !== JSON.stringify(signedIn.user)) {
    // No tab has said that its user signed out, so the session has run out.
    return { type: 'restored', signedIn, error, locks: locksAt(parts, 'expired') };
  }
  if (hasSameCredential(mechanism, current, signedIn)) return undefined;
  return { type: 'credential-replaced', signedIn: { ...signedIn, user: current!.user } };
}
