import type { SessionCore } from '../session/extension.js';
import type { Role } from '../session/queue.js';

interface Extendable {
  extend(options: object): (...args: unknown[]) => Promise<unknown>;
}

/**
 * Makes a function of the app one of the session's own calls. An endpoint sends as this writer of the session. So does what a function
 * sends before its first `await`, by `session.fetch` or an endpoint. Without a role, the call is of the user.
 */
export function ownCall<Args extends readonly unknown[], Result>(
  call: (...args: Args) => Promise<Result>,
  session: () => SessionCore,
  role?: Role,
): (...args: Args) => Promise<Result> {
  if ('extend' in call) {
    let bound: ((...args: unknown[]) => Promise<unknown>) | undefined;
    return async (...args) => {
      bound ??= (call as unknown as Extendable).extend({ session: session(), role });
      return bound(...args) as Promise<Result>;
    };
  }
  return role ? async (...args) => session().callAs(role, () => call(...args)) : call;
}
