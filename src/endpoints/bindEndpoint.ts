import { getOrCreate } from '../getOrCreate.js';
import { sameEntries } from '../keepIfEqual.js';
import { mergeInit, plainHeaders } from './headers.js';
import { RestEndpoint } from './RestEndpoint.js';
import { splitInit, type AuthInit } from './useAuthInit.js';

/** An endpoint that can be extended. */
export interface ExtendableEndpoint {
  readonly name: string;
  readonly requestInit?: RequestInit;
  extend(options: object): unknown;
}

/** The number of inits that a hookified resource caches for other components. */
const CACHED_INITS = 16;

const bound = new WeakMap<object, WeakMap<AuthInit, object>>();

/** Returns true for two equal inits. Compares field by field and header by header. */
export function sameInit(a: AuthInit, b: AuthInit): boolean {
  if (a === b) return true;
  const { headers: headersA, ...restA } = a;
  const { headers: headersB, ...restB } = b;
  return (
    sameEntries(restA, restB) && (headersA === headersB || sameEntries(plainHeaders(headersA), plainHeaders(headersB)))
  );
}

/** Returns a function that maps an init to the first equal one, so that equal inits of different components are one object. */
export function createInitInterner(): (init: AuthInit) => AuthInit {
  const recent: AuthInit[] = [];
  return init => {
    const cached = recent.find(other => sameInit(other, init));
    if (cached) return cached;
    recent.unshift(init);
    recent.length = Math.min(recent.length, CACHED_INITS);
    return init;
  };
}

/**
 * Returns the endpoint with an init merged into its own. The same endpoint and the same init object give the same result.
 *
 * @throws TypeError when the init belongs to a session and the endpoint is not one of the kit's.
 */
export function bindEndpoint<E extends ExtendableEndpoint>(endpoint: E, authInit: AuthInit): E {
  const ofEndpoint = getOrCreate(bound, endpoint, () => new WeakMap<AuthInit, object>());
  return getOrCreate(ofEndpoint, authInit, () => {
    const { bound: boundSession, init } = splitInit(authInit);
    if (boundSession && !(endpoint instanceof RestEndpoint)) {
      throw new TypeError(
        `${endpoint.name || 'An endpoint without a name'} cannot carry a session's credentials, because its class is not the kit's. Make it with resource() or RestEndpoint of data-client-auth, or give hookifyResource a useInit of your own.`,
      );
    }
    return endpoint.extend({
      requestInit: mergeInit(endpoint.requestInit, init),
      ...(boundSession && { session: boundSession.session, boundSession }),
    }) as object;
  }) as E;
}
