import { headerValue } from './headerValue.js';

/** The spec's header for an access token. */
const DEFAULT_HEADER = 'Access-Token';

/**
 * The init with the token in its header. A redirect is not followed: browsers pass custom headers on to wherever it leads.
 * An endpoint that sets `redirect` itself keeps its own.
 *
 * @throws InvalidCredentialError when no header can carry the token.
 * @see https://fetch.spec.whatwg.org/#http-redirect-fetch
 */
export function tokenHeader(init: RequestInit, token: unknown, header = DEFAULT_HEADER): RequestInit {
  const value = headerValue(token, 'access token');
  const headers = new Headers(init.headers);
  headers.set(header, header.toLowerCase() === 'authorization' ? `Bearer ${value}` : value);
  return { redirect: 'manual', ...init, headers };
}
