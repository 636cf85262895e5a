import type { SessionParts } from '../parts.js';
import { isLaterSignIn, newSignInId, signInIdOf } from './signInId.js';
import type { SaveCondition } from '../persistence.js';
import type { SignOutReason } from '../session.js';
import { hasSameCredential, type SignedIn } from '../signedIn.js';

/**
 * The sign-in that the tabs store in one place, and how it compares with the one of this tab. The latest sign-in wins.
 */
export class StoredSignIn<Credential, User> {
  readonly #parts: SessionParts<Credential, User>;
  /** This sign-in and all earlier ones have ended: if the storage still has one of them, it is out of date. */
  #endedId: string | undefined;
  /**
   * The sign-in that ended last on this page, for any reason. Unlike `#endedId`, the storage may still have it with a newer credential of
   * another tab.
   */
  lastEndedId: string | undefined;
  /** The id of the session's sign-in, also while it is locked. */
  #ownerId: string | undefined;
  /** The last id that this tab has given. */
  #newestId: string | undefined;
  /** The login of this tab that another tab may still overwrite, because it has not seen it. */
  overwritableId: string | undefined;

  constructor(parts: SessionParts<Credential, User>) {
    this.#parts = parts;
    const { store } = parts;
    // A message of another tab ends a sign-in without `SignInEnd`.
    store.subscribeToCredential(() => {
      const { owner } = store;
      const hasEnded = !owner && store.state.status !== 'restoring';
      if (hasEnded && this.#ownerId !== undefined) this.lastEndedId = this.#ownerId;
      this.#ownerId = owner?.signInId;
    });
  }

  /** Reads the stored sign-in; returns `current` when the storage cannot be read. Only for a mechanism with `load`. */
  async load(current: SignedIn<Credential, User> | undefined): Promise<SignedIn<Credential, User> | undefined> {
    const stored = await this.#parts.mechanism.load!(current);
    return stored && this.hasEnded(stored) ? undefined : stored;
  }

  /** Stores or removes, within the timeout: a storage that hangs must not keep the lock. */
  save(
    signedIn: SignedIn<Credential, User> | undefined,
    condition: SaveCondition<SignedIn<Credential, User>>,
  ): Promise<boolean> {
    const { mechanism, withDeadline } = this.#parts;
    return withDeadline(mechanism.save!(signedIn, condition)).catch(() => true);
  }

  /**
   * Takes over the sign-in that another tab has stored, without storing or posting it again. The same user stays the
   * same object, unless a later sign-in has described them otherwise.
   *
   * @param locks True if a sign-in that another tab has removed locks the session. See `locksAt`.
   */
  adopt(stored: SignedIn<Credential, User> | undefined, locks = false): void {
    const { mechanism, store } = this.#parts;
    const current = store.state.signedIn;
    if (!stored)
      return current && this.#isOverwritable(current)
        ? undefined
        : store.dispatch({ type: 'signed-out', reason: 'elsewhere', locks });
    if (this.hasEnded(stored) || (current && isLaterSignIn(current, stored))) return;
    if (!current || stored.subject !== current.subject) store.dispatch({ type: 'signed-in', signedIn: stored });
    else if (
      !hasSameCredential(mechanism, current, stored) ||
      isLaterSignIn(stored, current) ||
      stored.answers !== current.answers
    ) {
      const isDescribed =
        isLaterSignIn(stored, current) && JSON.stringify(stored.user) !== JSON.stringify(current.user);
      const { user, askedAt } = isDescribed ? stored : current;
      store.dispatch({ type: 'credential-replaced', signedIn: { ...stored, user, askedAt } });
    }
  }

  /** Returns true if another tab signed in, signed out or refreshed after this tab stored `current`. */
  isSuperseded(current: SignedIn<Credential, User>, stored: SignedIn<Credential, User> | undefined): boolean {
    if (!stored) return !this.#isOverwritable(current);
    return !isLaterSignIn(current, stored) && !hasSameCredential(this.#parts.mechanism, current, stored);
  }

  /** Returns true if another tab replaced or removed the sign-in of this tab before it saw it. */
  isOverwritten(current: SignedIn<Credential, User>, stored: SignedIn<Credential, User> | undefined): boolean {
    return stored ? isLaterSignIn(current, stored) : this.#isOverwritable(current);
  }

  /** Returns true if another tab may have removed this login before it saw it: it signed out the previous user. */
  #isOverwritable(current: SignedIn<Credential, User>): boolean {
    return this.overwritableId !== undefined && current.signInId === this.overwritableId;
  }

  /** The check has ended: from now on, a sign-in that is not stored was signed out. */
  setNotOverwritable(signedIn: SignedIn<Credential, User>): void {
    if (this.overwritableId === signedIn.signInId) this.overwritableId = undefined;
  }

  /** Returns true if this tab has made the sign-in, and has made no later one. */
  isNewestOfThisTab(signedIn: SignedIn<Credential, User>): boolean {
    return this.#newestId !== undefined && signedIn.signInId === this.#newestId;
  }

  /** Returns true if this tab knows that the sign-in has ended. */
  hasEnded(signedIn: SignedIn<Credential, User>): boolean {
    return this.#endedId !== undefined && signInIdOf(signedIn) <= this.#endedId;
  }

  /** Returns true if the sign-in was made after the one that ended last on this page. */
  isAfterLastEnded(signedIn: SignedIn<Credential, User>): boolean {
    return this.lastEndedId === undefined || signInIdOf(signedIn) > this.lastEndedId;
  }

  /** Notes that the sign-in and all earlier ones have ended, and signs out if the current one is among them. */
  markEnded(endedId: string, reason: SignOutReason = 'elsewhere', locks = false): void {
    const { store } = this.#parts;
    if (this.#endedId === undefined || endedId > this.#endedId) this.#endedId = this.lastEndedId = endedId;
    const { signedIn } = store.state;
    if (signedIn && this.hasEnded(signedIn)) store.dispatch({ type: 'signed-out', reason, locks });
  }

  /** Creates the id for a new sign-in: later than every id that this tab knows. */
  newId(): string {
    const { store, clock } = this.#parts;
    return (this.#newestId = newSignInId(clock.now(), this.#endedId, this.#newestId, store.owner?.signInId));
  }
}
