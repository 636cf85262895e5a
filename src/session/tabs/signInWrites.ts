import type { SessionParts } from '../parts.js';
import { isLaterSignIn } from './signInId.js';
import type { SignedIn } from '../signedIn.js';
import type { StoreAgain } from './storeAgain.js';
import type { StoredSignIn } from './storedSignIn.js';

/** Stores the sign-in that the tabs share, and posts it: after a login, a check at the server, or a refresh. */
export class SignInWrites<Credential, User> {
  readonly #parts: SessionParts<Credential, User>;
  readonly #stored: StoredSignIn<Credential, User>;
  readonly #again: StoreAgain<Credential, User>;
  readonly #post: (signedIn: SignedIn<Credential, User>) => void;
  /** The write of the last login. */
  #storing: Promise<unknown> | undefined;

  /** @param post Tells the other tabs who is signed in. */
  constructor(
    parts: SessionParts<Credential, User>,
    stored: StoredSignIn<Credential, User>,
    again: StoreAgain<Credential, User>,
    post: (signedIn: SignedIn<Credential, User>) => void,
  ) {
    this.#parts = parts;
    this.#stored = stored;
    this.#again = again;
    this.#post = post;
  }

  /** Gives a new sign-in its id, if the tabs store it: later than every sign-in that this tab knows. */
  asLatest(signedIn: SignedIn<Credential, User>): SignedIn<Credential, User> {
    return this.#parts.mechanism.save ? { ...signedIn, signInId: this.#stored.newId() } : signedIn;
  }

  /**
   * Stores and posts a login. If two tabs sign in within the same millisecond, both adopt the same login. After a
   * `dispose()` it does not check whether the login was overwritten: it could store what another tab has signed out.
   */
  async storeLogin(signedIn: SignedIn<Credential, User>): Promise<void> {
    const { tabs, save } = this.#parts.mechanism;
    if (!save) return this.#post(signedIn);
    let later: SignedIn<Credential, User> | undefined;
    const isMet = (stored: typeof later) =>
      (later = stored && isLaterSignIn(stored, signedIn) ? stored : undefined) === undefined;
    await this.#stored.whileOverwritable(signedIn, async () => {
      await (this.#storing = this.#stored.save(signedIn, { current: undefined, isMet }));
      if (later) return;
      // A later login has posted already. A session that was disposed of has not, so this posts for it.
      const { signedIn: current } = this.#parts.store.state;
      if (!current || this.#again.isCurrent(signedIn)) this.#post(signedIn);
      if (tabs?.withLock) await this.#again.storeIfLost(signedIn);
    });
    if (later) this.#stored.adopt(later);
  }

  /**
   * Call with the lock: stores and posts what the server has restored, unless another tab has signed in since the check
   * was sent.
   *
   * @param restored Has an id of the time when the check was sent.
   * @returns the sign-in that counts.
   */
  async storeRestored(restored: SignedIn<Credential, User>): Promise<SignedIn<Credential, User>> {
    if (!this.#parts.mechanism.save) return restored;
    let login: SignedIn<Credential, User> | undefined;
    const isMet = (stored: typeof login) =>
      (login = stored && !this.#stored.ended.has(stored) ? stored : undefined) === undefined;
    if (await this.#stored.save(restored, { current: undefined, isMet })) this.#post(restored);
    return login ?? restored;
  }

  /**
   * Stores and posts refreshed credentials, unless another tab was faster: then adopts the sign-in that the other tab
   * has stored.
   */
  async storeRefreshed(before: SignedIn<Credential, User>, refreshed: SignedIn<Credential, User>): Promise<void> {
    let found: SignedIn<Credential, User> | undefined;
    const isMet = (stored: typeof found) =>
      !this.#stored.isSuperseded(before, (found = stored)) && !this.#stored.ended.has(before);
    if (await this.#stored.save(refreshed, { current: before, isMet })) this.#post(refreshed);
    else if (this.#parts.store.state.signedIn === refreshed) this.#stored.adopt(found);
  }

  /** Resolves when the last login is written. */
  async settle(): Promise<void> {
    await this.#storing;
  }
}
