import { RefreshUnavailableError, SessionExpiredError } from '../errors.js';
import type { SessionModules } from './modules.js';
import type { SessionParts } from './parts.js';
import { RefreshUnderLock } from './refreshUnderLock.js';
import { RetryPause } from './retryAfter.js';

interface RefreshUnderWay {
  readonly promise: Promise<void>;
  readonly epochSignal: AbortSignal;
  /** What requests wait for: the same until the timeout. Undefined while no request waits, as for a refresh ahead of expiry. */
  wait: Promise<void> | undefined;
  /** Whether requests that start now wait for it. They do not wait for one ahead of expiry. */
  isAwaited: boolean;
}

/** One refresh at a time for each epoch. Later callers share the one under way. */
export class Refresh<Credential, User> {
  readonly #parts: SessionParts<Credential, User>;
  readonly #modules: Pick<SessionModules<Credential, User>, 'tabs' | 'authCalls'>;
  readonly #pause: RetryPause;
  #latest: RefreshUnderWay | undefined;

  constructor(
    parts: SessionParts<Credential, User>,
    modules: Pick<SessionModules<Credential, User>, 'tabs' | 'authCalls'>,
  ) {
    this.#parts = parts;
    this.#modules = modules;
    this.#pause = new RetryPause(parts.clock);
  }

  get isUnderWay(): boolean {
    return this.#latest !== undefined && !this.#latest.epochSignal.aborted;
  }

  /** Whether a refresh is under way that requests wait for. */
  get isAwaited(): boolean {
    return this.isUnderWay && this.#latest!.isAwaited;
  }

  /**
   * Gets fresh credentials for the same user. Each caller waits until the timeout; the refresh itself goes on, for a refresh token
   * may be good once only. Sends nothing before the time that a `Retry-After` named.
   *
   * @throws SessionExpiredError when the server refuses, RefreshUnavailableError when it cannot be reached in time, the reason
   * of the epoch's end when the identity changed, TypeError when the mechanism has no `refresh`.
   */
  refresh(): Promise<void> {
    if (this.#paused) return Promise.reject(this.#paused);
    const joined = this.#join();
    joined.isAwaited = true;
    joined.wait ??= this.#parts
      .withDeadline(joined.promise, joined.epochSignal)
      .catch((error: unknown) => {
        throw (error as Error | null)?.name === 'TimeoutError' ? new RefreshUnavailableError(error) : error;
      })
      .finally(() => (joined.wait = undefined));
    return joined.wait;
  }

  /** The same ahead of expiry: requests do not wait for it. Resolves when it is done, however long that takes. */
  refreshAhead(): Promise<void> {
    return this.#paused ? Promise.reject(this.#paused) : this.#join().promise;
  }

  /** Why no refresh may be sent now. One that is under way may be joined. */
  get #paused(): Error | undefined {
    return this.isUnderWay ? undefined : this.#pause.error;
  }

  #join(): RefreshUnderWay {
    const joined = this.isUnderWay ? this.#latest! : this.#start(this.#parts.store.epochSignal);
    this.#latest = joined;
    return joined;
  }

  #start(epochSignal: AbortSignal): RefreshUnderWay {
    const promise = this.#run(epochSignal).finally(() => {
      if (this.#latest === started) this.#latest = undefined;
    });
    const started: RefreshUnderWay = { promise, epochSignal, wait: undefined, isAwaited: false };
    // Its callers may have stopped waiting.
    promise.catch(() => {});
    return started;
  }

  async #run(epochSignal: AbortSignal): Promise<void> {
    const { mechanism, store } = this.#parts;
    const current = store.state.signedIn;
    if (!current || !mechanism.refresh)
      throw new TypeError('This session cannot refresh its credential: give it a `refresh` option.');
    try {
      await new Promise<void>((resolve, reject) => {
        const refresh = new RefreshUnderLock(this.#parts, this.#modules, { current, epochSignal, onReplaced: resolve });
        this.#modules.tabs.withTabLock(extendLock => refresh.run(extendLock), epochSignal).then(resolve, reject);
      });
    } catch (error) {
      this.#pause.start(error, new RefreshUnavailableError(error), epochSignal);
      // A newer sign-in or sign-out wins over this failure.
      if (epochSignal.aborted || store.state.signedIn === current) this.fail(epochSignal, error);
    }
  }

  /** No credential can be had: a refusal ends the session, anything else means “not now”. */
  fail(epochSignal: AbortSignal, error: unknown): never {
    if (!epochSignal.aborted && error instanceof SessionExpiredError) void this.#modules.tabs.endSession('expired');
    epochSignal.throwIfAborted();
    throw new RefreshUnavailableError(error);
  }
}
