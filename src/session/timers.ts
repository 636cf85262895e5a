import { DEFAULT_TIMEOUT_MS } from './deadline.js';
import type { SessionParts } from './parts.js';
import type { Refresh } from './refresh.js';

/** Refreshes a credential when it is due, even while nothing is sent. Runs as long as the session has subscribers. */
export class ProactiveRefresh<Credential, User> {
  readonly #parts: SessionParts<Credential, User>;
  readonly #refresh: Refresh<Credential, User>;
  #isRunning = false;
  #cancelTimer = () => {};

  constructor(parts: SessionParts<Credential, User>, refresh: Refresh<Credential, User>) {
    this.#parts = parts;
    this.#refresh = refresh;
    if (parts.mechanism.refreshProactively) parts.store.subscribeToCredential(() => this.#schedule());
  }

  start(): void {
    this.#isRunning = true;
    this.#schedule();
  }

  stop(): void {
    this.#isRunning = false;
    this.#cancelTimer();
  }

  /** @param delayMs How long to wait at least: after a failure, for the issuer to come back. */
  #schedule(delayMs = 0): void {
    const { mechanism, clock, store } = this.#parts;
    this.#cancelTimer();
    const dueAt = refreshAt(this.#parts);
    if (!mechanism.refreshProactively || !this.#isRunning || dueAt === Infinity) return;
    const { epochSignal } = store;
    this.#cancelTimer = clock.setTimeout(
      () => {
        this.#refresh.refresh().catch(() => epochSignal.aborted || this.#schedule(mechanism.timeoutMs ?? DEFAULT_TIMEOUT_MS));
      },
      Math.max(dueAt - clock.now(), delayMs),
    );
  }
}

/** When the current credential should be refreshed, in milliseconds since 1970. `Infinity` when that is not known. */
export function refreshAt<Credential, User>({ mechanism, store }: SessionParts<Credential, User>): number {
  const { signedIn } = store.state;
  return (signedIn && mechanism.refreshAt?.(signedIn.credential)) ?? Infinity;
}
