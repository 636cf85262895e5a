import type { EndCause } from '../../sessionClock/RunningClock.js';

/** The English text before the end of a session. */
export function describeEnding(cause: EndCause, canStay: boolean): string {
  if (cause === 'idle') return 'You will soon be signed out, because you have not used this page for a while.';
  return canStay ? 'Your session ends soon.' : 'Your session ends soon. Save your work, then sign in again.';
}

/** The English text for a time: `1 minute 5 seconds left`. */
export function describeTimeLeft(seconds: number): string {
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60];
  const parts = [minutes > 0 && count(minutes, 'minute'), (rest > 0 || minutes === 0) && count(rest, 'second')];
  return `${parts.filter(Boolean).join(' ')} left`;
}

function count(number: number, unit: string): string {
  return `${number.toLocaleString()} ${unit}${number === 1 ? '' : 's'}`;
}
