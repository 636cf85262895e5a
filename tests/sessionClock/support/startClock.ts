import type { Clock } from '../../../src/clock.js';
import type { SessionCore } from '../../../src/session/extension.js';
import { sessionClock, type SessionClockOptions } from '../../../src/entries/clock.js';

export const SECOND = 1_000;
export const MINUTE = 60_000;
/** A session that ends after a quarter of an hour, with a warning a minute before. */
export const IDLE = { idle: { after: 15 * MINUTE } };

/** The clock of a session, started as a provider starts it. `states` are all that a component has seen. */
export function startClock(session: object, clock: Clock, options: SessionClockOptions<any> = IDLE) {
  const timer = sessionClock({ clock, ...options })(session as SessionCore);
  const states: (boolean | 'idle' | 'expired')[] = [];
  timer.subscribe(() => states.push(timer.getState().cause ?? timer.getState().isEnding));
  return { timer, states, stop: timer.start() };
}
