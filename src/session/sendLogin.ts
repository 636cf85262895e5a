import type { AuthCallQueue } from './authCallQueue.js';
import { findLoginOutcome, letRequestsSettle } from './cookieLogin.js';
import type { SessionParts } from './parts.js';
import type { ServerLogout } from './serverLogout.js';
import { isSameUser, type SignedIn } from './signedIn.js';

/** What a login has to know of the session's other logins and logouts. */
interface LoginContext<Credential, User> {
  readonly queue: AuthCallQueue;
  readonly serverLogout: ServerLogout<Credential, User>;
  /** Whether the last call was a logout. */
  readonly isLogoutLatest: () => boolean;
  /** Signs out here: the cookie is not this user's any more. */
  readonly endSession: () => void;
}

/** Sends logins one after the other, and says what became of each. */
export class LoginSender<Credential, User> {
  readonly #parts: SessionParts<Credential, User>;
  readonly #context: LoginContext<Credential, User>;
  #pending = 0;
  /** Logins that were answered after a later call: each may have replaced the cookie of a login that was on its way then. */
  #late = 0;
  #isCookieUncertain = false;

  constructor(parts: SessionParts<Credential, User>, context: LoginContext<Credential, User>) {
    this.#parts = parts;
    this.#context = context;
  }

  get hasPending(): boolean {
    return this.#pending > 0;
  }

  /** Whether the browser may have another cookie than the one that the last login was answered with. */
  get isCookieUncertain(): boolean {
    return this.#isCookieUncertain;
  }

  /**
   * Sends a login, unless a later one was called before it was this one's turn.
   *
   * @param superseded Aborted by the next login or logout.
   */
  async send(
    superseded: AbortSignal,
    login: () => Promise<SignedIn<Credential, User>>,
  ): Promise<SignedIn<Credential, User>> {
    const { mechanism, runAuthCall } = this.#parts;
    if (this.#pending++ === 0) this.#context.serverLogout.forgetIfEnded();
    const send = async () => {
      superseded.throwIfAborted();
      if (mechanism.browserManaged) await letRequestsSettle(this.#parts);
      const before = this.#late;
      const answer = runAuthCall('login', login).finally(() => superseded.aborted && this.#late++);
      const signedIn = await answer.catch((error: unknown) => this.#afterFailure(error));
      this.#isCookieUncertain = this.#late !== before;
      if (superseded.aborted) this.#endLate(signedIn);
      return signedIn;
    };
    try {
      return await this.#context.queue.enqueue(send);
    } finally {
      this.#pending--;
    }
  }

  /** @throws the login's error, unless the browser has a user's cookie all the same. */
  #afterFailure(loginError: unknown): Promise<SignedIn<Credential, User>> {
    const { mechanism, store, runAuthCall } = this.#parts;
    const { queue, endSession } = this.#context;
    const { restore } = mechanism;
    if (!mechanism.browserManaged || !restore) throw loginError;
    const { epochSignal: signal } = store;
    const checkCookie = () => queue.bounded(runAuthCall('restore', () => restore.call(mechanism, signal), { signal }));
    return findLoginOutcome(loginError, store.state.signedIn, checkCookie, endSession);
  }

  /** A login was answered after a later login or logout was called: nothing waits for it any more. */
  #endLate(signedIn: SignedIn<Credential, User>): void {
    const { mechanism, store } = this.#parts;
    const { serverLogout, isLogoutLatest, endSession } = this.#context;
    // The browser has the cookie of a user whom this page does not show.
    if (mechanism.browserManaged && !isSameUser(store.state.signedIn, signedIn)) endSession();
    // After a later login, there is nothing to end: it has replaced this one on the server too.
    if (isLogoutLatest()) serverLogout.endLateLogin(signedIn.credential);
  }
}
