import type { Clock } from '../clock.js';
import type { ClockedSession } from './clockedSession.js';
import type { SessionStatus } from '../session/session.js';
import { EndTimes } from './EndTimes.js';
import { endHere, endSession } from './endSession.js';
import { LastActivity } from './LastActivity.js';
import { listenToPresence } from './listenToPresence.js';
import { ClockStore } from './ClockStore.js';
import { QUIET, type ClockState, type RunningClock } from './RunningClock.js';
import type { SessionClockOptions } from './RunningClock.js';
import { SharedActivity, type ActivityMessage } from './SharedActivity.js';

/** Ends one session when its time is over, and says so before. */
export class SessionTimer implements RunningClock {
  readonly #session: ClockedSession;
  readonly #options: SessionClockOptions<never>;
  readonly #clock: Clock;
  readonly #shared: SharedActivity;
  readonly #active: LastActivity;
  readonly #ends: EndTimes;
  readonly #state = new ClockStore();
  #providers = 0;
  #stop = () => {};
  #cancelTimer = () => {};
  /** When `#check` has something to do. */
  #checkAt = Infinity;
  /** The status and epoch at the last look. Undefined before the first one. */
  #seen: { readonly status: SessionStatus; readonly epoch: number } | undefined;

  constructor(session: ClockedSession, options: SessionClockOptions<never>, clock: Clock) {
    this.#session = session;
    this.#options = options;
    this.#clock = clock;
    const { tabs = session.tabsName } = options;
    this.#shared = new SharedActivity(tabs === false ? undefined : tabs, clock);
    this.#active = new LastActivity(this.#shared, clock);
    this.#ends = new EndTimes(session, options, this.#shared);
  }

  start(): () => void {
    if (++this.#providers === 1) this.#stop = this.#listen();
    return () => {
      if (--this.#providers === 0) this.#stop();
    };
  }

  readonly getState = (): ClockState => this.#state.current;

  readonly subscribe = (listener: () => void): (() => void) => this.#state.subscribe(listener);

  getEndsIn(): number | undefined {
    const end = this.#isSignedIn ? this.#ends.first(this.#active.at) : undefined;
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
    if (this.#isSignedIn) await this.#session.extendOnServer(this.#options.endsAt !== undefined);
  };

  readonly signOut = async (): Promise<void> => {
    const { signOut } = this.#options;
    await (signOut ? signOut() : this.#session.logout());
  };

  get #isSignedIn(): boolean {
    return this.#seen?.status === 'authenticated';
  }

  #listen(): () => void {
    const session = this.#session;
    const stops = [
      session.subscribeToSnapshot(() => this.#forgetIfSignedOut()),
      session.subscribeToCredential(() => this.#onSession()),
      session.beforeSending(() => this.#checkIfDue()),
      listenToPresence(session, this.#options, this.#clock, {
        onReturn: () => this.#checkIfDue(),
        onActivity: at => this.#onActivity(at),
        isWarned: () => this.#state.current.isEnding,
      }),
      this.#shared.listen(message => this.#onMessage(message)),
    ];
    this.#forgetIfSignedOut();
    this.#onSession();
    return () => {
      for (const stop of stops) stop();
      this.#cancelTimer();
      this.#active.stopSharing();
    };
  }

  /** An idle end is remembered until a page finds that no user is signed in: until then, the server may not know of it. */
  #forgetIfSignedOut(): void {
    const { status, reason, unconfirmed } = this.#session.getSnapshot();
    if (status === 'anonymous' && reason !== 'idle' && unconfirmed === undefined) this.#shared.clear();
  }

  /** The session has a new credential, another user, or none. */
  #onSession(): void {
    const before = this.#seen;
    const { status, epoch } = this.#session.getSnapshot();
    this.#seen = { status, epoch };
    if (status !== 'authenticated') {
      this.#active.stopSharing();
      this.#ends.forgetUser();
      return this.#becomeQuiet();
    }
    const isSame = before?.status === 'authenticated' && before.epoch === epoch;
    const isRestored = before === undefined || before.status === 'restoring';
    if (!isSame) this.#active.begin(isRestored ? this.#session.getSignInTime() : Infinity);
    this.#ends.updateUser(this.#active.at);
    this.#check();
  }

  #checkIfDue(now = this.#clock.now()): void {
    if (now >= this.#checkAt || now < this.#active.at) this.#check(now);
  }

  /** Ends, warns, or waits for the next time to do so. A timer of a sleeping page is late, so it compares with the clock. */
  #check(now = this.#clock.now()): void {
    if (!this.#isSignedIn) return;
    this.#active.limitTo(now);
    let end = this.#ends.first(this.#active.at);
    if (end && end.warnAt <= now) {
      this.#active.catchUp(now);
      this.#ends.catchUp();
      end = this.#ends.first(this.#active.at);
    }
    if (!end) return this.#becomeQuiet();
    if (end.at <= now) {
      this.#becomeQuiet();
      return endSession(this.#ending, { cause: end.cause, activeAt: this.#active.at, setEnd: this.#ends.shared });
    }
    const isEnding = end.warnAt <= now;
    this.#schedule(isEnding ? end.at : end.warnAt);
    this.#state.set(isEnding ? { isEnding, cause: end.cause, canStay: end.canStay } : QUIET);
  }

  get #ending() {
    return { session: this.#session, options: this.#options, shared: this.#shared };
  }

  #onActivity(at: number): void {
    // A `stay()`, or the end of a click, may come when the provider is gone.
    if (this.#providers === 0) return;
    // First: the key that wakes a sleeping page may come before its timers. Time that has passed since the key does not count.
    this.#checkIfDue(at);
    if (!this.#isSignedIn || at <= this.#active.at) return;
    this.#active.note(at);
    if (this.#state.current.isEnding) this.#check();
  }

  #onMessage({ at, ended, end }: ActivityMessage): void {
    if (!this.#isSignedIn) return;
    const isLatest = at >= this.#active.at;
    if (isLatest && ended === 'idle') {
      this.#becomeQuiet();
      return endHere(this.#ending);
    }
    if (isLatest) this.#active.onShared(at);
    this.#ends.onShared(end);
    // What has expired there may be another sign-in: each tab ends its own, when its time is over.
    this.#check();
  }

  #schedule(at: number): void {
    this.#cancelTimer();
    this.#checkAt = at;
    this.#cancelTimer = this.#clock.setTimeout(() => this.#check(), at - this.#clock.now());
  }

  /** No end is known: cancels the timer and the warning. */
  #becomeQuiet(): void {
    this.#cancelTimer();
    this.#checkAt = Infinity;
    this.#state.set(QUIET);
  }
}
