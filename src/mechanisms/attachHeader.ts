import { withoutRedirect } from '../session/withoutRedirect.js';

/**
 * The init with a credential in a header, which never follows a redirect.
 *
 * @see https://fetch.spec.whatwg.org/#http-redirect-fetch
 */
export function attachHeader(init: RequestInit, header: string, value: string): RequestInit {
  const headers = new Headers(init.headers);
  headers.set(header, value);
  return withoutRedirect({ ...init, headers });
}
