import { bindEndpoint, type ExtendableEndpoint } from './bindEndpoint.js';
import { useBoundSession } from './SessionContext.js';
import { authInitOf } from './useAuthInit.js';

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
