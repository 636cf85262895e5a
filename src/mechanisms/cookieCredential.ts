import { DEFAULT_TIMEOUT_MS, systemClock, type Clock } from '../clock.js';
import { isDevelopment } from '../isDevelopment.js';
import type { RequestToAttach } from '../session/mechanism.js';
import { withoutRedirect } from '../session/withoutRedirect.js';
import { warnOnce } from '../warnOnce.js';
import type { CookieOptions } from './CookieSessionOptions.js';
import { csrfToken } from './csrfToken.js';

/** The part of the credential that a page can read: not the cookie, only the CSRF token that belongs to it. */
export interface CookieCredential {
  readonly csrf: string | undefined;
}

/**
 * With `same-origin`, the browser sends no cookies to another origin after a redirect; with `include` it does, so
 * redirects are off.
 */
function withCookies(init: RequestInit, credentials: RequestCredentials = 'omit'): RequestInit {
  return credentials === 'include' ? withoutRedirect({ ...init, credentials }) : { ...init, credentials };
}

/** Attaches the cookie and the CSRF token to requests. */
export function cookieCredential<User>(options: CookieOptions<User>) {
  const { credentials = 'same-origin', timeout: timeoutMs = DEFAULT_TIMEOUT_MS, clock = systemClock } = options;
  const csrf = csrfToken(options.csrf, clock, timeoutMs);
  const readCredential = (): CookieCredential => ({ csrf: csrf?.read() });
  const attachCredential = ({ init }: RequestToAttach, cookie: CookieCredential | undefined): RequestInit => {
    const withCookie = withCookies(init, cookie && credentials);
    return csrf ? csrf.attach(withCookie, cookie?.csrf) : withCookie;
  };
  const warnOfMissingCsrf = isDevelopment && !csrf ? createMissingCsrfWarning(clock, timeoutMs) : undefined;
  const freshCookie = isDevelopment ? createFreshCookieCheck(clock) : undefined;
  return { csrf, readCredential, attachCredential, warnOfMissingCsrf, freshCookie };
}

const NO_CSRF =
  "The server refused a request because it had no CSRF token, and the session has no option `csrf`. Name the cookie and the header of your framework: createCookieSession({ …, csrf: { cookie: 'csrftoken', header: 'X-CSRFToken' } }) for Django, 'XSRF-TOKEN' and 'X-XSRF-TOKEN' for Laravel and Spring.";

/** Returns a function that warns if a response refuses the CSRF token that a session without `csrf` does not send. Use it in development only. */
function createMissingCsrfWarning(clock: Clock, timeoutMs: number): (response: Response) => void {
  const csrf = csrfToken({}, clock, timeoutMs)!;
  return response => {
    const warnIf = (isRefused: boolean) => void (isRefused && warnOnce(NO_CSRF));
    // Nothing waits for it. A body that ends early is no refusal.
    csrf.isRefused(response).then(warnIf, () => {});
  };
}

/** A cookie that is refused later than this after its login may have expired. */
const FRESH_MS = 10_000;

const NOT_KEPT =
  "the server refused (401) the cookie of a new sign-in at once. Check that the browser keeps the cookie: its SameSite, Secure, Domain and Path, and `credentials: 'include'` when the API is on another origin.";

/** Warns if the first response after a login that named its user is a 401: no `whoami` has shown that the browser has the cookie. Use it in development only. */
function createFreshCookieCheck(clock: Clock): {
  onLogin: () => void;
  onResponse: (response: Response) => void;
} {
  let freshUntil = 0;
  return {
    onLogin: () => void (freshUntil = clock.now() + FRESH_MS),
    onResponse({ status }) {
      if (status === 401 && clock.now() < freshUntil) warnOnce(NOT_KEPT);
      freshUntil = 0;
    },
  };
}
