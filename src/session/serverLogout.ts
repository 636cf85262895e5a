import { LogoutUnconfirmedError } from '../errors.js';
import type { AuthCallQueue } from './authCallQueue.js';
import type { SessionParts } from './parts.js';

interface ToEnd<Credential> {
  readonly credential: Credential | undefined;
  /** Those of `session.logout`. */
  readonly args: readonly never[];
  /** True once the server has ended it. A login under way may still create another session. */
  isEnded: boolean;
}

/** What a logout does on the server: its user is signed out on this page before. */
export class ServerLogout<Credential, User> {
  readonly #parts: SessionParts<Credential, User>;
  readonly #queue: AuthCallQueue;
  readonly #cancelRestore: () => void;
  #toEnd: ToEnd<Credential> | undefined;
  #isSending = false;

  constructor(parts: SessionParts<Credential, User>, queue: AuthCallQueue, cancelRestore: () => void) {
    this.#parts = parts;
    this.#queue = queue;
    this.#cancelRestore = cancelRestore;
  }

  /** True while the server has not confirmed a logout, and no later login has succeeded. */
  get isUnconfirmed(): boolean {
    return this.#toEnd?.isEnded === false;
  }

  /** The server is to end the session of this credential. */
  require(credential: Credential | undefined, args: readonly never[]): void {
    this.#toEnd = { credential: credential ?? this.#toEnd?.credential, args, isEnded: false };
  }

  /** A later login wins, or the session is disposed of. */
  forget(): void {
    this.#toEnd = undefined;
  }

  forgetIfEnded(): void {
    if (!this.isUnconfirmed) this.forget();
  }

  /** Ends the session on the server, once the logins and logouts before are answered. */
  async send(): Promise<void> {
    const { store } = this.#parts;
    this.#isSending = true;
    try {
      // A login that was answered late has changed what is to be ended.
      while (this.isUnconfirmed) await this.#queue.enqueue(() => this.#sendOnce());
    } finally {
      this.#isSending = false;
    }
    store.dispatch({ type: 'logout-confirmed' });
  }

  /** A login was answered after the logout was called: the session that it has created is to be ended as well. */
  endLateLogin(credential: Credential): void {
    if (!this.#toEnd) return;
    this.require(credential, this.#toEnd.args);
    // The logout did not wait as long as the login took: it is sent again, with what the login has answered.
    if (!this.#isSending) this.send().catch((error: unknown) => this.fail(error));
  }

  /**
   * The user stays signed out on this page, and the page can say that the server may not know.
   *
   * @param isLatest Whether no login or logout was called since: else the snapshot's `error` is about that one.
   */
  fail(error: unknown, isLatest = true): void {
    if (!this.isUnconfirmed) return;
    // The server may still take the user for signed in: a check under way must not sign them in again.
    this.#cancelRestore();
    this.#parts.store.dispatch(
      isLatest ? { type: 'failed', error: new LogoutUnconfirmedError(error) } : { type: 'logout-unconfirmed' },
    );
  }

  async #sendOnce(): Promise<void> {
    const { mechanism, runAuthCall } = this.#parts;
    const toEnd = this.#toEnd;
    if (!toEnd || toEnd.isEnded) return;
    if (mechanism.logout)
      await this.#queue.bounded(
        runAuthCall('logout', async () => mechanism.logout!(toEnd.credential, ...toEnd.args), {
          credential: toEnd.credential,
        }),
      );
    toEnd.isEnded = true;
  }
}
