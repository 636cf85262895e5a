import { DEFAULT_TIMEOUT_MS } from '../clock.js';
import { IdentityChangedError } from '../errors.js';
import { notifyListeners } from '../notifyListeners.js';
import type { SessionModules } from './modules.js';
import { listenToPage } from './pageEvents.js';
import { uncheckedStatus, type SessionParts } from './parts.js';
import type { TabReason } from './persistence.js';
import type { SessionState } from './state.js';
import { adoptMissedChange, onTabMessage } from './tabs/tabMessage.js';

/** Starts and stops listening to the page and to other tabs, and forgets the state when the session starts over. */
export class Lifecycle<Credential, User> {
  readonly #parts: SessionParts<Credential, User>;
  readonly #modules: SessionModules<Credential, User>;
  readonly #subscriptions = new Set<() => void>();
  #stopListeningToPage: (() => void) | undefined;
  /** The state when the browser froze the page. Undefined: it is not frozen. */
  #frozen: SessionState<Credential, User> | undefined;

  constructor(parts: SessionParts<Credential, User>, modules: SessionModules<Credential, User>) {
    this.#parts = parts;
    this.#modules = modules;
  }

  subscribe(listener: () => void): () => void {
    const unsubscribe = this.#parts.store.subscribe(listener);
    this.#subscriptions.add(unsubscribe);
    if (this.#subscriptions.size === 1) this.#onSubscribe();
    void this.#modules.restore.ensureRestored();
    return () => {
      unsubscribe();
      if (this.#subscriptions.delete(unsubscribe) && this.#subscriptions.size === 0) this.#onUnsubscribe();
    };
  }

  dispose(): void {
    this.#onUnsubscribe();
    this.#forget(new IdentityChangedError('The session was disposed of, so this request was aborted.'));
  }

  /** Aborts everything under way and forgets who is signed in. Does not change the storage. */
  #forget(because: Error): void {
    const { mechanism, store } = this.#parts;
    this.#modules.restore.cancel();
    this.#modules.authCalls.dispose(because);
    store.dispatch({ type: 'reset', status: uncheckedStatus(mechanism), because });
  }

  /**
   * The page was frozen or prerendered, and another page may have signed in or out: forgets the state, and checks
   * again.
   *
   * It keeps a sign-out that is newer than the freeze, and one that the server has not confirmed: a check would find the cookie of the
   * user, and sign them in again. A check is due when the server has confirmed it.
   */
  readonly #startOver = (): void => {
    const { mechanism, store, beforeSending } = this.#parts;
    const { credentialVersion: before } = this.#frozen ?? store.state;
    this.#frozen = undefined;
    // The session's clock may have ended it in the same event. If its listener comes after this one, it does so now.
    notifyListeners(beforeSending);
    const { reason, credentialVersion, unconfirmed } = store.state;
    const hasJustEnded = reason !== undefined && credentialVersion !== before;
    if (hasJustEnded || unconfirmed === 'logout') {
      // A check that was sent before the freeze may have found a cookie that is gone.
      this.#modules.restore.cancel();
      this.#modules.restore.due.mark('shown-again');
      return adoptMissedChange(this.#parts, this.#modules);
    }
    this.#forget(new IdentityChangedError());
    const signedIn = mechanism.readIdentity?.();
    if (signedIn) store.dispatch({ type: 'signed-in', signedIn });
    void this.#modules.restore.ensureRestored();
  };

  /** Called with the first subscriber. */
  #onSubscribe(): void {
    const { browserManaged, timeoutMs = DEFAULT_TIMEOUT_MS } = this.#parts.mechanism;
    const { authCalls, recheck, restore, tabs, refreshAhead } = this.#modules;
    const onFocus = browserManaged ? () => recheck.onFocus() : undefined;
    this.#stopListeningToPage = listenToPage({
      onFrozen: () => (this.#frozen = this.#parts.store.state),
      onShownAgain: this.#startOver,
      onFocus,
      onBlur: () => recheck.onBlur(),
    });
    // The session did not listen before, so it may have missed a change by another page.
    onFocus?.();
    const onMessage = (subject: string | null, reason?: TabReason) => {
      if (reason === 'unconfirmed') authCalls.expectLogoutElsewhere();
      if (subject !== null && reason === undefined) {
        authCalls.forgetIfReplaced();
        restore.due.release();
      } else if (browserManaged && reason === undefined) {
        // The logout of that tab may still be under way.
        restore.due.hold(Math.min(timeoutMs, DEFAULT_TIMEOUT_MS), () => void restore.ensureRestored());
      }
      onTabMessage(this.#parts, this.#modules, subject, reason);
      if (reason === undefined) restore.due.onChangeElsewhere();
    };
    tabs.listen(onMessage);
    // For the same reason, reads the storage that the tabs share. A check under way may have read it too early.
    const adopt = () => adoptMissedChange(this.#parts, this.#modules);
    if (restore.isUnderWay) void restore.ensureRestored().then(adopt);
    else adopt();
    refreshAhead.start();
  }

  /** Called without the last subscriber. The session stops listening, so it may miss a change by another page. */
  #onUnsubscribe(): void {
    const { restore, tabs, refreshAhead } = this.#modules;
    this.#stopListeningToPage?.();
    restore.due.mark('stale');
    restore.due.release();
    tabs.stopListening();
    refreshAhead.stop();
  }
}
