import type { SessionParts } from './parts.js';
import type { SignOutReason } from './session.js';
import type { SignedIn } from './signedIn.js';
import { signInIdOf } from './signInId.js';
import type { StoredSignIn } from './storedSignIn.js';
import { neverAborted, withTabLock } from './tabLock.js';

/** How a sign-in ends for all tabs: the storage keeps nothing of it, and no refresh of another tab brings it back. */
export class SignInEnd<Credential, User> {
  readonly #parts: SessionParts<Credential, User>;
  readonly #stored: StoredSignIn<Credential, User>;
  readonly #post: (endedId?: string) => void;
  #isEnded: (found: SignedIn<Credential, User>) => boolean = () => false; // Of the last end of the session here.

  /** @param post Posts to the other tabs that no user is signed in. */
  constructor(
    parts: SessionParts<Credential, User>,
    stored: StoredSignIn<Credential, User>,
    post: (endedId?: string) => void,
  ) {
    this.#parts = parts;
    this.#stored = stored;
    this.#post = post;
  }

  /**
   * Signs out here at once, in the storage and in the other tabs. A sign-in in another tab that this one did not know of yet goes on,
   * and is adopted.
   *
   * @returns Resolves when no tab's refresh can bring the sign-in back.
   */
  async endSession(reason: SignOutReason): Promise<void> {
    const { mechanism, store } = this.#parts;
    const { save, savesAtOnce, isSameCredential = Object.is } = mechanism;
    const current = store.state.signedIn;
    // While it is not known yet who is signed in, each sign-in before this moment ends.
    const endedId = current ? signInIdOf(current) : this.#stored.newId();
    // A server that refuses a credential says nothing about a newer one.
    const isNewer = (found: SignedIn<Credential, User>) =>
      reason === 'expired' &&
      signInIdOf(found) === endedId &&
      current !== undefined &&
      !isSameCredential(found.credential, current.credential);
    const isEnded = (this.#isEnded = (found: SignedIn<Credential, User>) =>
      signInIdOf(found) <= endedId && !isNewer(found));
    const isExplicit = reason !== 'expired';
    this.#stored.lastId = endedId;
    if (save && isExplicit && savesAtOnce?.())
      void save(undefined, { current, isMet: found => found !== undefined && isEnded(found) });
    if (!save || isExplicit) this.#post(save && endedId);
    if (save && isExplicit) this.#stored.markEnded(endedId, reason);
    store.dispatch({ type: 'signed-out', reason });
    if (save) await this.#removeUnderLock(isEnded, current);
  }

  /** For a sign-out while no user is signed in here: resolves when the storage keeps nothing of the last one that was. */
  async removeEnded(): Promise<void> {
    if (this.#stored.lastId === undefined) return;
    this.#stored.markEnded(this.#stored.lastId);
    await this.#removeUnderLock(found => this.#stored.hasEnded(found));
  }

  /** With the lock: removes what a refresh has stored since the sign-in ended. */
  async settle(): Promise<void> {
    if (this.#parts.store.state.status !== 'authenticated')
      await this.#removeIf(found => this.#stored.hasEnded(found) || this.#isEnded(found));
  }

  /** Where the lock is not granted in time, without it. */
  async #removeUnderLock(
    isEnded: (found: SignedIn<Credential, User>) => boolean,
    current?: SignedIn<Credential, User>,
  ): Promise<void> {
    const remove = () => this.#removeIf(isEnded, current);
    await this.#parts.withDeadline(withTabLock(this.#parts, remove).catch(remove), neverAborted()).catch(() => {});
  }

  /** With the lock: removes what is stored when it has ended, else adopts it. */
  async #removeIf(
    isEnded: (found: SignedIn<Credential, User>) => boolean,
    current?: SignedIn<Credential, User>,
  ): Promise<void> {
    let found: SignedIn<Credential, User> | undefined;
    const isMet = (stored: typeof found) => (found = stored) !== undefined && isEnded(found);
    if (await this.#stored.save(undefined, { current, isMet })) {
      this.#post(found?.signInId);
      // It may have been restored from the storage since it was refused.
      if (found) this.#stored.markEnded(signInIdOf(found));
    } else if (found && this.#parts.store.state.status === 'anonymous') this.#stored.adopt(found);
  }
}
