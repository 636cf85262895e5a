import { InvalidCredentialError } from '../errors.js';
import { markLoginAccepted } from '../session/cookieLogin.js';
import type { SessionCore } from '../session/core.js';
import type { OutgoingRequest } from '../session/outgoingRequest.js';
import { runAsAuthCall, type AuthCallName } from '../session/runAsAuthCall.js';
import type { cookieCredential, CookieCredential } from './cookieCredential.js';
import type { CookieOptions } from './CookieSessionOptions.js';
import type { CsrfOptions } from './csrfToken.js';
import { assertNotText, rejectionAsSignedOut } from './refusals.js';
import { hasIdentity, signedInFrom } from './whoamiAnswer.js';

const SIGNED_OUT_AFTER_LOGIN =
  'The login succeeded, but whoami() then found no user signed in. Check that the browser keeps the cookie: its SameSite, Secure, Domain and Path, and the `credentials` option when the API is on another origin.';

/** The calls that a cookie session makes itself, each with the cookie of its moment. */
export function cookieAuthCalls<User>(
  options: CookieOptions<User>,
  session: () => SessionCore<CookieCredential, User>,
  { csrf, readCredential, attachCredential, trustedOrigins }: ReturnType<typeof cookieCredential<User>>,
) {
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
    );
  const askWhoami = async (signal?: AbortSignal) => {
    const answer = assertNotText(await rejectionAsSignedOut(asAuthCall('restore', options.whoami, signal)), 'whoami');
    return signedInFrom(answer, readCredential(), options.getSubject);
  };
  const login = async (...args: never[]) => {
    await fetchMissingCsrf();
    const answer = await withRetry('login', () => options.login(...(args as never)));
    const fromAnswer = () =>
      hasIdentity(answer) ? signedInFrom(answer, readCredential(), options.getSubject) : undefined;
    return resolveIdentity(fromAnswer, askWhoami);
  };
  const restore = csrf?.appliesTo('GET')
    ? (signal?: AbortSignal) => fetchMissingCsrf(signal).then(() => askWhoami(signal))
    : askWhoami;
  const { logout } = options;
  return {
    login,
    restore,
    refreshCsrf,
    logout: logout && ((...args: never[]) => withRetry('logout', () => logout(...(args as never)))),
  };
}

/** Calls once more with a fresh CSRF token where the server refuses the one that a login or logout carried. */
async function withCsrfRetry<T>(
  call: () => Promise<T>,
  isRefused: CsrfOptions['isRefused'],
  refreshCsrf: (() => Promise<void>) | undefined,
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const { response } = error as { response?: Response };
    if (!refreshCsrf || !response || !(await isRefused?.(response))) throw error;
    await refreshCsrf();
    return call();
  }
}

/** The user whom a login's answer names, else the one whom `whoami` names. */
async function resolveIdentity<S>(
  fromAnswer: () => S | undefined,
  askWhoami: () => Promise<S | undefined>,
): Promise<S> {
  const named = fromAnswer();
  if (named) return named;
  const signedIn = await askWhoami().catch((error: unknown) => {
    markLoginAccepted(error);
    throw error;
  });
  if (signedIn) return signedIn;
  throw new InvalidCredentialError(SIGNED_OUT_AFTER_LOGIN);
}
