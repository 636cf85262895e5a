import { SignedOutError } from '../errors.js';
import { notifyListeners } from '../notifyListeners.js';
import type { SessionModules } from './modules.js';
import { untilUnlocked } from './untilUnlocked.js';
import type { SessionParts } from './parts.js';

/** Gets a credential for code that sends it without the session, such as a socket. */
export class UsableCredential<Credential, User> {
  readonly #parts: SessionParts<Credential, User>;
  readonly #modules: Pick<SessionModules<Credential, User>, 'restore' | 'refresh' | 'refreshAhead' | 'credential'>;

  constructor(
    parts: SessionParts<Credential, User>,
    modules: Pick<SessionModules<Credential, User>, 'restore' | 'refresh' | 'refreshAhead' | 'credential'>,
  ) {
    this.#parts = parts;
    this.#modules = modules;
  }

  /**
   * Returns the credential, after a refresh if one is due. Waits while the session is locked.
   *
   * @throws SignedOutError while no user is signed in, the reason of the epoch's end when the identity changes,
   * RefreshUnavailableError when the credential has expired and cannot be refreshed now.
   */
  async get(): Promise<Credential> {
    const { store, withDeadline } = this.#parts;
    const { restore, refresh, refreshAhead, credential } = this.#modules;
    notifyListeners(this.#parts.beforeSending);
    await restore.ready();
    const { epochSignal } = store;
    for (;;) {
      await untilUnlocked(store, epochSignal);
      if (!store.state.signedIn)
        throw new SignedOutError('No user is signed in, so there is no token. Sign in, then ask for the token again.');
      await credential.sync();
      epochSignal.throwIfAborted();
      if (refreshAhead.startIfDue() === 'expired') await refresh.refresh();
      // If this refresh fails, the current credential has not expired: return it.
      else if (refresh.isUnderWay) await withDeadline(refresh.refreshAhead(), epochSignal).catch(() => undefined);
      epochSignal.throwIfAborted();
      if (store.state.signedIn) return store.state.signedIn.credential;
    }
  }
}
