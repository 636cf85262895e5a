import { notifyListeners } from '../../notifyListeners.js';
import { elapsedSince } from '../elapsedSince.js';
import type { SessionModules } from '../modules.js';
import type { SessionParts } from '../parts.js';

/**
 * The shortest time between the starts of two refreshes ahead of expiry, in milliseconds. If the clocks of page and server differ, a new
 * credential may be due at once.
 */
const INTERVAL_MS = 30_000;

type Modules<Credential, User> = Pick<SessionModules<Credential, User>, 'refresh'>;

/**
 * Refreshes a credential at its `refreshAt`, before it expires. A request starts the refresh and does not wait for it.
 * With `refreshProactively`, a timer starts it too, as long as the session has subscribers.
 */
export class RefreshAhead<Credential, User> {
  readonly #parts: SessionParts<Credential, User>;
  readonly #modules: Modules<Credential, User>;
  #isRunning = false;
  #cancelTimer = () => {};
  #startedAt = -Infinity;

  constructor(parts: SessionParts<Credential, User>, modules: Modules<Credential, User>) {
    this.#parts = parts;
    this.#modules = modules;
    parts.store.subscribeToCredential(() => this.#schedule());
  }

  start(): void {
    this.#isRunning = true;
    this.#schedule();
  }

  stop(): void {
    this.#isRunning = false;
    this.#cancelTimer();
  }

  /**
   * Starts a refresh that is due. Returns `'expired'` if the credential must be refreshed before the request is sent.
   */
  startIfDue(): 'valid' | 'expired' {
    if (this.#dueAt > this.#parts.clock.now()) return 'valid';
    if (!this.isUnexpired) return 'expired';
    if (this.#waitMs <= 0) this.#start();
    return 'valid';
  }

  /** True if the current credential is known to be valid still: it may be sent although its refresh is due, or has failed. */
  get isUnexpired(): boolean {
    const { mechanism, clock, store } = this.#parts;
    const { signedIn } = store.state;
    return ((signedIn && mechanism.expiresAt?.(signedIn.credential)) ?? 0) > clock.now();
  }

  /**
   * The time for the refresh of the current credential, in milliseconds since 1970. `Infinity` when it is not known.
   */
  get #dueAt(): number {
    const { mechanism, store } = this.#parts;
    const { signedIn } = store.state;
    return (signedIn && mechanism.refreshAt?.(signedIn.credential)) ?? Infinity;
  }

  /** How long the next one must wait because of the last one, in milliseconds. */
  get #waitMs(): number {
    return INTERVAL_MS - elapsedSince(this.#startedAt, this.#parts.clock);
  }

  #start(): void {
    const { clock, store, beforeSending } = this.#parts;
    const { epochSignal } = store;
    notifyListeners(beforeSending);
    if (epochSignal.aborted) return;
    this.#startedAt = clock.now();
    this.#modules.refresh.refreshAhead().catch(() => epochSignal.aborted || this.#schedule());
  }

  #schedule(): void {
    const { mechanism, clock } = this.#parts;
    this.#cancelTimer();
    if (!mechanism.refreshProactively || !this.#isRunning || this.#dueAt === Infinity) return;
    const delayMs = Math.max(this.#dueAt - clock.now(), this.#waitMs);
    this.#cancelTimer = clock.setTimeout(() => this.#start(), delayMs, true);
  }
}
