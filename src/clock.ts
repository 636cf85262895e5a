/** The time and its timers; tests inject their own so that none waits for real time. Milliseconds throughout. */
export interface Clock {
  now(): number;
  /** Calls back after the delay; returns the function that cancels it. */
  after(delayMs: number, callback: () => void): () => void;
}

/** The longest delay of `setTimeout`; a longer one would be none at all. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/** The machine's own time. A delay of more than 24 days ends after 24. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, Math.min(delayMs, MAX_DELAY_MS));
    return () => clearTimeout(timer);
  },
};

/** The promise's outcome, or a rejection with `onTimeout()` when it takes longer. The timer never outlives the promise. */
export function withTimeout<T>(clock: Clock, timeoutMs: number, promise: Promise<T>, onTimeout: () => Error): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const cancel = clock.after(timeoutMs, () => reject(onTimeout()));
    promise.then(resolve, reject).finally(cancel);
  });
}

/**
 * The promise's outcome, or the signal's reason as soon as it is aborted, whichever comes first.
 *
 * A promise that never settles (a lost answer, a hanging `getHeaders`) still settles for its caller this way.
 */
export function untilAborted<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
