import { locksAt, reasonHere, type EndElsewhere, type EndReason } from '../locksAt.js';
import type { SessionParts } from '../parts.js';
import type { TabReason } from '../persistence.js';
import type { SignOutReason } from '../session.js';
import type { SignedIn } from '../signedIn.js';
import { SignInEnd } from './signInEnd.js';
import { isLaterSignIn } from './signInId.js';
import { SignInWrites } from './signInWrites.js';
import { StoreAgain } from './storeAgain.js';
import { StoredSignIn } from './storedSignIn.js';

/**
 * Synchronizes a session between the tabs of a browser: by the stored sign-in, messages, and a lock.
 *
 * A refresh writes with the lock, and only if the storage still has the credential that it was made from. A login and a
 * sign-out write at once, without the lock, because the page may be closed right after. Then they check the storage
 * once more with the lock: another tab may have written in the meantime, before it saw their write.
 */
export class TabSync<Credential, User> {
  readonly stored: StoredSignIn<Credential, User>;
  readonly writes: SignInWrites<Credential, User>;
  readonly #parts: SessionParts<Credential, User>;
  readonly #end: SignInEnd<Credential, User>;
  readonly #again: StoreAgain<Credential, User>;
  #stopListening: (() => void) | undefined;
  #cancelLater: (() => void) | undefined;

  constructor(parts: SessionParts<Credential, User>) {
    this.#parts = parts;
    this.stored = new StoredSignIn(parts);
    const post = (signedIn: SignedIn<Credential, User>) => this.#post(signedIn);
    this.#again = new StoreAgain(parts, this.stored, post);
    this.writes = new SignInWrites(parts, this.stored, this.#again, post);
    this.#end = new SignInEnd(parts, this.stored, (endedId, reason) => this.#post(undefined, endedId, reason));
  }

  get isListening(): boolean {
    return this.#stopListening !== undefined;
  }

  listen(onMessage: (subject: string | null, reason?: TabReason) => void): void {
    this.#stopListening ??= this.#parts.mechanism.tabs?.listen((subject, endedId, reason) => {
      this.#cancelLater?.();
      if (endedId !== undefined) this.#onEnded(endedId, reason);
      if (reason === 'answered') this.#onAnswered(subject);
      onMessage(subject, reason);
    });
  }

  stopListening(): void {
    this.#cancelLater?.();
    this.#stopListening = void this.#stopListening?.();
  }

  /** Calls back after the delay, unless another message arrives before, or the session stops listening. */
  beforeNextMessage(delayMs: number, callback: () => void): void {
    this.#cancelLater?.();
    if (this.isListening) this.#cancelLater = this.#parts.clock.setTimeout(callback, delayMs);
  }

  /**
   * Takes over the sign-in that another tab has stored. If it is older than the sign-in of this tab, both tabs wrote at
   * the same time: stores the later one again.
   */
  adopt(found: SignedIn<Credential, User> | undefined, end?: EndElsewhere): void {
    const { signedIn, lockedUser } = this.#parts.store.state;
    // What has locked this session says nothing about a later sign-in, and the storage may still have what has expired.
    if (lockedUser && !(found && isLaterSignIn(found, lockedUser))) return;
    if (found && signedIn && isLaterSignIn(signedIn, found)) void this.#again.storeIfLost(signedIn);
    else this.stored.adopt(found, end);
  }

  /** Tells the tabs that share the cookie that the user has answered a challenge: their requests that wait go on. */
  postAnswered({ subject }: SignedIn<Credential, User>): void {
    if (subject !== undefined) this.#parts.mechanism.tabs?.post(subject, undefined, 'answered');
  }

  /** Ends the current sign-in in all tabs: see `SignInEnd.end`. A check for an existing session goes on; `AuthCalls.endSession` ends it, too. */
  endSignIn(reason: SignOutReason): Promise<void> {
    return this.#end.end(reason);
  }

  /** See `SignInEnd.removeEnded`. */
  removeEnded(): Promise<void> {
    return this.#end.removeEnded();
  }

  /**
   * Call with the lock, after a refresh: waits until a login or sign-out during the refresh has written, so that no tab
   * finds a used refresh token when the lock is released.
   */
  async settleWrites(): Promise<void> {
    await this.writes.settle();
    await this.#end.settle();
  }

  /** Another tab has removed a sign-in that has ended. Without the lock, it may have removed a later one of this tab. */
  #onEnded(endedId: string, reason: TabReason | undefined): void {
    const { store } = this.#parts;
    const before = store.state.signedIn;
    this.stored.ended.mark(endedId, reasonHere(reason), locksAt(this.#parts, reason));
    // This tab may have found the storage empty before the message came.
    if (reason === 'expired' && endedId === this.stored.ended.lastId) store.dispatch({ type: 'end-explained', reason });
    const { signedIn } = store.state;
    // This tab may have stored a refreshed credential before it heard of the end.
    if (before && !signedIn) void this.#end.removeEnded(reason);
    if (!signedIn || !this.stored.isNewestOfThisTab(signedIn)) return;
    void this.stored.whileOverwritable(signedIn, () => this.#again.storeIfLost(signedIn));
  }

  /** Another tab of the same user has answered a challenge: the server has upgraded the cookie of both. */
  #onAnswered(subject: string | null): void {
    const { store } = this.#parts;
    const { signedIn } = store.state;
    if (!signedIn || signedIn.subject !== subject) return;
    store.dispatch({ type: 'credential-replaced', signedIn: { ...signedIn, answers: (signedIn.answers ?? 0) + 1 } });
  }

  #post(signedIn: SignedIn<Credential, User> | undefined, endedId?: string, reason?: EndReason): void {
    // An act of the user has no reason.
    const automatic = reason === 'expired' || reason === 'idle' ? reason : undefined;
    this.#parts.mechanism.tabs?.post(signedIn?.subject ?? null, endedId, automatic);
  }
}
