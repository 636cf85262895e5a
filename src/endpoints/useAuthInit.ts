import { getOrCreate } from '../getOrCreate.js';
import type { BoundSession } from './boundSession.js';
import { useBoundSession } from './SessionContext.js';

const SESSION = Symbol('data-client-auth session');

/** A `RequestInit` with the session of the request. A spread copies the session too. */
export interface AuthInit extends RequestInit {
  readonly [SESSION]?: BoundSession;
}

const inits = new WeakMap<BoundSession, AuthInit>();

/** Splits an init into its session and the plain `RequestInit`. */
export function splitInit({ [SESSION]: bound, ...init }: AuthInit): {
  bound: BoundSession | undefined;
  init: RequestInit;
} {
  return { bound, init };
}

/**
 * The default `useInit` of `hookifyResource`. Works with all three providers.
 *
 * The returned init contains the session, but no credential: the endpoint reads the credential from the session when a request is
 * sent. So the init is the same object at every render, and a refresh or a new token re-renders nothing. The init belongs to the
 * identity of the render: after that identity has ended, an endpoint with it rejects with `IdentityChangedError` and sends nothing.
 *
 * @throws MissingProviderError without an auth provider above.
 * @example
 * // Also give the provider `key={tenant}`. The store finds data by address, so the next tenant would see the rows of this one.
 * const Articles = hookifyResource(resource({ ... }), () => ({ ...useAuthInit(), headers: { 'X-Tenant': useTenant() } }));
 */
export function useAuthInit(): AuthInit {
  return authInitOf(useBoundSession('useAuthInit()'));
}

/** Returns the init of a bound session. The same bound session gives the same object. */
export function authInitOf(bound: BoundSession): AuthInit {
  return getOrCreate(inits, bound, () => Object.freeze({ [SESSION]: bound }));
}
