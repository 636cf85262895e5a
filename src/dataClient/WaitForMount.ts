import type { Controller, Manager, Middleware } from '@data-client/react';
import type { StoreAction, StoreDispatch } from './connectManagers.js';

/** The types of the actions that set an answer, in each version of data-client. */
const ANSWERS: ReadonlySet<string> = new Set(['rdc/set', 'rdc/setresponse']);
/** The types of the actions that start or end something, and change no state. */
const REQUESTS: ReadonlySet<string> = new Set(['rdc/fetch', 'rdc/subscribe', 'rdc/unsubscribe']);

/**
 * Holds answers while no store is mounted. React may render a store and throw it away, when a component beside the provider suspends, and
 * render another one with the same managers. The second one shares the requests that the first one has sent, so their answers must not be
 * set in a store that is never shown: the second one would wait for them for ever.
 *
 * The first of the managers, so that no other one sees an answer before it counts. A later change of the store waits too, and a reset
 * drops what is held.
 */
export class WaitForMount implements Manager {
  #controller: Controller | undefined;
  #isMounted = false;
  #held: { readonly action: StoreAction; readonly settle: (result?: Promise<unknown>) => void }[] = [];

  /** Called by each render of a store. React mounts the store of the last one. */
  readonly middleware = ((controller: Controller) => {
    this.#controller = controller;
    return (next: StoreDispatch): StoreDispatch => {
      const dispatch: StoreDispatch = action => {
        const { type } = action;
        if (this.#isMounted || REQUESTS.has(type)) return next(action);
        if (type === 'rdc/reset') this.#drop();
        return ANSWERS.has(type) || this.#held.length > 0 ? this.#hold(action) : next(action);
      };
      // data-client's own dispatch does nothing while the store is hidden by `<Activity>`: requests would never start, and answers be lost.
      Object.assign(controller, { dispatch });
      return dispatch;
    };
  }) as Middleware;

  getMiddleware(): Middleware {
    return this.middleware;
  }

  init(): void {
    this.#isMounted = true;
    const held = this.#held;
    this.#held = [];
    for (const { action, settle } of held) settle(this.#controller?.dispatch(action as never));
  }

  cleanup(): void {
    this.#isMounted = false;
  }

  #hold(action: StoreAction): Promise<unknown> {
    return new Promise(resolve => this.#held.push({ action, settle: resolve }));
  }

  #drop(): void {
    for (const { settle } of this.#held) settle();
    this.#held = [];
  }
}
