import type { Clock } from '../clock.js';
import type { ChallengeOption } from './challenges/challenge.js';
import type { SignedIn } from './signedIn.js';

/** Options of every session. */
export interface SessionOptions<Credential, User> extends ChallengeOption {
  /**
   * The user who is signed in from the start, if known without a check; null if it is known that no user is. The session
   * then makes no check at the first subscription. @default unknown
   */
  readonly initial?: SignedIn<Credential, User> | null | undefined;
  /**
   * True for a session that serves one request on a server, and is made inside its handler. Without it, a sign-in on a server
   * rejects: all visitors would share a session of a module. @default false
   */
  readonly server?: boolean | undefined;
  /** The current time and timers, for tests. @default the system's */
  readonly clock?: Clock | undefined;
}
