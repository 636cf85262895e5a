import type { Clock } from '../clock.js';
import type { SessionCore } from '../session/extension.js';
import type { RecheckOptions } from './ServerCheck.js';

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

/** Why a session ends: no activity, or an end that the server has set. */
export type EndCause = 'idle' | 'expired';

/** What a component sees of the clock. The same object until one of its fields changes. */
export interface ClockState {
  /** True from the time of the warning until the user stays, or the session ends. */
  readonly isEnding: boolean;
  /** Why the session is about to end. Undefined while `isEnding` is false. */
  readonly cause: EndCause | undefined;
  /**
   * False when `stay()` cannot help: the token ends, and the session has no way to refresh it; or the server has set the end, and no
   * answer can name a new one (a session with tokens or an SDK, without `profile`, and without the option `user`).
   */
  readonly canStay: boolean;
}

/** The clock of one session, while a provider is mounted. */
export interface RunningClock {
  /** Call when a provider is mounted. Returns the function for its end. */
  start(): () => void;
  getState(): ClockState;
  /** Milliseconds until the session ends. Undefined when no end is known, or no user is signed in. */
  getEndsIn(): number | undefined;
  subscribe(listener: () => void): () => void;
  /** Calls the listener again and again. Returns the function that stops it. */
  tick(everyMs: number, listener: () => void): () => void;
  stay(): Promise<void>;
  signOut(): Promise<void>;
}

/** Made by `sessionClock()`. Returns the same clock for the same session. */
export type SessionClock = (session: SessionCore) => RunningClock;

export const QUIET: ClockState = { isEnding: false, cause: undefined, canStay: true };
