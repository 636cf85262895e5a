import type { BoundSession } from './boundSession.js';
import { useBoundSession } from './SessionContext.js';

const SESSION = Symbol('data-client-auth session');

/** A `RequestInit` that also names the session the request belongs to. A copy made by spreading does so too. */
export interface AuthInit extends RequestInit {
  readonly [SESSION]?: BoundSession;
}

const inits = new WeakMap<BoundSession, AuthInit>();

/** The session that an init names, and the init without it. */
export function splitInit({ [SESSION]: bound, ...init }: AuthInit): { bound: BoundSession | undefined; init: RequestInit } {
  return { bound, init };
}

/**
 * The ready-made `useInit` for `hookifyResource`, under any of the three providers.
 *
 * It holds no credential, only the session. The endpoint reads the credential from it when a request is sent. So it is the same object at every
 * render, and neither a refresh nor a change of token re-renders anything. It is bound to the identity of the render: an endpoint with
 * this init rejects with `IdentityChangedError`, and sends nothing, once that identity has left.
 *
 * @throws MissingProviderError without an auth provider above.
 * @example
 * const ArticleResource = hookifyResource(resource({ ... }), () => ({ ...useAuthInit(), headers: { 'X-Tenant': useTenant() } }));
 */
export function useAuthInit(): AuthInit {
  return authInitOf(useBoundSession('useAuthInit()'));
}

/** The init that names a session; the same object for the same bound session. */
export function authInitOf(bound: BoundSession): AuthInit {
  const known = inits.get(bound);
  if (known) return known;
  const init: AuthInit = Object.freeze({ [SESSION]: bound });
  inits.set(bound, init);
  return init;
}
