import { InvalidCredentialError } from '../../errors.js';
import { markLoginAccepted } from '../../session/authCalls/cookieLogin.js';
import { callWith } from '../../session/callWith.js';
import type { SessionCore } from '../../session/core.js';
import type { OutgoingRequest } from '../../session/requests/outgoingRequest.js';
import { runAsAuthCall, type AuthCallName } from '../../session/requests/runAsAuthCall.js';
import type { cookieCredential, CookieCredential } from './cookieCredential.js';
import type { CookieOptions } from './CookieSessionOptions.js';
import type { CsrfOptions } from './csrfToken.js';
import { assertNotText, rejectionAsSignedOut, withAddressWarning } from '../refusals.js';
import { startLogin } from '../startLogin.js';
import { hasIdentity, signedInFrom } from './whoamiResponse.js';

const SIGNED_OUT_AFTER_LOGIN =
  'The login succeeded, but whoami() then found no user signed in. Check that the browser keeps the cookie: its SameSite, Secure, Domain and Path, and the `credentials` option when the API is on another origin.';

/** The auth calls of a cookie session. Each carries the current cookie. */
export function cookieAuthCalls<User>(
  options: CookieOptions<User>,
  session: () => SessionCore<CookieCredential, User>,
  credential: ReturnType<typeof cookieCredential<User>>,
) {
  const { csrf, readCredential, attachCredential, trustedOrigins, warnOfMissingCsrf } = credential;
  const asAuthCall = <T>(name: AuthCallName, call: () => T, signal?: AbortSignal): T => {
    const attachCurrent = (request: OutgoingRequest) => attachCredential(request, readCredential());
    return runAsAuthCall({ name, session: session(), trustedOrigins, attachCredential: attachCurrent, signal }, call);
  };
  const refreshCsrf =
    csrf?.fetch &&
    (async (refused: string | undefined, signal?: AbortSignal) =>
      csrf.fetch?.(refused, call => asAuthCall('refresh', call, signal)));
  const fetchMissingCsrf = async (signal?: AbortSignal) =>
    readCredential().csrf === undefined ? refreshCsrf?.(undefined, signal) : undefined;
  const withRetry = <T>(name: AuthCallName, call: () => Promise<T>) =>
    withCsrfRetry(
      () => asAuthCall(name, call),
      csrf?.isRefused,
      refreshCsrf?.bind(null, readCredential().csrf, undefined),
      warnOfMissingCsrf,
    );
  const callWhoami = async (signal?: AbortSignal) => {
    const sent = asAuthCall('restore', options.whoami, signal);
    const result = await rejectionAsSignedOut(withAddressWarning('whoami', sent));
    return signedInFrom(assertNotText(result, 'whoami'), readCredential(), options.getSubject);
  };
  const login = async (...args: never[]) => {
    const withFactors = startLogin(session());
    await fetchMissingCsrf();
    const send = () => withRetry('login', () => callWith(options.login, ...args));
    const result = (await withFactors(send, answer => withRetry('login', answer))) as User;
    const fromLogin = () =>
      hasIdentity(result) ? signedInFrom(result, readCredential(), options.getSubject) : undefined;
    return resolveIdentity(fromLogin, callWhoami);
  };
  // The browser has the cookie already: only `whoami` knows whose it is.
  const enter = () => resolveIdentity(() => undefined, callWhoami);
  const restore = csrf?.appliesTo('GET')
    ? (signal?: AbortSignal) => fetchMissingCsrf(signal).then(() => callWhoami(signal))
    : callWhoami;
  const { logout } = options;
  return {
    login,
    enter,
    restore,
    refreshCsrf,
    logout: logout && ((...args: never[]) => withRetry('logout', () => callWith(logout, ...args))),
  };
}

/** Makes a login or logout, and repeats it once with a fresh CSRF token if the server refuses the token. */
async function withCsrfRetry<T>(
  call: () => Promise<T>,
  isRefused: CsrfOptions['isRefused'],
  refreshCsrf: (() => Promise<void>) | undefined,
  warnOfMissingCsrf: ((refusal: Response) => void) | undefined,
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const { response } = error as { response?: Response };
    if (response) warnOfMissingCsrf?.(response);
    if (!refreshCsrf || !response || !(await isRefused?.(response))) throw error;
    await refreshCsrf();
    return call();
  }
}

/** Returns the user that the result of a login names, else the user that `whoami` names. */
async function resolveIdentity<S>(
  fromLogin: () => S | undefined,
  callWhoami: () => Promise<S | undefined>,
): Promise<S> {
  const named = fromLogin();
  if (named) return named;
  const signedIn = await callWhoami().catch((error: unknown) => {
    markLoginAccepted(error);
    throw error;
  });
  if (signedIn) return signedIn;
  throw new InvalidCredentialError(SIGNED_OUT_AFTER_LOGIN);
}
