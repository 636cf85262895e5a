import { useSyncExternalStore } from 'react';
import { useSessionCore } from '../endpoints/SessionContext.js';

/**
 * The access token of the session as a value; undefined while nobody is signed in, under a cookie session, and until an SDK
 * has been asked for the first time.
 *
 * The component re-renders at every new token, and so does everything that gets it by props: the spec discourages it for
 * state that is not shown. To send the token, nothing of this is needed; use it for what cannot ask at send time, such as
 * the address of a WebSocket.
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
