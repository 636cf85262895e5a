import { DEFAULT_TIMEOUT_MS, systemClock, untilAborted, withHandledRejection, type Clock } from '../clock.js';
import { IdentityChangedError, SessionExpiredError, SignedOutError, noLoginError } from '../errors.js';
import { isDevelopment } from '../isDevelopment.js';
import { noteMade } from './madeNow.js';
import { parseOrigins } from './trustedOrigins.js';
import type { SignOutReason } from './session.js';
import { sharedSignInError } from './sharedOnServer.js';
import { webLocks } from './locks.js';
import { createCheck } from './check.js';
import type { Extension, Hooks, Scope, SessionCore } from './extension.js';
import { createGate } from './gate.js';
import { linkSignals } from './linkSignals.js';
import { createLogins } from './logins.js';
import type { AnyMechanism, SignedIn } from './mechanism.js';
import { createOutside } from './outside.js';
import type { Parts } from './parts.js';
import { activation, isHidden, isHistoryNavigation, listenToPage } from './page.js';
import { createQueue, type Role } from './queue.js';
import { createRecord, type MaybePromise } from './record.js';
import { createRefresh } from './refresh.js';
import { createRequests, createWriters } from './request.js';
import { identityOf, initialState, type Position } from './state.js';
import { createStore } from './store.js';
import type { UserClass } from './userClass.js';
import { createTurn } from './turn.js';

export interface SessionOptions<Credential, User> {
  /** The user who is signed in from the start; null if none is. @default a check finds out */
  readonly initial?: SignedIn<Credential, User> | null | undefined;
  /** True for a session that serves one request on a server. @default false */
  readonly server?: boolean | undefined;
  /** What the session can do beside its core, such as `stepUp()`. @default nothing */
  readonly extensions?: readonly Extension[] | undefined;
  /** See `UserOption`. */
  readonly user?: UserClass<User> | undefined;
  /** The current time and timers, for tests. @default the system's */
  readonly clock?: Clock | undefined;
}

/** A page asks at most this often because it was focused, in milliseconds. */
const FOCUS_INTERVAL_MS = 5_000;

const cores = new WeakSet<object>();
let count = 0;

export function isSessionCore(session: object): session is SessionCore {
  return cores.has(session);
}

/** Creates a session. Wires its parts; each of them is a file. */
export function createSessionCore<C, U>(
  mechanism: AnyMechanism<C, U>,
  options: SessionOptions<C, U> = {},
): SessionCore<C, U> {
  const { clock = systemClock, server, initial, extensions = [], user: userClass } = options;
  const timeoutMs = mechanism.timeout ?? DEFAULT_TIMEOUT_MS;
  const hooks: Hooks[] = [];
  const unchecked = mechanism.storage || mechanism.restore ? 'restoring' : 'anonymous';
  const store = createStore(initialState<C, U>(unchecked, initial && identityOf(initial)), userClass);
  const queue = createQueue();
  const writers = createWriters(clock, timeoutMs, () => core);
  const { runAs } = writers;
  const tabGate = mechanism.gate?.({
    // A locked page waits for a login: it needs no lock.
    isSignedIn: () => store.state.status === 'authenticated',
    onStale: () => store.state.signIn && store.dispatch({ type: 'stale' }),
    onSignedOut,
    onSignedIn,
    onOpen: () => wake(),
  });
  const outside = createOutside(store, mechanism, tabGate !== undefined, reason => void end(reason));
  const record = createRecord<C, U>({
    store,
    shared: mechanism.storage,
    clock,
    endLocks,
    onUndone,
    canAsk: mechanism.restore !== undefined,
    isSameCredential: mechanism.isSame && ((a, b) => mechanism.isSame!(a, b)),
  });
  let turn: ReturnType<typeof createTurn> | undefined;
  const inTurn = <T>(act: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    // Whose token it has brought, only a check knows.
    if (tabGate) return tabGate.inTurn(act).finally(() => store.dispatch({ type: 'stale' }));
    // A server has no locks to look for when it makes the session.
    const manager = mechanism.turn === undefined ? undefined : webLocks();
    if (manager) turn ??= createTurn({ name: mechanism.turn!, manager, clock, timeoutMs, record });
    return turn ? turn.run(act) : act(new AbortController().signal);
  };
  /** On a server, visitors may share a session: it looks for no sign-in. */
  const sharedError = () => (unchecked === 'restoring' ? sharedSignInError(server) : undefined);
  const parts: Parts<C, U> = {
    store,
    mechanism,
    record,
    queue,
    tabGate,
    outside,
    hooks,
    clock,
    timeoutMs,
    runAs,
    inTurn,
    identify,
    sharedError,
    beforeSending,
    end,
  };
  const check = createCheck({ ...parts, endLocks });
  const refresh = createRefresh({ ...parts, describesUser: userClass !== undefined });
  const gate = createGate({ ...parts, check, refresh });
  const requests = createRequests({
    ...parts,
    gate,
    refresh,
    writers,
    trustedOrigins: parseOrigins(mechanism.trustedOrigins),
    session: () => core,
    renew,
  });
  const logins = createLogins({ ...parts, check, refresh, server, isUnknown });
  let subscribers = 0;
  let focusedAt = -Infinity;
  let reloading: { readonly signal: AbortSignal; readonly user: Promise<U> } | undefined;
  /** The server has just told who is signed in, with the page. */
  let isTold = false;
  let stop = () => {};
  let isListening = false;
  /** A user was signed in when the browser froze the page. */
  let wasSignedIn = false;
  const started = new Map<Hooks, (() => void) | undefined>();
  if (initial !== undefined) trustInitial();

  /** A document that the browser took from its history may be old. */
  function trustInitial(): void {
    isTold = !isHistoryNavigation();
    if (!isTold) store.dispatch({ type: 'stale' });
  }

  function beforeSending(scope?: Scope): void {
    hooks.forEach(hook => hook.beforeSending?.(scope));
  }

  function endLocks(reason: SignOutReason): boolean {
    return hooks.map(({ onEnd }) => onEnd?.(reason)).includes('lock');
  }

  /** The page does not know yet who is signed in, or is about to find out. */
  function isUnknown(): boolean {
    const { status, unconfirmed } = store.state;
    if (status === 'restoring' || unconfirmed === 'restore') return true;
    return status === 'anonymous' && !logins.isEnding && check.isUnderWay;
  }

  /** Ends the sign-in on this page and in the record of the tabs. `stored`: what the page does not know yet. */
  function end(reason: SignOutReason, response?: Response, stored?: MaybePromise<Position | undefined>): Promise<void> {
    const { status, position } = store.state;
    const mayEndAnother = isUnknown();
    check.cancel();
    // An earlier end may still be on its way to the storage.
    if (status === 'anonymous' && !mayEndAnother) return record.sync();
    // What the page does not know yet ends too: what is stored, or what a slow storage has from before this moment.
    const known = stored instanceof Promise ? undefined : stored?.id;
    const id = mayEndAnother ? record.nextId(known ?? String(clock.now())) : position.id;
    const because =
      reason === 'expired' ? Object.assign(new SessionExpiredError(), response && { response }) : undefined;
    const locks = endLocks(reason);
    store.dispatch({ type: 'signed-out', reason, locks, because, position: { ...position, id, ended: reason } });
    return record.sync();
  }

  function identify<F extends SignedIn<C, U> | undefined>(found: F): F {
    return found && hooks.reduce((known, hook) => ({ ...known, ...hook.identify?.(known) }), found);
  }

  /** Another tab has heard of no refresh of this one: what it told the server does not end this credential. */
  function onUndone(credential: C): void {
    if (mechanism.logout) runAs('logout', { credential }, () => mechanism.logout!(credential)).catch(() => {});
  }

  function onSignedOut(): void {
    check.cancel();
    const { position } = store.state;
    store.dispatch({ type: 'signed-out', reason: 'elsewhere', position: { ...position, ended: 'signed-out' } });
  }

  function onSignedIn(): void {
    const { position, status } = store.state;
    // The cookie that this page could not end is gone.
    if (!queue.isBusy) {
      logins.forget();
      store.dispatch({ type: 'logout-confirmed' });
    }
    // A check may find a user again.
    if (status !== 'authenticated' && position.ended)
      store.dispatch({
        type: 'signed-out',
        reason: 'elsewhere',
        locks: true,
        position: { ...position, ended: undefined },
      });
    void recheck();
  }

  async function recheck(): Promise<void> {
    beforeSending();
    if (store.state.position.ended === 'idle') return;
    if (store.state.unconfirmed === 'logout' || store.state.status === 'restoring') return;
    store.dispatch({ type: 'stale' });
    if (!isHidden()) await check.run();
  }

  function wake(): void {
    if (subscribers > 0 && !isHidden() && check.isDue()) void check.run();
  }

  function onFocus(): void {
    if (record.isShared) void record.sync();
    const elapsed = clock.now() - Math.max(focusedAt, store.state.signIn?.askedAt ?? -Infinity);
    if (!tabGate || (elapsed >= 0 && elapsed < FOCUS_INTERVAL_MS)) return;
    focusedAt = clock.now();
    void recheck();
  }

  function forget(because: Error): void {
    check.cancel();
    refresh.abort(because);
    queue.dispose(because);
    logins.forget();
    store.dispatch({ type: 'reset', status: unchecked, because });
  }

  function onFrozen(): void {
    wasSignedIn = store.state.status === 'authenticated';
  }

  function onShownAgain(): void {
    beforeSending();
    const hasEnded = wasSignedIn && store.state.status !== 'authenticated';
    // A check would bring back the user whose sign-out the server has not confirmed, or who was idle for too long.
    if (logins.isEnding || hasEnded) return void record.sync();
    forget(new IdentityChangedError());
    const known = mechanism.readIdentity?.();
    if (known) store.dispatch({ type: 'signed-in', ...identityOf(known) });
    void check.run();
  }

  function listen(): () => void {
    isListening = true;
    hooks.forEach(startHooks);
    const ends = [tabGate?.start(), listenToPage({ onFrozen, onShownAgain, onFocus }), record.listen()];
    refresh.start();
    const { status, signIn } = store.state;
    if (isTold) void (signIn && tabGate?.hold());
    // The page did not listen before, so it may have missed a change by another one.
    else if (status !== 'restoring') onFocus();
    isTold = false;
    return () => {
      isListening = false;
      hooks.forEach(stopHooks);
      for (const endOne of ends) endOne?.();
      refresh.stop();
    };
  }

  function start(): void {
    let isStopped = false;
    let stopListening = () => {};
    const begin = () => {
      if (!isStopped) stopListening = listen();
    };
    const hidden = activation();
    if (hidden) void hidden.then(begin);
    else begin();
    stop = () => {
      isStopped = true;
      stopListening();
    };
  }

  /** One question for all who ask while it is under way. */
  function reload(): Promise<U> {
    const signal = store.epochSignal;
    if (reloading?.signal === signal) return reloading.user;
    const user = reloadNow();
    const asked = (reloading = { signal, user });
    const forget = () => {
      if (reloading === asked) reloading = undefined;
    };
    user.then(forget, forget);
    return user;
  }

  async function reloadNow(): Promise<U> {
    const { profile, restore, read } = mechanism;
    const scope = requests.open();
    const askedAt = store.state.signIn?.askedAt;
    (await gate.enter(scope)).leave();
    if (!profile && !(restore && read))
      throw new TypeError('This session has no endpoint that describes its user: give it the option `profile`.');
    if (store.state.status !== 'authenticated')
      throw new SignedOutError('No user is signed in, so there is no user to load. Sign in, then load the user again.');
    if (profile) await askProfile(scope);
    // A login or check that it waited for is an answer, too.
    else if (store.state.signIn?.askedAt === askedAt) await untilAborted(scope.signal, check.again());
    scope.signal.throwIfAborted();
    if (!profile && check.lastFailure) throw check.lastFailure;
    return store.getSnapshot().user!;
  }

  async function askProfile({ signal }: Scope): Promise<void> {
    const { signIn, credential } = store.state;
    const askedAt = clock.now();
    let user: U;
    try {
      user = await untilAborted(signal, mechanism.profile!({ ...signIn, credential: credential! }, signal));
    } catch (error) {
      // It described another user.
      if (error instanceof SessionExpiredError && !signal.aborted) void end('expired');
      throw error;
    }
    const { position, credential: latest, status } = store.state;
    if (status !== 'authenticated') return;
    // Between two refreshes: with another tab's new token it would be lost.
    const revision = (position.revision + Math.floor(position.revision) + 1) / 2;
    store.dispatch({
      type: 'refreshed',
      signIn: { ...signIn, user, askedAt },
      credential: latest!,
      position: { ...position, revision },
    });
    await record.sync();
  }

  async function refreshOrCheck(): Promise<void> {
    const { status, epoch: asked } = store.state;
    if (status === 'authenticated') await untilAborted(store.epochSignal, refresh.run());
    else await (status === 'restoring' ? check.run() : check.again());
    const { status: now, error, epoch } = store.state;
    if (now === 'authenticated' && status === now && epoch !== asked) throw new IdentityChangedError();
    if (now === 'authenticated') return;
    if (error) throw error;
    if (status === 'authenticated') throw new SessionExpiredError();
  }

  function use(extension: Extension): () => void {
    const added = extension(core);
    hooks.push(added);
    if (isListening) startHooks(added);
    return () => {
      hooks.splice(hooks.indexOf(added), 1);
      stopHooks(added);
    };
  }

  const startHooks = (added: Hooks) => void started.set(added, added.start?.());

  function stopHooks(added: Hooks): void {
    started.get(added)?.();
    started.delete(added);
  }

  async function act<T>(role: Role, signal: AbortSignal, call: () => Promise<T>): Promise<T> {
    const { signal: own, release } = requests.open(signal);
    try {
      const { credential, leave, signal: robbed } = await gate.enter({ ...requests.open(), signal: own });
      const { signal: ends, unlink } = linkSignals([own, robbed]);
      try {
        return await runAs(role, { credential, signal: ends }, call);
      } finally {
        unlink();
        await outside.read('own');
        leave();
      }
    } finally {
      release();
    }
  }

  async function renew(read: (current: SignedIn<C, U>) => C | undefined, signal: AbortSignal): Promise<void> {
    // A refresh under way drops its answer when the credential changes.
    await untilAborted(signal, refresh.settled());
    await untilAborted(
      signal,
      inTurn(async () => {
        await record.sync();
        signal.throwIfAborted();
        const { status, signIn, credential: before, position } = store.state;
        if (status !== 'authenticated') throw new SignedOutError();
        const credential = read({ ...signIn, credential: before! });
        if (credential === undefined) return;
        const next = { ...position, revision: position.revision + 1 };
        store.dispatch({ type: 'refreshed', signIn: signIn!, credential, position: next });
        await record.sync();
      }),
    );
  }

  const core: SessionCore<C, U> = {
    id: ++count,
    getIdentitySignal: () => store.epochSignal,
    userClass,
    getSnapshot: store.getSnapshot,
    getServerSnapshot: store.getServerSnapshot,
    getStoreGeneration: () => store.state.generation,
    getStoreGenerationSignal: () => store.generationSignal,
    getSubject: () => store.state.signIn?.subject,
    getOwner() {
      const { signIn, position } = store.state;
      return signIn && { ...signIn, signInId: position.id, revision: position.revision };
    },
    getCredential: () => store.state.credential,
    sharesSignIn: () =>
      tabGate !== undefined || mechanism.readIdentity !== undefined || record.sharedPosition !== undefined,
    async getUsableCredential() {
      const scope = requests.open();
      (await gate.enter(scope)).leave();
      // The caller keeps it: a fresh one is worth the wait.
      await untilAborted(scope.signal, refresh.ifDue());
      const { credential, leave } = await gate.enter(scope);
      leave();
      if (credential !== undefined) return credential;
      throw new SignedOutError('No user is signed in, so there is no token. Sign in, then ask for the token again.');
    },
    subscribeToCredential: store.subscribeToCredential,
    subscribeToSnapshot: store.subscribe,
    subscribe(listener) {
      const unsubscribe = store.subscribe(listener);
      if (++subscribers === 1) start();
      if (check.isDue()) void check.run();
      let isSubscribed = true;
      return () => {
        unsubscribe();
        if (isSubscribed && --subscribers === 0) stop();
        isSubscribed = false;
      };
    },
    start(found) {
      const { status, epoch } = store.state;
      if (status !== 'restoring' || epoch > 0 || check.isUnderWay) return;
      if (found) store.dispatch({ type: 'found', ...identityOf(identify(found)) });
      else store.dispatch({ type: 'found-no-user', reason: 'expired' });
      store.captureServerSnapshot();
      trustInitial();
    },
    async login(...args) {
      if (!mechanism.login) throw noLoginError();
      return logins.signIn(() => mechanism.login!(...args));
    },
    loginBy: send => logins.signIn(() => mechanism.login!(), send),
    enter: (...args) =>
      logins.signIn(async () => (mechanism.enter ? mechanism.enter(...args) : (args[0] as SignedIn<C, U>))),
    // `onClick={logout}` passes the event of the click.
    logout: (...args) =>
      withHandledRejection(
        logins.signOut(
          'signed-out',
          args.filter(arg => !isEvent(arg)),
        ),
      ),
    refresh: refreshOrCheck,
    reload,
    ready: check.ready,
    fetch: requests.fetch,
    dispose() {
      stop();
      forget(new IdentityChangedError('The session was disposed of, so this request was aborted.'));
    },
    adopt: signedIn => store.dispatch({ type: 'signed-in', ...identityOf(signedIn) }),
    leave(reason) {
      check.cancel();
      store.dispatch({ type: 'signed-out', reason, position: { ...store.state.position, ended: reason } });
      void record.sync();
    },
    expire: () => void (store.state.status === 'authenticated' && end('expired')),
    endSession: reason => void end(reason),
    signOut: (reason, claim) => logins.signOut(reason, [], claim),
    recheck,
    use,
    mechanism,
    open: requests.open,
    send: requests.send,
    callAs: writers.callAs,
    runAs,
    act,
    renew,
    catchUp: record.catchUp,
    sendLogin: (send, run = next => writers.callAs('login', next)) => logins.sendLogin(send, run),
    cancelLogin(reason) {
      queue.cancel(reason);
      store.dispatch({ type: 'failed', error: reason });
    },
    clock,
    authCallsSettled: queue.idle,
  };
  if (isDevelopment) noteMade(core);
  cores.add(core);
  extensions.forEach(use);
  return core;
}

function isEvent(arg: unknown): boolean {
  return arg instanceof Object && 'preventDefault' in arg;
}
