/** Methods that change nothing (RFC 9110, section 9.2.1). */
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/** Whether a request of this method changes nothing on the server: it needs no CSRF token, and may be done twice. */
export function isSafeMethod(method: string): boolean {
  return SAFE_METHODS.has(method);
}
