import { untilAborted } from '../clock.js';
import { IdentityChangedError } from '../errors.js';
import { AuthCallQueue } from './authCallQueue.js';
import { loginOverdueError } from './loginOverdueError.js';
import type { SessionModules } from './modules.js';
import { noLoginError } from './noLoginError.js';
import type { SessionParts } from './parts.js';
import { LoginSender } from './sendLogin.js';
import { ServerLogout } from './serverLogout.js';
import type { SignOutReason } from './session.js';
import type { SignedIn } from './signedIn.js';

/** Logins and logouts: the last one called wins, and they reach the server one after the other. */
export class AuthCalls<Credential, User> {
  /** When the last login on this page succeeded, in milliseconds since 1970. */
  signedInAt: number | undefined;
  readonly #parts: SessionParts<Credential, User>;
  readonly #modules: Pick<SessionModules<Credential, User>, 'tabs' | 'restore'>;
  readonly #queue: AuthCallQueue;
  readonly #serverLogout: ServerLogout<Credential, User>;
  readonly #logins: LoginSender<Credential, User>;
  /** Aborted by the next login or logout. */
  #superseded = new AbortController();
  #latest: 'login' | 'logout' | undefined;
  #loginSignal = this.#superseded.signal;

  constructor(
    parts: SessionParts<Credential, User>,
    modules: Pick<SessionModules<Credential, User>, 'tabs' | 'restore'>,
  ) {
    this.#parts = parts;
    this.#modules = modules;
    this.#queue = new AuthCallQueue(parts.withDeadline, parts.mechanism.browserManaged === true);
    this.#serverLogout = new ServerLogout(parts, this.#queue, () => modules.restore.cancel());
    this.#logins = new LoginSender(parts, {
      queue: this.#queue,
      serverLogout: this.#serverLogout,
      isLogoutLatest: () => this.#latest === 'logout',
      markStale: () => modules.restore.markStale(),
      endSession: () => void this.endSession('elsewhere'),
    });
  }

  get hasPendingLogin(): boolean {
    return this.#logins.hasPending;
  }

  /** See `ServerLogout.isUnconfirmed`. */
  get hasUnconfirmedLogout(): boolean {
    return this.#serverLogout.isUnconfirmed;
  }

  /** True while a login or logout is under way that requests wait for. */
  get isUnderWay(): boolean {
    return this.#queue.isBusy;
  }

  /** Of the login that the mechanism starts right now: aborted by the next login or logout. */
  get loginSignal(): AbortSignal {
    return this.#loginSignal;
  }

  /** Resolves when no login or logout is under way. */
  settled(): Promise<void> {
    return this.#queue.settled();
  }

  /** True while a login takes longer than the session waits for it: the browser's cookie may be replaced at any moment. */
  get isLoginOverdue(): boolean {
    return this.hasPendingLogin && !this.isUnderWay;
  }

  /**
   * Sends one of the session's own calls. A call with the browser's cookie waits for a login or logout under way: its
   * response could bring back the cookie that the login or logout has replaced.
   *
   * @throws the signal's reason, RefreshUnavailableError while a login takes longer than the session waits for it.
   */
  async sendAfterwards<T>(send: () => Promise<T>, signal: AbortSignal): Promise<T> {
    if (!this.#parts.mechanism.browserManaged) return send();
    await this.settled();
    signal.throwIfAborted();
    if (this.isLoginOverdue) throw loginOverdueError();
    return send();
  }

  async login(...args: readonly never[]): Promise<User | undefined> {
    const { mechanism } = this.#parts;
    if (!mechanism.login) throw noLoginError();
    return this.#signIn(superseded => {
      this.#loginSignal = superseded;
      return mechanism.login!(...args);
    });
  }

  /** Signs in with what the app has already got from the server. */
  async enter(...args: readonly never[]): Promise<User | undefined> {
    const { mechanism } = this.#parts;
    const given = args as readonly unknown[] as [SignedIn<Credential, User>];
    return this.#signIn(async () => (mechanism.enter ? mechanism.enter(...given) : given[0]));
  }

  async #signIn(
    getSignedIn: (superseded: AbortSignal) => Promise<SignedIn<Credential, User>>,
  ): Promise<User | undefined> {
    const { store } = this.#parts;
    const superseded = this.#supersede();
    this.#latest = 'login';
    try {
      const result = await untilAborted(
        superseded,
        this.#logins.send(superseded, () => getSignedIn(superseded)),
      );
      superseded.throwIfAborted();
      const signedIn = this.#modules.tabs.asLatest(result);
      this.#serverLogout.forget();
      this.#modules.restore.confirm();
      void this.#modules.tabs.storeSignIn(signedIn);
      this.signedInAt = this.#parts.clock.now();
      store.dispatch({ type: 'signed-in', signedIn });
      if (this.#logins.isCookieUncertain) this.#modules.restore.markStale();
      superseded.throwIfAborted();
      return store.readUser(signedIn.user);
    } catch (error) {
      if (!superseded.aborted) store.dispatch({ type: 'failed', error: toError(error) });
      throw error;
    }
  }

  logout(...args: readonly never[]): Promise<void> {
    return this.signOut('signed-out', args);
  }

  /** @param claim Resolves with false if another tab ends the session on the server. @default it always ends here */
  async signOut(reason: SignOutReason, args: readonly never[], claim?: () => Promise<boolean>): Promise<void> {
    const { mechanism, store } = this.#parts;
    const superseded = this.#supersede();
    this.#latest = 'logout';
    // A login under way may still succeed on the server.
    const { status } = store.state;
    // The server has ended a session that is locked.
    const isHere = status === 'authenticated' || status === 'restoring';
    const isSignedIn = isHere || this.hasPendingLogin || this.#modules.restore.isUnderWay;
    if (isSignedIn) this.#serverLogout.plan(args);
    const removed = this.endSession(reason);
    try {
      const isOurs = !claim || (await claim());
      if (isOurs && mechanism.logout && this.hasUnconfirmedLogout) await this.#serverLogout.send();
    } catch (error) {
      this.#serverLogout.fail(error, !superseded.aborted);
      throw error;
    } finally {
      await removed;
    }
  }

  /** Another tab tells the server that the session of an idle user has ended, and may fail. */
  expectLogoutElsewhere(): void {
    this.#serverLogout.plan([]);
  }

  /** See `SignInEnd.endSession`. While no user is signed in and no check is under way, only cleans up the storage. */
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

  /** Ends the waits of earlier logins and logouts: the last one called wins. */
  #supersede(
    reason: Error = new IdentityChangedError('Another login or logout was started after this one, and it wins.'),
  ): AbortSignal {
    const before = this.#superseded;
    this.#superseded = new AbortController();
    before.abort(reason);
    return this.#superseded.signal;
  }
}

function toError(cause: unknown): Error {
  return cause instanceof Error
    ? cause
    : new Error('A login or logout function threw something that is not an Error.', { cause });
}
