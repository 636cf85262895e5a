import type { Clock } from '../clock.js';

/** Calls the listener again and again. Returns the function that stops it. */
export function repeat(clock: Clock, everyMs: number, listener: () => void): () => void {
  let cancel = () => {};
  const schedule = () => {
    cancel = clock.setTimeout(() => {
      schedule();
      listener();
    }, everyMs);
  };
  schedule();
  return () => cancel();
}
