import { keepIfEqual } from '../keepIfEqual.js';
import { addListener, notifyListeners } from '../notifyListeners.js';
import type { SessionSnapshot } from './session.js';
import { epochEndReason, type SessionEvent } from './sessionEvent.js';
import { ownerOf, snapshotOf, type LockedUser, type SessionState } from './state.js';
import { transition } from './transition.js';
import { createReadUser, type UserClass } from './userClass.js';

/**
 * Holds the state of one session, and is its only writer. (Not data-client's store.)
 *
 * Each event is applied in one fixed order: the new state is in place, then the requests of an ended epoch are aborted, then
 * listeners are called. Abort listeners are callers' code and see the new state.
 */
export class SessionStore<Credential, User> {
  readonly #listeners = new Set<() => void>();
  readonly #credentialListeners = new Set<() => void>();
  #state: SessionState<Credential, User>;
  #snapshot: SessionSnapshot<User>;
  #serverSnapshot: SessionSnapshot<User>;
  #epochEnd = new AbortController();
  #wireEnd = new AbortController();
  #generationEnd = new AbortController();
  /** See `createReadUser`. */
  readonly readUser: (answer: unknown) => User | undefined;

  constructor(initial: SessionState<Credential, User>, userClass?: UserClass<User>) {
    this.#state = initial;
    this.readUser = createReadUser(userClass);
    this.#serverSnapshot = this.#snapshot = this.#snapshotOf(initial);
  }

  #snapshotOf(state: SessionState<Credential, User>): SessionSnapshot<User> {
    const snapshot = snapshotOf(state);
    return { ...snapshot, user: this.readUser(snapshot.user) };
  }

  get state(): SessionState<Credential, User> {
    return this.#state;
  }

  /** Aborted when the current epoch ends, with the error for its requests. */
  get epochSignal(): AbortSignal {
    return this.#epochEnd.signal;
  }

  /** For what is sent: aborted when the current epoch ends, or when a cookie login cannot wait any longer. */
  get wireSignal(): AbortSignal {
    return this.#wireEnd.signal;
  }

  readonly getSnapshot = (): SessionSnapshot<User> => this.#snapshot;

  /** The first snapshot, unless `captureServerSnapshot` took a later one. */
  readonly getServerSnapshot = (): SessionSnapshot<User> => this.#serverSnapshot;

  /** Makes the current snapshot the one that a server renders, and a page until it is hydrated. */
  captureServerSnapshot(): void {
    this.#serverSnapshot = this.#snapshot;
  }

  /** Whose session it is: the user who is signed in, or whose session is locked. */
  get owner(): LockedUser<User> | undefined {
    return ownerOf(this.#state);
  }

  /** True while the session waits for its user to sign in again. */
  get isLocked(): boolean {
    return this.#state.status === 'locked';
  }

  readonly getCredential = (): Credential | undefined => this.#state.signedIn?.credential;

  /** Aborted when the current store generation ends. */
  readonly getStoreGenerationSignal = (): AbortSignal => this.#generationEnd.signal;

  readonly getStoreGeneration = (): number => this.#state.storeGeneration;

  dispatch(event: SessionEvent<Credential, User>): void {
    const before = this.#state;
    const after = transition(before, event);
    const [epochEnd, wireEnd, generationEnd] = [this.#epochEnd, this.#wireEnd, this.#generationEnd];
    const snapshot = this.#snapshot;
    this.#state = after;
    this.#snapshot = keepIfEqual(snapshot, this.#snapshotOf(after));
    if (after.epoch !== before.epoch) {
      const reason = epochEndReason(event);
      this.#epochEnd = new AbortController();
      this.#wireEnd = new AbortController();
      // First: an abort listener of the epoch may call an endpoint of the generation that is over.
      if (after.storeGeneration !== before.storeGeneration) {
        this.#generationEnd = new AbortController();
        generationEnd.abort(reason);
      }
      epochEnd.abort(reason);
      wireEnd.abort(reason);
    }
    if (this.#snapshot !== snapshot) notifyListeners(this.#listeners);
    if (after.credentialVersion !== before.credentialVersion) notifyListeners(this.#credentialListeners);
  }

  /** Aborts what was sent and has no response yet. The identity and its epoch do not change. */
  abortWire(reason: Error): void {
    const ended = this.#wireEnd;
    this.#wireEnd = new AbortController();
    ended.abort(reason);
  }

  /** Calls the listener after each change of the snapshot. */
  subscribe(listener: () => void): () => void {
    return addListener(this.#listeners, listener);
  }

  /** Calls the listener after each new credential, and after each sign-out. */
  readonly subscribeToCredential = (listener: () => void): (() => void) =>
    addListener(this.#credentialListeners, listener);
}
