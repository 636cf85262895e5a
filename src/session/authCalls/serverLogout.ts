import { LogoutUnconfirmedError } from '../../errors.js';
import type { AuthCallQueue } from './authCallQueue.js';
import { addSession, mustFind, type PendingLogout, type SessionToEnd } from './pendingLogout.js';
import type { SessionModules } from '../modules.js';
import type { SessionParts } from '../parts.js';
import { sendLogout } from './sendLogout.js';
import type { SignedIn } from '../signedIn.js';
import { withTabLock } from '../tabs/tabLock.js';

type Modules<Credential, User> = Pick<SessionModules<Credential, User>, 'restore'>;

/** Ends the session on the server, after the user was signed out on this page. */
export class ServerLogout<Credential, User> {
  readonly #parts: SessionParts<Credential, User>;
  readonly #modules: Modules<Credential, User>;
  readonly #queue: AuthCallQueue;
  #pending: PendingLogout<Credential, User> | undefined;
  #isSending = false;

  constructor(parts: SessionParts<Credential, User>, modules: Modules<Credential, User>, queue: AuthCallQueue) {
    this.#parts = parts;
    this.#modules = modules;
    this.#queue = queue;
    const { store } = parts;
    // A later sign-in wins, also one that was adopted from another tab.
    store.subscribeToCredential(() => store.state.signedIn && this.forget());
  }

  /** True while the server has not confirmed a logout, as far as this page knows, and no later login has succeeded. */
  get isUnconfirmed(): boolean {
    return this.#notEnded.length > 0;
  }

  /**
   * The user who signed out while the server may still have their session: the browser's cookie may be theirs. Undefined: not known, or
   * every logout is confirmed.
   */
  get unconfirmedUser(): SignedIn<Credential, User> | undefined {
    return this.#notEnded.at(-1)?.signedIn;
  }

  /** The sessions that the server has not ended yet. */
  get #notEnded(): readonly SessionToEnd<Credential, User>[] {
    return this.#pending?.sessions.filter(({ isEnded }) => !isEnded) ?? [];
  }

  /** Notes that the server must end this session, by default the current one. `send` does it, or another tab. */
  plan(
    args: readonly unknown[],
    { signedIn = this.#parts.store.state.signedIn, find }: SessionToEnd<Credential, User> = {},
  ): void {
    const hasCookie = this.#parts.mechanism.browserManaged === true;
    this.#pending = { args, sessions: addSession(this.#notEnded, { signedIn, find }, hasCookie) };
  }

  /** Drops the pending logout: a later login wins, or the session is disposed of. */
  forget(): void {
    this.#pending = undefined;
  }

  /** A user has signed in in another tab: forgets the pending logout if it would end that user's session. */
  forgetIfReplaced(): void {
    const { mechanism } = this.#parts;
    // With a storage, `find` sees the later sign-in there. The message alone may be older than this sign-out.
    if (mechanism.browserManaged || (!mechanism.load && this.#notEnded.some(mustFind))) this.forget();
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
    this.#modules.restore.cancel();
    this.#parts.store.dispatch(
      isLatest ? { type: 'failed', error: new LogoutUnconfirmedError(error) } : { type: 'logout-unconfirmed' },
    );
  }

  /** Ends each session. A failure does not stop the others. @throws the first error. */
  async #sendOnce(): Promise<void> {
    const errors: unknown[] = [];
    for (const session of this.#notEnded) {
      try {
        if (this.#parts.mechanism.logout) await this.#end(session);
        session.isEnded = true;
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  }

  async #end(session: SessionToEnd<Credential, User>): Promise<void> {
    if (mustFind(session)) return this.#findAndEnd(session, session.find!);
    const called = this.#callLogout(session);
    // The logout does not wait for the lock, but holds it as soon as it is free. A tab that is opened during the logout waits for the
    // lock before it checks, so it does not find this session.
    if (this.#parts.mechanism.restore) void withTabLock(this.#parts, () => called).catch(() => {});
    return called;
  }

  /** Holds the lock while it finds and ends the session, so that no other tab restores it. */
  #findAndEnd(
    session: SessionToEnd<Credential, User>,
    find: NonNullable<SessionToEnd<Credential, User>['find']>,
  ): Promise<void> {
    const { signal } = this.#queue;
    const run = async () => {
      session.signedIn = await find(signal);
      // If a user has signed in since, this logout was dropped.
      if (this.#notEnded.includes(session)) await this.#callLogout(session);
    };
    return withTabLock(this.#parts, run, signal);
  }

  async #callLogout({ signedIn }: SessionToEnd<Credential, User>): Promise<void> {
    const { args = [] } = this.#pending ?? {};
    await this.#queue.withTimeout(sendLogout(this.#parts, signedIn, args, this.#queue.signal));
  }
}
