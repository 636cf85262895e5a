import type { SessionParts } from './parts.js';
import type { SignedIn, SignOutReason } from './types.js';

/** What the tabs of a browser share of one session: the stored sign-in, messages, and a lock. */
export class TabSync<Credential, User> {
  readonly #parts: SessionParts<Credential, User>;
  #stopListening: (() => void) | undefined;

  constructor(parts: SessionParts<Credential, User>) {
    this.#parts = parts;
  }

  get isListening(): boolean {
    return this.#stopListening !== undefined;
  }

  listen(onMessage: (subject: string | null) => void): void {
    this.#stopListening ??= this.#parts.mechanism.tabs?.listen(onMessage);
  }

  stopListening(): void {
    this.#stopListening?.();
    this.#stopListening = undefined;
  }

  /** Stores what happened here, then tells the other tabs. */
  async persistAndBroadcast(signedIn: SignedIn<Credential, User> | undefined): Promise<void> {
    const { save, tabs } = this.#parts.mechanism;
    if (save) await save(signedIn);
    tabs?.post(signedIn?.subject ?? null);
  }

  /** Takes over what another tab has stored, without storing or posting it again. The same user stays the same object. */
  adoptStored(stored: SignedIn<Credential, User> | undefined): void {
    const { mechanism, store } = this.#parts;
    const { isSameCredential = Object.is } = mechanism;
    const current = store.state.signedIn;
    if (!stored) store.dispatch({ type: 'signed-out', reason: 'elsewhere' });
    else if (!current || stored.subject !== current.subject) store.dispatch({ type: 'signed-in', signedIn: stored });
    else if (!isSameCredential(stored.credential, current.credential)) {
      store.dispatch({ type: 'credential-replaced', signedIn: { ...stored, user: current.user } });
    }
  }

  /** Signs out here, in the storage and in the other tabs. */
  endSession(reason: SignOutReason): void {
    void this.persistAndBroadcast(undefined);
    this.#parts.store.dispatch({ type: 'signed-out', reason });
  }

  /**
   * Runs what one tab at a time may do.
   *
   * @param run Its signal is aborted once the lock is given back, so that a late run stops.
   */
  async withTabLock<T>(run: (lockEnd: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
    const { mechanism, withDeadline } = this.#parts;
    const lock = new AbortController();
    const act = () => withDeadline(run(lock.signal), signal);
    try {
      return await (mechanism.tabs?.withLock ? withDeadline(mechanism.tabs.withLock(act, lock.signal), signal) : act());
    } finally {
      lock.abort();
    }
  }
}
