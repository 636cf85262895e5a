import type { SessionEngine } from '../session/SessionEngine.js';
import { useSessionEngine } from './SessionContext.js';

const SESSION = Symbol('data-client-auth session');

/** A `RequestInit` that also tells which session the request belongs to. A copy made by spreading tells it too. */
export interface AuthInit extends RequestInit {
  readonly [SESSION]?: SessionEngine;
}

const inits = new WeakMap<SessionEngine, AuthInit>();

/** The session that an init tells, and the init without it. */
export function splitInit({ [SESSION]: session, ...init }: AuthInit): { session: SessionEngine | undefined; init: RequestInit } {
  return { session, init };
}

/**
 * The ready-made `useInit` for `hookifyResource`, under any of the three providers.
 *
 * It holds no credential: only the session, of which the endpoint asks one when it sends. So it is the same object at every
 * render, and neither a refresh nor a change of token re-renders anything.
 *
 * @throws MissingProviderError without an auth provider above.
 * @example
 * const ArticleResource = hookifyResource(resource({ ... }), () => ({ ...useAuthInit(), headers: { 'X-Tenant': useTenant() } }));
 */
export function useAuthInit(): AuthInit {
  return authInitOf(useSessionEngine('useAuthInit()'));
}

/** The init that tells a session; the same object for the same session. */
export function authInitOf(engine: SessionEngine): AuthInit {
  const known = inits.get(engine);
  if (known) return known;
  const init: AuthInit = Object.freeze({ [SESSION]: engine });
  inits.set(engine, init);
  return init;
}
