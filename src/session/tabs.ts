import type { SessionParts } from './parts.js';
import type { SignOutReason } from './session.js';
import type { SignedIn } from './signedIn.js';
import { SignInEnd } from './signInEnd.js';
import { isLaterSignIn } from './signInId.js';
import { StoredSignIn } from './storedSignIn.js';
import { neverAborted, withTabLock } from './tabLock.js';

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
  readonly #end: SignInEnd<Credential, User>;
  #stopListening: (() => void) | undefined;
  #storing: Promise<unknown> | undefined; // The last login's write.

  constructor(parts: SessionParts<Credential, User>) {
    this.#parts = parts;
    this.stored = new StoredSignIn(parts);
    this.#end = new SignInEnd(parts, this.stored, endedId => this.#post(undefined, endedId));
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

  withTabLock<T>(run: (extendLock: () => void) => Promise<T>, signal?: AbortSignal): Promise<T> {
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
    const isMet = (stored: typeof later) =>
      (later = stored && isLaterSignIn(stored, signedIn) ? stored : undefined) === undefined;
    this.stored.unconfirmedId = signedIn.signInId;
    await (this.#storing = this.stored.save(signedIn, { current: undefined, isMet }));
    // A login or sign-out right after this one has posted already. A session that was disposed of has not.
    const { signedIn: current } = this.#parts.store.state;
    if (!later && (current ? this.#isCurrent(signedIn) : !this.stored.hasLeft(signedIn))) this.#post(signedIn);
    if (!later && tabs?.withLock && this.#isCurrent(signedIn)) await this.#storeAgainIfLost(signedIn);
    if (this.stored.unconfirmedId === signedIn.signInId) this.stored.unconfirmedId = undefined;
    if (later) this.stored.adopt(later);
  }

  /**
   * Takes over what another tab has stored. Where that is older than the sign-in of this tab, the two wrote at the
   * same time, and the later one is stored again.
   */
  adopt(found: SignedIn<Credential, User> | undefined): void {
    const { signedIn } = this.#parts.store.state;
    if (found && signedIn && isLaterSignIn(signedIn, found)) void this.#storeAgainIfLost(signedIn);
    else this.stored.adopt(found);
  }

  /** Stores and posts refreshed credentials, unless another tab was faster: then what that one has stored is adopted. */
  async storeRefreshed(before: SignedIn<Credential, User>, refreshed: SignedIn<Credential, User>): Promise<void> {
    let found: SignedIn<Credential, User> | undefined;
    const isMet = (stored: typeof found) =>
      !this.stored.isSuperseded(before, (found = stored)) && !this.stored.hasEnded(before);
    if (await this.stored.save(refreshed, { current: before, isMet })) this.#post(refreshed);
    else if (this.#parts.store.state.signedIn === refreshed) this.stored.adopt(found);
  }

  /** Signs out here at once, in the storage and in the other tabs; see `SignInEnd`. */
  endSession(reason: SignOutReason): Promise<void> {
    return this.#end.endSession(reason);
  }

  /** For a sign-out while no user is signed in here: resolves when the storage keeps nothing of the last one that was. */
  removeEnded(): Promise<void> {
    return this.#end.removeEnded();
  }

  /**
   * With the lock: a login or sign-out during a refresh writes before the lock is given back, so that no tab finds a
   * refresh token that was used.
   */
  async settleWrites(): Promise<void> {
    await this.#storing;
    await this.#end.settle();
  }

  /** Stores a sign-in again where a refresh, a login or the sign-out of the user before, which did not know of it, came in between. */
  async #storeAgainIfLost(signedIn: SignedIn<Credential, User>): Promise<void> {
    const look = () => this.#storeAgainUnderLock(signedIn);
    await this.withTabLock(look).catch(look);
  }

  /** Where the lock is not granted in time, without it. */
  async #storeAgainUnderLock(signedIn: SignedIn<Credential, User>): Promise<void> {
    const { mechanism, store, withDeadline } = this.#parts;
    await mechanism.tabs?.propagated?.();
    const found = await withDeadline(this.stored.load(signedIn), neverAborted()).catch(() => signedIn);
    const current = store.state.signedIn;
    if (!current || !this.#isCurrent(signedIn)) return;
    if (!this.stored.isOverwritten(current, found)) return this.stored.adopt(found);
    const isMet = (stored: typeof found) =>
      store.state.signedIn === current && !(stored && isLaterSignIn(stored, current));
    if (await this.stored.save(current, { current, isMet })) this.#post(current);
    // Refreshed since it was compared.
    else if (store.state.signedIn !== current) await this.#storeAgainUnderLock(signedIn);
  }

  #isCurrent(signedIn: SignedIn<Credential, User>): boolean {
    return this.#parts.store.state.signedIn?.signInId === signedIn.signInId;
  }

  #post(signedIn: SignedIn<Credential, User> | undefined, endedId?: string): void {
    this.#parts.mechanism.tabs?.post(signedIn?.subject ?? null, endedId);
  }
}
