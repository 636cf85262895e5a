import type { SessionParts } from '../parts.js';

type CheckParts = Pick<SessionParts<unknown, unknown>, 'mechanism' | 'store' | 'clock'>;
type CheckModules = { readonly authCalls: Readonly<Record<'hasUnconfirmedLogout' | 'hasPendingLogin', boolean>> };

/**
 * Why a check is due: another page may have replaced the cookie (`stale`), the page is shown again, another tab has replaced the cookie
 * during a login of this one, the server has refused a request, or the cookie has changed while a response was on its way.
 */
export type CheckReason = 'stale' | 'shown-again' | 'replaced-during-login' | 'refused' | 'changed-on-the-wire';

/** A login that was sent before these events does not know of them. */
const NEWER_THAN_LOGIN = ['shown-again', 'replaced-during-login'] as const;

/** Remembers that another page may have replaced the cookie: a new check is due before anything is sent. */
export class CheckDue {
  readonly #parts: CheckParts;
  readonly #modules: CheckModules;
  readonly #reasons = new Set<CheckReason>();
  #heldUntil = -Infinity;
  #cancelTimer = () => {};

  constructor(parts: CheckParts, modules: CheckModules) {
    this.#parts = parts;
    this.#modules = modules;
  }

  /**
   * False in three cases, although a page may have replaced the cookie:
   *
   * 1. The server has not confirmed a sign-out, or the end of an idle user: the cookie is still the user's, and a check would
   * sign them in again, or unlock their page.
   * 2. A signed-out user's login is pending: its result says who is signed in, and until then requests go without a
   * cookie.
   * 3. A user has signed out in another tab, the logout may still be under way, and no user is signed in here: see `hold`.
   */
  get isDue(): boolean {
    if (this.#reasons.size === 0) return false;
    const { hasUnconfirmedLogout, hasPendingLogin } = this.#modules.authCalls;
    const { status, signedIn } = this.#parts.store.state;
    if (!signedIn && this.#parts.clock.now() < this.#heldUntil) return false;
    return !hasUnconfirmedLogout && !(status === 'anonymous' && hasPendingLogin);
  }

  /** No effect while a check is the first thing that the session does, or where no check is possible. */
  mark(reason: CheckReason): void {
    const { browserManaged, restore } = this.#parts.mechanism;
    if (browserManaged && restore && this.#parts.store.state.status !== 'restoring') this.#reasons.add(reason);
  }

  /** Call when another tab has signed in or out. If a login is pending here, the cookie may be newer than its result. */
  onChangeElsewhere(): void {
    const { browserManaged, restore } = this.#parts.mechanism;
    if (browserManaged && restore && this.#modules.authCalls.hasPendingLogin)
      this.#reasons.add('replaced-during-login');
  }

  /** A login has succeeded, so no check is due, unless something has happened since the login was sent. */
  onLogin(): void {
    if (!NEWER_THAN_LOGIN.some(reason => this.#reasons.has(reason))) this.clear();
  }

  /** True if a refusal has made the check due. A check that finds no user then ends the session as the refusal would. */
  get isAfterRefusal(): boolean {
    return this.#reasons.has('refused');
  }

  /** True if the credential has changed while a response was on its way. The server may change it with its responses. */
  get isAfterChange(): boolean {
    return this.#reasons.has('changed-on-the-wire');
  }

  /** No check is due any more. One exception: what happened during a login that is still pending. */
  clear(): void {
    const isKept = this.#reasons.has('replaced-during-login') && this.#modules.authCalls.hasPendingLogin;
    this.#reasons.clear();
    if (isKept) this.#reasons.add('replaced-during-login');
  }

  /** A check has succeeded, so no check is due. */
  onChecked(): void {
    this.#reasons.clear();
  }

  /**
   * A user has signed out in another tab. Until the server has ended the session, the cookie is still valid, and a check would sign
   * the user in again. So no check is due for this time.
   *
   * @param ms How long the logout may take, in milliseconds.
   * @param onEnd Called after this time.
   */
  hold(ms: number, onEnd: () => void): void {
    this.release();
    const { clock } = this.#parts;
    this.#heldUntil = clock.now() + ms;
    // If the page sleeps, the timer is late. So `isDue` compares the time. If the system clock is set back, the time is late.
    this.#cancelTimer = clock.setTimeout(() => {
      this.release();
      onEnd();
    }, ms);
  }

  /** Ends the wait of `hold`: a user has signed in, or the session no longer listens. */
  release(): void {
    this.#heldUntil = -Infinity;
    this.#cancelTimer();
  }
}
