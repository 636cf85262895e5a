import type { Clock } from '../clock.js';
import type { Hooks, RunAs, Scope } from './extension.js';
import type { AnyMechanism, SignedIn } from './mechanism.js';
import type { Outside } from './outside.js';
import type { Queue } from './queue.js';
import type { MaybePromise, SharedRecord } from './record.js';
import type { SignOutReason } from './session.js';
import type { Position } from './state.js';
import type { Store } from './store.js';
import type { TabGate } from './tabGate.js';

/** What the parts of a session have in common. A part gets, besides, the parts that it builds on. */
export interface Parts<Credential, User> {
  readonly store: Store<Credential, User>;
  readonly mechanism: AnyMechanism<Credential, User>;
  readonly record: SharedRecord;
  readonly queue: Queue;
  readonly tabGate: TabGate | undefined;
  readonly outside: Outside;
  readonly hooks: readonly Hooks[];
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly runAs: RunAs;
  /** Runs while no other tab refreshes. */
  readonly inTurn: <T>(act: (signal: AbortSignal) => Promise<T>) => Promise<T>;
  /** What extensions say of a user who was found or has signed in. */
  readonly identify: <F extends SignedIn<Credential, User> | undefined>(found: F) => F;
  /** Why this session may not look for a sign-in, and send nothing. */
  readonly sharedError: () => Error | undefined;
  /** Called first: an extension may end the session here. */
  readonly beforeSending: (scope?: Scope) => void;
  /** Ends the sign-in on this page and in the record of the tabs. `stored`: what the page does not know yet. */
  readonly end: (
    reason: SignOutReason,
    response?: Response,
    stored?: MaybePromise<Position | undefined>,
  ) => Promise<void>;
}
