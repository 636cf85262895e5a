import type { Clock } from '../clock.js';
import { attempt } from './attempt.js';

/** How long one tab's write to web storage may take until every other tab reads it, in milliseconds. */
export const PROPAGATION_MS = 50;

interface LockOptions {
  /** Ends the wait for the lock. */
  readonly signal: AbortSignal;
  /** How long the lock may be held: other tabs wait no longer for a tab that vanished while holding it. Milliseconds. */
  readonly timeoutMs: number;
  readonly clock: Clock;
}

/** @param extendLock Starts the time again for which the lock may be held. No effect on a Web Lock, which has no such time. */
type Run<T> = (extendLock: () => void) => Promise<T>;

const nothingToExtend = () => {};

/**
 * Runs the function while no other tab of this origin runs one of the same name.
 *
 * Uses a Web Lock, which ends with its tab. Where a page has none (an old browser, plain http), a lease in `localStorage`;
 * where that is denied as well, it runs at once.
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
    // A page in a sandbox has locks that it may not use.
    if (isGranted || signal.aborted) throw error;
    return run(nothingToExtend);
  }
}

/**
 * A tab that finds no lease writes one. It has the lock when its lease is still there after a moment in which the lease of any
 * other tab would have replaced it. The tab removes it when it goes away; else the lease ends by its time.
 */
async function withStorageLease<T>(name: string, run: Run<T>, { signal, timeoutMs, clock }: LockOptions): Promise<T> {
  const id = Math.random().toString(36).slice(2);
  const lease = () => attempt(() => globalThis.localStorage.getItem(name))?.split(' ');
  const isFree = () => !(Number(lease()?.[1]) > clock.now());
  // A tab that slept may wake up when its lease has ended.
  const isMine = () => lease()?.[0] === id && !isFree();
  const claim = () =>
    attempt(() => (globalThis.localStorage.setItem(name, `${id} ${clock.now() + timeoutMs}`), isMine()));
  // The lease of another tab stays, where this one's has ended.
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
    // The time that the wait took is not part of the run's.
    claim();
    return await run(extend);
  } finally {
    globalThis.removeEventListener?.('pagehide', giveBack);
    giveBack();
  }
}
