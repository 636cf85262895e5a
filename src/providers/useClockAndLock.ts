import type { SessionCore } from '../session/core.js';
import type { RunningClock } from '../sessionClock/RunningClock.js';
import type { ProviderProps } from './ProviderProps.js';
import { useBeforePaint } from './useBeforePaint.js';

/** Attaches the lock of an expiry to the session, and starts the clock of the session, which it returns. */
export function useClockAndLock(
  session: SessionCore,
  { clock, onExpiry }: Pick<ProviderProps, 'clock' | 'onExpiry'>,
): RunningClock | undefined {
  useBeforePaint(() => onExpiry?.attach(session), [onExpiry, session]);
  const running = clock?.(session);
  // Before the session subscribes to the page: a session that is over must not send anything first.
  useBeforePaint(() => running?.start(), [running]);
  return running;
}
