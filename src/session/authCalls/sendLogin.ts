import { ChallengeCancelledError } from '../../errors.js';
import type { AuthCallQueue } from './authCallQueue.js';
import { findLoginOutcome, letRequestsSettle } from './cookieLogin.js';
import type { LatestAuthCall } from './latestAuthCall.js';
import type { SessionModules } from '../modules.js';
import type { SessionParts } from '../parts.js';
import type { ServerLogout } from './serverLogout.js';
import { isSameCredential, isSameUser, type SignedIn } from '../signedIn.js';
import { credentialNow } from '../requests/credentialNow.js';

/** The parts of a session's logins and logouts that a login depends on. */
interface LoginContext<Credential, User> {
  readonly queue: AuthCallQueue;
  readonly latest: LatestAuthCall;
  readonly serverLogout: ServerLogout<Credential, User>;
}

type Modules<Credential, User> = Pick<SessionModules<Credential, User>, 'authCalls' | 'restore'>;

/** Sends logins one after the other, and finds out the result of each. */
export class LoginSender<Credential, User> {
  readonly #parts: SessionParts<Credential, User>;
  readonly #modules: Modules<Credential, User>;
  readonly #context: LoginContext<Credential, User>;
  #pending = 0;
  /** Number of superseded logins that have ended. Each may have replaced the cookie of the newer login. */
  #supersededResponses = 0;
  #isCookieUncertain = false;

  constructor(
    parts: SessionParts<Credential, User>,
    modules: Modules<Credential, User>,
    context: LoginContext<Credential, User>,
  ) {
    this.#parts = parts;
    this.#modules = modules;
    this.#context = context;
  }

  get hasPending(): boolean {
    return this.#pending > 0;
  }

  /** True if the browser may have another cookie than the one from the last login. */
  get isCookieUncertain(): boolean {
    return this.#isCookieUncertain;
  }

  /**
   * Sends a login when earlier logins and logouts have ended, unless a later one was called until then.
   *
   * @param superseded Aborted by the next login or logout.
   */
  async send(
    superseded: AbortSignal,
    login: () => Promise<SignedIn<Credential, User>>,
  ): Promise<SignedIn<Credential, User>> {
    const { mechanism, runAuthCall } = this.#parts;
    this.#pending++;
    const send = async () => {
      superseded.throwIfAborted();
      if (mechanism.browserManaged) await letRequestsSettle(this.#parts);
      superseded.throwIfAborted();
      const before = this.#supersededResponses;
      this.#isCookieUncertain = false;
      const { signal: disposed } = this.#context.queue;
      const result = runAuthCall('login', login).finally(() => superseded.aborted && this.#supersededResponses++);
      const signedIn = await result.catch((error: unknown) => this.#afterFailure(error, superseded, disposed));
      this.#isCookieUncertain ||= this.#supersededResponses !== before;
      if (superseded.aborted) this.#endSuperseded(signedIn, superseded.reason);
      return signedIn;
    };
    try {
      return await this.#context.queue.enqueue(send);
    } finally {
      this.#pending--;
    }
  }

  /**
   * @param superseded Aborted by the next login or logout. After the call of a next login, this one sends no check: the response could bring
   * back the cookie that the next login replaces. If the next login fails too, a check is due.
   * @param disposed Aborted when the session has started over. It then checks in its own order who the cookie belongs to.
   * @throws the login's error, unless the browser has a user's cookie in spite of it.
   */
  #afterFailure(
    loginError: unknown,
    superseded: AbortSignal,
    disposed: AbortSignal,
  ): Promise<SignedIn<Credential, User>> {
    const { mechanism, store, runAuthCall } = this.#parts;
    const { queue, serverLogout, latest } = this.#context;
    const isOutdated = disposed.aborted || (superseded.aborted && !latest.isLogout);
    if (isOutdated) this.#modules.restore.due.mark('stale');
    if (!mechanism.browserManaged || !mechanism.restore || isOutdated) throw loginError;
    const { epochSignal: signal } = store;
    const checkCookie = async () => {
      const credential = credentialNow(this.#parts);
      const found = await queue.withTimeout(runAuthCall('restore', () => mechanism.restore!(signal), { signal }));
      // The answer is from before, if another tab has signed in since.
      this.#isCookieUncertain ||= !isSameCredential(mechanism, credential, credentialNow(this.#parts));
      return found;
    };
    // A locked session has nothing to lose, and its user tries again.
    const end = () => void (!store.isLocked && this.#endSession());
    const before = store.state.signedIn ?? serverLogout.unconfirmedUser;
    // A cookie that is left may be that of anyone whose logout is not confirmed.
    const isLeftOver = serverLogout.isUnconfirmed && before?.subject === undefined;
    const wasThere = (found: SignedIn<Credential, User>) => isLeftOver || isSameUser(before, found);
    return findLoginOutcome(loginError, wasThere, checkCookie, end);
  }

  /** Handles the result of a superseded or cancelled login. Its caller no longer waits for it. */
  #endSuperseded(signedIn: SignedIn<Credential, User>, reason: unknown): void {
    const { mechanism, store } = this.#parts;
    const { serverLogout, latest } = this.#context;
    // The browser has the cookie of a user whom this page does not show.
    if (mechanism.browserManaged && !isSameUser(store.owner, signedIn)) this.#endSession();
    // A later login has replaced this one on the server too, so only a logout must end it there.
    if (latest.isLogout) serverLogout.endLateLogin(signedIn);
    if (reason instanceof ChallengeCancelledError) this.#modules.restore.due.mark('stale');
  }

  /** The cookie no longer belongs to the current user. */
  #endSession(): void {
    void this.#modules.authCalls.endSession('elsewhere');
  }
}
