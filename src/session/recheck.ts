import type { SessionModules } from './modules.js';
import type { SessionParts } from './parts.js';

/** A focused page checks at most once in this time, in milliseconds. */
const FOCUS_INTERVAL_MS = 5_000;
/** A page that sent nothing for this long checks before its next request, in milliseconds. */
const IDLE_MS = 5 * 60_000;

/**
 * When a session whose credential the browser keeps checks again who is signed in. A page that is not the app, such as the
 * server's own admin pages, may have replaced the cookie without a message to this one.
 */
export class Recheck<Credential, User> {
  readonly #parts: SessionParts<Credential, User>;
  readonly #modules: Pick<SessionModules<Credential, User>, 'restore'>;
  #requestedAt: number;
  #isAway = false;

  constructor(parts: SessionParts<Credential, User>, modules: Pick<SessionModules<Credential, User>, 'restore'>) {
    this.#parts = parts;
    this.#modules = modules;
    this.#requestedAt = parts.clock.now();
  }

  /** The user comes back to the page. */
  onFocus(): void {
    this.#isAway = false;
    if (this.#parts.clock.now() - this.#modules.restore.checkedAt < FOCUS_INTERVAL_MS) return;
    this.#modules.restore.markStale();
    void this.#modules.restore.ensureRestored();
  }

  /** The user leaves the page. */
  onBlur(): void {
    this.#isAway = true;
  }

  /** A caller starts a request, perhaps in a `focus` listener that was added before the session's. */
  onRequest(): void {
    if (this.#isAway && globalThis.document?.hasFocus?.()) this.onFocus();
    const now = this.#parts.clock.now();
    if (now - this.#requestedAt > IDLE_MS && now - this.#modules.restore.checkedAt > IDLE_MS)
      this.#modules.restore.markStale();
    this.#requestedAt = now;
  }
}
