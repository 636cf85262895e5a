import { RefreshUnavailableError } from '../../errors.js';
import { AuthCallQueue } from './authCallQueue.js';
import { LatestAuthCall } from './latestAuthCall.js';
import type { SessionModules } from '../modules.js';
import type { SessionParts } from '../parts.js';
import { LoginSender } from './sendLogin.js';
import { ServerLogout } from './serverLogout.js';
import type { SignOutReason } from '../session.js';
import { SignIn } from './signIn.js';

type Modules<Credential, User> = Pick<SessionModules<Credential, User>, 'tabs' | 'restore' | 'authCalls'>;

/** Logins and logouts: the last one called wins, and they reach the server one after the other. */
export class AuthCalls<Credential, User> {
  readonly signIn: SignIn<Credential, User>;
  readonly #parts: SessionParts<Credential, User>;
  readonly #modules: Modules<Credential, User>;
  readonly #queue: AuthCallQueue;
  readonly #serverLogout: ServerLogout<Credential, User>;
  readonly #logins: LoginSender<Credential, User>;
  readonly #latest = new LatestAuthCall();

  constructor(parts: SessionParts<Credential, User>, modules: Modules<Credential, User>) {
    this.#parts = parts;
    this.#modules = modules;
    this.#queue = new AuthCallQueue(parts.withDeadline, parts.mechanism.browserManaged === true);
    const latest = this.#latest;
    const serverLogout = (this.#serverLogout = new ServerLogout(parts, modules, this.#queue));
    const sender = (this.#logins = new LoginSender(parts, modules, { queue: this.#queue, latest, serverLogout }));
    this.signIn = new SignIn(parts, modules, { latest, sender, serverLogout });
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

  /** Resolves when no login or logout is under way. */
  settled(): Promise<void> {
    return this.#queue.settled();
  }

  /** @throws RefreshUnavailableError while a login takes longer than the session waits for it: it may replace the browser's cookie at any moment. */
  assertNoOverdueLogin(): void {
    if (this.hasPendingLogin && !this.isUnderWay) throw loginOverdueError();
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
    this.assertNoOverdueLogin();
    return send();
  }

  logout(...args: readonly unknown[]): Promise<void> {
    return this.signOut('signed-out', args);
  }

  /**
   * @param claim Resolves with false if another tab ends the session on the server. @default it always ends here
   * @throws the error of the server's logout, or the reason of `dispose()` if that comes first.
   */
  async signOut(reason: SignOutReason, args: readonly unknown[], claim?: () => Promise<boolean>): Promise<void> {
    const { mechanism, store } = this.#parts;
    const superseded = this.#latest.start('logout');
    const { status, unconfirmed } = store.state;
    const { restore } = this.#modules;
    const { signal: disposed } = this.#queue;
    const isUnknown = status === 'restoring' || unconfirmed === 'restore' || restore.isUnderWay;
    // A locked session has already ended on the server. A pending login may still succeed there.
    const mayBeSignedIn = status === 'authenticated' || isUnknown || this.hasPendingLogin;
    // A cookie logout needs no search: the server ends the session of the cookie.
    const needsSearch = isUnknown && !mechanism.browserManaged;
    if (mayBeSignedIn)
      this.#serverLogout.plan(args, { find: needsSearch ? restore.existing.captureForLogout() : undefined });
    const removed = this.endSession(reason);
    try {
      const isOurs = !claim || (await claim());
      if (isOurs && mechanism.logout && this.hasUnconfirmedLogout) await this.#serverLogout.send();
    } catch (error) {
      this.#serverLogout.fail(error, !superseded.aborted);
      throw error;
    } finally {
      // All tabs of an idle user expect it.
      if (mayBeSignedIn && reason !== 'idle' && mechanism.browserManaged && this.hasUnconfirmedLogout)
        mechanism.tabs?.post(null, undefined, 'unconfirmed');
      await removed;
    }
    // A `dispose()` forgets the logout, perhaps before it was sent.
    disposed.throwIfAborted();
  }

  /** Another tab has told the server that the session has ended, or will, and that may fail. */
  expectLogoutElsewhere(): void {
    this.#serverLogout.plan([]);
  }

  /** See `ServerLogout.forgetIfReplaced`. */
  forgetIfReplaced(): void {
    this.#serverLogout.forgetIfReplaced();
  }

  /**
   * Ends the session here and in the other tabs, whatever the page knows: the current sign-in by `TabSync.endSignIn`, and a check for
   * an existing session. If the page knows that no user is signed in, it only cleans up the storage. If the last check failed, the page does
   * not know: it then signs out the other tabs too, unless the reason is `elsewhere`.
   */
  async endSession(reason: SignOutReason): Promise<void> {
    const { restore, tabs } = this.#modules;
    const { status, unconfirmed } = this.#parts.store.state;
    const mayBeSignedIn = restore.isUnderWay || (unconfirmed === 'restore' && reason !== 'elsewhere');
    const isSignedOut = status === 'anonymous' && !mayBeSignedIn;
    restore.cancel();
    await (isSignedOut ? tabs.removeEnded() : tabs.endSignIn(reason));
  }

  /** Ends every wait for a login or logout, those of the queue as well. */
  dispose(reason: Error): void {
    this.#serverLogout.forget();
    this.#latest.end(reason);
    this.#queue.dispose(reason);
  }
}

/** For a request or a check while a login takes longer than the session waits for it. */
function loginOverdueError(): RefreshUnavailableError {
  return new RefreshUnavailableError(
    undefined,
    'A login on this page has not ended in time, so nothing was sent: it may change who is signed in. Try again when the login has ended.',
  );
}
