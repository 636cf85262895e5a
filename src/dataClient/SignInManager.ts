import type { Controller, Manager, Middleware } from '@data-client/react';
import { IdentityChangedError, SessionExpiredError } from '../errors.js';
import type { SessionCore } from '../session/extension.js';
import type { HostedManagers } from './HostedManagers.js';
import type { StoreDispatch } from './connectManagers.js';
import type { UserRecord } from './UserRecord.js';

/**
 * Empties the store when a signed-out user signs in, so that mounted components fetch their data again. The session has the new
 * credentials before the store is emptied. The managers of the app, if there are any, are replaced: the old ones end before the store
 * is emptied, and the new ones start afterwards. Then sets what the server has said about the user, where the user is a record.
 *
 * A manager, not a component: React restarts the effects of a component inside the store whenever a sibling suspends, and such a
 * restart looks like a sign-in.
 */
export class SignInManager implements Manager {
  readonly #session: SessionCore;
  readonly #hosted: HostedManagers | undefined;
  readonly #userRecord: UserRecord | undefined;
  readonly #storeGeneration: number;
  #epoch: number;
  #controller: Controller | undefined;
  #unsubscribe = () => {};

  /** Runs while the store's provider renders. Reads the epoch here, so that `init` notices a sign-in that happened after the render. */
  constructor(session: SessionCore, hosted?: HostedManagers, userRecord?: UserRecord) {
    this.#session = session;
    this.#hosted = hosted;
    this.#userRecord = userRecord;
    this.#storeGeneration = session.getStoreGeneration();
    this.#epoch = session.getSnapshot().epoch;
  }

  readonly middleware = ((controller: Controller) => {
    this.#controller = controller;
    return (next: StoreDispatch) => this.#hosted?.connect(controller, next) ?? next;
  }) as Middleware;

  getMiddleware(): Middleware {
    return this.middleware;
  }

  init(): void {
    this.#hosted?.mount();
    this.#userRecord?.mount();
    this.#unsubscribe = this.#session.subscribe(this.#onChange);
    this.#onChange();
  }

  cleanup(): void {
    this.#unsubscribe();
    this.#hosted?.unmount();
  }

  readonly #onChange = (): void => {
    const { epoch, status } = this.#session.getSnapshot();
    // When the identity has ended, the provider replaces the whole store.
    const isSignIn = epoch !== this.#epoch && this.#session.getStoreGeneration() === this.#storeGeneration;
    this.#epoch = epoch;
    if (isSignIn) {
      this.#hosted?.end(new IdentityChangedError());
      void this.#controller?.resetEntireStore();
    }
    // A locked session has no credential for their sockets. The same user gets a new set.
    if (status === 'locked') this.#hosted?.end(new SessionExpiredError());
    this.#hosted?.start();
    if (this.#controller) this.#userRecord?.update(this.#controller);
  };
}
