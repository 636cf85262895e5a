import { withHandledRejection } from '../clock.js';
import { isDevelopment } from '../isDevelopment.js';
import { createClockedSession } from './clockedSession.js';
import { registerCore, type SessionCore } from './core.js';
import { Lifecycle } from './lifecycle.js';
import { noteMade } from './madeNow.js';
import type { CalledMechanism } from './mechanism.js';
import { SessionModules } from './modules.js';
import { createParts, type SessionParts } from './parts.js';
import type { SessionOptions } from './sessionOptions.js';
import { refreshOrRestore } from './refresh/refreshOrRestore.js';
import { createSessionFetch } from './requests/sessionFetch.js';
import type { UserOption } from './userClass.js';

let sessions = 0;

export function createSessionCore<Credential, User>(
  mechanism: CalledMechanism<Credential, User>,
  { server, user: userClass, challenge, ...options }: SessionOptions<Credential, User> & UserOption<User> = {},
): SessionCore<Credential, User> {
  const parts = createParts(mechanism, { ...options, userClass, server, session: () => core });
  const { store } = parts;
  const modules = new SessionModules(parts, challenge);
  const { restore, reload, authCalls, sender, credential } = modules;
  const lifecycle = new Lifecycle(parts, modules);
  if (options.initial !== undefined) restore.trustInitial();
  const signIn = (call: () => Promise<User | undefined>) => refuseShared(parts) ?? call();
  const core: SessionCore<Credential, User> = {
    id: ++sessions,
    getSnapshot: store.getSnapshot,
    getServerSnapshot: store.getServerSnapshot,
    getStoreGeneration: store.getStoreGeneration,
    getStoreGenerationSignal: store.getStoreGenerationSignal,
    getSubject: () => store.owner?.subject,
    userClass,
    getOwner: () => store.owner,
    getCredential: store.getCredential,
    subscribeToCredential: store.subscribeToCredential,
    subscribe: listener => lifecycle.subscribe(listener),
    getUsableCredential: () => credential.getUsable(),
    login: (...args) => signIn(() => authCalls.signIn.login(...args)),
    enter: (...args) => signIn(() => authCalls.signIn.enter(...args)),
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
    lockOnExpiry: onUnused => lockOnExpiry(parts, onUnused),
    endSession: reason => void authCalls.endSession(reason),
    ...createClockedSession(parts, modules),
    authCallsSettled: () => authCalls.settled(),
  };
  if (isDevelopment) noteMade(core);
  return registerCore(core);
}

/** See `SessionCore.lockOnExpiry`. */
function lockOnExpiry({ locking }: Pick<SessionParts<unknown, unknown>, 'locking'>, onUnused: () => void): () => void {
  locking.callers++;
  return () => {
    locking.callers--;
    // In a microtask, because React ends an effect and starts it again at once, for a new prop and in StrictMode.
    queueMicrotask(() => {
      if (locking.callers === 0) onUnused();
    });
  };
}

/** Rejects on a server where visitors may share the session. */
function refuseShared(parts: Pick<SessionParts<unknown, unknown>, 'sharedSignInError'>): Promise<never> | undefined {
  const error = parts.sharedSignInError();
  return error && Promise.reject(error);
}

/** Returns the arguments without events: `onClick={logout}` passes the event of the click. */
function withoutEvents<T>(args: readonly T[]): T[] {
  return args.filter(arg => !(typeof arg === 'object' && arg !== null && 'preventDefault' in arg));
}
