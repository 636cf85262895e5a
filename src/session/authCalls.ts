import { untilAborted } from '../clock.js';
import { IdentityChangedError } from '../errors.js';
import { AuthCallQueue } from './authCallQueue.js';
import { findLoginOutcome, letRequestsSettle } from './cookieLogin.js';
import type { SessionParts } from './parts.js';
import type { RequestsOnWire } from './requestsOnWire.js';
import type { Restore } from './restore.js';
import { ServerLogout } from './serverLogout.js';
import { isSameUser } from './state.js';
import type { TabSync } from './tabs.js';
import type { SignedIn, SignOutReason } from './types.js';

interface Modules<Credential, User> {
  readonly tabs: TabSync<Credential, User>;
  readonly restore: Restore<Credential, User>;
  readonly onWire: RequestsOnWire;
}

/** Logins and logouts: the last one called wins, and they reach the server one after the other. */
export class AuthCalls<Credential, User> {
  readonly #parts: SessionParts<Credential, User>;
  readonly #modules: Modules<Credential, User>;
  readonly #queue: AuthCallQueue;
  readonly #serverLogout: ServerLogout<Credential, User>;
  /** Aborted by the next login or logout. */
  #superseded = new AbortController();
  #latest: 'login' | 'logout' | undefined;
  #pendingLogins = 0;
  /** Logins that were answered after a later call: each may have replaced the cookie of a login that was on its way then. */
  #lateLogins = 0;
  #isCookieUncertain = false;

  constructor(parts: SessionParts<Credential, User>, modules: Modules<Credential, User>) {
    this.#parts = parts;
    this.#modules = modules;
    this.#queue = new AuthCallQueue(parts.withDeadline);
    this.#serverLogout = new ServerLogout(parts, this.#queue, () => modules.restore.cancel());
  }

  get hasPendingLogin(): boolean {
    return this.#pendingLogins > 0;
  }

  /** True while the server has not confirmed a logout, and no later login has succeeded. */
  get hasUnconfirmedLogout(): boolean {
    return this.#serverLogout.isUnconfirmed;
  }

  /** True while a login or logout is under way that requests wait for. */
  get isUnderWay(): boolean {
    return this.#queue.isBusy;
  }

  /** Resolves when no login or logout is under way. */
  settled(): Promise<void> {
    return this.#queue.settled();
  }

  async login(...args: readonly never[]): Promise<User | undefined> {
    const { mechanism, store } = this.#parts;
    if (!mechanism.login) throw new TypeError('This session has no login of its own: sign in with the SDK that gives it its token.');
    const superseded = this.#supersede();
    this.#latest = 'login';
    try {
      const answer = await untilAborted(superseded, this.#sendLogin(superseded, () => mechanism.login!(...args)));
      superseded.throwIfAborted();
      const signedIn = this.#modules.tabs.asLatest(answer);
      this.#serverLogout.forget();
      this.#modules.restore.confirm();
      void this.#modules.tabs.storeSignIn(signedIn);
      store.dispatch({ type: 'signed-in', signedIn });
      if (this.#isCookieUncertain) this.#modules.restore.markStale();
      superseded.throwIfAborted();
      return signedIn.user;
    } catch (error) {
      if (!superseded.aborted) store.dispatch({ type: 'failed', error: toError(error) });
      throw error;
    }
  }

  async logout(...args: readonly never[]): Promise<void> {
    const { mechanism, store } = this.#parts;
    const superseded = this.#supersede();
    this.#latest = 'logout';
    // A login under way may still succeed on the server.
    const isSignedIn = store.state.status !== 'anonymous' || this.hasPendingLogin || this.#modules.restore.isUnderWay;
    if (isSignedIn) this.#serverLogout.require(store.getCredential(), args);
    const removed = this.endSession('signed-out');
    try {
      if (mechanism.logout && this.hasUnconfirmedLogout) await this.#serverLogout.send();
    } catch (error) {
      if (!superseded.aborted) this.#serverLogout.fail(error);
      throw error;
    } finally {
      await removed;
    }
  }

  /** Signs out here, in the storage and in the other tabs. No effect while no user is signed in and none is looked for. */
  async endSession(reason: SignOutReason): Promise<void> {
    const { restore, tabs } = this.#modules;
    const isSignedOut = this.#parts.store.state.status === 'anonymous' && !restore.isUnderWay;
    restore.cancel();
    await (isSignedOut ? tabs.removeEnded() : tabs.endSession(reason));
  }

  /** Ends every wait for a login or logout, those of the queue as well. */
  dispose(reason: Error): void {
    this.#serverLogout.forget();
    this.#supersede(reason);
    this.#queue.dispose(reason);
  }

  /** Ends what the logins and logouts before this one still wait for: the last one called wins. */
  #supersede(reason: Error = new IdentityChangedError('Another login or logout was started after this one, and it wins.')): AbortSignal {
    const before = this.#superseded;
    this.#superseded = new AbortController();
    before.abort(reason);
    return this.#superseded.signal;
  }

  /** Sends a login, unless a later one was called before it was this one's turn. */
  async #sendLogin(superseded: AbortSignal, login: () => Promise<SignedIn<Credential, User>>): Promise<SignedIn<Credential, User>> {
    const { mechanism, runAuthCall } = this.#parts;
    if (this.#pendingLogins++ === 0) this.#serverLogout.forgetIfEnded();
    const send = async () => {
      superseded.throwIfAborted();
      if (mechanism.browserManaged) await letRequestsSettle(this.#parts, this.#modules.onWire);
      const before = this.#lateLogins;
      const answer = runAuthCall('login', undefined, login).finally(() => superseded.aborted && this.#lateLogins++);
      const signedIn = await answer.catch((error: unknown) => this.#afterFailure(error));
      this.#isCookieUncertain = this.#lateLogins !== before;
      if (superseded.aborted) this.#endLateLogin(signedIn);
      return signedIn;
    };
    try {
      return await this.#queue.enqueue(send);
    } finally {
      this.#pendingLogins--;
    }
  }

  /** @throws the login's error, unless the browser has a user's cookie all the same. */
  #afterFailure(loginError: unknown): Promise<SignedIn<Credential, User>> {
    const { mechanism, store, runAuthCall } = this.#parts;
    const { restore } = mechanism;
    if (!mechanism.browserManaged || !restore) throw loginError;
    const checkCookie = () => this.#queue.bounded(runAuthCall('restore', undefined, () => restore.call(mechanism)));
    return findLoginOutcome(loginError, store.state.signedIn, checkCookie, () => void this.endSession('elsewhere'));
  }

  /** A login was answered after a later login or logout was called: nothing waits for it any more. */
  #endLateLogin(signedIn: SignedIn<Credential, User>): void {
    const { mechanism, store } = this.#parts;
    // The browser has the cookie of a user whom this page does not show.
    if (mechanism.browserManaged && !isSameUser(store.state.signedIn, signedIn)) void this.endSession('elsewhere');
    // After a later login, there is nothing to end: it has replaced this one on the server too.
    if (this.#latest === 'logout') this.#serverLogout.endLateLogin(signedIn.credential);
  }
}

function toError(cause: unknown): Error {
  return cause instanceof Error ? cause : new Error('A login or logout function threw something that is not an Error.', { cause });
}
