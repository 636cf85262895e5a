import type { SessionParts } from './parts.js';
import { isLaterSignIn, newSignInId, signInIdOf } from './signInId.js';
import { neverAborted } from './tabLock.js';
import type { SaveCondition } from './persistence.js';
import type { SignOutReason } from './session.js';
import type { SignedIn } from './signedIn.js';

/** The sign-in that the tabs store in one place, beside what this tab knows. The latest sign-in wins. */
export class StoredSignIn<Credential, User> {
  readonly #parts: SessionParts<Credential, User>;
  /** This sign-in and all before it have ended: what the storage still has of them is out of date. */
  #endedId: string | undefined;
  /** The sign-in that ended last, for whatever reason. */
  lastId: string | undefined;
  /** The last id that this tab has given. */
  #newestId: string | undefined;
  /** The login of this tab that may still be overwritten by what another tab does without having seen it. */
  unconfirmedId: string | undefined;

  constructor(parts: SessionParts<Credential, User>) {
    this.#parts = parts;
  }

  /** What is stored; `current` where that cannot be read. Only for a mechanism that stores. */
  async load(current: SignedIn<Credential, User> | undefined): Promise<SignedIn<Credential, User> | undefined> {
    const stored = await this.#parts.mechanism.load!(current);
    return stored && this.hasEnded(stored) ? undefined : stored;
  }

  /** Stores or removes, within the timeout: a storage that hangs must not keep the lock. */
  save(signedIn: SignedIn<Credential, User> | undefined, condition: SaveCondition<Credential, User>): Promise<boolean> {
    const { mechanism, withDeadline } = this.#parts;
    return withDeadline(mechanism.save!(signedIn, condition), neverAborted()).catch(() => true);
  }

  /** Takes over what another tab has stored, without storing or posting it again. The same user stays the same object. */
  adopt(stored: SignedIn<Credential, User> | undefined): void {
    const { mechanism, store } = this.#parts;
    const { isSameCredential = Object.is } = mechanism;
    const current = store.state.signedIn;
    if (!stored)
      return current && this.#isUnconfirmed(current)
        ? undefined
        : store.dispatch({ type: 'signed-out', reason: 'elsewhere' });
    if (this.hasEnded(stored) || (current && isLaterSignIn(current, stored))) return;
    if (!current || stored.subject !== current.subject) store.dispatch({ type: 'signed-in', signedIn: stored });
    else if (!isSameCredential(stored.credential, current.credential) || signInIdOf(stored) !== signInIdOf(current)) {
      store.dispatch({ type: 'credential-replaced', signedIn: { ...stored, user: current.user } });
    }
  }

  /** Whether another tab has signed in, signed out or refreshed since `current` was what the tabs share. */
  isSuperseded(current: SignedIn<Credential, User>, stored: SignedIn<Credential, User> | undefined): boolean {
    const { isSameCredential = Object.is } = this.#parts.mechanism;
    if (!stored) return !this.#isUnconfirmed(current);
    if (isLaterSignIn(stored, current)) return true;
    return !isLaterSignIn(current, stored) && !isSameCredential(stored.credential, current.credential);
  }

  /** Whether another tab has replaced or removed the sign-in of this tab, without having seen it. */
  isOverwritten(current: SignedIn<Credential, User>, stored: SignedIn<Credential, User> | undefined): boolean {
    return stored ? isLaterSignIn(current, stored) : this.#isUnconfirmed(current);
  }

  /** Whether another tab may have removed this login without having seen it: that was a sign-out of the user before. */
  #isUnconfirmed(current: SignedIn<Credential, User>): boolean {
    return this.unconfirmedId !== undefined && current.signInId === this.unconfirmedId;
  }

  /** Whether the sign-in has ended, by what this tab knows. */
  hasEnded(signedIn: SignedIn<Credential, User>): boolean {
    return this.#endedId !== undefined && signInIdOf(signedIn) <= this.#endedId;
  }

  /** Whether this tab has left the sign-in, or a later one. Not by forgetting it, as a session that is disposed of does. */
  hasLeft(signedIn: SignedIn<Credential, User>): boolean {
    return this.lastId !== undefined && signInIdOf(signedIn) <= this.lastId;
  }

  /** The sign-in and all before it have ended, here as well. */
  markEnded(endedId: string, reason: SignOutReason = 'elsewhere'): void {
    const { store } = this.#parts;
    if (this.#endedId === undefined || endedId > this.#endedId) this.#endedId = this.lastId = endedId;
    const { signedIn } = store.state;
    if (signedIn && this.hasEnded(signedIn)) store.dispatch({ type: 'signed-out', reason });
  }

  /** The id of a sign-in of this moment: later than each one that this tab knows of. */
  newId(): string {
    const { store, clock } = this.#parts;
    return (this.#newestId = newSignInId(clock.now(), this.#endedId, this.#newestId, store.state.signedIn?.signInId));
  }
}
