import type { Clock } from '../clock.js';

/**
 * How long ago a time was, in milliseconds. `Infinity` for a time that is still to come: the system clock was set back after it was noted,
 * so nobody knows, and a wait for it would take as long as the clock was wrong.
 */
export function elapsedSince(time: number, clock: Clock): number {
  const elapsed = clock.now() - time;
  return elapsed < 0 ? Infinity : elapsed;
}
