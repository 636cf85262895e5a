import { systemClock, type Clock } from '../clock.js';
import { getOrCreate } from '../getOrCreate.js';
import { isDevelopment } from '../isDevelopment.js';
import type { SessionCore } from '../session/extension.js';
import { warnOnce } from '../warnOnce.js';
import { clockedSession } from './clockedSession.js';
import { DEFAULT_WARN_MS } from './EndTimes.js';
import { SessionTimer } from './SessionTimer.js';
import type { RecheckOptions } from './ServerCheck.js';
import type { RunningClock, SessionClock } from './RunningClock.js';

/** A time: milliseconds since 1970, a `Date`, or a text that `Date` reads. */
export type ServerTime = number | string | Date;

export interface IdleOptions {
  /** The session ends when the user has done nothing for this time in any tab, in milliseconds. */
  readonly after: number;
  /** How long before that a warning is shown, in milliseconds. @default the `warn` of the clock */
  readonly warn?: number | undefined;
}

export interface SessionClockOptions<User> {
  /** Ends the session of a user who is away. Keys, the pointer and the wheel are activity; requests are none. @default never */
  readonly idle?: IdleOptions | undefined;
  /**
   * How long before the end a warning is shown, in milliseconds. WCAG asks for at least 20 seconds. @default 60000
   */
  readonly warn?: number | undefined;
  /**
   * Returns the end that the server has set, from what it said about the user (`whoami`, the login, `reload()`). Called
   * when that changes. The session then ends as `expired`. @default the expiry of a token that cannot be refreshed
   */
  readonly endsAt?: ((user: User) => ServerTime | null | undefined) | undefined;
  /**
   * Returns the server's time, from the same answer as `endsAt`: it corrects a page whose clock is wrong. Leave it out
   * where a storage keeps the user, because a stored answer is old. @default the page's clock is right
   */
  readonly serverNow?: ((user: User) => ServerTime | null | undefined) | undefined;
  /** When to ask the server whether the session continues. @default a cookie session asks at each focus, others never */
  readonly recheck?: RecheckOptions | undefined;
  /**
   * Signs out where the session cannot: with the SDK of a `ContextTokenProvider`. Called at an idle end, in one tab, and by
   * `signOut()` of `useSessionClock()`. @default `session.logout()`
   */
  readonly signOut?: (() => unknown) | undefined;
  /**
   * The name under which tabs of one origin share the activity; false: they share nothing. @default the `tabs` of the
   * session; 'data-client-auth' under `ContextTokenProvider`
   */
  readonly tabs?: string | false | undefined;
  /** The current time and timers, for tests. @default the system's */
  readonly clock?: Clock | undefined;
}

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
