import type { Clock } from '../clock.js';
import { notifyListeners } from '../notifyListeners.js';
import type { SessionCore } from '../session/core.js';
import type { SessionStatus } from '../session/session.js';
import { listenToReturn } from './listenToReturn.js';
import { listenToUser } from './listenToUser.js';
import { ServerCheck } from './ServerCheck.js';
import { QUIET, type ClockState, type EndCause, type RunningClock } from './RunningClock.js';
import type { ServerTime, SessionClockOptions } from './sessionClock.js';
import { SharedActivity, type ActivityMessage } from './SharedActivity.js';

export const DEFAULT_WARN_MS = 60_000;

/** The shortest time between two messages about activity, in milliseconds. */
const SHARE_INTERVAL_MS = 1_000;

interface End {
  /** In milliseconds since 1970. */
  readonly at: number;
  readonly warnAt: number;
  readonly cause: EndCause;
  readonly canStay: boolean;
}

/** Ends one session when its time is over, and says so before. */
export class SessionTimer implements RunningClock {
  readonly #session: SessionCore;
  readonly #options: SessionClockOptions<unknown>;
  readonly #clock: Clock;
  readonly #shared: SharedActivity;
  readonly #listeners = new Set<() => void>();
  #state = QUIET;
  #providers = 0;
  #stop = () => {};
  #cancelTimer = () => {};
  /** When `#check` has something to do. */
  #checkAt = Infinity;
  /** The status and epoch at the last look. Undefined before the first one. */
  #seen: { readonly status: SessionStatus; readonly epoch: number } | undefined;
  #activeAt = -Infinity;
  #sharedAt = -Infinity;
  #cancelShare: (() => void) | undefined;
  #user: unknown;
  /** The end that the server has set, by the page's clock. */
  #setEnd = Infinity;

  constructor(session: SessionCore, options: SessionClockOptions<any>, clock: Clock) {
    this.#session = session;
    this.#options = options;
    this.#clock = clock;
    const { tabs = session.tabsName } = options;
    this.#shared = new SharedActivity(tabs === false ? undefined : tabs, clock);
  }

  start(): () => void {
    if (++this.#providers === 1) this.#stop = this.#listen();
    return () => {
      if (--this.#providers === 0) this.#stop();
    };
  }

  readonly getState = (): ClockState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    const entry = () => listener();
    this.#listeners.add(entry);
    return () => void this.#listeners.delete(entry);
  };

  getEndsIn(): number | undefined {
    const end = this.#isSignedIn ? this.#getEnd() : undefined;
    return end && Math.max(0, end.at - this.#clock.now());
  }

  tick(everyMs: number, listener: () => void): () => void {
    let cancel = () => {};
    const schedule = () => {
      cancel = this.#clock.setTimeout(() => {
        schedule();
        listener();
      }, everyMs);
    };
    schedule();
    return () => cancel();
  }

  readonly stay = async (): Promise<void> => {
    this.#onActivity(this.#clock.now());
    if (this.#isSignedIn) await this.#session.renew();
  };

  readonly signOut = async (): Promise<void> => {
    const { signOut } = this.#options;
    await (signOut ? signOut() : this.#session.logout());
  };

  get #isSignedIn(): boolean {
    return this.#seen?.status === 'authenticated';
  }

  #listen(): () => void {
    const { idle, recheck } = this.#options;
    const session = this.#session;
    const serverCheck = recheck && new ServerCheck(session, recheck, this.#clock);
    const stops = [
      session.subscribeToCredential(() => this.#onSession()),
      session.beforeSending(() => this.#checkIfDue()),
      // First: an end must come before the page's listeners, and the session's own, send anything.
      listenToReturn(() => {
        this.#checkIfDue();
        serverCheck?.onShown();
      }),
      this.#shared.listen(message => this.#onMessage(message)),
      ...(idle
        ? [
            listenToUser(
              at => this.#onActivity(at),
              () => this.#state.isEnding,
              this.#clock,
            ),
          ]
        : []),
      ...(serverCheck ? [serverCheck.start()] : []),
    ];
    this.#onSession();
    return () => {
      for (const stop of stops) stop();
      this.#cancelTimer();
      this.#cancelShare?.();
      this.#cancelShare = undefined;
    };
  }

  /** The session has a new credential, another user, or none. */
  #onSession(): void {
    const before = this.#seen;
    const { status, epoch, reason } = this.#session.getSnapshot();
    this.#seen = { status, epoch };
    if (status !== 'authenticated') {
      this.#cancelShare?.();
      this.#cancelShare = undefined;
      if (status === 'anonymous' && (before === undefined || (reason !== undefined && reason !== 'idle')))
        this.#shared.clear();
      this.#user = undefined;
      return this.#rest();
    }
    this.#readUser();
    const isSame = before?.status === 'authenticated' && before.epoch === epoch;
    if (!isSame) this.#begin(before === undefined || before.status === 'restoring');
    this.#check();
  }

  /** @param isRestored The user was signed in before this page: the activity of before counts. */
  #begin(isRestored: boolean): void {
    const record = isRestored ? this.#shared.read() : undefined;
    const goesOn = record && !record.isConfirmed;
    this.#activeAt = goesOn ? record.at : this.#clock.now();
    // Without the mark of an end that the server has not confirmed: this page ends the session again.
    if (!goesOn || record.endedBy !== undefined) this.#share();
  }

  #readUser(): void {
    const { endsAt, serverNow } = this.#options;
    const { user } = this.#session.getOwner() ?? {};
    if (user === this.#user) return;
    this.#user = user;
    const now = this.#clock.now();
    const ahead = toMs(user && serverNow?.(user), now) - now;
    this.#setEnd = toMs(user && endsAt?.(user), Infinity) - ahead;
  }

  /** The end that comes first. */
  #getEnd(): End | undefined {
    const { idle, warn = DEFAULT_WARN_MS } = this.#options;
    const expiry = this.#session.getExpiry() ?? Infinity;
    const idleEnd = idle ? this.#activeAt + idle.after : Infinity;
    const at = Math.min(idleEnd, expiry, this.#setEnd);
    if (at === Infinity) return undefined;
    return at === idleEnd
      ? { at, warnAt: at - (idle?.warn ?? warn), cause: 'idle', canStay: true }
      : { at, warnAt: at - warn, cause: 'expired', canStay: this.#setEnd < expiry };
  }

  #checkIfDue(now = this.#clock.now()): void {
    if (now >= this.#checkAt || now < this.#activeAt) this.#check(now);
  }

  /** Ends, warns, or waits for the next time to do so. A timer of a sleeping page is late, so it compares with the clock. */
  #check(now = this.#clock.now()): void {
    if (!this.#isSignedIn) return;
    // The page's clock was set back.
    this.#activeAt = Math.min(this.#activeAt, now);
    let end = this.#getEnd();
    if (end?.cause === 'idle' && end.warnAt <= now) {
      // The message of another tab may be late: a browser freezes pages.
      this.#activeAt = Math.max(this.#activeAt, Math.min(this.#shared.read()?.at ?? -Infinity, now));
      end = this.#getEnd();
    }
    if (!end) return this.#rest();
    if (end.at <= now) return this.#end(end.cause);
    const isEnding = end.warnAt <= now;
    this.#schedule(isEnding ? end.at : end.warnAt);
    this.#setState(isEnding ? { isEnding, cause: end.cause, canStay: end.canStay } : QUIET);
  }

  /** The time is over. The one place that decides what that means for the session. */
  #end(cause: EndCause): void {
    this.#rest();
    if (cause === 'expired') {
      this.#shared.postEnd(this.#activeAt, cause);
      return this.#session.expire();
    }
    this.#shared.postEnd(this.#activeAt, cause);
    void this.#signOutIdle(this.#activeAt);
  }

  /** Signs out on this page at once. One of the tabs then tells the server. */
  async #signOutIdle(activeAt: number): Promise<void> {
    const { signOut } = this.#options;
    const claim = () => this.#shared.claimEnd(activeAt);
    if (signOut) {
      this.#session.leave('idle');
      if (await claim()) await signOut();
    } else {
      // The snapshot has the error of a sign-out that failed.
      const isSignedOut = await this.#session.signOut('idle', claim).then(
        () => true,
        () => false,
      );
      if (!isSignedOut) return;
    }
    this.#shared.confirmEnd();
  }

  #onActivity(at: number): void {
    // First: the key that wakes a sleeping page may come before its timers. Time that has passed since the key does not count.
    this.#checkIfDue(at);
    if (!this.#isSignedIn || at <= this.#activeAt) return;
    this.#activeAt = at;
    this.#shareSoon();
    if (this.#state.isEnding) this.#check();
  }

  #onMessage({ at, ended }: ActivityMessage): void {
    if (!this.#isSignedIn || at < this.#activeAt) return;
    if (ended) {
      this.#rest();
      return this.#session.leave(ended);
    }
    this.#activeAt = Math.min(at, this.#clock.now());
    if (this.#state.isEnding) this.#check();
  }

  #shareSoon(): void {
    const leftMs = this.#sharedAt + SHARE_INTERVAL_MS - this.#clock.now();
    if (leftMs <= 0) this.#share();
    else this.#cancelShare ??= this.#clock.setTimeout(() => this.#share(), leftMs);
  }

  #share(): void {
    this.#cancelShare?.();
    this.#cancelShare = undefined;
    this.#sharedAt = this.#clock.now();
    this.#shared.share(this.#activeAt);
  }

  #schedule(at: number): void {
    this.#cancelTimer();
    this.#checkAt = at;
    this.#cancelTimer = this.#clock.setTimeout(() => this.#check(), at - this.#clock.now());
  }

  /** Nothing ends, as far as is known. */
  #rest(): void {
    this.#cancelTimer();
    this.#checkAt = Infinity;
    this.#setState(QUIET);
  }

  #setState(next: ClockState): void {
    const { isEnding, cause, canStay } = this.#state;
    if (isEnding === next.isEnding && cause === next.cause && canStay === next.canStay) return;
    this.#state = next;
    notifyListeners(this.#listeners);
  }
}

function toMs(time: unknown, fallback: number): number {
  const ms = new Date((time ?? NaN) as ServerTime).getTime();
  return Number.isNaN(ms) ? fallback : ms;
}
