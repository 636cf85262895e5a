import { IdentityChangedError } from '../errors.js';
import type { SessionModules } from './modules.js';
import { listenToPage } from './pageEvents.js';
import { uncheckedStatus, type SessionParts } from './parts.js';
import { onTabMessage } from './tabMessage.js';

/** When a session listens to the page and to other tabs, and when it forgets what it knows. */
export class Lifecycle<Credential, User> {
  readonly #parts: SessionParts<Credential, User>;
  readonly #modules: SessionModules<Credential, User>;
  #stopListeningToPage: (() => void) | undefined;

  constructor(parts: SessionParts<Credential, User>, modules: SessionModules<Credential, User>) {
    this.#parts = parts;
    this.#modules = modules;
  }

  subscribe(listener: () => void): () => void {
    const { store } = this.#parts;
    const unsubscribe = store.subscribe(listener);
    if (store.listenerCount === 1) this.#onSubscribe();
    void this.#modules.restore.ensureRestored();
    return () => {
      unsubscribe();
      if (store.listenerCount === 0) this.#onUnsubscribe();
    };
  }

  dispose(): void {
    this.#onUnsubscribe();
    this.#forget(new IdentityChangedError('The session was disposed of, so this request was called off.'));
  }

  /** Aborts everything under way and forgets who is signed in. Storage stays as it is. */
  #forget(because: Error): void {
    const { mechanism, store } = this.#parts;
    this.#modules.restore.cancel();
    this.#modules.authCalls.dispose(because);
    store.dispatch({ type: 'reset', status: uncheckedStatus(mechanism), because });
  }

  /** The page was frozen or prerendered, and another page may have changed who is signed in: forgets, and checks again. */
  readonly #startOver = (): void => {
    const { mechanism, store } = this.#parts;
    this.#forget(new IdentityChangedError());
    const signedIn = mechanism.readIdentity?.();
    if (signedIn) store.dispatch({ type: 'signed-in', signedIn });
    void this.#modules.restore.ensureRestored();
  };

  /** The first subscriber is here. What other tabs did before is in the storage that they share. */
  #onSubscribe(): void {
    const { mechanism, store } = this.#parts;
    const { recheck, tabs, refreshAhead } = this.#modules;
    const onFocus = mechanism.browserManaged ? () => recheck.onFocus() : undefined;
    this.#stopListeningToPage = listenToPage({
      onShownAgain: this.#startOver,
      onFocus,
      onBlur: () => recheck.onBlur(),
    });
    // Requests may have been sent before, while nothing here heard of other pages.
    onFocus?.();
    const onMessage = (subject: string | null) => onTabMessage(this.#parts, this.#modules, subject);
    tabs.listen(onMessage);
    const { signedIn } = store.state;
    if (signedIn && tabs.isListening) onMessage(signedIn.subject ?? null);
    refreshAhead.start();
  }

  /** The last subscriber is gone. From now on, nothing here hears of what other pages do. */
  #onUnsubscribe(): void {
    const { restore, tabs, refreshAhead } = this.#modules;
    this.#stopListeningToPage?.();
    restore.markStale();
    tabs.stopListening();
    refreshAhead.stop();
  }
}
