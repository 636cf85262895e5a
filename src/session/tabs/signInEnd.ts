import { locksAt, type EndReason } from '../locksAt.js';
import type { SessionParts } from '../parts.js';
import type { SignOutReason } from '../session.js';
import { hasSameCredential, type SignedIn } from '../signedIn.js';
import { signInIdOf } from './signInId.js';
import type { StoredSignIn } from './storedSignIn.js';
import { withTabLock } from './tabLock.js';

/** Which stored sign-ins are to be removed, and why. */
interface Removal<Credential, User> {
  readonly isEnded: (found: SignedIn<Credential, User>) => boolean;
  readonly current?: SignedIn<Credential, User> | undefined;
  readonly reason?: EndReason | undefined;
}

/** Ends a sign-in in all tabs: removes it from the storage, so that no refresh of another tab brings it back. */
export class SignInEnd<Credential, User> {
  readonly #parts: SessionParts<Credential, User>;
  readonly #stored: StoredSignIn<Credential, User>;
  readonly #post: (endedId?: string, reason?: EndReason) => void;
  /** The sign-ins that the last `end` of this tab has ended. */
  #latest: Removal<Credential, User> | undefined;

  /** @param post Posts to the other tabs that no user is signed in. */
  constructor(
    parts: SessionParts<Credential, User>,
    stored: StoredSignIn<Credential, User>,
    post: (endedId?: string, reason?: EndReason) => void,
  ) {
    this.#parts = parts;
    this.#stored = stored;
    this.#post = post;
  }

  /**
   * Signs out on this page at once, then in the storage and in the other tabs. If another tab has signed in and this
   * tab did not know, that sign-in continues, and this tab adopts it.
   *
   * @returns a promise that resolves when no tab's refresh can bring the sign-in back.
   */
  async end(reason: SignOutReason): Promise<void> {
    const { mechanism, store } = this.#parts;
    // Several refusals lock once.
    if (reason === 'expired' && store.isLocked) return;
    const current = store.state.signedIn;
    // Before the check for an existing session has ended, all earlier sign-ins end.
    const { owner } = store;
    const endedId = owner ? signInIdOf(owner) : this.#stored.newId();
    // A server that refuses a credential says nothing about a newer one.
    const isNewer = (found: SignedIn<Credential, User>) =>
      reason === 'expired' &&
      signInIdOf(found) === endedId &&
      current !== undefined &&
      !hasSameCredential(mechanism, current, found);
    const isEnded = (found: SignedIn<Credential, User>) => signInIdOf(found) <= endedId && !isNewer(found);
    const end = (this.#latest = { isEnded, current, reason });
    const isExplicit = reason !== 'expired';
    if (mechanism.save && isExplicit && mechanism.savesAtOnce?.())
      void mechanism.save(undefined, { current, isMet: found => found !== undefined && isEnded(found) });
    if (!mechanism.save || isExplicit) this.#post(mechanism.save && endedId, reason);
    const locks = locksAt(this.#parts, reason);
    if (mechanism.save && isExplicit) this.#stored.ended.mark(endedId, reason, locks);
    store.dispatch({ type: 'signed-out', reason, locks });
    if (mechanism.save) await this.#removeWithLockIfPossible(end);
  }

  /**
   * Removes the sign-in that ended last from the storage, if it is still there. Call it while no user is signed in on this
   * page. Resolves when that is done, or after the timeout.
   *
   * @param reason Posted to the other tabs.
   */
  async removeEnded(reason?: EndReason): Promise<void> {
    if (this.#stored.ended.lastId === undefined) return;
    this.#stored.ended.mark(this.#stored.ended.lastId);
    await this.#removeWithLockIfPossible({ isEnded: found => this.#stored.ended.has(found), reason });
  }

  /** Call with the lock, after a refresh: removes a stored sign-in that has ended, also if the refresh stored it after its end. */
  async settle(): Promise<void> {
    if (this.#parts.store.state.status === 'authenticated') return;
    const latest = this.#latest;
    const isEnded = (found: SignedIn<Credential, User>) =>
      this.#stored.ended.has(found) || latest?.isEnded(found) === true;
    await this.#removeIf({ ...latest, isEnded });
  }

  /** Waits for the lock. If the lock does not come in time, removes without it. */
  async #removeWithLockIfPossible(end: Removal<Credential, User>): Promise<void> {
    const remove = async () => {
      const remaining = await this.#removeIf(end);
      if (remaining) this.#stored.adopt(remaining);
    };
    await this.#parts.withDeadline(withTabLock(this.#parts, remove).catch(remove)).catch(() => {});
  }

  /** Removes the stored sign-in if it has ended. Otherwise returns it. */
  async #removeIf({
    isEnded,
    current,
    reason,
  }: Removal<Credential, User>): Promise<SignedIn<Credential, User> | undefined> {
    let found: SignedIn<Credential, User> | undefined;
    const isMet = (stored: typeof found) => (found = stored) !== undefined && isEnded(found);
    if (!(await this.#stored.save(undefined, { current, isMet }))) return found;
    this.#post(found?.signInId, reason);
    // The session may have loaded it from the storage again after the refusal.
    if (found) this.#stored.ended.mark(signInIdOf(found));
    return undefined;
  }
}
