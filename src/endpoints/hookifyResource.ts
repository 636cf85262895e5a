import { useContext, useRef } from 'react';
import { MissingProviderError } from '../errors.js';
import type { EndpointInterface } from '../dataClient/rest.js';
import { getOrCreate } from '../getOrCreate.js';
import { isDevelopment } from '../isDevelopment.js';
import type { BoundSession } from './boundSession.js';
import { assertOwnCopy, SessionContext, useBoundSession } from './SessionContext.js';
import { sameEntries } from '../keepIfEqual.js';
import { mergeInit, plainHeaders } from './headers.js';
import { RestEndpoint } from './RestEndpoint.js';
import { warnOnce } from '../warnOnce.js';

/** The hooks of a resource: `useGet` for `get`, `useGetList` for `getList`, and one for every endpoint of an extension. */
export type HookResource<R extends object> = {
  [K in Extract<keyof R, string> as R[K] extends EndpointInterface ? `use${Capitalize<K>}` : never]: () => R[K];
};

/**
 * Returns the session of the nearest provider.
 *
 * @throws Error with the name of the hook, when called outside a render. React's own message is minified in production
 * and does not name the hook.
 */
function useSessionIn(hook: string): BoundSession | undefined {
  try {
    return useContext(SessionContext);
  } catch (cause) {
    throw new Error(
      `${hook}() was called outside a render. Call it in a component or hook, keep the endpoint it returns, and use that in handlers and effects.`,
      { cause },
    );
  }
}

function isEndpoint(value: unknown): value is ExtendableEndpoint {
  return typeof value === 'function' && 'extend' in value && 'key' in value;
}

/**
 * Turns the endpoints of a resource into hooks that return them with the request settings of the rendering component.
 *
 * While the settings are equal, field by field and header by header, the hook returns the same endpoint, and its `push`, `unshift`
 * and `getPage` are the same objects. So rows and effects below do not update. The settings are merged with the resource's own
 * `requestInit` and win over it.
 *
 * An endpoint belongs to the identity that it was rendered for. After that identity has ended, a call rejects with
 * `IdentityChangedError` and sends nothing.
 *
 * @param useInit A hook that returns the request settings. Runs at each render. By default, the endpoints send the credentials of
 * the nearest provider's session, which they read when a request is sent.
 * @throws Error with the name of the hook, when a hook is called outside a render.
 * @throws MissingProviderError from a hook without a provider above; TypeError when that is of another copy of the package (default `useInit`).
 * @example
 * const Articles = hookifyResource(resource({ path: '/article/:id', schema: Article }));
 * const article = useSuspense(Articles.useGet(), { id });
 * @see https://dataclient.io/rest/api/hookifyResource
 */
export function hookifyResource<R extends object>(resource: R, useInit: () => AuthInit = useAuthInit): HookResource<R> {
  const hookOf = useInit === useAuthInit ? hookOfSession : hookOfInit(useInit);
  const hooks: Record<string, () => unknown> = {};
  for (const [name, endpoint] of Object.entries(resource)) {
    if (!isEndpoint(endpoint)) continue;
    const hook = `use${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    hooks[hook] = hookOf(endpoint, hook);
  }
  return hooks as HookResource<R>;
}

/** With the default init, an endpoint depends only on the bound session. So each row needs only one `useContext` and stores nothing. */
function hookOfSession(endpoint: ExtendableEndpoint, hook: string): () => unknown {
  // One look-up for each row and render: without this cache 1,000 rows take an eighth longer.
  const endpointOf = new WeakMap<BoundSession, object>();
  return function useHookified() {
    const session = useSessionIn(hook);
    if (!session) throw new MissingProviderError(`${hook}()`);
    return getOrCreate(endpointOf, session, () => {
      assertOwnCopy(session);
      return bindEndpoint(endpoint, authInitOf(session));
    });
  };
}

/** With the app's own `useInit`, equal settings give the same endpoint. */
function hookOfInit(useInit: () => AuthInit): (endpoint: ExtendableEndpoint, hook: string) => () => unknown {
  const internInit = createInitInterner();

  /** Returns the init of this render. While inits are equal, it returns the same object. */
  function useStableInit(): AuthInit {
    const init = useInit();
    const last = useRef<AuthInit>(undefined);
    // Writing the ref during render is safe: for equal settings the result is the same, even if React renders several times.
    if (!last.current || !sameInit(last.current, init)) {
      if (isDevelopment && last.current) warnOfChangedHeaders(last.current, init);
      last.current = internInit(init);
    }
    return last.current;
  }

  return (endpoint, hook) =>
    function useHookified() {
      useSessionIn(hook);
      return bindEndpoint(endpoint, useStableInit());
    };
}

/** An endpoint that can be extended. */
export interface ExtendableEndpoint {
  readonly name: string;
  readonly requestInit?: RequestInit;
  extend(options: object): unknown;
}

/** The number of inits that a hookified resource caches for other components. */
const CACHED_INITS = 16;

const boundEndpoints = new WeakMap<object, WeakMap<AuthInit, object>>();

/** Returns true for two equal inits. Compares field by field and header by header. */
function sameInit(a: AuthInit, b: AuthInit): boolean {
  if (a === b) return true;
  const { headers: headersA, ...restA } = a;
  const { headers: headersB, ...restB } = b;
  return (
    sameEntries(restA, restB) && (headersA === headersB || sameEntries(plainHeaders(headersA), plainHeaders(headersB)))
  );
}

/** Returns a function that maps an init to the first equal one, so that equal inits of different components are one object. */
function createInitInterner(): (init: AuthInit) => AuthInit {
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
  const ofEndpoint = getOrCreate(boundEndpoints, endpoint, () => new WeakMap<AuthInit, object>());
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

/**
 * Warns when a component has got another value of a header, and its screen has stayed: the store finds data by its address, so the screen
 * still shows what was fetched with the former value. Call it in development only.
 *
 * Without a session, nothing is said: there the header may be the credential.
 */
function warnOfChangedHeaders(before: AuthInit, after: AuthInit): void {
  const { bound } = splitInit(after);
  if (!bound || splitInit(before).bound !== bound) return;
  const former = plainHeaders(before.headers);
  for (const [name, value] of Object.entries(plainHeaders(after.headers))) {
    if (former[name] === undefined || former[name] === value) continue;
    warnOnce(
      `The header ${name}, which a useInit of hookifyResource() returns, has changed, and the screen has stayed. Data is found by its address, so what was fetched with the former value is still shown and changed. If the header selects the data, as one that names an organization does, give the provider a \`key\` that changes with it. See “Organizations of one user” in the guide “Switching users”.`,
    );
  }
}

const SESSION = Symbol('data-client-auth session');

/** A `RequestInit` with the session of the request. A spread copies the session too. */
export interface AuthInit extends RequestInit {
  readonly [SESSION]?: BoundSession;
}

const inits = new WeakMap<BoundSession, AuthInit>();

/** Splits an init into its session and the plain `RequestInit`. */
function splitInit({ [SESSION]: bound, ...init }: AuthInit): {
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

/**
 * Returns an endpoint with the session of the nearest provider. The same endpoint and session give the same object at every render.
 *
 * @throws MissingProviderError without an auth provider above.
 * @throws TypeError when the endpoint's class is not the kit's.
 * @example
 * const search = useEndpoint(ArticleResource.search);
 * const hits = useSuspense(search, { q });
 */
export function useEndpoint<E extends ExtendableEndpoint>(endpoint: E): E {
  return bindEndpoint(endpoint, authInitOf(useBoundSession('useEndpoint()')));
}
