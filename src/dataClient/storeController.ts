import { Controller } from '@data-client/react';
import { screenEndedError } from '../session/screenEndedError.js';

type Act = (...args: never[]) => unknown;
type Dispatch = (action: unknown) => Promise<void>;
type UntilEnd = <T>(promise: Promise<T>) => Promise<T>;

/**
 * The `Controller` class of one store: every `new` gives the same controller, which ends with the store's generation.
 *
 * From then on its fetches reject, and its other acts resolve and do nothing. What is under way settles at that moment: data-client
 * leaves the promises of a store that is gone pending.
 *
 * @param generationEnd Aborted, with the error for what is under way, when the identity of the store is left.
 */
export function storeControllerClass(generationEnd: AbortSignal): typeof Controller {
  let made: Controller | undefined;
  function StoreController(...options: ConstructorParameters<typeof Controller>) {
    return (made ??= endingController(new Controller(...options), generationEnd));
  }
  return StoreController as unknown as typeof Controller;
}

function endingController(controller: Controller, generationEnd: AbortSignal): Controller {
  const untilEnd = createUntilEnd(generationEnd);
  for (const name of ['fetch', 'fetchIfStale'] as const) {
    // In some versions these are the controller's own, in others they are of its class.
    const act = controller[name] as Act;
    const endingAct = (...args: never[]): unknown => {
      if (generationEnd.aborted) return Promise.reject(screenEndedError());
      const result = act.apply(controller, args);
      return result instanceof Promise ? untilEnd(result) : result;
    };
    Object.defineProperty(controller, name, { value: endingAct, configurable: true, writable: true });
  }
  endDispatch(controller as unknown as { dispatch: Dispatch }, generationEnd, untilEnd);
  return controller;
}

/** All other acts of a controller are dispatches. data-client sets the store's `dispatch` later: as a property, or by an accessor of its class. */
function endDispatch(controller: { dispatch: Dispatch }, generationEnd: AbortSignal, untilEnd: UntilEnd): void {
  const accessor = Object.getOwnPropertyDescriptor(Controller.prototype, 'dispatch');
  let own = controller.dispatch;
  const current = () => (accessor?.get ? (accessor.get.call(controller) as Dispatch) : own);
  const dispatch: Dispatch = action => {
    if (generationEnd.aborted) return Promise.resolve();
    return untilEnd(current()(action)).catch((error: unknown) => {
      if (!generationEnd.aborted) throw error;
    });
  };
  Object.defineProperty(controller, 'dispatch', {
    configurable: true,
    get: () => dispatch,
    set: (next: Dispatch) => (accessor?.set ? accessor.set.call(controller, next) : (own = next)),
  });
}

/** Promises that reject with the signal's reason once it is aborted. One listener for all of them: a list fetches a thousand rows. */
function createUntilEnd(generationEnd: AbortSignal): UntilEnd {
  const waiting = new Set<() => void>();
  generationEnd.addEventListener('abort', () => waiting.forEach(end => end()), { once: true });
  return promise =>
    new Promise((resolve, reject) => {
      const end = () => reject(generationEnd.reason as Error);
      waiting.add(end);
      promise.then(resolve, reject).finally(() => waiting.delete(end));
    });
}
