import type { SessionParts } from '../parts.js';
import { credentialNow } from '../requests/credentialNow.js';
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

/** The credential that a check is about. */
export interface CheckedCredential {
  /** The browser's credential when the server was asked; that of now, while the check still waits, for example for a login. */
  readonly get: () => unknown;
  readonly isSent: () => boolean;
  /** Call right before the server is asked. */
  readonly onSend: () => void;
}

export function checkedCredential(parts: Parameters<typeof credentialNow>[0]): CheckedCredential {
  let sent: { credential: unknown } | undefined;
  return {
    get: () => (sent ? sent.credential : credentialNow(parts)),
    isSent: () => sent !== undefined,
    onSend: () => void (sent = { credential: credentialNow(parts) }),
  };
}
