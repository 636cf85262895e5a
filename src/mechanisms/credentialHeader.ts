/**
 * The init with a credential in a header. A redirect is never followed with it: browsers pass custom headers on to wherever
 * it leads. An endpoint may ask for `redirect: 'error'`; `follow` is not granted.
 *
 * @see https://fetch.spec.whatwg.org/#http-redirect-fetch
 */
export function credentialHeader(init: RequestInit, header: string, value: string): RequestInit {
  const headers = new Headers(init.headers);
  headers.set(header, value);
  return { ...init, headers, redirect: init.redirect === 'error' ? 'error' : 'manual' };
}
