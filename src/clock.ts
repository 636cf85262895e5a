/** The current time and timers, in milliseconds. Tests inject their own clock, so that no test waits for real time. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /**
   * Calls the callback once after the delay. Returns a function that cancels the timer.
   *
   * @param isBackground True for a timer that no caller waits for: it does not keep a Node script running.
   */
  setTimeout(callback: () => void, delayMs: number, isBackground?: boolean): () => void;
}

/** How long a call of a session may take, to a server, an SDK, a storage or other tabs, unless the app says otherwise; in milliseconds. */
export const DEFAULT_TIMEOUT_MS = 10_000;

/** `setTimeout` overflows above 2^31-1 ms and would fire at once. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/** The system time. A delay of more than 24 days ends after 24 days. */
export const systemClock: Clock = {
  now: () => Date.now(),
  setTimeout(callback, delayMs, isBackground) {
    const timer = setTimeout(callback, Math.min(delayMs, MAX_DELAY_MS));
    // In Node, lets a script end that has nothing else to do. Browsers have no `unref`.
    if (isBackground) (timer as { unref?: () => void }).unref?.();
    return () => clearTimeout(timer);
  },
};

/** The reason of a call that took too long. */
export const timeoutError = (ms: number): DOMException =>
  new DOMException(`No answer within ${ms} ms.`, 'TimeoutError');

/** Settles like the promise, or rejects with `onTimeout()` after the timeout. Clears the timer when the promise settles. */
export function withTimeout<T>(
  clock: Clock,
  timeoutMs: number,
  promise: Promise<T>,
  onTimeout: () => Error,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const cancel = clock.setTimeout(() => reject(onTimeout()), timeoutMs);
    promise.then(resolve, reject).finally(cancel);
  });
}

/**
 * Settles like the promise, or rejects with the signal's reason as soon as the signal is aborted.
 *
 * So the caller of a promise that never settles (a lost response, a hanging `getHeaders`) can still stop waiting.
 */
export function untilAborted<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  if (signal.aborted) {
    promise.catch(() => {});
    return Promise.reject(signal.reason as Error);
  }
  return new Promise<T>((resolve, reject) => {
    const waiting = waitingFor(signal);
    waiting.add(reject);
    void promise.then(resolve, reject).then(() => waiting.delete(reject));
  });
}

/** Returns the promise. A caller may ignore its rejection: the error is in a snapshot, too. */
export function withHandledRejection<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}

type Reject = (reason: unknown) => void;

const rejectsAtAbort = new WeakMap<AbortSignal, Set<Reject>>();

/**
 * The promises to reject when the signal is aborted. One listener serves all requests of an epoch, because a listener
 * for each request costs more than the rest of its work.
 */
function waitingFor(signal: AbortSignal): Set<Reject> {
  const known = rejectsAtAbort.get(signal);
  if (known) return known;
  const waiting = new Set<Reject>();
  rejectsAtAbort.set(signal, waiting);
  signal.addEventListener('abort', () => waiting.forEach(reject => reject(signal.reason)), { once: true });
  return waiting;
}

/**
 * How long ago a time was, in milliseconds. `Infinity` for a time in the future: the system clock was set back after it was noted, and a
 * wait for it would take as long as the clock was wrong.
 */
export function elapsedSince(time: number, clock: Clock): number {
  const elapsed = clock.now() - time;
  return elapsed < 0 ? Infinity : elapsed;
}
