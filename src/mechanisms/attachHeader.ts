/** The init without redirects: browsers pass cookies and custom headers on to wherever one leads. `error` may stay, `follow` may not. */
export function withoutRedirect(init: RequestInit): RequestInit {
  return { ...init, redirect: init.redirect === 'error' ? 'error' : 'manual' };
}

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
