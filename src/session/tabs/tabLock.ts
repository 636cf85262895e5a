import type { SessionParts } from '../parts.js';

/**
 * Runs the function while this tab holds the lock, and settles like the function. The tab holds the lock until then,
 * and until other tabs can read what the function wrote.
 *
 * @param signal Ends the wait for the lock, not the run.
 * @throws the error of the function; or, without running it, the signal's reason, or a `TimeoutError` when the lock
 * does not come in time.
 */
export async function withTabLock<T>(
  { mechanism: { tabs }, withDeadline }: Pick<SessionParts<unknown, unknown>, 'mechanism' | 'withDeadline'>,
  run: (extendLock: () => void) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  if (!tabs?.withLock) return run(() => {});
  const wait = new AbortController();
  let started: Promise<T> | undefined;
  const granted = new Promise<void>((resolve, reject) => {
    const start = (extendLock: () => void) => {
      wait.signal.throwIfAborted();
      started = run(extendLock);
      resolve();
      return started;
    };
    tabs.withLock!(async extendLock => start(extendLock), wait.signal).catch(reject);
  });
  try {
    await withDeadline(granted, signal);
  } catch (error) {
    // The lock may come at the moment when the time is over.
    if (!started) throw error;
  } finally {
    wait.abort();
  }
  return started!;
}
