/**
 * The init without redirects: browsers pass cookies, custom headers and, after a 307 or 308, the body on to wherever one leads.
 * `error` may stay, `follow` may not.
 */
export function withoutRedirect(init: RequestInit): RequestInit {
  return { ...init, redirect: init.redirect === 'error' ? 'error' : 'manual' };
}
