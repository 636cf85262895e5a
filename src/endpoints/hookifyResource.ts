import { useContext, useRef } from 'react';
import { MissingProviderError } from '../errors.js';
import type { EndpointInterface } from '../dataClient/rest.js';
import { bindEndpoint, createInitInterner, sameInit, type ExtendableEndpoint } from './bindEndpoint.js';
import type { BoundSession } from './boundSession.js';
import { SessionContext } from './SessionContext.js';
import { authInitOf, useAuthInit, type AuthInit } from './useAuthInit.js';

/** The hooks of a resource: `useGet` for `get`, `useGetList` for `getList`, and one for every endpoint it was extended with. */
export type HookResource<R extends object> = {
  [K in Extract<keyof R, string> as R[K] extends EndpointInterface ? `use${Capitalize<K>}` : never]: () => R[K];
};

/**
 * The session of the nearest provider.
 *
 * @throws Error naming the hook, when no render is going on: React's own message is minified in production, and names no hook of ours.
 */
function useSessionIn(hook: string): BoundSession | undefined {
  try {
    return useContext(SessionContext);
  } catch (cause) {
    throw new Error(`${hook}() was called outside a render. Call it in a component or hook, keep the endpoint it returns, and use that in handlers and effects.`, { cause });
  }
}

function isEndpoint(value: unknown): value is ExtendableEndpoint {
  return typeof value === 'function' && 'extend' in value && 'key' in value;
}

/**
 * Turns the endpoints of a resource into hooks that return them with request settings of the rendering component.
 *
 * The returned endpoint is the same object as long as the settings are equal, field by field and header by header, and so
 * are its `push`, `unshift` and `getPage`: rows and effects below see no change. The settings are merged with the resource's
 * own `requestInit`, and win over it.
 *
 * An endpoint belongs to the identity that it was rendered for. Called once that identity has left, it rejects with
 * `IdentityChangedError` and sends nothing.
 *
 * @param useInit Runs as a hook at each render. Left out, the endpoints carry the credentials of the nearest provider's
 * session, read when a request is sent.
 * @throws Error naming the hook, when one is called outside a render; MissingProviderError without a provider (default `useInit`).
 * @example
 * const ArticleResource = hookifyResource(resource({ path: '/article/:id', schema: Article }));
 * const article = useSuspense(ArticleResource.useGet(), { id });
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

/** With the default init an endpoint depends on the bound session alone: a row pays for one `useContext` and keeps nothing. */
function hookOfSession(endpoint: ExtendableEndpoint, hook: string): () => unknown {
  const bound = new WeakMap<BoundSession, unknown>();
  return function useHookified() {
    const session = useSessionIn(hook);
    if (!session) throw new MissingProviderError('useAuthInit()');
    const known = bound.get(session);
    if (known) return known;
    const made = bindEndpoint(endpoint, authInitOf(session));
    bound.set(session, made);
    return made;
  };
}

/** With a `useInit` of the app's own, equal settings give the same endpoint. */
function hookOfInit(useInit: () => AuthInit): (endpoint: ExtendableEndpoint, hook: string) => () => unknown {
  const internInit = createInitInterner();

  /** The init of this render; the same object as before while it is equal. */
  function useStableInit(): AuthInit {
    const init = useInit();
    const last = useRef<AuthInit>(undefined);
    // A cache that changes no result: equal inputs give the equal object, however often React renders.
    if (!last.current || !sameInit(last.current, init)) last.current = internInit(init);
    return last.current;
  }

  return (endpoint, hook) =>
    function useHookified() {
      useSessionIn(hook);
      return bindEndpoint(endpoint, useStableInit());
    };
}
