import type { ClockedSession } from './clockedSession.js';
import type { EndCause } from './RunningClock.js';
import type { ServerTime, SessionClockOptions } from './RunningClock.js';
import type { SharedActivity, SharedEnd } from './SharedActivity.js';

export const DEFAULT_WARN_MS = 60_000;

type SetEnd = Omit<SharedEnd, 'signIn'>;

const NO_SET_END: SetEnd = { endsAt: Infinity, knownAt: -Infinity };

export interface End {
  /** In milliseconds since 1970. */
  readonly at: number;
  readonly warnAt: number;
  readonly cause: EndCause;
  readonly canStay: boolean;
}

/** When a session ends: without activity, by the expiry of its token, or as the server has said about its user. */
export class EndTimes {
  readonly #session: ClockedSession;
  readonly #options: SessionClockOptions<never>;
  readonly #shared: SharedActivity;
  #user: unknown;
  /** See `ClockedSession.getSharedSignIn`. */
  #signIn: string | undefined;
  /** The end that the server has set, by the page's clock, and when a tab learned it. */
  #setEnd = NO_SET_END;

  constructor(session: ClockedSession, options: SessionClockOptions<never>, shared: SharedActivity) {
    this.#session = session;
    this.#options = options;
    this.#shared = shared;
  }

  /** The end that the server has set, for the other tabs that have the sign-in. */
  get shared(): SharedEnd | undefined {
    if (this.#signIn === undefined || this.#setEnd.endsAt === Infinity) return undefined;
    return { signIn: this.#signIn, ...this.#setEnd };
  }

  /**
   * Call when the session has a new credential, or what the server says about the user may have changed. Tells the other tabs
   * of a new end.
   */
  updateUser(activeAt: number): void {
    const { endsAt, serverNow } = this.#options;
    const { user } = this.#session.getOwner() ?? {};
    const signIn = this.#session.getSharedSignIn();
    if (user === this.#user && signIn === this.#signIn) return;
    this.#user = user;
    this.#signIn = signIn;
    const answeredAt = this.#session.getUserTime();
    const ahead = toMs(user && serverNow && serverNow(user as never), answeredAt) - answeredAt;
    const end = toMs(user && endsAt && endsAt(user as never), Infinity) - ahead;
    // Without an end, those that were known before the sign-in still do not count.
    const knownAt = end === Infinity ? (this.#session.getSignInTime() ?? -Infinity) : answeredAt;
    this.#setEnd = { endsAt: end, knownAt };
    if (this.shared) this.#shared.shareEnd(activeAt, this.shared);
  }

  forgetUser(): void {
    this.#user = this.#signIn = undefined;
    this.#setEnd = NO_SET_END;
  }

  /** Another tab has learned the end of a sign-in. */
  onShared(end: SharedEnd | undefined): void {
    if (end && end.signIn === this.#signIn && end.knownAt > this.#setEnd.knownAt) this.#setEnd = end;
  }

  /** Reads what other tabs have stored. Takes it for a known end only: it may be left from an earlier sign-in of the same user. */
  catchUp(): void {
    if (this.#setEnd.endsAt !== Infinity) this.onShared(this.#shared.read()?.end);
  }

  /** The end that comes first. Undefined: none is known. */
  first(activeAt: number): End | undefined {
    const { idle, warn = DEFAULT_WARN_MS } = this.#options;
    const expiry = this.#session.getExpiry() ?? Infinity;
    const idleEnd = idle ? activeAt + idle.after : Infinity;
    const { endsAt } = this.#setEnd;
    const at = Math.min(idleEnd, expiry, endsAt);
    if (at === Infinity) return undefined;
    return at === idleEnd
      ? { at, warnAt: at - (idle?.warn ?? warn), cause: 'idle', canStay: true }
      : { at, warnAt: at - warn, cause: 'expired', canStay: endsAt < expiry && this.#session.canUpdateUser() };
  }
}

function toMs(time: unknown, fallback: number): number {
  const ms = new Date((time ?? NaN) as ServerTime).getTime();
  return Number.isNaN(ms) ? fallback : ms;
}
