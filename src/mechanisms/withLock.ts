import type { Clock } from '../clock.js';
import { tryOrUndefined } from './tryOrUndefined.js';

/** The time until all other tabs can read a write to web storage, in milliseconds. */
export const PROPAGATION_MS = 50;

interface LockOptions {
  /** Ends the wait for the lock. */
  readonly signal: AbortSignal;
  /**
   * How long the lock may be held, in milliseconds. After that, other tabs no longer wait for a tab that crashed with
   * the lock.
   */
  readonly timeoutMs: number;
  readonly clock: Clock;
}

/** @param extendLock Restarts the time limit of the lock. No effect on a Web Lock, which has no time limit. */
type Run<T> = (extendLock: () => void) => Promise<T>;

const nothingToExtend = () => {};

/**
 * Runs the function while no other tab of this origin runs one of the same name.
 *
 * Uses a Web Lock, which ends with its tab. If a page has none (an old browser, plain http), uses a lease in
 * `localStorage`. If that is denied too, runs at once.
 *
 * @throws the signal's reason when it is aborted before the lock is granted.
 * @see https://w3c.github.io/web-locks/
 */
export function withLock<T>(name: string, run: Run<T>, options: LockOptions): Promise<T> {
  const locks = (globalThis.navigator as Navigator | undefined)?.locks;
  return locks ? withWebLock(locks, name, run, options) : withStorageLease(name, run, options);
}

async function withWebLock<T>(locks: LockManager, name: string, run: Run<T>, { signal }: LockOptions): Promise<T> {
  let isGranted = false;
  const runGranted = () => {
    isGranted = true;
    return run(nothingToExtend);
  };
  try {
    return await locks.request(name, { signal }, runGranted);
  } catch (error) {
    // In a sandbox, a page has `locks` but may not use them.
    if (isGranted || signal.aborted) throw error;
    return run(nothingToExtend);
  }
}

/**
 * A tab that finds no lease writes its own and waits. If its lease is still there, the tab has the lock: another tab
 * that wrote at the same time would have replaced it. The tab removes its lease when the page is closed; otherwise the
 * lease ends at its time limit.
 */
async function withStorageLease<T>(name: string, run: Run<T>, { signal, timeoutMs, clock }: LockOptions): Promise<T> {
  const id = Math.random().toString(36).slice(2);
  const lease = () => tryOrUndefined(() => globalThis.localStorage.getItem(name))?.split(' ');
  const isFree = () => !(Number(lease()?.[1]) > clock.now());
  // After a sleep of the computer, the lease may have ended.
  const isMine = () => lease()?.[0] === id && !isFree();
  const claim = () =>
    tryOrUndefined(() => (globalThis.localStorage.setItem(name, `${id} ${clock.now() + timeoutMs}`), isMine()));
  // Does not replace the lease of another tab.
  const extend = () => void (lease()?.[0] === id && claim());
  const giveBack = () => void (isMine() && globalThis.localStorage.removeItem(name));

  while (!isMine()) {
    signal.throwIfAborted();
    if (isFree() && !claim()) return run(nothingToExtend);
    await new Promise<void>(resolve => clock.setTimeout(resolve, 2 * PROPAGATION_MS));
  }
  globalThis.addEventListener?.('pagehide', giveBack);
  try {
    signal.throwIfAborted();
    // Restart the time limit: the wait does not count.
    claim();
    return await run(extend);
  } finally {
    globalThis.removeEventListener?.('pagehide', giveBack);
    giveBack();
  }
}
