/**
 * Returns the init with redirects switched off: browsers send cookies, custom headers and, after a 307 or 308, the body
 * to the target of a redirect. Keeps `redirect: 'error'`.
 */
export function withoutRedirect(init: RequestInit): RequestInit {
  return { ...init, redirect: init.redirect === 'error' ? 'error' : 'manual' };
}
