/** Methods that change nothing (RFC 9110, section 9.2.1). */
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/** True if a request of this method changes nothing on the server: it needs no CSRF token, and may be sent twice. */
export function isSafeMethod(method: string): boolean {
  return SAFE_METHODS.has(method);
}
