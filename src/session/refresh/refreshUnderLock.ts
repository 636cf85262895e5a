import { untilAborted } from '../../clock.js';
import { SessionExpiredError } from '../../errors.js';
import { locksAt } from '../locksAt.js';
import type { SessionModules } from '../modules.js';
import type { SessionParts } from '../parts.js';
import type { SignedIn } from '../signedIn.js';
import { withTabLock } from '../tabs/tabLock.js';

interface RefreshOptions<Credential, User> {
  readonly current: SignedIn<Credential, User>;
  readonly signal: AbortSignal;
  /** Aborted when the session has got another credential: the result would be dropped. */
  readonly superseded: AbortSignal;
}

type Modules<Credential, User> = Pick<SessionModules<Credential, User>, 'tabs' | 'authCalls' | 'recheck'>;

/** One refresh, with the tab lock: reads the storage first, because another tab may have been faster. */
export class RefreshUnderLock<Credential, User> {
  readonly #parts: SessionParts<Credential, User>;
  readonly #modules: Modules<Credential, User>;
  readonly #options: RefreshOptions<Credential, User>;

  constructor(
    parts: SessionParts<Credential, User>,
    modules: Modules<Credential, User>,
    options: RefreshOptions<Credential, User>,
  ) {
    this.#parts = parts;
    this.#modules = modules;
    this.#options = options;
  }

  /**
   * Resolves with `'refreshed'` when this refresh has given the session another credential, and with `'adopted'` otherwise: mostly, another
   * tab was faster. The tab holds the lock until other tabs can read the credential, too.
   */
  run(): Promise<'refreshed' | 'adopted'> {
    return new Promise((resolve, reject) => {
      const refresh = (extendLock: () => void) => this.#refresh(extendLock, () => resolve('refreshed'));
      withTabLock(this.#parts, refresh, this.#options.signal).then(() => resolve('adopted'), reject);
    });
  }

  /** @param extendLock Not called while the server does not respond, so that another tab can get the lock. */
  async #refresh(extendLock: () => void, onReplaced: () => void): Promise<void> {
    const { mechanism, store, userClass } = this.#parts;
    const { current } = this.#options;
    const askedAt = Date.now();
    if (this.#adoptIfSuperseded(await this.#load())) return;
    try {
      extendLock();
      const result = await this.#askServer().finally(extendLock);
      // The old refresh token may be used up. If the storage does not answer, continue: only this response has the next one.
      if (this.#adoptIfSuperseded(await this.#load().catch(() => current))) return;
      if (
        !result ||
        (result.subject !== undefined && current.subject !== undefined && result.subject !== current.subject)
      ) {
        // End the session before the lock is released. `settleWrites` then removes the sign-in, and no other tab sends its
        // refresh token.
        void this.#modules.tabs.endSignIn('expired');
        throw new SessionExpiredError();
      }
      // Keep what has changed during the refresh: the user's data, and the answered challenges.
      const latest = store.state.signedIn!;
      const isNews = userClass && result.user instanceof Object && result.user !== current.user;
      const refreshed = {
        ...latest,
        credential: result.credential,
        subject: current.subject ?? result.subject,
        ...(isNews && { user: result.user, askedAt }),
      };
      store.dispatch({ type: 'credential-replaced', signedIn: refreshed });
      this.#modules.recheck.requireCheck('stale');
      onReplaced();
      if (mechanism.save) await this.#modules.tabs.writes.storeRefreshed(current, refreshed);
    } finally {
      if (mechanism.save) await this.#modules.tabs.settleWrites();
    }
  }

  /** Waits for the server without a timeout, until the epoch ends. Returns undefined when the server refuses. */
  async #askServer(): Promise<SignedIn<Credential, User> | undefined> {
    const { mechanism, runAuthCall } = this.#parts;
    const { current, signal, superseded } = this.#options;
    const send = () => runAuthCall('refresh', () => mechanism.refresh!(current, signal), { signal });
    try {
      const sent = untilAborted(signal, this.#modules.authCalls.sendAfterwards(send, signal));
      return await untilAborted(superseded, sent);
    } catch (error) {
      if (signal.aborted || !(error instanceof SessionExpiredError)) throw error;
      return undefined;
    }
  }

  /** Reads the sign-in that the tabs store, which another tab may have replaced. */
  async #load(): Promise<SignedIn<Credential, User> | undefined> {
    const { mechanism, withDeadline } = this.#parts;
    const { current, signal } = this.#options;
    return mechanism.load ? withDeadline(this.#modules.tabs.stored.load(current), signal) : current;
  }

  /**
   * Returns true if this refresh comes too late: the session has a newer sign-in, or another tab has stored one, which
   * is adopted. Without an await, because a login may end in one.
   */
  #adoptIfSuperseded(stored: SignedIn<Credential, User> | undefined): boolean {
    const { tabs } = this.#modules;
    const { current, signal, superseded } = this.#options;
    if (signal.aborted || superseded.aborted) return true;
    if (!tabs.stored.isSuperseded(current, stored)) return false;
    // Without a sign-in: the other tab has probably found that this credential has expired. After a sign-out, its message follows.
    tabs.stored.adopt(stored, { reason: 'elsewhere', locks: locksAt(this.#parts, 'expired') });
    return true;
  }
}
