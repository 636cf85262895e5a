import type { Clock } from '../clock.js';
import { callWith } from '../session/callWith.js';
import type { SessionCore } from '../session/core.js';
import type { EndCause } from './RunningClock.js';
import type { ServerTime, SessionClockOptions } from './sessionClock.js';

export const DEFAULT_WARN_MS = 60_000;

export interface End {
  /** In milliseconds since 1970. */
  readonly at: number;
  readonly warnAt: number;
  readonly cause: EndCause;
  readonly canStay: boolean;
}

/** When a session ends: without activity, by the expiry of its token, or as the server has said about its user. */
export class EndTimes {
  readonly #session: SessionCore;
  readonly #options: SessionClockOptions<never>;
  readonly #clock: Clock;
  #user: unknown;
  /** The end that the server has set, by the page's clock. */
  #setEnd = Infinity;

  constructor(session: SessionCore, options: SessionClockOptions<never>, clock: Clock) {
    this.#session = session;
    this.#options = options;
    this.#clock = clock;
  }

  /** Call when the session has a new credential, or what the server says about the user may have changed. */
  readUser(): void {
    const { endsAt, serverNow } = this.#options;
    const { user } = this.#session.getOwner() ?? {};
    if (user === this.#user) return;
    this.#user = user;
    const now = this.#clock.now();
    const ahead = toMs(user && serverNow && callWith(serverNow, user), now) - now;
    this.#setEnd = toMs(user && endsAt && callWith(endsAt, user), Infinity) - ahead;
  }

  forgetUser(): void {
    this.#user = undefined;
  }

  /** The end that comes first. Undefined: none is known. */
  first(activeAt: number): End | undefined {
    const { idle, warn = DEFAULT_WARN_MS } = this.#options;
    const expiry = this.#session.getExpiry() ?? Infinity;
    const idleEnd = idle ? activeAt + idle.after : Infinity;
    const at = Math.min(idleEnd, expiry, this.#setEnd);
    if (at === Infinity) return undefined;
    return at === idleEnd
      ? { at, warnAt: at - (idle?.warn ?? warn), cause: 'idle', canStay: true }
      : { at, warnAt: at - warn, cause: 'expired', canStay: this.#setEnd < expiry };
  }
}

function toMs(time: unknown, fallback: number): number {
  const ms = new Date((time ?? NaN) as ServerTime).getTime();
  return Number.isNaN(ms) ? fallback : ms;
}
