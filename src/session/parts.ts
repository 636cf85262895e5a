import type { Clock } from '../clock.js';
import type { WithDeadline } from './deadline.js';
import type { RunAuthCall } from './runAsAuthCall.js';
import type { SessionStore } from './store.js';
import type { Mechanism } from './types.js';

/** What every effect module of one session works with. */
export interface SessionParts<Credential, User> {
  readonly mechanism: Mechanism<Credential, User>;
  /** The mechanism's, parsed. */
  readonly trustedOrigins: readonly string[] | undefined;
  readonly store: SessionStore<Credential, User>;
  readonly clock: Clock;
  readonly withDeadline: WithDeadline;
  readonly runAuthCall: RunAuthCall<Credential>;
}
