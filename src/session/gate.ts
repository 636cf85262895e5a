import { timeoutError, untilAborted, type Clock } from '../clock.js';
import { RefreshUnavailableError } from '../errors.js';
import type { Check } from './check.js';
import type { Parts } from './parts.js';
import { activation } from './page.js';
import type { Refresh } from './refresh.js';
import type { Scope } from './extension.js';
import type { SignIn, State } from './state.js';

/** What a request got at the gate. It is in flight until `leave`: a login or logout of its cookie waits for it. */
export interface Pass<Credential> {
  readonly version: number;
  /** Another object after each check. */
  readonly signIn: SignIn | undefined;
  readonly credential: Credential | undefined;
  /** Aborted when a login or logout waits for this request no longer. Undefined: nothing but its scope ends it. */
  readonly signal: AbortSignal | undefined;
  leave(): void;
}

export type Gate<Credential, User> = ReturnType<typeof createGate<Credential, User>>;

interface GateParts<Credential, User> extends Parts<Credential, User> {
  readonly check: Check<Credential, User>;
  readonly refresh: Refresh<Credential, User>;
}

/** Requests read who is signed in. They pass when that is settled; all waiting is here. */
export function createGate<C, U>(parts: GateParts<C, U>) {
  const { store, outside, queue, check, refresh, tabGate, clock, timeoutMs, sharedError, beforeSending } = parts;

  /** What a request has to wait for; undefined if it may be sent. */
  function obstacle(method: string): Promise<unknown> | undefined {
    const { status, stale, signIn } = store.state;
    // Without a user a request carries no cookie.
    if (tabGate && signIn && queue.isBusy) return queue.idle();
    // A check follows each refresh of a cookie, so the refresh that is due comes first.
    const due = stale && tabGate ? refresh.obstacle(method) : undefined;
    if (due) return due;
    if (status === 'restoring' || stale) return check.run().then(assertChecked);
    return (signIn && tabGate?.obstacle()) ?? refresh.obstacle(method);
  }

  const isLocked = () => store.state.status === 'locked';

  function assertChecked(): void {
    if (check.lastFailure && store.state.stale) throw check.lastFailure;
  }

  /**
   * Waits until a request may be sent, at most for the timeout; while the screen is locked, until its user is back.
   *
   * @param lockedError For a caller that does not wait for the user of a locked screen.
   * @throws the reason of the scope's end, RefreshUnavailableError
   */
  async function enter(scope: Scope, method = 'GET', lockedError?: Error): Promise<Pass<C>> {
    const { signal } = scope;
    let patience: Patience | undefined;
    let isRead = false;
    beforeSending(scope);
    const hidden = activation();
    if (hidden) await untilAborted(signal, hidden);
    try {
      for (;;) {
        signal.throwIfAborted();
        const shared = sharedError();
        if (shared) {
          store.dispatch({ type: 'unchecked', error: shared });
          throw shared;
        }
        if (isLocked()) {
          if (lockedError) throw lockedError;
          patience = patience?.end();
          await store.until(({ status }) => status !== 'locked', signal);
          continue;
        }
        const obstructed = tabGate ? undefined : obstacle(method);
        // A cookie that has changed is not refreshed before a check. An SDK that was asked a moment ago is not asked again.
        const read = obstructed || isRead ? undefined : outside.read('elsewhere');
        isRead = !obstructed && !tabGate;
        const waiting = obstructed ?? (tabGate ? read || obstacle(method) : read);
        if (!waiting) return pass(store.state, signal);
        if (waiting instanceof Promise) {
          patience ??= startPatience(clock, timeoutMs);
          await untilAborted(signal, Promise.race([waiting, patience.isOver]));
        }
      }
    } finally {
      patience?.end();
    }
  }

  function pass({ version, credential, signIn }: State<C, U>, signal: AbortSignal): Pass<C> {
    const passage = signIn && tabGate?.enter(signal);
    return { version, credential, signIn, signal: passage?.signal, leave: () => passage?.leave() };
  }

  return { enter };
}

type Patience = ReturnType<typeof startPatience>;

/** Starts the longest wait of one request at the gate. */
function startPatience(clock: Clock, timeoutMs: number) {
  let cancel = () => {};
  const isOver = new Promise<never>((_, reject) => {
    cancel = clock.setTimeout(() => reject(new RefreshUnavailableError(timeoutError(timeoutMs))), timeoutMs);
  });
  isOver.catch(() => {});
  return { isOver, end: () => void cancel() };
}
