import type { SessionParts } from '../parts.js';
import type { SignedIn } from '../signedIn.js';
import { isLaterSignIn } from './signInId.js';
import type { StoredSignIn } from './storedSignIn.js';
import { withTabLock } from './tabLock.js';

/** Another tab may overwrite a sign-in that it does not know of yet. The tab that has signed in then stores it again. */
export class StoreAgain<Credential, User> {
  readonly #parts: SessionParts<Credential, User>;
  readonly #stored: StoredSignIn<Credential, User>;
  readonly #post: (signedIn: SignedIn<Credential, User>) => void;

  /** @param post Tells the other tabs who is signed in. */
  constructor(
    parts: SessionParts<Credential, User>,
    stored: StoredSignIn<Credential, User>,
    post: (signedIn: SignedIn<Credential, User>) => void,
  ) {
    this.#parts = parts;
    this.#stored = stored;
    this.#post = post;
  }

  /** True while the sign-in is the session's, with any credential. */
  isCurrent(signedIn: SignedIn<Credential, User>): boolean {
    return this.#parts.store.state.signedIn?.signInId === signedIn.signInId;
  }

  /** Reads the storage with the lock. If the sign-in was overwritten, stores and posts it; else adopts what is there. */
  async storeIfLost(signedIn: SignedIn<Credential, User>): Promise<void> {
    const check = () => this.#checkAndStore(signedIn);
    // If the lock does not come in time, runs without it.
    await withTabLock(this.#parts, check).catch(check);
  }

  async #checkAndStore(signedIn: SignedIn<Credential, User>): Promise<void> {
    const { mechanism, store, withDeadline } = this.#parts;
    await mechanism.tabs?.propagated?.();
    const current = store.state.signedIn;
    if (!current || !this.isCurrent(signedIn)) return;
    const found = await withDeadline(this.#stored.load(current)).catch(() => current);
    if (store.state.signedIn !== current) return this.#checkAndStore(signedIn);
    if (!this.#stored.isOverwritten(current, found)) return this.#stored.adopt(found);
    const isMet = (stored: typeof found) =>
      store.state.signedIn === current && !(stored && isLaterSignIn(stored, current));
    if (await this.#stored.save(current, { current, isMet })) this.#post(current);
    // A refresh in this tab, or a later login in another one, came in between.
    else await this.#checkAndStore(signedIn);
  }
}
