import type { EndElsewhere } from '../locksAt.js';
import type { SessionParts } from '../parts.js';
import { EndedSignIns } from './endedSignIns.js';
import { isLaterSignIn, newSignInId } from './signInId.js';
import type { SaveCondition } from '../persistence.js';
import { hasSameCredential, type SignedIn } from '../signedIn.js';

/**
 * The sign-in that the tabs store in one place, and how it compares with the one of this tab. The latest sign-in wins.
 */
export class StoredSignIn<Credential, User> {
  readonly ended: EndedSignIns<Credential, User>;
  readonly #parts: SessionParts<Credential, User>;
  /** The last id that this tab has given. */
  #newestId: string | undefined;
  /** See `whileOverwritable`. */
  #overwritableId: string | undefined;

  constructor(parts: SessionParts<Credential, User>) {
    this.#parts = parts;
    this.ended = new EndedSignIns(parts);
  }

  /** Reads the stored sign-in; returns `current` when the storage cannot be read. Only for a mechanism with `load`. */
  async load(current: SignedIn<Credential, User> | undefined): Promise<SignedIn<Credential, User> | undefined> {
    const stored = await this.#parts.mechanism.load!(current);
    return stored && this.ended.has(stored) ? undefined : stored;
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
   * @param end How the session ends if another tab has removed the sign-in.
   */
  adopt(
    stored: SignedIn<Credential, User> | undefined,
    end: EndElsewhere = { reason: 'elsewhere', locks: false },
  ): void {
    const { mechanism, store } = this.#parts;
    const current = store.state.signedIn;
    if (!stored)
      return current && this.#isOverwritable(current) ? undefined : store.dispatch({ type: 'signed-out', ...end });
    if (this.ended.has(stored) || (current && isLaterSignIn(current, stored))) return;
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

  /**
   * Runs the function while another tab may still overwrite this login of this tab, because it has not seen it. After the run, a sign-in that
   * is not stored was signed out. The login of a later call counts.
   */
  async whileOverwritable({ signInId }: SignedIn<Credential, User>, run: () => Promise<void>): Promise<void> {
    this.#overwritableId = signInId;
    try {
      await run();
    } finally {
      if (this.#overwritableId === signInId) this.#overwritableId = undefined;
    }
  }

  /** Returns true if another tab may have removed this login before it saw it: it signed out the previous user. */
  #isOverwritable(current: SignedIn<Credential, User>): boolean {
    return this.#overwritableId !== undefined && current.signInId === this.#overwritableId;
  }

  /** Returns true if this tab has made the sign-in, and has made no later one. */
  isNewestOfThisTab(signedIn: SignedIn<Credential, User>): boolean {
    return this.#newestId !== undefined && signedIn.signInId === this.#newestId;
  }

  /** Creates the id for a new sign-in: later than every id that this tab knows. */
  newId(): string {
    const { store, clock } = this.#parts;
    return (this.#newestId = newSignInId(clock.now(), this.ended.upToId, this.#newestId, store.owner?.signInId));
  }
}
