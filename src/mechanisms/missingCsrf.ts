import type { Clock } from '../clock.js';
import { warnOnce } from '../warnOnce.js';
import { csrfToken } from './csrfToken.js';

const NO_CSRF =
  "The server refused a request because it had no CSRF token, and the session has no option `csrf`. Name the cookie and the header of your framework: createCookieSession({ …, csrf: { cookie: 'csrftoken', header: 'X-CSRFToken' } }) for Django, 'XSRF-TOKEN' and 'X-XSRF-TOKEN' for Laravel and Spring.";

/** Returns a function that warns if a response refuses the CSRF token that a session without `csrf` does not send. Use it in development only. */
export function createMissingCsrfWarning(clock: Clock, timeoutMs: number): (response: Response) => void {
  const csrf = csrfToken({}, clock, timeoutMs)!;
  return response => {
    const warnIf = (isRefused: boolean) => void (isRefused && warnOnce(NO_CSRF));
    // Nothing waits for it. A body that ends early is no refusal.
    csrf.isRefused(response).then(warnIf, () => {});
  };
}
