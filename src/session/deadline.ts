import { untilAborted, withTimeout, type Clock } from '../clock.js';

/**
 * Settles as the promise does, rejects with the signal's reason when it is aborted, and with a `TimeoutError` after the timeout. Without a
 * signal, only the timeout ends the wait.
 */
export type WithDeadline = <T>(promise: Promise<T>, signal?: AbortSignal) => Promise<T>;

export function createWithDeadline(clock: Clock, timeoutMs: number): WithDeadline {
  const timeoutError = () => new DOMException(`No answer within ${timeoutMs} ms.`, 'TimeoutError');
  return (promise, signal) =>
    withTimeout(clock, timeoutMs, signal ? untilAborted(signal, promise) : promise, timeoutError);
}
