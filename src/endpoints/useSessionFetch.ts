import { useCallback } from 'react';
import { screenEndedError } from '../errors.js';
import type { SessionFetch } from '../session/session.js';
import { useBoundSession } from './SessionContext.js';

/**
 * Returns `session.fetch` of the nearest provider, for the identity of the screen. The same function at every render. After that
 * identity has ended, it rejects with `IdentityChangedError` and sends nothing. Works with all three providers.
 *
 * @throws MissingProviderError without an auth provider above.
 * @example
 * const fetch = useSessionFetch();
 * const client = useMemo(() => createClient<paths>({ baseUrl: 'https://api.example.com', fetch }), [fetch]);
 */
export function useSessionFetch(): SessionFetch {
  const { session, end } = useBoundSession('useSessionFetch()');
  return useCallback(
    (input, init) => (end.aborted ? Promise.reject(screenEndedError()) : session.fetch(input, init)),
    [session, end],
  );
}
