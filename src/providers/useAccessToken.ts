import { useSyncExternalStore } from 'react';
import { useSessionCore } from '../endpoints/SessionContext.js';

/**
 * Returns the current access token. Undefined while the user is signed out, with a cookie session, until the first call of an
 * SDK's `getToken`, and with a mechanism of your own unless its credential has the field `accessToken` or `token`.
 *
 * The component re-renders at every new token, and so does every component that gets the token as a prop. Endpoints
 * read the token at send time and do not need this hook. Use it where the token must be known at render time. For a
 * socket, call `session.getToken()` right before it connects: that token is refreshed if it is due.
 *
 * @throws MissingProviderError without an auth provider above.
 * @example
 * const token = useAccessToken();
 */
export function useAccessToken(): string | undefined {
  const session = useSessionCore('useAccessToken()');
  const credential = useSyncExternalStore(session.subscribeToCredential, session.getCredential, () => undefined);
  const { accessToken, token } = (credential ?? {}) as { accessToken?: string; token?: string };
  return accessToken ?? token;
}
