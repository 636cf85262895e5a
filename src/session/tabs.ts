import type { SessionParts } from './parts.js';
import { isLaterSignIn, signInIdOf } from './signInId.js';
import { StoredSignIn } from './storedSignIn.js';
import { neverAborted, withTabLock } from './tabLock.js';
import type { SignedIn, SignOutReason } from './types.js';

/**
 * What the tabs of a browser share of one session: the stored sign-in, messages, and a lock.
 *
 * A refresh is stored with the lock, and only in the place of the credential that it was made from. A login and a sign-out write at
 * once, without the lock, because the page may be closed right after; then they look once more with the lock: another tab may have
 * written in between, without having seen them.
 */
export class TabSync<Credential, User> {
  readonly stored: StoredSignIn<Credential, User>;
  readonly #parts: SessionParts<Credential, User>;
  #stopListening: (() => void) | undefined;
  #storing: Promise<unknown> | undefined; // The last login's write.
  #isEnded: (found: SignedIn<Credential, User>) => boolean = () => false; // Of the last end of the session here.

  constructor(parts: SessionParts<Credential, User>) {
    this.#parts = parts;
    this.stored = new StoredSignIn(parts);
  }

  get isListening(): boolean {
    return this.#stopListening !== undefined;
  }

  listen(onMessage: (subject: string | null) => void): void {
    this.#stopListening ??= this.#parts.mechanism.tabs?.listen((subject, endedId) => {
      if (endedId !== undefined) this.stored.markEnded(endedId);
      onMessage(subject);
    });
  }

  stopListening(): void {
    this.#stopListening = void this.#stopListening?.();
  }

  withTabLock<T>(run: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return withTabLock(this.#parts, run, signal);
  }

  /** A sign-in of this moment, where the tabs store it. */
  asLatest(signedIn: SignedIn<Credential, User>): SignedIn<Credential, User> {
    return this.#parts.mechanism.save ? { ...signedIn, signInId: this.stored.newId() } : signedIn;
  }

  /** Stores and posts a login. Of two in the same millisecond, each in a tab, both tabs adopt the same one. */
  async storeSignIn(signedIn: SignedIn<Credential, User>): Promise<void> {
    const { tabs, save } = this.#parts.mechanism;
    if (!save) return this.#post(signedIn);
    let later: SignedIn<Credential, User> | undefined;
    const isMet = (stored: typeof later) => (later = stored && isLaterSignIn(stored, signedIn) ? stored : undefined) === undefined;
    this.stored.unconfirmedId = signedIn.signInId;
    await (this.#storing = this.stored.save(signedIn, { current: undefined, isMet }));
    // A login or sign-out right after this one has posted already.
    if (!later && this.#isCurrent(signedIn)) {
      this.#post(signedIn);
      const look = () => this.#storeAgainIfLost(signedIn);
      if (tabs?.withLock) await this.withTabLock(look).catch(look);
    }
    if (this.stored.unconfirmedId === signedIn.signInId) this.stored.unconfirmedId = undefined;
    if (later) this.stored.adopt(later);
  }

  /** Stores and posts refreshed credentials, unless another tab was faster: then what that one has stored is adopted. */
  async storeRefreshed(before: SignedIn<Credential, User>, refreshed: SignedIn<Credential, User>): Promise<void> {
    let found: SignedIn<Credential, User> | undefined;
    const isMet = (stored: typeof found) => !this.stored.isSuperseded(before, (found = stored)) && !this.stored.hasEnded(before);
    if (await this.stored.save(refreshed, { current: before, isMet })) this.#post(refreshed);
    else if (this.#parts.store.state.signedIn === refreshed) this.stored.adopt(found);
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
    const endedId = current ? signInIdOf(current) : this.stored.newId();
    // A server that refuses a credential says nothing about a newer one.
    const isNewer = (found: SignedIn<Credential, User>) =>
      reason === 'expired' && signInIdOf(found) === endedId && current !== undefined && !isSameCredential(found.credential, current.credential);
    const isEnded = (this.#isEnded = (found: SignedIn<Credential, User>) => signInIdOf(found) <= endedId && !isNewer(found));
    const isExplicit = reason !== 'expired';
    this.stored.lastId = endedId;
    if (save && isExplicit && savesAtOnce?.()) void save(undefined, { current, isMet: found => found !== undefined && isEnded(found) });
    if (!save || isExplicit) this.#post(undefined, save && endedId);
    if (save && isExplicit) this.stored.markEnded(endedId, reason);
    store.dispatch({ type: 'signed-out', reason });
    if (save) await this.#removeUnderLock(isEnded, current);
  }

  /** For a sign-out while no user is signed in here: resolves when the storage keeps nothing of the last one that was. */
  async removeEnded(): Promise<void> {
    if (this.stored.lastId === undefined) return;
    this.stored.markEnded(this.stored.lastId);
    await this.#removeUnderLock(found => this.stored.hasEnded(found));
  }

  /** With the lock: a login or sign-out during a refresh writes before the lock is given back, so that no tab finds a refresh token that was used. */
  async settleWrites(): Promise<void> {
    await this.#storing;
    if (this.#parts.store.state.status !== 'authenticated') await this.#removeIf(found => this.stored.hasEnded(found) || this.#isEnded(found));
  }

  /** Where the lock is not granted in time, without it. */
  async #removeUnderLock(isEnded: (found: SignedIn<Credential, User>) => boolean, current?: SignedIn<Credential, User>): Promise<void> {
    const remove = () => this.#removeIf(isEnded, current);
    await this.#parts.withDeadline(this.withTabLock(remove).catch(remove), neverAborted()).catch(() => {});
  }

  /** With the lock: removes what is stored when it has ended, else adopts it. */
  async #removeIf(isEnded: (found: SignedIn<Credential, User>) => boolean, current?: SignedIn<Credential, User>): Promise<void> {
    let found: SignedIn<Credential, User> | undefined;
    const isMet = (stored: typeof found) => (found = stored) !== undefined && isEnded(found);
    if (await this.stored.save(undefined, { current, isMet })) {
      this.#post(undefined, found?.signInId);
      // It may have been restored from the storage since it was refused.
      if (found) this.stored.markEnded(signInIdOf(found));
    } else if (found && this.#parts.store.state.status === 'anonymous') this.stored.adopt(found);
  }

  /** With the lock: stores a login again where a refresh, or the sign-out of the user before, came in between. */
  async #storeAgainIfLost(signedIn: SignedIn<Credential, User>): Promise<void> {
    const { mechanism, store, withDeadline } = this.#parts;
    await mechanism.tabs?.propagated?.();
    const found = await withDeadline(this.stored.load(signedIn), neverAborted()).catch(() => signedIn);
    const current = store.state.signedIn;
    if (!current || !this.#isCurrent(signedIn)) return;
    if (found && !isLaterSignIn(current, found)) return this.stored.adopt(found);
    await this.stored.save(current, { current, isMet: () => store.state.signedIn === current });
    this.#post(current);
  }

  #isCurrent(signedIn: SignedIn<Credential, User>): boolean {
    return this.#parts.store.state.signedIn?.signInId === signedIn.signInId;
  }

  #post(signedIn: SignedIn<Credential, User> | undefined, endedId?: string): void {
    this.#parts.mechanism.tabs?.post(signedIn?.subject ?? null, endedId);
  }
}
