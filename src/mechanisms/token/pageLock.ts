import { withTimeout, type Clock } from '../../clock.js';

const NOTHING = () => {};

export interface LockLimit {
  readonly clock: Clock;
  /** How long one run holds up the next ones, in milliseconds. */
  readonly timeoutMs: number;
}

/** For each storage key, a promise that resolves when the last run has ended, or holds up no other any more. */
const lastRuns = new Map<string, Promise<void>>();

/**
 * Runs the functions of one storage key one after the other. Tabs do not share the session storage, but one page may have two sessions with
 * the same refresh token: after a hot update of the module that creates the session. A run that takes longer than the timeout, such as a
 * refresh that is never answered, holds up no other.
 */
export function withPageLock<T>(storageKey: string, run: () => Promise<T>, limit: LockLimit): Promise<T> {
  const turn = lastRuns.get(storageKey) ?? Promise.resolve();
  const result = turn.then(run);
  const timedOut = () => new DOMException('The lock of the page was held for too long.', 'TimeoutError');
  const released = turn.then(() => withTimeout(limit.clock, limit.timeoutMs, result, timedOut));
  lastRuns.set(storageKey, released.then(NOTHING, NOTHING));
  return result;
}
