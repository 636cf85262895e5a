import { LogoutUnconfirmedError } from '../../errors.js';
import type { AuthCallQueue } from './authCallQueue.js';
import type { SessionParts } from '../parts.js';
import type { SignedIn } from '../signedIn.js';
import { withTabLock } from '../tabs/tabLock.js';

/** A session on the server that a logout must end. */
interface PendingLogout<Credential, User> {
  /** Undefined: not known, or not found yet. */
  signedIn: SignedIn<Credential, User> | undefined;
  /** Finds the session, if the page did not know it when it signed out. Rejects if the server cannot be reached. */
  readonly find?: ((signal: AbortSignal) => Promise<SignedIn<Credential, User> | undefined>) | undefined;
  /** The arguments of `session.logout`. */
  readonly args: readonly never[];
  /** True when the server has ended the session. A login under way may still create another one. */
  isEnded: boolean;
}

/** Ends the session on the server, after the user was signed out on this page. */
export class ServerLogout<Credential, User> {
  readonly #parts: SessionParts<Credential, User>;
  readonly #queue: AuthCallQueue;
  readonly #cancelRestore: () => void;
  #pending: PendingLogout<Credential, User> | undefined;
  #isSending = false;

  constructor(parts: SessionParts<Credential, User>, queue: AuthCallQueue, cancelRestore: () => void) {
    this.#parts = parts;
    this.#queue = queue;
    this.#cancelRestore = cancelRestore;
    const { store } = parts;
    // A later sign-in wins, also one that was adopted from another tab.
    store.subscribeToCredential(() => store.state.signedIn && this.forget());
  }

  /** True while the server has not confirmed a logout, as far as this page knows, and no later login has succeeded. */
  get isUnconfirmed(): boolean {
    return this.#pending?.isEnded === false;
  }

  /** Who has left while the server may still have their session: the browser's cookie may be theirs. Undefined: no one, or not known. */
  get unconfirmedUser(): SignedIn<Credential, User> | undefined {
    return this.isUnconfirmed ? this.#pending?.signedIn : undefined;
  }

  /** Notes that the server must end this session, by default the current one. `send` does it, or another tab. */
  plan(
    args: readonly never[],
    {
      signedIn = this.#parts.store.state.signedIn,
      find,
    }: Partial<Pick<PendingLogout<Credential, User>, 'signedIn' | 'find'>> = {},
  ): void {
    this.#pending = { signedIn: signedIn ?? this.#pending?.signedIn, args, isEnded: false, find };
  }

  /** Drops the pending logout: a later login wins, or the session is disposed of. */
  forget(): void {
    this.#pending = undefined;
  }

  /** Call after a login in another tab: drops a logout that still looks for its session. It would find that login. */
  forgetSearch(): void {
    if (this.#pending?.find && !this.#pending.signedIn) this.forget();
  }

  forgetIfEnded(): void {
    if (!this.isUnconfirmed) this.forget();
  }

  /** Ends the session on the server, when earlier logins and logouts have ended. */
  async send(): Promise<void> {
    const { store } = this.#parts;
    this.#isSending = true;
    try {
      // A login that ended late may have created another session on the server.
      while (this.isUnconfirmed) await this.#queue.enqueue(() => this.#sendOnce());
    } finally {
      this.#isSending = false;
    }
    store.dispatch({ type: 'logout-confirmed' });
  }

  /** A login ended after the logout was called: ends the session that the login has created as well. */
  endLateLogin(signedIn: SignedIn<Credential, User>): void {
    if (!this.#pending) return;
    this.plan(this.#pending.args, { signedIn });
    // The logout was sent before the login ended. Send it again, with the login's credential.
    if (!this.#isSending) this.send().catch((error: unknown) => this.fail(error));
  }

  /**
   * Handles a failed logout: the user stays signed out on this page, and the snapshot is `unconfirmed`.
   *
   * @param isLatest False if a login or logout was called since. The snapshot's `error` then belongs to that call.
   */
  fail(error: unknown, isLatest = true): void {
    if (!this.isUnconfirmed) return;
    // On the server the user may still be signed in: a check under way must not sign them in again.
    this.#cancelRestore();
    this.#parts.store.dispatch(
      isLatest ? { type: 'failed', error: new LogoutUnconfirmedError(error) } : { type: 'logout-unconfirmed' },
    );
  }

  async #sendOnce(): Promise<void> {
    const { mechanism } = this.#parts;
    const pending = this.#pending;
    if (!pending || pending.isEnded) return;
    if (mechanism.logout && pending.find && !pending.signedIn) await this.#findAndCall(pending, pending.find);
    else if (mechanism.logout) {
      const called = this.#call(pending);
      // The logout does not wait for the lock. The check of a tab that is opened now does, so it does not find this session.
      if (mechanism.restore) void withTabLock(this.#parts, () => called).catch(() => {});
      await called;
    }
    pending.isEnded = true;
  }

  /** Holds the lock while it finds and ends the session, so that no other tab restores it. */
  #findAndCall(
    pending: PendingLogout<Credential, User>,
    find: NonNullable<PendingLogout<Credential, User>['find']>,
  ): Promise<void> {
    const { signal } = this.#queue;
    const run = async () => {
      pending.signedIn = await find(signal);
      // A user may have signed in since.
      if (this.#pending === pending) await this.#call(pending);
    };
    return withTabLock(this.#parts, run, signal);
  }

  async #call({ signedIn, args }: PendingLogout<Credential, User>): Promise<void> {
    const { mechanism, runAuthCall } = this.#parts;
    const credential = signedIn?.credential;
    await this.#queue.withTimeout(
      runAuthCall('logout', async () => mechanism.logout!(credential, ...args), { credential }),
    );
  }
}
