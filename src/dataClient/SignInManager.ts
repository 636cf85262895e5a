import type { Controller, Manager } from '@data-client/react';
import type { SessionCore } from '../session/core.js';

/** Lets every action pass; the same for each version's way of asking for it. */
type PassingMiddleware = (controller: Controller) => <Next>(next: Next) => Next;

/**
 * Empties the store in the moment in which somebody signs in from nobody: credentials first, then the store, so that what is
 * mounted is fetched again.
 *
 * A manager rather than a component: the effects of a component inside the store end and start anew whenever something
 * beside them suspends, and that is no sign-in.
 */
export class SignInManager implements Manager {
  readonly #session: SessionCore;
  readonly #storeGeneration: number;
  #epoch: number;
  #controller: Controller | undefined;
  #unsubscribe = () => {};

  /** Made while the store's provider renders: a sign-in between then and `init` is not missed. */
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
    this.#unsubscribe = this.#session.subscribe(this.#look);
    this.#look();
  }

  cleanup(): void {
    this.#unsubscribe();
  }

  readonly #look = (): void => {
    const { epoch } = this.#session.getSnapshot();
    if (epoch === this.#epoch) return;
    this.#epoch = epoch;
    // When an identity was left, the whole store goes, with its provider.
    if (this.#session.getStoreGeneration() === this.#storeGeneration) void this.#controller?.resetEntireStore();
  };
}
