import { Controller } from '@data-client/react';
import { untilAborted } from '../clock.js';
import { screenEndedError } from '../errors.js';

type ControllerMethod = (...args: never[]) => unknown;
type Dispatch = (action: never) => Promise<void>;
type UntilEnd = <T>(promise: Promise<T>) => Promise<T>;

/**
 * The `Controller` class of one store. Every `new` returns the same controller, which ends with the store's generation.
 *
 * After the end, its fetches reject, and its other methods resolve and do nothing. Pending promises settle at the end, because
 * data-client would leave the promises of an unmounted store pending for ever.
 *
 * @param generationEnd Aborted when the identity of the store ends. Its reason is the error for pending promises.
 * @param Base The app's own class, if it has one.
 */
export function storeControllerClass(generationEnd: AbortSignal, Base = Controller): typeof Controller {
  let controller: Controller | undefined;
  function StoreController(...options: ConstructorParameters<typeof Controller>) {
    return (controller ??= endingController(new Base(...options), generationEnd));
  }
  return StoreController as unknown as typeof Controller;
}

function endingController(controller: Controller, generationEnd: AbortSignal): Controller {
  // One listener serves all stores of a generation: a listener for each store would outlive it.
  const untilEnd: UntilEnd = promise => untilAborted(generationEnd, promise);
  for (const name of ['fetch', 'fetchIfStale'] as const) {
    // Some versions of data-client define these on the instance, others on the class.
    const method = controller[name] as ControllerMethod;
    const endingMethod = (...args: never[]): unknown => {
      if (generationEnd.aborted) return Promise.reject(screenEndedError());
      const result = method.apply(controller, args);
      return result instanceof Promise ? untilEnd(result) : result;
    };
    Object.defineProperty(controller, name, { value: endingMethod, configurable: true, writable: true });
  }
  endDispatch(controller, generationEnd, untilEnd);
  return controller;
}

/**
 * Makes `dispatch` end with the generation. All other methods of a controller call `dispatch`. data-client sets the store's
 * `dispatch` after the constructor: on the instance, or through an accessor of the class, depending on the version.
 */
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
