import { DEFAULT_TIMEOUT_MS, systemClock } from '../clock.js';
import { isDevelopment } from '../isDevelopment.js';
import type { RequestToAttach } from '../session/mechanism.js';
import { parseOrigins } from '../session/trustedOrigins.js';
import { withoutRedirect } from '../session/withoutRedirect.js';
import type { CookieOptions } from './CookieSessionOptions.js';
import { csrfToken } from './csrfToken.js';
import { createFreshCookieCheck } from './freshCookie.js';
import { createMissingCsrfWarning } from './missingCsrf.js';

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
  const trustedOrigins = parseOrigins(options.trustedOrigins);
  const warnOfMissingCsrf = isDevelopment && !csrf ? createMissingCsrfWarning(clock, timeoutMs) : undefined;
  const freshCookie = isDevelopment ? createFreshCookieCheck(clock) : undefined;
  return { csrf, readCredential, attachCredential, trustedOrigins, warnOfMissingCsrf, freshCookie };
}
