import { RefreshUnavailableError, SessionExpiredError } from '../../errors.js';
import type { SessionModules } from '../modules.js';
import type { SessionParts } from '../parts.js';
import { RefreshUnderLock } from './refreshUnderLock.js';
import { RetryPause } from '../requests/retryAfter.js';
import { hasSameCredential, type SignedIn } from '../signedIn.js';

/** How long a failed refresh stands for the next ones, in milliseconds: a later request may find the server up again. */
const SHARED_FAILURE_MS = 2_000;

type Modules<Credential, User> = Pick<SessionModules<Credential, User>, 'tabs' | 'authCalls' | 'recheck'>;

interface RefreshUnderWay {
  readonly promise: Promise<void>;
  /** Aborted when the epoch ends, or when a cookie login does not wait for the refresh. */
  readonly signal: AbortSignal;
  /** The promise that requests wait for: the refresh, limited by the timeout. Undefined while no request waits. */
  wait: Promise<void> | undefined;
  /** True if new requests wait for this refresh. They do not wait for a refresh ahead of expiry. */
  isAwaited: boolean;
  readonly superseded: AbortController;
  /** False after the next sign-in of the same user, and while the session is locked. */
  readonly isCurrent: () => boolean;
}

/** One refresh at a time for each credential, shared by later callers. A refresh may hang, so a new sign-in or a lock releases its callers. */
export class Refresh<Credential, User> {
  readonly #parts: SessionParts<Credential, User>;
  readonly #modules: Modules<Credential, User>;
  readonly #pause: RetryPause;
  #latest: RefreshUnderWay | undefined;
  readonly #counts = { succeeded: 0, failed: 0 };
  /** How many refreshes of this tab have ended. */
  readonly counts: Readonly<{ succeeded: number; failed: number }> = this.#counts;

  constructor(parts: SessionParts<Credential, User>, modules: Modules<Credential, User>) {
    this.#parts = parts;
    this.#modules = modules;
    this.#pause = new RetryPause(parts.clock);
    parts.store.subscribeToCredential(() => this.#releaseIfReplaced());
  }

  get isUnderWay(): boolean {
    return this.#latest !== undefined && !this.#latest.signal.aborted;
  }

  /** Resolves when no refresh is under way, also after one that has failed. Starts none. */
  async settled(): Promise<void> {
    while (this.isUnderWay) await this.#latest!.promise.catch(() => {});
  }

  get isAwaited(): boolean {
    return this.isUnderWay && this.#latest!.isAwaited;
  }

  /**
   * Gets fresh credentials for the same user. Each caller waits until the timeout. The refresh itself continues,
   * because a refresh token may be valid only once. Resolves when the refusal locks the session. Sends nothing before the time that a `Retry-After` named.
   *
   * @param knownFailures `counts.failed` when the refused request was sent. If a refresh has failed since then, and a moment ago, the request
   * shares this failure. @default the failures so far: the caller shares none
   * @throws SessionExpiredError when the server refuses, RefreshUnavailableError when it cannot be reached in time, the reason
   * of the epoch's end when the identity changed, TypeError when the mechanism has no `refresh`.
   */
  refresh(knownFailures = this.counts.failed): Promise<void> {
    const isShared = !this.isUnderWay && knownFailures < this.counts.failed;
    const failure = this.#paused ?? (isShared ? this.#pause.errorWithin(SHARED_FAILURE_MS) : undefined);
    if (failure) return Promise.reject(failure);
    const joined = this.#join();
    joined.isAwaited = true;
    joined.wait ??= this.#parts
      .withDeadline(joined.promise, joined.signal)
      .catch((error: unknown) => {
        throw (error as Error).name === 'TimeoutError' ? new RefreshUnavailableError(error) : error;
      })
      .finally(() => (joined.wait = undefined));
    return joined.wait;
  }

  /** Refreshes ahead of expiry: requests do not wait for it. Has no timeout. */
  refreshAhead(): Promise<void> {
    return this.#paused ? Promise.reject(this.#paused) : this.#join().promise;
  }

  /** The error of a refresh that may not be sent now. A refresh under way may still be joined. */
  get #paused(): Error | undefined {
    return this.isUnderWay ? undefined : this.#pause.error;
  }

  #join(): RefreshUnderWay {
    return this.isUnderWay ? this.#latest! : (this.#latest = this.#start(this.#parts.store.wireSignal));
  }

  #start(signal: AbortSignal): RefreshUnderWay {
    const { mechanism, store } = this.#parts;
    const current = store.state.signedIn;
    if (!current || !mechanism.refresh)
      throw new TypeError('This session cannot refresh its credential: give it a `refresh` option.');
    const superseded = new AbortController();
    const promise = new Promise<void>((resolve, reject) => {
      superseded.signal.onabort = () => resolve();
      this.#run(current, signal, superseded.signal).then(resolve, reject);
    });
    const logins = () => this.#modules.authCalls.signIn.logins;
    const loginsBefore = logins();
    // Not by the credential alone: an SDK gives another token for the same sign-in, too.
    const isCurrent = ({ signedIn } = store.state) =>
      signedIn !== undefined && signedIn.signInId === current.signInId && logins() === loginsBefore;
    const started = { promise, signal, wait: undefined, isAwaited: false, superseded, isCurrent };
    const forget = () => void (this.#latest === started && (this.#latest = undefined));
    // When all callers have stopped waiting, no one handles its rejection.
    promise.then(forget, forget);
    return started;
  }

  #releaseIfReplaced(): void {
    if (!this.isUnderWay || this.#latest!.isCurrent()) return;
    this.#latest!.superseded.abort();
    this.#latest = undefined;
  }

  async #run(current: SignedIn<Credential, User>, signal: AbortSignal, superseded: AbortSignal): Promise<void> {
    const { mechanism, store } = this.#parts;
    try {
      const refresh = new RefreshUnderLock(this.#parts, this.#modules, { current, signal, superseded });
      if ((await refresh.run()) === 'refreshed') this.#counts.succeeded++;
    } catch (error) {
      if (superseded.aborted) return;
      this.#pause.start(error, new RefreshUnavailableError(error), signal);
      // A newer sign-in or sign-out wins over this failure.
      if (!signal.aborted && !hasSameCredential(mechanism, store.state.signedIn, current)) return;
      this.#counts.failed++;
      this.fail(signal, error);
    }
  }

  /**
   * Handles a failure to get a credential: if it is refused, ends the session; otherwise it is unavailable. Returns if
   * the session is locked: the request then waits for the user.
   *
   * @throws the reason of the epoch's end, RefreshUnavailableError.
   */
  fail(signal: AbortSignal, error: unknown): void {
    if (!signal.aborted && error instanceof SessionExpiredError) void this.#modules.tabs.endSignIn('expired');
    signal.throwIfAborted();
    if (this.#parts.store.isLocked) return;
    throw error instanceof RefreshUnavailableError ? error : new RefreshUnavailableError(error);
  }
}
