import type { Controller, Manager, Middleware } from '@data-client/react';
import type { StoreAction, StoreDispatch } from './connectManagers.js';

/** The types of the actions that set an answer, in each version of data-client. */
const ANSWERS: ReadonlySet<string> = new Set(['rdc/set', 'rdc/setresponse']);

/**
 * Holds answers while no store is mounted. React may render a store and throw it away, when a component beside the provider suspends, and
 * render another one with the same managers. The second one shares the requests that the first one has sent, so their answers must not be
 * set in a store that is never shown: the second one would wait for them for ever.
 *
 * The first of the managers, so that no other one sees an answer before it counts.
 */
export class WaitForMount implements Manager {
  #controller: Controller | undefined;
  #isMounted = false;
  #held: (() => void)[] = [];

  /** Called by each render of a store. React mounts the store of the last one. */
  readonly middleware = (controller: Controller) => {
    this.#controller = controller;
    return (next: StoreDispatch): StoreDispatch =>
      action =>
        this.#isMounted || !ANSWERS.has(action.type) ? next(action) : this.#hold(action);
  };

  getMiddleware(): Middleware {
    return this.middleware as Middleware;
  }

  init(): void {
    this.#isMounted = true;
    const held = this.#held;
    this.#held = [];
    for (const dispatch of held) dispatch();
  }

  cleanup(): void {
    this.#isMounted = false;
  }

  #hold(action: StoreAction): Promise<unknown> {
    return new Promise(resolve => {
      this.#held.push(() => resolve(this.#controller?.dispatch(action as never)));
    });
  }
}
