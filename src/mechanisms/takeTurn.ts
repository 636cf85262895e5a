import type { Clock } from '../clock.js';
import { orUndefined } from './orUndefined.js';

/** How long one tab's writing to web storage may take until every other tab reads it, in milliseconds. */
export const PROPAGATION_MS = 50;

interface TurnOptions {
  /** Ends the wait for the turn. */
  readonly signal: AbortSignal;
  /** How long a turn may take: a tab that vanished in the middle of one is waited for no longer, in milliseconds. */
  readonly timeoutMs: number;
  readonly clock: Clock;
}

/**
 * Runs the function while no other tab of this origin runs one of the same name.
 *
 * By a Web Lock, which ends with its tab. Where a page has none (an old browser, plain http), by a lease in `localStorage`;
 * where that is denied as well, at once.
 *
 * @throws the signal's reason when it is aborted before the turn comes.
 * @see https://w3c.github.io/web-locks/
 */
export function takeTurn<T>(name: string, act: () => Promise<T>, options: TurnOptions): Promise<T> {
  const locks = (globalThis.navigator as Navigator | undefined)?.locks;
  return locks ? byLock(locks, name, act, options) : byLease(name, act, options);
}

async function byLock<T>(locks: LockManager, name: string, act: () => Promise<T>, { signal }: TurnOptions): Promise<T> {
  let isGranted = false;
  const run = () => {
    isGranted = true;
    return act();
  };
  try {
    return await locks.request(name, { signal }, run);
  } catch (error) {
    // A page in a sandbox has locks that it may not use.
    if (isGranted || signal.aborted) throw error;
    return act();
  }
}

/**
 * A lease: whoever finds none writes one, and has it when it still stands after a moment in which any other's would have
 * replaced it. Given back when the page goes; else it ends by itself.
 */
async function byLease<T>(name: string, act: () => Promise<T>, { signal, timeoutMs, clock }: TurnOptions): Promise<T> {
  const id = Math.random().toString(36).slice(2);
  const lease = () => orUndefined(() => globalThis.localStorage.getItem(name))?.split(' ');
  const isFree = () => !(Number(lease()?.[1]) > clock.now());
  // A tab that slept may wake up when its lease has ended.
  const isMine = () => lease()?.[0] === id && !isFree();
  const claim = () => orUndefined(() => (globalThis.localStorage.setItem(name, `${id} ${clock.now() + timeoutMs}`), isMine()));
  const giveBack = () => void (isMine() && globalThis.localStorage.removeItem(name));

  while (!isMine()) {
    signal.throwIfAborted();
    if (isFree() && !claim()) return act();
    await new Promise<void>(resolve => clock.after(2 * PROPAGATION_MS, resolve));
  }
  globalThis.addEventListener?.('pagehide', giveBack);
  try {
    signal.throwIfAborted();
    // The wait was no part of the run.
    claim();
    return await act();
  } finally {
    globalThis.removeEventListener?.('pagehide', giveBack);
    giveBack();
  }
}
