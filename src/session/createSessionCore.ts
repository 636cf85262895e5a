import type { Clock } from '../clock.js';
import { createClockedSession } from './clockedSession.js';
import type { ChallengeOption } from './challenge.js';
import { SessionExpiredError } from '../errors.js';
import { registerCore, type SessionCore } from './core.js';
import { Lifecycle } from './lifecycle.js';
import type { Mechanism } from './mechanism.js';
import { SessionModules } from './modules.js';
import { createParts, type SessionParts } from './parts.js';
import { createSessionFetch } from './sessionFetch.js';
import { sharedSignInError } from './sharedOnServer.js';
import type { SignedIn } from './signedIn.js';
import { ownerOf } from './state.js';
import type { UserOption } from './userClass.js';
import { withoutEvents } from './withoutEvents.js';

export interface SessionOptions<Credential, User> extends ChallengeOption {
  /**
   * The user who is signed in from the start, if known without a check; null if it is known that no user is. The session
   * then makes no check at the first subscription. @default unknown
   */
  readonly initial?: SignedIn<Credential, User> | null | undefined;
  /**
   * True for a session that serves one request on a server, and is made inside its handler. Without it, a sign-in on a server
   * rejects: all visitors would share a session of a module. @default false
   */
  readonly server?: boolean | undefined;
  /** The current time and timers, for tests. @default the system's */
  readonly clock?: Clock | undefined;
}

let sessions = 0;

export function createSessionCore<Credential, User>(
  mechanism: Mechanism<Credential, User>,
  { server, user: userClass, challenge, ...options }: SessionOptions<Credential, User> & UserOption<User> = {},
): SessionCore<Credential, User> {
  const parts = createParts(mechanism, { ...options, userClass, session: () => core });
  const { store } = parts;
  const modules = new SessionModules(parts, challenge);
  const { restore, reload, authCalls, sender, credential } = modules;
  const lifecycle = new Lifecycle(parts, modules);
  if (options.initial !== undefined) restore.trustInitial();
  const signIn = (call: () => Promise<User | undefined>) => refuseShared(server) ?? call();
  const core: SessionCore<Credential, User> = {
    id: ++sessions,
    getSnapshot: store.getSnapshot,
    getServerSnapshot: store.getServerSnapshot,
    getStoreGeneration: store.getStoreGeneration,
    getStoreGenerationSignal: store.getStoreGenerationSignal,
    getSubject: () => ownerOf(store.state)?.subject,
    userClass,
    getOwner: () => ownerOf(store.state),
    getCredential: store.getCredential,
    subscribeToCredential: store.subscribeToCredential,
    subscribe: listener => lifecycle.subscribe(listener),
    getUsableCredential: () => credential.getUsable(),
    login: (...args) => signIn(() => authCalls.login(...args)),
    enter: (...args) => signIn(() => authCalls.enter(...args)),
    ready: () => restore.ready(),
    start: initial => restore.start(initial),
    logout: (...args) => withHandledRejection(authCalls.logout(...withoutEvents(args))),
    refresh: () => refreshOrRestore(parts, modules),
    reload: () => reload.reload(),
    fetch: createSessionFetch(parts, () => core),
    dispose: () => lifecycle.dispose(),
    challenges: modules.challenges,
    send: request => sender.send(request),
    adopt: signedIn => store.dispatch({ type: 'signed-in', signedIn }),
    leave(reason) {
      restore.cancel();
      store.dispatch({ type: 'signed-out', reason });
    },
    expire: () => sender.expire(),
    lockOnExpiry: () => lockOnExpiry(parts),
    endSession: reason => void authCalls.endSession(reason),
    ...createClockedSession(parts, modules),
    authCallsSettled: () => authCalls.settled(),
  };
  return registerCore(core);
}

/** See `Session.refresh`. */
async function refreshOrRestore<Credential, User>(
  { store }: SessionParts<Credential, User>,
  { refresh, restore }: Pick<SessionModules<Credential, User>, 'refresh' | 'restore'>,
): Promise<void> {
  if (store.state.signedIn) {
    await refresh.refresh();
    if (store.getSnapshot().status === 'locked') throw new SessionExpiredError();
    return;
  }
  await restore.tryAgain();
  if (store.state.error) throw store.state.error;
}

/** See `SessionCore.lockOnExpiry`. */
function lockOnExpiry({ locking }: Pick<SessionParts<unknown, unknown>, 'locking'>): () => void {
  locking.callers++;
  return () => void locking.callers--;
}

/** Rejects on a server where visitors may share the session. */
function refuseShared(server: boolean | undefined): Promise<never> | undefined {
  const error = sharedSignInError(server);
  return error && Promise.reject(error);
}

/** A button that does not wait for a logout causes no unhandled rejection: the snapshot has the error. */
function withHandledRejection<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}
