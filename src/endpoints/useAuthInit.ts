import type { SessionCore } from '../session/core.js';
import { useSessionCore } from './SessionContext.js';

const SESSION = Symbol('data-client-auth session');

/** A `RequestInit` that also names the session the request belongs to. A copy made by spreading does so too. */
export interface AuthInit extends RequestInit {
  readonly [SESSION]?: SessionCore;
}

const inits = new WeakMap<SessionCore, AuthInit>();

/** The session that an init names, and the init without it. */
export function splitInit({ [SESSION]: session, ...init }: AuthInit): { session: SessionCore | undefined; init: RequestInit } {
  return { session, init };
}

/**
 * The ready-made `useInit` for `hookifyResource`, under any of the three providers.
 *
 * It holds no credential, only the session. The endpoint reads the credential from it when a request is sent. So it is the same object at every
 * render, and neither a refresh nor a change of token re-renders anything.
 *
 * @throws MissingProviderError without an auth provider above.
 * @example
 * const ArticleResource = hookifyResource(resource({ ... }), () => ({ ...useAuthInit(), headers: { 'X-Tenant': useTenant() } }));
 */
export function useAuthInit(): AuthInit {
  return authInitOf(useSessionCore('useAuthInit()'));
}

/** The init that names a session; the same object for the same session. */
export function authInitOf(session: SessionCore): AuthInit {
  const known = inits.get(session);
  if (known) return known;
  const init: AuthInit = Object.freeze({ [SESSION]: session });
  inits.set(session, init);
  return init;
}
