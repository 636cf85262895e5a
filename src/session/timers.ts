import type { SessionModules } from './modules.js';
import type { SessionParts } from './parts.js';

/** How long after a failed refresh ahead of expiry the next one is tried at the earliest, in milliseconds. */
const RETRY_AHEAD_MS = 30_000;

/**
 * Refreshes a credential when it is due, which is a while before it expires. Requests start that, and do not wait for it; a timer
 * does the same while nothing is sent, where the mechanism wants it and as long as the session has subscribers.
 */
export class RefreshAhead<Credential, User> {
  readonly #parts: SessionParts<Credential, User>;
  readonly #modules: Pick<SessionModules<Credential, User>, 'refresh'>;
  #isRunning = false;
  #cancelTimer = () => {};
  /** When the next attempt may start, after a failed one. */
  #retryAt = -Infinity;

  constructor(parts: SessionParts<Credential, User>, modules: Pick<SessionModules<Credential, User>, 'refresh'>) {
    this.#parts = parts;
    this.#modules = modules;
    parts.store.subscribeToCredential(() => {
      this.#retryAt = -Infinity;
      this.#schedule();
    });
  }

  start(): void {
    this.#isRunning = true;
    this.#schedule();
  }

  stop(): void {
    this.#isRunning = false;
    this.#cancelTimer();
  }

  /** Starts a refresh that is due while the credential is still good. `'expired'`: it is not, and has to be refreshed before it is sent. */
  startIfDue(): 'good' | 'expired' {
    const { mechanism, clock, store } = this.#parts;
    if (this.#dueAt > clock.now()) return 'good';
    if (!store.state.signedIn || !mechanism.isUnexpired?.(store.state.signedIn.credential)) return 'expired';
    if (this.#retryAt <= clock.now()) this.#start();
    return 'good';
  }

  /** When the current credential should be refreshed, in milliseconds since 1970. `Infinity` when that is not known. */
  get #dueAt(): number {
    const { mechanism, store } = this.#parts;
    const { signedIn } = store.state;
    return (signedIn && mechanism.refreshAt?.(signedIn.credential)) ?? Infinity;
  }

  #start(): void {
    const { clock, store } = this.#parts;
    const { epochSignal } = store;
    this.#retryAt = clock.now() + RETRY_AHEAD_MS;
    this.#modules.refresh.refreshAhead().catch(() => epochSignal.aborted || this.#schedule());
  }

  #schedule(): void {
    const { mechanism, clock } = this.#parts;
    this.#cancelTimer();
    if (!mechanism.refreshProactively || !this.#isRunning || this.#dueAt === Infinity) return;
    this.#cancelTimer = clock.setTimeout(() => this.#start(), Math.max(this.#dueAt, this.#retryAt) - clock.now());
  }
}
