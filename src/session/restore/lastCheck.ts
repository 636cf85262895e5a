import type { SessionParts } from '../parts.js';
import { isSameCredential } from '../signedIn.js';

/** What the last successful check has shown of the browser's credential. */
export class LastCheck {
  readonly #mechanism: SessionParts<unknown, unknown>['mechanism'];
  /** The browser's credential when the check started. */
  #credential: unknown;
  #isChangedByResponses = false;

  constructor({ mechanism }: Pick<SessionParts<unknown, unknown>, 'mechanism'>) {
    this.#mechanism = mechanism;
  }

  /** True if the server is known to change the cookie with its responses, as Laravel does. */
  get isChangedByResponses(): boolean {
    return this.#isChangedByResponses;
  }

  /** True if the last check was made with this credential of the browser. */
  isWith(credential: unknown): boolean {
    return isSameCredential(this.#mechanism, this.#credential, credential);
  }

  /**
   * A check has succeeded. If the credential changed during a request and again during the check, and the user is the same, the server
   * changes it with its responses.
   *
   * @param before The browser's credential when the check started.
   * @param after The browser's credential now.
   * @param hadChanged True if it had changed during a request, and the check found the same user.
   */
  note(before: unknown, after: unknown, hadChanged: boolean): void {
    if (hadChanged && !isSameCredential(this.#mechanism, before, after)) this.#isChangedByResponses = true;
    this.#credential = before;
  }
}
