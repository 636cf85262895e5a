import { systemClock } from '../clock.js';
import { getOrCreate } from '../getOrCreate.js';
import { isDevelopment } from '../isDevelopment.js';
import type { SessionCore } from '../session/extension.js';
import { warnOnce } from '../warnOnce.js';
import { clockedSession } from './clockedSession.js';
import { DEFAULT_WARN_MS } from './EndTimes.js';
import { SessionTimer } from './SessionTimer.js';
import type { RunningClock, SessionClock, SessionClockOptions } from './RunningClock.js';

/** The shortest warning by WCAG 2.2.1, in milliseconds. */
const MIN_WARN_MS = 20_000;

/**
 * The clock of a provider's sessions, for its prop `clock`. Create it once, outside React.
 *
 * It ends the session of a user who is away in all tabs, on this page and on the server, with the reason `idle`. With the
 * `onExpiry={lock()}` of a provider it locks the page instead, unless it has a `signOut`, or an SDK holds the sign-in.
 * `<SessionWarning>` and `useSessionClock()` say so before. A page that was asleep ends before it sends a request. It
 * protects an unattended screen; the server has to end idle sessions too.
 *
 * @throws TypeError when `idle.after` is not longer than its warning.
 * @example
 * const clock = sessionClock({ idle: { after: 15 * 60_000 } });
 * <TokenAuthProvider session={session} clock={clock}>
 *   <SessionWarning />
 * </TokenAuthProvider>
 * @see https://cheatsheetseries.owasp.org/cheatsheets/Session_Management_Cheat_Sheet.html#session-expiration
 * @see https://www.w3.org/WAI/WCAG22/Understanding/timing-adjustable.html
 */
export function sessionClock<User = unknown>(options: SessionClockOptions<User> = {}): SessionClock {
  const { idle, warn = DEFAULT_WARN_MS, clock = systemClock } = options;
  const idleWarn = idle?.warn ?? warn;
  if (idle && !(idle.after > idleWarn))
    throw new TypeError(
      `sessionClock() would warn ${idleWarn} ms before an idle end after ${idle.after} ms, so it would warn all the time. Make \`idle.after\` longer, or \`idle.warn\` shorter.`,
    );
  if (isDevelopment && Math.min(warn, idleWarn) < MIN_WARN_MS)
    warnOnce(
      'sessionClock() warns less than 20 seconds before the end. WCAG 2.2.1 asks for at least 20 seconds to stay signed in: raise `warn`.',
    );
  const timers = new WeakMap<SessionCore, RunningClock>();
  return session => getOrCreate(timers, session, () => new SessionTimer(clockedSession(session), options, clock));
}
