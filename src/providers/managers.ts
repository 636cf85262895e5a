import { NOT_A_FUNCTION, type StoreManager } from '../dataClient/connectManagers.js';
import { HostedManagers } from '../dataClient/HostedManagers.js';
import type { RegisteredSession } from './useAuth.js';

/** Who is signed in, for `managers()`. Lasts until another user, or no user, is signed in; a refresh does not end it. */
export interface Identity<S = RegisteredSession> {
  /** The id that the session knows the user by (see `parseTokens`, `getSubject`). Undefined while no user is signed in, and for a user without an id. */
  readonly subject: string | undefined;
  /** Aborted when the identity ends, right before `cleanup()` of its managers, and when the provider is unmounted. */
  readonly signal: AbortSignal;
  /** The session of the provider. A socket gets its token here: `await session.getToken()`, right before each connect. */
  readonly session: S;
}

/** From `managers()`, for the prop `managers` of a provider. */
export interface Managers {
  /** @internal */
  readonly create: (identity: Identity) => readonly StoreManager[];
  /** @internal */
  readonly Host: typeof HostedManagers;
}

/**
 * Your data-client managers (sockets, logging, persistence, …), for the `managers` of a provider: one set for each identity. `create`
 * is called once when an identity begins: for the signed-out user, for a user who signs in, and again after a sign-out; never by a
 * refresh. `cleanup()` of the old set is called before `init()` of the new one, once each, also in StrictMode. While the session checks
 * who is signed in, there is no set; the first one then sees the reads that wait for the check, but cannot stop them. Not called on a
 * server. React may discard a first render with the set that it created, so open sockets and timers in `init()`.
 *
 * Return only your own managers, without a `NetworkManager` or a `LogoutManager`: the provider has its own for requests, polling, sign-outs
 * and devtools. An error that `create` throws is reported as uncaught, and this identity has no managers of yours.
 *
 * @throws TypeError for an array.
 * @example
 * <TokenAuthProvider session={session} managers={managers(({ subject }) => [new LogManager(subject)])}>
 * @see https://dataclient.io/docs/concepts/managers
 */
export function managers(create: (identity: Identity) => readonly StoreManager[]): Managers {
  if (typeof create !== 'function') throw new TypeError(NOT_A_FUNCTION);
  return { create, Host: HostedManagers };
}
