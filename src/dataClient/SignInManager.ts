import type { Controller, Manager } from '@data-client/react';
import type { SessionCore } from '../session/core.js';

/** A middleware that passes every action on. It fits all supported versions of data-client. */
type PassingMiddleware = (controller: Controller) => <Next>(next: Next) => Next;

/**
 * Empties the store when a signed-out user signs in, so that mounted components fetch their data again. The session has the new
 * credentials before the store is emptied.
 *
 * A manager, not a component: React restarts the effects of a component inside the store whenever a sibling suspends, and such a
 * restart looks like a sign-in.
 */
export class SignInManager implements Manager {
  readonly #session: SessionCore;
  readonly #storeGeneration: number;
  #epoch: number;
  #controller: Controller | undefined;
  #unsubscribe = () => {};

  /** Runs while the store's provider renders. Reads the epoch here, so that `init` notices a sign-in that happened after the render. */
  constructor(session: SessionCore) {
    this.#session = session;
    this.#storeGeneration = session.getStoreGeneration();
    this.#epoch = session.getSnapshot().epoch;
  }

  readonly middleware: PassingMiddleware = controller => {
    this.#controller = controller;
    return next => next;
  };

  getMiddleware(): never {
    return this.middleware as never;
  }

  init(): void {
    this.#unsubscribe = this.#session.subscribe(this.#resetOnSignIn);
    this.#resetOnSignIn();
  }

  cleanup(): void {
    this.#unsubscribe();
  }

  readonly #resetOnSignIn = (): void => {
    const { epoch } = this.#session.getSnapshot();
    if (epoch === this.#epoch) return;
    this.#epoch = epoch;
    // When the identity has ended, the provider replaces the whole store.
    if (this.#session.getStoreGeneration() === this.#storeGeneration) void this.#controller?.resetEntireStore();
  };
}
