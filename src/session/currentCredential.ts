import { InvalidCredentialError } from '../errors.js';
import type { SessionParts } from './parts.js';
import type { Refresh } from './refresh.js';
import type { RequestsOnWire } from './requestsOnWire.js';
import type { Restore } from './restore.js';

/** The credential to send now, where it lives outside the session: with an SDK, or in a cookie that the server may replace. */
export class CurrentCredential<Credential, User> {
  readonly #parts: SessionParts<Credential, User>;
  readonly #refresh: Refresh<Credential, User>;
  readonly #restore: Restore<Credential, User>;
  readonly #onWire: RequestsOnWire;

  constructor(parts: SessionParts<Credential, User>, modules: { refresh: Refresh<Credential, User>; restore: Restore<Credential, User>; onWire: RequestsOnWire }) {
    this.#parts = parts;
    this.#refresh = modules.refresh;
    this.#restore = modules.restore;
    this.#onWire = modules.onWire;
  }

  /**
   * The credential of this moment. One that changed outside the session is a new version of it.
   *
   * @throws InvalidCredentialError, SessionExpiredError when the SDK refuses, RefreshUnavailableError when it does not answer.
   */
  async sync(): Promise<Credential | undefined> {
    const { mechanism, store, withDeadline } = this.#parts;
    const { readCredential, isSameCredential = Object.is } = mechanism;
    const { signedIn } = store.state;
    if (!signedIn || !readCredential) return signedIn?.credential;
    const { epochSignal } = store;
    let credential: Credential | undefined;
    try {
      credential = await withDeadline(Promise.resolve(readCredential(signedIn.credential)), epochSignal);
    } catch (error) {
      if (error instanceof InvalidCredentialError) throw error;
      this.#refresh.fail(epochSignal, error);
    }
    if (epochSignal.aborted || store.state.signedIn !== signedIn) return store.getCredential();
    if (credential === undefined) store.dispatch({ type: 'signed-out', reason: 'elsewhere' });
    else if (!isSameCredential(credential, signedIn.credential)) {
      store.dispatch({ type: 'credential-replaced', signedIn: { ...signedIn, credential } });
      if (!this.#isChangedByThisPage) this.#restore.markReplaced(credential);
    }
    return store.getCredential();
  }

  /** Whether an answer to this page may have changed the credential. Else another page did, perhaps by signing in another user. */
  get #isChangedByThisPage(): boolean {
    return this.#onWire.isBusy || this.#refresh.isUnderWay;
  }
}
