import { notifyListeners } from '../../notifyListeners.js';
import { elapsedSince } from '../elapsedSince.js';
import type { SessionModules } from '../modules.js';
import type { SessionParts } from '../parts.js';

/** The shortest time between two checks because of a focus, in milliseconds. */
const FOCUS_INTERVAL_MS = 5_000;
/** A page that has sent nothing for this time checks before its next request, in milliseconds. */
const IDLE_MS = 5 * 60_000;

type Modules<Credential, User> = Pick<SessionModules<Credential, User>, 'restore'>;

/**
 * Decides when a session with a cookie checks again who is signed in. A page that is not the app, such as the server's
 * own admin pages, may have replaced the cookie without a message to this page.
 */
export class Recheck<Credential, User> {
  readonly #parts: SessionParts<Credential, User>;
  readonly #modules: Modules<Credential, User>;
  #requestedAt: number;
  #isAway = false;

  constructor(parts: SessionParts<Credential, User>, modules: Modules<Credential, User>) {
    this.#parts = parts;
    this.#modules = modules;
    this.#requestedAt = parts.clock.now();
  }

  onFocus(): void {
    this.#isAway = false;
    const { beforeSending, store, clock } = this.#parts;
    const { epochSignal } = store;
    notifyListeners(beforeSending);
    if (epochSignal.aborted || elapsedSince(this.#modules.restore.existing.checkedAt, clock) < FOCUS_INTERVAL_MS)
      return;
    this.#modules.restore.due.mark('stale');
    void this.#modules.restore.ensureRestored();
  }

  onBlur(): void {
    this.#isAway = true;
  }

  /** Call when a request starts. That may be in a `focus` listener that was added before the session's. */
  onRequest(): void {
    if (this.#isAway && globalThis.document?.hasFocus?.()) this.onFocus();
    const { clock } = this.#parts;
    const isLongAgo = (time: number) => elapsedSince(time, clock) > IDLE_MS;
    if (isLongAgo(this.#requestedAt) && isLongAgo(this.#modules.restore.existing.checkedAt))
      this.#modules.restore.due.mark('stale');
    this.#requestedAt = clock.now();
  }

  /**
   * Call when the browser's credential has changed. A response to this page may have changed it, or another page did, perhaps by signing in
   * another user. While something is on the wire, only a check can tell. Where one has found the same user, the server is one that changes
   * the cookie with its responses.
   */
  onReplaced(credential: Credential): void {
    const { restore } = this.#modules;
    const { mechanism, onWire } = this.#parts;
    if (!mechanism.browserManaged || (onWire.isBusy && restore.lastCheck.isChangedByResponses)) return;
    restore.markReplaced(credential, onWire.isBusy ? 'changed-on-the-wire' : 'stale');
  }

  /**
   * Call after a refusal or a refresh: the browser's cookie may be another user's by now, and nothing else would show it. No effect if the
   * last check was made with this credential.
   */
  requireCheck(reason: 'refused' | 'stale'): void {
    const { mechanism, store } = this.#parts;
    const { restore } = this.#modules;
    const credential = store.getCredential();
    if (!mechanism.browserManaged || credential === undefined || restore.lastCheck.isWith(credential)) return;
    restore.markReplaced(credential, reason);
  }
}
