import type { Controller, Manager } from '@data-client/react';

export type Dispatch = (action: unknown) => Promise<void>;
export type Middleware = (controller: Controller) => (next: Dispatch) => Dispatch;

/** A manager's middleware: `getMiddleware()` in data-client 0.10, and `middleware` in later versions. */
export function middlewareOf(manager: Manager): Middleware {
  const { middleware } = manager as unknown as { middleware: Middleware };
  return 'getMiddleware' in manager ? (manager.getMiddleware() as unknown as Middleware) : middleware;
}
