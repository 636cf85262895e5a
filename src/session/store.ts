import { untilAborted } from '../clock.js';
import { keepIfEqual } from '../keepIfEqual.js';
import type { SessionSnapshot } from './session.js';
import { createReadUser, type UserClass } from './userClass.js';
import { addListener, notifyListeners } from '../notifyListeners.js';
import { endReasonOf, snapshotOf, transition, type SessionEvent, type State } from './state.js';

export type Store<Credential, User> = ReturnType<typeof createStore<Credential, User>>;

/**
 * Holds the state of one session, and is its only writer. Each event has one order: the new state is in place, then the signals of what
 * has ended are aborted, then listeners are called. So every callback of the app sees the new state.
 */
export function createStore<Credential, User>(initial: State<Credential, User>, userClass?: UserClass<User>) {
  const snapshotListeners = new Set<() => void>();
  const credentialListeners = new Set<() => void>();
  const stateListeners = new Set<() => void>();
  let state = initial;
  const readUser = createReadUser(userClass);
  const snapshotNow = () => ({ ...snapshotOf(state), user: readUser(state.signIn?.user) });
  let snapshot: SessionSnapshot<User> = snapshotNow();
  /** What the page started with, for hydration. */
  let serverSnapshot = snapshot;
  let epochEnd = new AbortController();
  let generationEnd = new AbortController();

  function dispatch(event: SessionEvent<Credential, User>): void {
    const before = state;
    const shown = snapshot;
    state = transition(before, event);
    if (state === before) return;
    snapshot = keepIfEqual(shown, snapshotNow());
    const ended: AbortController[] = [];
    // The data first: an abort listener of a request may call an endpoint of the screen that is gone.
    if (state.generation !== before.generation) {
      ended.push(generationEnd);
      generationEnd = new AbortController();
    }
    if (state.epoch !== before.epoch) {
      ended.push(epochEnd);
      epochEnd = new AbortController();
    }
    const reason = ended.length > 0 ? endReasonOf(event) : undefined;
    for (const end of ended) end.abort(reason);
    if (snapshot !== shown) notifyListeners(snapshotListeners);
    const isNews = state.version !== before.version || state.signIn?.askedAt !== before.signIn?.askedAt;
    if (isNews || state.signIn?.user !== before.signIn?.user) notifyListeners(credentialListeners);
    notifyListeners(stateListeners);
  }

  /** Resolves when the state is as wanted. @throws the reason of the signal */
  async function until(isMet: (state: State<Credential, User>) => boolean, signal: AbortSignal): Promise<void> {
    if (isMet(state)) return;
    let stop = () => {};
    const met = new Promise<void>(resolve => {
      stop = addListener(stateListeners, () => isMet(state) && resolve());
    });
    await untilAborted(signal, met).finally(stop);
  }

  return {
    get state() {
      return state;
    },
    /** Aborted when the identity of this moment ends. */
    get epochSignal() {
      return epochEnd.signal;
    },
    get generationSignal() {
      return generationEnd.signal;
    },
    getSnapshot: () => snapshot,
    getServerSnapshot: () => serverSnapshot,
    captureServerSnapshot: () => void (serverSnapshot = snapshot),
    dispatch,
    until,
    subscribe: (listener: () => void) => addListener(snapshotListeners, listener),
    subscribeToCredential: (listener: () => void) => addListener(credentialListeners, listener),
  };
}
