import { untilAborted } from '../clock.js';
import { IdentityChangedError, LogoutUnconfirmedError } from '../errors.js';
import { AuthCallQueue } from './authCallQueue.js';
import { findLoginOutcome, letRequestsSettle } from './cookieLogin.js';
import type { SessionParts } from './parts.js';
import type { RequestsOnWire } from './requestsOnWire.js';
import type { Restore } from './restore.js';
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
  /** Aborted by the next login or logout. */
  #superseded = new AbortController();
  #latest: 'login' | 'logout' | undefined;
  #pendingLogins = 0;
  #pendingLogouts = 0;
  /** What a logout has still to end on the server: its user is signed out here, and no later login has succeeded. */
  #toEnd: { credential: Credential | undefined; args: readonly never[] } | undefined;

  constructor(parts: SessionParts<Credential, User>, modules: Modules<Credential, User>) {
    this.#parts = parts;
    this.#modules = modules;
    this.#queue = new AuthCallQueue(parts.withDeadline);
  }

  get hasPendingLogin(): boolean {
    return this.#pendingLogins > 0;
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
      const signedIn = await untilAborted(superseded, this.#sendLogin(superseded, () => mechanism.login!(...args)));
      superseded.throwIfAborted();
      this.#toEnd = undefined;
      this.#modules.restore.confirm();
      void this.#modules.tabs.persistAndBroadcast(signedIn);
      store.dispatch({ type: 'signed-in', signedIn });
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
    if (isSignedIn) this.#toEnd = { credential: store.getCredential() ?? this.#toEnd?.credential, args };
    this.endSession('signed-out');
    if (!mechanism.logout || !this.#toEnd) return;
    try {
      await this.#sendLogout();
    } catch (error) {
      if (!superseded.aborted) this.#failLogout(error);
      throw error;
    }
  }

  /** The server may still take the user for signed in: a check under way must not sign them in again. */
  #failLogout(error: unknown): void {
    this.#modules.restore.cancel();
    this.#parts.store.dispatch({ type: 'failed', error: new LogoutUnconfirmedError(error) });
  }

  /** Signs out here, in the storage and in the other tabs. No effect while no user is signed in and none is looked for. */
  endSession(reason: SignOutReason): void {
    const { restore, tabs } = this.#modules;
    const isSignedOut = this.#parts.store.state.status === 'anonymous' && !restore.isUnderWay;
    restore.cancel();
    if (!isSignedOut) tabs.endSession(reason);
  }

  /** Ends every wait for a login or logout, those of the queue as well. */
  dispose(reason: Error): void {
    this.#toEnd = undefined;
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
    this.#pendingLogins++;
    const send = async () => {
      superseded.throwIfAborted();
      if (mechanism.browserManaged) await letRequestsSettle(this.#parts, this.#modules.onWire);
      const signedIn = await runAuthCall('login', undefined, login).catch((error: unknown) => this.#afterFailure(error));
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
    return findLoginOutcome(loginError, store.state.signedIn, checkCookie, () => this.endSession('elsewhere'));
  }

  /** A login was answered after a later login or logout was called: nothing waits for it any more. */
  #endLateLogin({ credential }: SignedIn<Credential, User>): void {
    const { mechanism } = this.#parts;
    // The browser has the cookie of a user whom this page does not show.
    if (mechanism.browserManaged) this.endSession('elsewhere');
    // A later login has replaced this one, on the server too.
    if (!this.#toEnd || this.#latest === 'login') return;
    this.#toEnd = { ...this.#toEnd, credential };
    // The logout did not wait as long as the login took: it is sent again, with what the login has answered.
    if (this.#pendingLogouts === 0 && mechanism.logout) {
      this.#sendLogout().catch((error: unknown) => this.#failLogout(error));
    }
  }

  /** Ends the session on the server, once the calls before are answered. */
  async #sendLogout(): Promise<void> {
    const { mechanism, runAuthCall } = this.#parts;
    this.#pendingLogouts++;
    try {
      await this.#queue.enqueue(() => {
        const { credential, args = [] } = this.#toEnd ?? {};
        return this.#queue.bounded(runAuthCall('logout', credential, async () => mechanism.logout!(credential, ...args)));
      });
      if (this.hasPendingLogin) return;
      this.#toEnd = undefined;
      this.#parts.store.dispatch({ type: 'logout-confirmed' });
    } finally {
      this.#pendingLogouts--;
    }
  }
}

function toError(cause: unknown): Error {
  return cause instanceof Error ? cause : new Error('A login or logout function threw something that is not an Error.', { cause });
}
