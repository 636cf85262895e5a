import type { SessionParts } from '../parts.js';
import type { SignOutReason } from '../session.js';
import type { SignedIn } from '../signedIn.js';
import { signInIdOf } from './signInId.js';

/** Which sign-ins have ended, as far as this tab knows: if the storage still has one of them, it is out of date. */
export class EndedSignIns<Credential, User> {
  readonly #store: SessionParts<Credential, User>['store'];
  #upToId: string | undefined;
  #lastId: string | undefined;
  /** The id of the session's sign-in, also while it is locked. */
  #ownerId: string | undefined;

  constructor({ store }: Pick<SessionParts<Credential, User>, 'store'>) {
    this.#store = store;
    // A message of another tab ends a sign-in without `SignInEnd`.
    store.subscribeToCredential(() => {
      const { owner } = store;
      const hasEnded = !owner && store.state.status !== 'restoring';
      if (hasEnded && this.#ownerId !== undefined) this.#lastId = this.#ownerId;
      this.#ownerId = owner?.signInId;
    });
  }

  /** This sign-in and all earlier ones have ended. */
  get upToId(): string | undefined {
    return this.#upToId;
  }

  /**
   * The sign-in that ended last on this page, for any reason. Unlike with `upToId`, the storage may still have it with a newer credential of
   * another tab.
   */
  get lastId(): string | undefined {
    return this.#lastId;
  }

  /** Returns true if this tab knows that the sign-in has ended. */
  has(signedIn: SignedIn<Credential, User>): boolean {
    return this.#upToId !== undefined && signInIdOf(signedIn) <= this.#upToId;
  }

  /** Returns true if the sign-in was made after the one that ended last on this page. */
  isAfterLast(signedIn: SignedIn<Credential, User>): boolean {
    return this.#lastId === undefined || signInIdOf(signedIn) > this.#lastId;
  }

  /** Notes that the sign-in and all earlier ones have ended, and signs out if the current one is among them. */
  mark(endedId: string, reason: SignOutReason = 'elsewhere', locks = false): void {
    if (this.#upToId === undefined || endedId > this.#upToId) this.#upToId = this.#lastId = endedId;
    const { signedIn } = this.#store.state;
    if (signedIn && this.has(signedIn)) this.#store.dispatch({ type: 'signed-out', reason, locks });
  }
}
