import { InvalidCredentialError } from '../errors.js';
import type { SessionModules } from './modules.js';
import type { SessionParts } from './parts.js';

/** Reads a credential that is outside the session: from an SDK, or from a cookie that the server may replace. */
export class CurrentCredential<Credential, User> {
  readonly #parts: SessionParts<Credential, User>;
  readonly #modules: Pick<SessionModules<Credential, User>, 'refresh' | 'restore'>;

  constructor(
    parts: SessionParts<Credential, User>,
    modules: Pick<SessionModules<Credential, User>, 'refresh' | 'restore'>,
  ) {
    this.#parts = parts;
    this.#modules = modules;
  }

  /**
   * Reads the current credential. One that changed outside the session becomes a new credential version.
   *
   * @throws InvalidCredentialError; SessionExpiredError when the SDK refuses; RefreshUnavailableError when the SDK
   * fails otherwise.
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
      this.#modules.refresh.fail(epochSignal, error);
    }
    if (epochSignal.aborted || store.state.signedIn !== signedIn) return store.getCredential();
    if (credential === undefined) store.dispatch({ type: 'signed-out', reason: 'elsewhere' });
    else if (!isSameCredential(credential, signedIn.credential)) {
      store.dispatch({ type: 'credential-replaced', signedIn: { ...signedIn, credential } });
      if (!this.#isChangedByThisPage) this.#modules.restore.markReplaced(credential);
    }
    return store.getCredential();
  }

  /**
   * True if a response to this page may have changed the credential. Otherwise another page did, perhaps by signing in
   * another user.
   */
  get #isChangedByThisPage(): boolean {
    return this.#parts.onWire.isBusy || this.#modules.refresh.isUnderWay;
  }
}
