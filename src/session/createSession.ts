import { systemClock, type Clock } from '../clock.js';
import { IdentityChangedError } from '../errors.js';
import { AuthCalls } from './authCalls.js';
import { registerCore, type SessionCore } from './core.js';
import { CurrentCredential } from './currentCredential.js';
import { createWithDeadline, DEFAULT_TIMEOUT_MS } from './deadline.js';
import type { SessionParts } from './parts.js';
import { Refresh } from './refresh.js';
import { canRestore, Restore } from './restore.js';
import { runAsAuthCall, type AuthCall, type ObservableSession } from './runAsAuthCall.js';
import { RequestSender } from './sendRequest.js';
import { initialState } from './state.js';
import { SessionStore } from './store.js';
import { TabSync } from './tabs.js';
import { ProactiveRefresh } from './timers.js';
import type { Mechanism, SignedIn } from './types.js';

export interface SessionOptions<Credential, User> {
  /** Who is signed in from the start, where that is known without a check. @default unknown */
  readonly initial?: SignedIn<Credential, User> | undefined;
  /** The time and its timers, for tests. @default the computer's */
  readonly clock?: Clock | undefined;
}

let sessions = 0;

/** The modules of one session. Each of them says what it does; here they only meet. */
class SessionModules<Credential, User> {
  readonly store: SessionStore<Credential, User>;
  readonly tabs: TabSync<Credential, User>;
  readonly restore: Restore<Credential, User>;
  readonly authCalls: AuthCalls<Credential, User>;
  readonly refresh: Refresh<Credential, User>;
  readonly proactiveRefresh: ProactiveRefresh<Credential, User>;
  readonly sender: RequestSender<Credential, User>;

  constructor(
    readonly mechanism: Mechanism<Credential, User>,
    { clock = systemClock, initial }: SessionOptions<Credential, User>,
    session: () => ObservableSession,
  ) {
    this.store = new SessionStore(initialState(this.uncheckedStatus(), initial));
    const parts: SessionParts<Credential, User> = {
      mechanism,
      store: this.store,
      clock,
      withDeadline: createWithDeadline(clock, mechanism.timeoutMs ?? DEFAULT_TIMEOUT_MS),
      runAuthCall: (name, credential, call) => {
        // A login needs no credential, and must not send another user's. Only a logout has to say whose session it ends.
        const attachCredential: AuthCall['attachCredential'] = request => (name === 'logout' ? mechanism.attachCredential(request, credential) : request.init);
        return runAsAuthCall({ name, session: session(), attachCredential }, call);
      },
    };
    this.tabs = new TabSync(parts);
    this.restore = new Restore(parts, this.tabs, () => this.authCalls.settled());
    this.authCalls = new AuthCalls(parts, this.tabs, this.restore);
    this.refresh = new Refresh(parts, this.tabs);
    this.proactiveRefresh = new ProactiveRefresh(parts, this.refresh);
    const credential = new CurrentCredential(parts, this.refresh);
    this.sender = new RequestSender(parts, { restore: this.restore, refresh: this.refresh, authCalls: this.authCalls, credential });
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
    await this.restore.restore();
    if (this.store.state.error) throw this.store.state.error;
  }

  dispose(): void {
    const because = new IdentityChangedError('The session was disposed of, so this request was called off.');
    this.#onUnsubscribe();
    this.restore.cancel();
    this.authCalls.dispose(because);
    this.store.dispatch({ type: 'reset', status: this.uncheckedStatus(), because });
  }

  /** The first subscriber is here. What other tabs did before is in the storage that they share. */
  #onSubscribe(): void {
    this.tabs.listen(this.restore.onTabMessage);
    const { signedIn } = this.store.state;
    if (signedIn && this.tabs.isListening) this.restore.onTabMessage(signedIn.subject ?? null);
    this.proactiveRefresh.start();
  }

  /** The last subscriber is gone. */
  #onUnsubscribe(): void {
    this.tabs.stopListening();
    this.proactiveRefresh.stop();
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
    getCredential: store.getCredential,
    subscribeToCredential: store.subscribeToCredential,
    subscribe: listener => modules.subscribe(listener),
    login: (...args) => authCalls.login(...args),
    logout: () => authCalls.logout(),
    refresh: () => modules.refreshOrRestore(),
    dispose: () => modules.dispose(),
    send: request => sender.send(request),
    adopt: signedIn => store.dispatch({ type: 'signed-in', signedIn }),
    leave(reason) {
      restore.cancel();
      store.dispatch({ type: 'signed-out', reason });
    },
    expire: () => sender.expire(),
    endSession: reason => authCalls.endSession(reason),
    authCallsSettled: () => authCalls.settled(),
  };
  return registerCore(core);
}
