import { untilAborted } from '../clock.js';
import { IdentityChangedError } from '../errors.js';
import type { SessionParts } from './parts.js';
import type { Restore } from './restore.js';
import type { TabSync } from './tabs.js';
import type { SignedIn } from './types.js';

/** Logins and logouts: the last one called wins, and they reach the server one after the other. */
export class AuthCalls<Credential, User> {
  readonly #parts: SessionParts<Credential, User>;
  readonly #tabs: TabSync<Credential, User>;
  readonly #restore: Restore<Credential, User>;
  /** Aborted by the next login or logout. */
  #superseded = new AbortController();
  /** Aborted by `dispose()`. */
  #disposed = new AbortController();
  #queue: Promise<unknown> = Promise.resolve();
  #pendingLogins = 0;

  constructor(parts: SessionParts<Credential, User>, tabs: TabSync<Credential, User>, restore: Restore<Credential, User>) {
    this.#parts = parts;
    this.#tabs = tabs;
    this.#restore = restore;
  }

  get hasPendingLogin(): boolean {
    return this.#pendingLogins > 0;
  }

  /** Resolves when no login or logout is under way. */
  async settled(): Promise<void> {
    for (let last: unknown; last !== this.#queue; ) await (last = this.#queue);
  }

  async login(...args: readonly never[]): Promise<User | undefined> {
    const { mechanism, store } = this.#parts;
    if (!mechanism.login) throw new TypeError('This session has no login of its own: sign in with the SDK that gives it its token.');
    const superseded = this.#supersede();
    try {
      const signedIn = await untilAborted(superseded, this.#sendLogin(superseded, () => mechanism.login!(...args)));
      superseded.throwIfAborted();
      void this.#tabs.persistAndBroadcast(signedIn);
      store.dispatch({ type: 'signed-in', signedIn });
      superseded.throwIfAborted();
      return signedIn.user;
    } catch (error) {
      this.#recordFailure(superseded, error);
      throw error;
    }
  }

  async logout(): Promise<void> {
    const { mechanism, store, runAuthCall } = this.#parts;
    const superseded = this.#supersede();
    const credential = store.getCredential();
    // A login under way may still succeed on the server.
    const isSignedOut = store.state.status === 'anonymous' && !this.hasPendingLogin && !this.#restore.isUnderWay;
    this.endSession('signed-out');
    if (!mechanism.logout || isSignedOut) return;
    try {
      await this.#enqueue(() => this.#bounded(runAuthCall('logout', credential, () => mechanism.logout!(credential))));
    } catch (error) {
      this.#recordFailure(superseded, error);
      throw error;
    }
  }

  /** Signs out here, in the storage and in the other tabs. No effect while no user is signed in and none is looked for. */
  endSession(reason: 'signed-out' | 'expired' | 'elsewhere'): void {
    const isSignedOut = this.#parts.store.state.status === 'anonymous' && !this.#restore.isUnderWay;
    this.#restore.cancel();
    if (!isSignedOut) this.#tabs.endSession(reason);
  }

  /** Ends every wait for a login or logout, those of the queue as well. */
  dispose(reason: Error): void {
    const disposed = this.#disposed;
    this.#disposed = new AbortController();
    this.#supersede(reason);
    disposed.abort(reason);
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
      const signedIn = await runAuthCall('login', undefined, login);
      // The browser now holds the credential of a login that nothing waits for any more.
      if (superseded.aborted && mechanism.browserManaged) this.endSession('elsewhere');
      return signedIn;
    };
    try {
      return await this.#enqueue(send);
    } finally {
      this.#pendingLogins--;
    }
  }

  /** Starts the call when those before it are answered or have timed out. The caller waits as long as the call takes. */
  #enqueue<T>(call: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#queue = this.#queue.then(() => {
        const answer = call();
        answer.then(resolve, reject);
        return this.#bounded(answer).catch(() => {});
      });
    });
  }

  #bounded<T>(answer: Promise<T>): Promise<T> {
    return this.#parts.withDeadline(answer, this.#disposed.signal);
  }

  /** The snapshot has the failure of the last login or logout too. */
  #recordFailure(superseded: AbortSignal, cause: unknown): void {
    const error = cause instanceof Error ? cause : new Error('A login or logout function threw something that is not an Error.', { cause });
    if (!superseded.aborted) this.#parts.store.dispatch({ type: 'failed', error });
  }
}
