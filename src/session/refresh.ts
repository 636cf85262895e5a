import { RefreshUnavailableError, SessionExpiredError } from '../errors.js';
import type { SessionParts } from './parts.js';
import { retryAt } from './retryAfter.js';
import type { TabSync } from './tabs.js';
import type { SignedIn } from './types.js';

/** One refresh at a time for each epoch. Later callers share the one under way. */
export class Refresh<Credential, User> {
  readonly #parts: SessionParts<Credential, User>;
  readonly #tabs: TabSync<Credential, User>;
  #latest: { readonly promise: Promise<void>; readonly epochSignal: AbortSignal } | undefined;

  /** The server's wish after the latest failure: no attempt of this epoch before then. */
  #pause: { readonly until: number; readonly cause: unknown; readonly epochSignal: AbortSignal } | undefined;

  constructor(parts: SessionParts<Credential, User>, tabs: TabSync<Credential, User>) {
    this.#parts = parts;
    this.#tabs = tabs;
  }

  get isUnderWay(): boolean {
    return this.#latest !== undefined && !this.#latest.epochSignal.aborted;
  }

  /**
   * Gets fresh credentials for the same user. Sends nothing before the time that a `Retry-After` named.
   *
   * @throws SessionExpiredError when the server refuses, RefreshUnavailableError when it cannot be reached in time, the reason
   * of the epoch's end when the identity changed, TypeError when the mechanism has no `refresh`.
   */
  refresh(): Promise<void> {
    if (!this.isUnderWay) {
      const { epochSignal } = this.#parts.store;
      if (this.#pause?.epochSignal === epochSignal && this.#parts.clock.now() < this.#pause.until) {
        return Promise.reject(new RefreshUnavailableError(this.#pause.cause));
      }
      const promise = this.#start(epochSignal).finally(() => {
        if (this.#latest?.promise === promise) this.#latest = undefined;
      });
      this.#latest = { promise, epochSignal };
    }
    return this.#latest!.promise;
  }

  async #start(epochSignal: AbortSignal): Promise<void> {
    const { mechanism, store } = this.#parts;
    const current = store.state.signedIn;
    if (!current || !mechanism.refresh) throw new TypeError('This session cannot renew its credential: give it a `refresh` option.');
    try {
      await new Promise<void>((resolve, reject) => {
        this.#tabs.withTabLock(lockEnd => this.#refreshUnderLock(current, lockEnd, resolve), epochSignal).then(resolve, reject);
      });
    } catch (error) {
      this.#pause = { until: retryAt(error, this.#parts.clock.now()), cause: error, epochSignal };
      // A newer sign-in or sign-out wins over this failure.
      if (epochSignal.aborted || store.state.signedIn === current) this.fail(epochSignal, error);
    }
  }

  /**
   * Checks, locks, checks again, refreshes: once it has the lock, this tab may find that another one was faster.
   *
   * @param onReplaced Called once the new credential is in place. The lock is held until other tabs can read it too.
   */
  async #refreshUnderLock(current: SignedIn<Credential, User>, lockEnd: AbortSignal, onReplaced: () => void): Promise<void> {
    const { mechanism, store, runAuthCall } = this.#parts;
    if (this.#adoptIfNewer(current, await this.#loadStored(current)) || lockEnd.aborted) return;
    const { credential, subject } = await runAuthCall('refresh', current.credential, () => mechanism.refresh!(current));
    // An answer that comes after its waiters were told “unavailable” is still the newest credential there is.
    if (this.#adoptIfNewer(current, await this.#loadStored(current))) return;
    if (subject !== undefined && current.subject !== undefined && subject !== current.subject) throw new SessionExpiredError();
    const refreshed = { ...current, credential, subject: current.subject ?? subject };
    store.dispatch({ type: 'credential-replaced', signedIn: refreshed });
    onReplaced();
    if (mechanism.save) await this.#tabs.persistAndBroadcast(refreshed);
  }

  async #loadStored(current: SignedIn<Credential, User>): Promise<SignedIn<Credential, User> | undefined> {
    const { load } = this.#parts.mechanism;
    return load ? load(current) : current;
  }

  /** Whether this refresh comes too late; the newer sign-in that another tab has stored is adopted then. */
  #adoptIfNewer(current: SignedIn<Credential, User>, stored: SignedIn<Credential, User> | undefined): boolean {
    const { mechanism, store } = this.#parts;
    const { isSameCredential = Object.is } = mechanism;
    if (store.state.signedIn !== current) return true;
    if (stored && isSameCredential(stored.credential, current.credential)) return false;
    this.#tabs.adoptStored(stored);
    return true;
  }

  /** No credential can be had: a refusal ends the session, anything else means “not now”. */
  fail(epochSignal: AbortSignal, error: unknown): never {
    if (!epochSignal.aborted && error instanceof SessionExpiredError) this.#tabs.endSession('expired');
    epochSignal.throwIfAborted();
    throw new RefreshUnavailableError(error);
  }
}
