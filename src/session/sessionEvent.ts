import { IdentityChangedError, SessionExpiredError, SignedOutError } from '../errors.js';
import type { SignOutReason } from './session.js';
import type { SignedIn } from './signedIn.js';

/** What changes the state of a session. */
export type SessionEvent<Credential, User> =
  /** A login succeeded, or another tab's sign-in was adopted: the same user with new credentials, or another user. */
  | { readonly type: 'signed-in'; readonly signedIn: SignedIn<Credential, User> }
  /**
   * A check for an existing session has ended; `signedIn` is undefined when no user is signed in, or the check failed. A sign-in
   * that it ends has expired. `locks`: as in `signed-out`.
   */
  | {
      readonly type: 'restored';
      readonly signedIn: SignedIn<Credential, User> | undefined;
      readonly error?: Error | undefined;
      readonly locks?: boolean;
    }
  /** New credentials for the same user. */
  | { readonly type: 'credential-replaced'; readonly signedIn: SignedIn<Credential, User> }
  /** No user is signed in any more. `locks`: a user who can be recognized keeps their place, and the session is locked. */
  | { readonly type: 'signed-out'; readonly reason: SignOutReason; readonly locks?: boolean }
  /** Another tab's message says why a session has ended that this tab found ended in the storage. */
  | { readonly type: 'end-explained'; readonly reason: SignOutReason }
  /** A login or logout failed. */
  | { readonly type: 'failed'; readonly error: Error }
  /** A logout failed after a later login or logout was called. */
  | { readonly type: 'logout-unconfirmed' }
  /** The server has ended the session. */
  | { readonly type: 'logout-confirmed' }
  /** The session forgets its state. */
  | { readonly type: 'reset'; readonly status: 'restoring' | 'anonymous'; readonly because: Error };

/** The error for the requests of the epoch that the event ends. */
export function epochEndReason(event: SessionEvent<unknown, unknown>): Error {
  if (event.type === 'reset') return event.because;
  if (event.type !== 'signed-out') return new IdentityChangedError();
  return event.reason === 'expired' ? new SessionExpiredError() : new SignedOutError();
}
