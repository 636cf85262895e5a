/** The time and its timers; tests inject their own so that none waits for real time. Milliseconds throughout. */
export interface Clock {
  now(): number;
  /** Calls back after the delay; returns the function that cancels it. */
  after(delayMs: number, callback: () => void): () => void;
}

/** The machine's own time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs);
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
