import { __INTERNAL__, type Controller } from '@data-client/react';
import { callUserCallback, reportUncaught } from '../notifyListeners.js';
import type { SessionCore } from '../session/extension.js';
import { OpenSubscriptions } from './OpenSubscriptions.js';
import {
  assertAppManagers,
  connectManagers,
  type StoreAction,
  type StoreDispatch,
  type StoreManager,
} from './connectManagers.js';

/** Creates the managers of one identity. */
export type CreateManagers = (subject: string | undefined, signal: AbortSignal) => readonly StoreManager[];

/** The managers of one identity: one `init` and one `cleanup` each. */
interface IdentityManagers {
  managers: readonly StoreManager[];
  dispatch: StoreDispatch;
  readonly end: AbortController;
  /** Those whose `init` was called. Undefined until the set starts. */
  started?: StoreManager[];
}

const NO_MANAGERS =
  'data-client-auth: The `managers` of a provider have thrown an error, so they do not run for this user. They are created again for the next one. Start what may fail in `init()`.';

/** How many sets on the page have lost their store, and end in a microtask unless the store is mounted again. */
let pendingEnds = 0;

/**
 * Hosts the managers of the app inside one store, a set for each identity. data-client connects its managers once for each store, and
 * a sign-in keeps the store, so the sets are behind one middleware of the kit.
 *
 * - A set is created by the first action of the first render, so that it sees this action too. React may discard that render; nothing
 * has started then. While the session checks who is signed in, there is no set.
 * - A set that cannot be created is reported as an uncaught error. Its identity has no managers of the app.
 * - A set ends when its identity does, before React renders again: `cleanup` comes before the next `init`, also in another store.
 * - An `init` may end the identity: the managers after it do not start.
 * - A set whose store is unmounted for another reason (another session, another `key` of the provider) ends in a microtask, and a set
 *   that starts in the same commit waits for it.
 */
export class HostedManagers {
  readonly #session: SessionCore;
  readonly #create: CreateManagers;
  readonly #generationEnd: AbortSignal;
  readonly #subscriptions = new OpenSubscriptions();
  #controller!: Controller;
  #next: StoreDispatch = () => Promise.resolve();
  #current: IdentityManagers | undefined;
  #mount: 'before' | 'mounted' | 'after' = 'before';
  /** Reads that were sent while the session checked who is signed in. The managers see them when they start. */
  #earlyReads: StoreAction[] = [];
  readonly #earlyResults = new WeakMap<StoreAction, Promise<unknown>>();

  constructor(session: SessionCore, create: CreateManagers) {
    this.#session = session;
    this.#create = create;
    this.#generationEnd = session.getStoreGenerationSignal();
  }

  /** Called while the store's provider renders, in StrictMode several times. React uses one of the results. */
  connect(controller: Controller, next: StoreDispatch): StoreDispatch {
    this.#controller = controller;
    this.#next = next;
    return action => {
      this.#next = next;
      return this.#dispatch(action);
    };
  }

  /** Call when the store is mounted. StrictMode does so twice. */
  mount(): void {
    this.#mount = 'mounted';
  }

  /** Call when the store is unmounted. In StrictMode it is mounted again at once, and the managers go on. */
  unmount(): void {
    this.#mount = 'after';
    const started = this.#current?.started ? 1 : 0;
    pendingEnds += started;
    queueMicrotask(() => {
      pendingEnds -= started;
      if (this.#mount === 'after') this.end();
    });
  }

  /** Starts the managers of the current identity, once the session knows who it is. No effect while they run. */
  start(): void {
    if (this.#mount !== 'mounted') return;
    const current = (this.#current ??= this.#createManagers());
    if (!current || current.started) return;
    // React unmounts the store before it mounts the one in its place, so the end comes first.
    if (pendingEnds > 0) return queueMicrotask(() => this.start());
    const { managers, dispatch } = current;
    const started: StoreManager[] = (current.started = []);
    for (const manager of managers) {
      started.push(manager);
      callUserCallback(() => manager.init?.(__INTERNAL__.initialState));
      // It may have ended the identity. `end` has cleaned up those that had started.
      if (this.#current !== current) return;
    }
    const earlyReads = this.#earlyReads;
    this.#earlyReads = [];
    for (const action of earlyReads) void dispatch(action);
    this.#subscriptions.forward(dispatch);
  }

  /** Ends the current managers, if there are any. */
  end(reason?: unknown): void {
    const current = this.#current;
    this.#earlyReads = [];
    if (!current) return;
    this.#current = undefined;
    current.end.abort(reason);
    this.#subscriptions.withdraw(current.dispatch);
    for (const manager of current.started ?? []) callUserCallback(() => manager.cleanup());
  }

  #dispatch(action: StoreAction): Promise<unknown> {
    if (this.#mount === 'before') this.#current ??= this.#createManagers();
    const dispatch = this.#current?.dispatch;
    return this.#subscriptions.handle(action, dispatch) ?? dispatch?.(action) ?? this.#sendEarly(action);
  }

  #sendEarly(action: StoreAction): Promise<unknown> {
    const result = this.#next(action);
    // A change is not shown later: a manager that passes on a copy of the action would send it twice.
    const isRead = action.type === 'rdc/fetch' && !action.endpoint?.sideEffect;
    if (isRead && !this.#hasIdentity) {
      this.#earlyReads.push(action);
      this.#earlyResults.set(action, result);
    }
    return result;
  }

  /** False while the session checks who is signed in, and while it is locked. */
  get #hasIdentity(): boolean {
    return ['authenticated', 'anonymous'].includes(this.#session.getSnapshot().status);
  }

  #createManagers(): IdentityManagers | undefined {
    if (this.#generationEnd.aborted || !this.#hasIdentity) return undefined;
    const pass: StoreDispatch = action => this.#earlyResults.get(action) ?? this.#next(action);
    const created: IdentityManagers = { managers: [], dispatch: pass, end: new AbortController() };
    // In place first, because a manager may dispatch while it is connected.
    this.#current = created;
    // Removed with the set: the identity may outlive many stores, and would keep each of them in memory.
    const onGenerationEnd = () => this.end(this.#generationEnd.reason);
    this.#generationEnd.addEventListener('abort', onGenerationEnd, { signal: created.end.signal });
    try {
      const managers = this.#create(this.#session.getSubject(), created.end.signal);
      assertAppManagers(managers);
      created.dispatch = connectManagers(managers, this.#controller, pass);
      created.managers = managers;
    } catch (error) {
      // An empty set stays in place: the screen works without it, and nothing is created again for this identity.
      created.end.abort(error);
      console.error(NO_MANAGERS);
      reportUncaught(error);
    }
    return created;
  }
}
