import { systemClock } from '../../clock.js';
import type { SessionCore } from '../../session/core.js';
import type { AuthFailure } from '../../session/requests/credentialHandling.js';
import type { Mechanism, ResponseListener } from '../../session/mechanism.js';
import { isFromOtherOrigin } from '../../session/requests/trustedOrigins.js';
import { cookieAuthCalls } from './cookieAuthCalls.js';
import { cookieCredential, type CookieCredential } from './cookieCredential.js';
import type { CookieOptions } from './CookieSessionOptions.js';
import { createTabs, DEFAULT_NAME } from '../createTabs.js';
import type { CsrfOptions } from './csrfToken.js';
import { ignoreUnauthorized, withAddressWarning } from '../refusals.js';

/** What a session calls when its credential is a cookie. */
export function cookieMechanism<User>(
  options: CookieOptions<User>,
  session: () => SessionCore<CookieCredential, User>,
): Mechanism<CookieCredential, User> & ResponseListener {
  const { timeout: timeoutMs, clock = systemClock } = options;
  const credential = cookieCredential(options);
  const { csrf, readCredential, attachCredential, trustedOrigins, warnOfMissingCsrf, freshCookie } = credential;
  const { login, enter, restore, refreshCsrf, logout } = cookieAuthCalls(options, session, credential);
  const tabsName = options.tabs ?? [DEFAULT_NAME, ...(trustedOrigins ?? [])].join(' ');
  return {
    timeoutMs,
    trustedOrigins,
    tabs: createTabs(tabsName, clock),
    tabsName: tabsName || undefined,
    browserManaged: true,
    refreshOn: 'csrf-rejected',
    restore,
    login,
    enter,
    ...(logout && {
      logout: async (ended, ...args: never[]) =>
        ignoreUnauthorized(withAddressWarning('logout', logout(ended, ...args))),
    }),
    ...(csrf &&
      refreshCsrf && {
        refresh: async (current, signal) =>
          refreshCsrf(current.credential.csrf, signal).then(() => ({ ...current, credential: readCredential() })),
        appliesTo: csrf.appliesTo,
        refreshAt: () => (readCredential().csrf === undefined ? 0 : undefined),
      }),
    ...(freshCookie && { onResponse: freshCookie.onResponse }),
    ...(options.verifyResponse && { subjectOfResponse: options.verifyResponse }),
    readCredential,
    isSameCredential: (a, b) => a.csrf === b.csrf,
    attachCredential,
    classifyResponse(response) {
      warnOfMissingCsrf?.(response);
      return classifyResponse(response, csrf?.isRefused);
    },
  };
}

async function classifyResponse(
  response: Response,
  isRefused: CsrfOptions['isRefused'],
): Promise<AuthFailure | undefined> {
  if (response.status === 401) return isFromOtherOrigin(response) ? undefined : 'unauthorized';
  return (await isRefused?.(response)) ? 'csrf-rejected' : undefined;
}
