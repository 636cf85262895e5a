import type { Clock } from '../clock.js';
import { isDevelopment } from '../isDevelopment.js';
import type { ClockedSession } from './clockedSession.js';
import { elapsedSince } from '../clock.js';
import { warnOnce } from '../warnOnce.js';

/** The default for the shortest time between two checks, in milliseconds. */
const COOLDOWN_MS = 5_000;

/**
 * When a `sessionClock` asks the server whether the session continues: by the session's `profile`, else by `whoami` of a cookie
 * session. Without either it sends nothing, and warns in development.
 */
export interface RecheckOptions {
  /**
   * Asks when the user comes back to the page. A cookie session does that anyway, at most every 5 seconds. @default false
   */
  readonly onFocus?: boolean | undefined;
  /** Asks after this time while the page is visible, in milliseconds. @default never */
  readonly every?: number | undefined;
  /** The shortest time between two of these checks, in milliseconds. @default 5000 */
  readonly cooldown?: number | undefined;
}

const NOTHING_TO_ASK =
  '`recheck` of sessionClock() has nothing to ask: give the session the option `profile`, an endpoint that describes its user.';

/** Asks the server again whether the session continues, so that the page notices a revoked session without a request of the user. */
export class ServerCheck {
  readonly #session: ClockedSession;
  readonly #options: RecheckOptions;
  readonly #clock: Clock;
  #askedAt: number;
  #cancelTimer = () => {};

  constructor(session: ClockedSession, options: RecheckOptions, clock: Clock) {
    this.#session = session;
    this.#options = options;
    this.#clock = clock;
    this.#askedAt = clock.now();
  }

  start(): () => void {
    this.#schedule();
    return () => this.#cancelTimer();
  }

  /** Call when the user comes back to the page. */
  onShown(): void {
    const { onFocus, every = Infinity } = this.#options;
    if (onFocus || this.#askedAgo >= every) this.#ask();
  }

  get #askedAgo(): number {
    return elapsedSince(this.#askedAt, this.#clock);
  }

  #ask(): void {
    const { cooldown = COOLDOWN_MS } = this.#options;
    const isHidden = globalThis.document?.visibilityState === 'hidden';
    if (isHidden || this.#askedAgo < cooldown || this.#session.getSnapshot().status !== 'authenticated') return;
    this.#askedAt = this.#clock.now();
    const asked = this.#session.ask();
    // A failure ends nothing: only the server's refusal does, and the session has handled it.
    if (asked) asked.catch(() => {});
    else if (isDevelopment) warnOnce(NOTHING_TO_ASK);
    this.#schedule();
  }

  #schedule(): void {
    const { every } = this.#options;
    this.#cancelTimer();
    if (every === undefined) return;
    const onTime = () => {
      this.#schedule();
      this.onShown();
    };
    const leftMs = every - this.#askedAgo;
    this.#cancelTimer = this.#clock.setTimeout(onTime, leftMs > 0 ? leftMs : every);
  }
}
