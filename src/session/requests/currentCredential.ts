import { InvalidCredentialError, SignedOutError } from '../../errors.js';
import { notifyListeners } from '../../notifyListeners.js';
import type { SessionModules } from '../modules.js';
import type { SessionParts } from '../parts.js';
import { isSameCredential } from '../signedIn.js';
import { untilUnlocked } from './untilUnlocked.js';

type Modules<Credential, User> = Pick<
  SessionModules<Credential, User>,
  'recheck' | 'refresh' | 'refreshAhead' | 'restore'
>;

/** The credential to send now. It may have changed outside the session: in an SDK, or in a cookie that the server may replace. */
export class CurrentCredential<Credential, User> {
  readonly #parts: SessionParts<Credential, User>;
  readonly #modules: Modules<Credential, User>;

  constructor(parts: SessionParts<Credential, User>, modules: Modules<Credential, User>) {
    this.#parts = parts;
    this.#modules = modules;
  }

  /**
   * Reads the current credential. One that changed outside the session becomes a new credential version.
   *
   * @throws InvalidCredentialError; SessionExpiredError when the SDK refuses; RefreshUnavailableError when the SDK
   * fails otherwise.
   */
  async sync(): Promise<void> {
    const { mechanism, store, withDeadline } = this.#parts;
    const { signedIn } = store.state;
    if (!signedIn || !mechanism.readCredential) return;
    const { epochSignal } = store;
    let credential: Credential | undefined;
    try {
      credential = await withDeadline(Promise.resolve(mechanism.readCredential(signedIn.credential)), epochSignal);
    } catch (error) {
      if (error instanceof InvalidCredentialError) throw error;
      // The user has signed in again since the credential was asked for.
      if (!epochSignal.aborted && store.state.signedIn !== signedIn) return;
      this.#modules.refresh.fail(epochSignal, error);
    }
    if (epochSignal.aborted || store.state.signedIn !== signedIn) return;
    if (credential === undefined) store.dispatch({ type: 'signed-out', reason: 'elsewhere' });
    else if (!isSameCredential(mechanism, credential, signedIn.credential)) {
      store.dispatch({ type: 'credential-replaced', signedIn: { ...signedIn, credential } });
      this.#modules.recheck.onReplaced(credential);
    }
  }

  /**
   * Returns a credential for code that sends it without the session, such as a socket: after a refresh if one is due. Waits
   * while the session is locked.
   *
   * @throws SignedOutError while no user is signed in, the reason of the epoch's end when the identity changes,
   * RefreshUnavailableError when the credential has expired and cannot be refreshed now.
   */
  async getUsable(): Promise<Credential> {
    const { store, withDeadline } = this.#parts;
    const { restore, refresh, refreshAhead } = this.#modules;
    notifyListeners(this.#parts.beforeSending);
    await restore.ready();
    const { epochSignal } = store;
    for (;;) {
      await untilUnlocked(store, epochSignal);
      if (!store.state.signedIn)
        throw new SignedOutError('No user is signed in, so there is no token. Sign in, then ask for the token again.');
      await this.sync();
      epochSignal.throwIfAborted();
      if (refreshAhead.startIfDue() === 'expired') await refresh.refresh();
      // If a refresh under way fails, the current credential has not expired: return it.
      else if (refresh.isUnderWay) await withDeadline(refresh.settled(), epochSignal).catch(() => undefined);
      epochSignal.throwIfAborted();
      if (store.state.signedIn) return store.state.signedIn.credential;
    }
  }
}
