import { useContext, useRef } from 'react';
import { MissingProviderError } from '../errors.js';
import type { EndpointInterface } from '../dataClient/rest.js';
import { getOrCreate } from '../getOrCreate.js';
import { isDevelopment } from '../isDevelopment.js';
import { bindEndpoint, createInitInterner, sameInit, type ExtendableEndpoint } from './bindEndpoint.js';
import type { BoundSession } from './boundSession.js';
import { warnOfChangedHeaders } from './changedHeaders.js';
import { assertOwnCopy, SessionContext } from './SessionContext.js';
import { authInitOf, useAuthInit, type AuthInit } from './useAuthInit.js';

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
  const bound = new WeakMap<BoundSession, object>();
  return function useHookified() {
    const session = useSessionIn(hook);
    if (!session) throw new MissingProviderError(`${hook}()`);
    return getOrCreate(bound, session, () => {
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
