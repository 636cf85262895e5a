import { LogoutManager, NetworkManager, type Controller, type Manager, type Middleware } from '@data-client/react';

/**
 * One of data-client's managers, for each of its versions: newer ones read `middleware`, and 0.10 calls `getMiddleware()`. The kit
 * accepts both, whichever data-client is installed.
 *
 * @see https://dataclient.io/docs/api/Manager
 */
export type StoreManager = Pick<Manager, 'init' | 'cleanup'> &
  ({ readonly middleware: Middleware } | { getMiddleware(): Middleware });

/** An action of the store, as far as the kit reads it. The fields have these names in some version of data-client. */
export interface StoreAction {
  readonly type: string;
  readonly key?: string;
  readonly meta?: { readonly key?: string };
  readonly endpoint?: { readonly sideEffect?: unknown };
}

export type StoreDispatch = (action: StoreAction) => Promise<unknown>;

type StoreMiddleware = (controller: Controller) => (next: StoreDispatch) => StoreDispatch;

/** Connects the managers, the first of them outermost, as data-client does. */
export function connectManagers(
  managers: readonly StoreManager[],
  controller: Controller,
  next: StoreDispatch,
): StoreDispatch {
  const middlewares = managers.map(manager => {
    const middleware = 'getMiddleware' in manager ? manager.getMiddleware() : manager.middleware;
    return (middleware as StoreMiddleware)(controller);
  });
  return middlewares.reduceRight((inner, middleware) => middleware(inner), next);
}

/** Data-client's own provider takes the array, so an app that moves to the kit may still give it. */
export const NOT_A_FUNCTION =
  '`managers` has to be a function that returns an array, in managers() of data-client-auth/managers: managers={managers(() => [new YourManager()])}. The array that data-client takes would be shared by all users.';

/** @throws TypeError when these are no array, or one of the managers would do the work of the provider's own. */
export function assertAppManagers(managers: readonly object[]): void {
  if (!Array.isArray(managers)) throw new TypeError(NOT_A_FUNCTION);
  for (const Own of [NetworkManager, LogoutManager]) {
    if (managers.some(manager => manager instanceof Own)) throw new TypeError(ownManager(Own.name));
  }
}

function ownManager(name: string): string {
  return `\`managers\` returned a ${name}, and the provider has its own: return only your managers, without getDefaultManagers() and LogoutManager.`;
}
