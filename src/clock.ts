/** The time and its timers. Tests inject their own, so that none of them waits for real time. Milliseconds throughout. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls back after the delay. Returns the function that cancels it. */
  setTimeout(callback: () => void, delayMs: number): () => void;
}

/** `setTimeout` overflows above 2^31-1 ms and would fire at once. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/** The computer's own time. A delay of more than 24 days ends after 24 days. */
export const systemClock: Clock = {
  now: () => Date.now(),
  setTimeout(callback, delayMs) {
    const timer = setTimeout(callback, Math.min(delayMs, MAX_DELAY_MS));
    return () => clearTimeout(timer);
  },
};

/** Settles as the promise does, or rejects with `onTimeout()` after the timeout. The timer never outlives the promise. */
export function withTimeout<T>(clock: Clock, timeoutMs: number, promise: Promise<T>, onTimeout: () => Error): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const cancel = clock.setTimeout(() => reject(onTimeout()), timeoutMs);
    promise.then(resolve, reject).finally(cancel);
  });
}

/**
 * Settles as the promise does, or rejects with the signal's reason as soon as the signal is aborted.
 *
 * So a promise that never settles (a lost answer, a hanging `getHeaders`) still settles for its caller.
 */
export function untilAborted<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
