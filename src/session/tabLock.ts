import type { SessionParts } from './parts.js';

/** A signal of its own for each wait: what hangs keeps its listener. */
export const neverAborted = (): AbortSignal => new AbortController().signal;

/**
 * Runs what one tab at a time may do, and settles as that does. The lock is held until then, and for as long as the other tabs may not
 * see yet what was written.
 *
 * @param signal Ends the wait for the lock, not the run.
 * @throws what the run throws; the signal's reason, or a `TimeoutError` when the lock is not granted in time. Nothing runs then.
 */
export async function withTabLock<T>(
  { mechanism: { tabs }, withDeadline }: SessionParts<any, any>,
  run: (extendLock: () => void) => Promise<T>,
  signal: AbortSignal = neverAborted(),
): Promise<T> {
  if (!tabs?.withLock) return run(() => {});
  const wait = new AbortController();
  const granted = new Promise<{ result: Promise<T> }>((resolve, reject) => {
    const start = (extendLock: () => void) => {
      wait.signal.throwIfAborted();
      const result = run(extendLock);
      resolve({ result });
      return result;
    };
    tabs.withLock!(async extendLock => start(extendLock), wait.signal).catch(reject);
  });
  try {
    return await (
      await withDeadline(granted, signal)
    ).result;
  } finally {
    wait.abort();
  }
}
