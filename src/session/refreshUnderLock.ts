import { untilAborted } from '../clock.js';
import { SessionExpiredError } from '../errors.js';
import type { SessionModules } from './modules.js';
import type { SessionParts } from './parts.js';
import type { SignedIn } from './signedIn.js';

interface RefreshAttempt<Credential, User> {
  readonly current: SignedIn<Credential, User>;
  readonly epochSignal: AbortSignal;
  /** Called once the new credential is in place. The lock is held until other tabs can read it too. */
  readonly onReplaced: () => void;
}

/** Checks, locks, checks again, refreshes: once it has the lock, this tab may find that another one was faster. */
export class RefreshUnderLock<Credential, User> {
  readonly #parts: SessionParts<Credential, User>;
  readonly #modules: Pick<SessionModules<Credential, User>, 'tabs' | 'authCalls'>;
  readonly #attempt: RefreshAttempt<Credential, User>;

  constructor(
    parts: SessionParts<Credential, User>,
    modules: Pick<SessionModules<Credential, User>, 'tabs' | 'authCalls'>,
    attempt: RefreshAttempt<Credential, User>,
  ) {
    this.#parts = parts;
    this.#modules = modules;
    this.#attempt = attempt;
  }

  /** @param extendLock Not called while the server does not answer: this tab gives way to the others then. */
  async run(extendLock: () => void): Promise<void> {
    const { mechanism, store } = this.#parts;
    const { current, onReplaced } = this.#attempt;
    if (await this.#adoptIfSuperseded()) return;
    try {
      extendLock();
      const answer = await this.#askServer().finally(extendLock);
      // A login may be answered while the comparison returns.
      if ((await this.#adoptIfSuperseded()) || store.state.signedIn !== current) return;
      if (
        !answer ||
        (answer.subject !== undefined && current.subject !== undefined && answer.subject !== current.subject)
      )
        throw new SessionExpiredError();
      const refreshed = { ...current, credential: answer.credential, subject: current.subject ?? answer.subject };
      store.dispatch({ type: 'credential-replaced', signedIn: refreshed });
      onReplaced();
      if (mechanism.save) await this.#modules.tabs.storeRefreshed(current, refreshed);
    } finally {
      if (mechanism.save) await this.#modules.tabs.settleWrites();
    }
  }

  /** What the server answers, however late, unless the epoch ends first; undefined: it refuses. */
  async #askServer(): Promise<SignedIn<Credential, User> | undefined> {
    const { mechanism, runAuthCall } = this.#parts;
    const { current, epochSignal } = this.#attempt;
    const send = () => runAuthCall('refresh', () => mechanism.refresh!(current, epochSignal), { signal: epochSignal });
    try {
      return await untilAborted(epochSignal, this.#modules.authCalls.sendAfterwards(send, epochSignal));
    } catch (error) {
      if (epochSignal.aborted || !(error instanceof SessionExpiredError)) throw error;
      return undefined;
    }
  }

  /** Whether this refresh comes too late: a newer sign-in is in place, or another tab has stored one, which is adopted then. */
  async #adoptIfSuperseded(): Promise<boolean> {
    const { mechanism, store, withDeadline } = this.#parts;
    const { current, epochSignal } = this.#attempt;
    const stored = mechanism.load ? await withDeadline(this.#modules.tabs.stored.load(current), epochSignal) : current;
    if (store.state.signedIn !== current) return true;
    if (!this.#modules.tabs.stored.isSuperseded(current, stored)) return false;
    this.#modules.tabs.stored.adopt(stored);
    return true;
  }
}
