import { systemClock, type Clock } from '../clock.js';
import { IdentityChangedError } from '../errors.js';
import { AuthCalls } from './authCalls.js';
import { registerCore, type SessionCore } from './core.js';
import { CurrentCredential } from './currentCredential.js';
import { createWithDeadline, DEFAULT_TIMEOUT_MS } from './deadline.js';
import { listenToPage } from './pageEvents.js';
import type { SessionParts } from './parts.js';
import { Recheck } from './recheck.js';
import { Refresh } from './refresh.js';
import { RequestsOnWire } from './requestsOnWire.js';
import { canRestore, Restore } from './restore.js';
import { runAsAuthCall, type AuthCall, type ObservableSession } from './runAsAuthCall.js';
import { RequestSender } from './sendRequest.js';
import { sharedSignInError } from './sharedOnServer.js';
import { initialState } from './state.js';
import { SessionStore } from './store.js';
import { TabSync } from './tabs.js';
import { RefreshAhead } from './timers.js';
import { parseOrigins } from './trustedOrigins.js';
import type { Mechanism, SignedIn } from './types.js';
import { Wire } from './wire.js';
import { withoutEvents } from './withoutEvents.js';

export interface SessionOptions<Credential, User> {
  /** Who is signed in from the start, where that is known without a check. @default unknown */
  readonly initial?: SignedIn<Credential, User> | undefined;
  /**
   * True for a session that serves one request on a server, and is made inside its handler. Without it, a sign-in on a server
   * rejects: a session of a module would be shared by all visitors. @default false
   */
  readonly server?: boolean | undefined;
  /** The time and its timers, for tests. @default the computer's */
  readonly clock?: Clock | undefined;
}

let sessions = 0;

/** A refresh is called off when the identity ends that it is for. */
function withSignal(init: RequestInit, signal: AbortSignal): RequestInit {
  return { ...init, signal: init.signal ? AbortSignal.any([init.signal, signal]) : signal };
}

/** The modules of one session. Each of them says what it does; here they only meet. */
class SessionModules<Credential, User> {
  readonly store: SessionStore<Credential, User>;
  readonly tabs: TabSync<Credential, User>;
  readonly restore: Restore<Credential, User>;
  readonly authCalls: AuthCalls<Credential, User>;
  readonly refresh: Refresh<Credential, User>;
  readonly refreshAhead: RefreshAhead<Credential, User>;
  readonly recheck: Recheck<Credential, User>;
  readonly sender: RequestSender<Credential, User>;
  #stopListeningToPage: (() => void) | undefined;

  constructor(
    readonly mechanism: Mechanism<Credential, User>,
    { clock = systemClock, initial }: SessionOptions<Credential, User>,
    session: () => ObservableSession,
  ) {
    this.store = new SessionStore(initialState(this.uncheckedStatus(), initial));
    const trustedOrigins = parseOrigins(mechanism.trustedOrigins);
    const onWire = new RequestsOnWire();
    const parts: SessionParts<Credential, User> = {
      mechanism,
      trustedOrigins,
      store: this.store,
      clock,
      withDeadline: createWithDeadline(clock, mechanism.timeoutMs ?? DEFAULT_TIMEOUT_MS),
      runAuthCall: (name, credential, call) => {
        const { epochSignal } = this.store;
        // A login needs no credential, and must not send another user's. Only a logout has to say whose session it ends.
        const attachCredential: AuthCall['attachCredential'] = request =>
          name === 'logout' ? mechanism.attachCredential(request, credential) : name === 'refresh' ? withSignal(request.init, epochSignal) : request.init;
        const answer = runAsAuthCall({ name, session: session(), trustedOrigins, attachCredential }, call);
        if (mechanism.browserManaged && (name === 'restore' || name === 'refresh')) onWire.addAuthCall(Promise.resolve(answer));
        return answer;
      },
    };
    this.tabs = new TabSync(parts);
    this.restore = new Restore(parts, this.tabs, () => this.authCalls);
    this.authCalls = new AuthCalls(parts, { tabs: this.tabs, restore: this.restore, onWire });
    this.recheck = new Recheck(parts, this.restore);
    this.refresh = new Refresh(parts, this.tabs);
    this.refreshAhead = new RefreshAhead(parts, this.refresh);
    const { restore, recheck, refresh, refreshAhead, authCalls } = this;
    const credential = new CurrentCredential(parts, { refresh, restore, onWire });
    const wire = new Wire(parts, { restore, authCalls, credential, onWire });
    this.sender = new RequestSender(parts, { restore, recheck, refresh, refreshAhead, authCalls, credential, wire });
  }

  /** The status before anything was checked. */
  uncheckedStatus(): 'restoring' | 'anonymous' {
    return canRestore(this.mechanism) ? 'restoring' : 'anonymous';
  }

  subscribe(listener: () => void): () => void {
    const unsubscribe = this.store.subscribe(listener);
    if (this.store.listenerCount === 1) this.#onSubscribe();
    void this.restore.ensureRestored();
    return () => {
      unsubscribe();
      if (this.store.listenerCount === 0) this.#onUnsubscribe();
    };
  }

  async refreshOrRestore(): Promise<void> {
    if (this.store.state.status === 'authenticated') return this.refresh.refresh();
    await this.restore.tryAgain();
    if (this.store.state.error) throw this.store.state.error;
  }

  dispose(): void {
    this.#onUnsubscribe();
    this.#forget(new IdentityChangedError('The session was disposed of, so this request was called off.'));
  }

  /** Aborts everything under way and forgets who is signed in. Storage stays as it is. */
  #forget(because: Error): void {
    this.restore.cancel();
    this.authCalls.dispose(because);
    this.store.dispatch({ type: 'reset', status: this.uncheckedStatus(), because });
  }

  /** The page was frozen or prerendered, and another page may have changed who is signed in: forgets, and checks again. */
  readonly #startOver = (): void => {
    this.#forget(new IdentityChangedError());
    const signedIn = this.mechanism.readIdentity?.();
    if (signedIn) this.store.dispatch({ type: 'signed-in', signedIn });
    void this.restore.ensureRestored();
  };

  /** The first subscriber is here. What other tabs did before is in the storage that they share. */
  #onSubscribe(): void {
    const onFocus = this.mechanism.browserManaged ? () => this.recheck.onFocus() : undefined;
    this.#stopListeningToPage = listenToPage({ onShownAgain: this.#startOver, onFocus, onBlur: () => this.recheck.onBlur() });
    // Requests may have been sent before, while nothing here heard of other pages.
    onFocus?.();
    this.tabs.listen(this.restore.onTabMessage);
    const { signedIn } = this.store.state;
    if (signedIn && this.tabs.isListening) this.restore.onTabMessage(signedIn.subject ?? null);
    this.refreshAhead.start();
  }

  /** The last subscriber is gone. From now on, nothing here hears of what other pages do. */
  #onUnsubscribe(): void {
    this.#stopListeningToPage?.();
    this.restore.markStale();
    this.tabs.stopListening();
    this.refreshAhead.stop();
  }
}

export function createSessionCore<Credential, User>(
  mechanism: Mechanism<Credential, User>,
  options: SessionOptions<Credential, User> = {},
): SessionCore<Credential, User> {
  const modules: SessionModules<Credential, User> = new SessionModules(mechanism, options, () => core);
  const { store, restore, authCalls, sender } = modules;
  const serverSnapshot = store.getSnapshot();
  const core: SessionCore<Credential, User> = {
    id: ++sessions,
    getSnapshot: store.getSnapshot,
    getServerSnapshot: () => serverSnapshot,
    getStoreGeneration: store.getStoreGeneration,
    getStoreGenerationSignal: store.getStoreGenerationSignal,
    getSubject: () => store.state.signedIn?.subject,
    getCredential: store.getCredential,
    subscribeToCredential: store.subscribeToCredential,
    subscribe: listener => modules.subscribe(listener),
    login(...args) {
      const error = sharedSignInError(options.server);
      return error ? Promise.reject(error) : authCalls.login(...args);
    },
    logout: (...args) => authCalls.logout(...withoutEvents(args)),
    refresh: () => modules.refreshOrRestore(),
    dispose: () => modules.dispose(),
    send: request => sender.send(request),
    adopt: signedIn => store.dispatch({ type: 'signed-in', signedIn }),
    leave(reason) {
      restore.cancel();
      store.dispatch({ type: 'signed-out', reason });
    },
    expire: () => sender.expire(),
    endSession: reason => void authCalls.endSession(reason),
    authCallsSettled: () => authCalls.settled(),
  };
  return registerCore(core);
}
