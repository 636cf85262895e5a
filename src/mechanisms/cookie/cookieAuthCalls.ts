import { InvalidCredentialError } from '../../errors.js';
import { markLoginAccepted } from '../../session/authCalls/cookieLogin.js';
import { callWith } from '../../session/callWith.js';
import type { SessionCore } from '../../session/core.js';
import { responseOf } from '../../session/requests/responseOf.js';
import { runAsAuthCall, type AuthCall, type AuthCallName } from '../../session/requests/runAsAuthCall.js';
import type { cookieCredential, CookieCredential } from './cookieCredential.js';
import type { CookieOptions } from './CookieSessionOptions.js';
import type { CsrfOptions } from './csrfToken.js';
import { assertNotText, rejectionAsSignedOut, warnOfSecretInAddress, withAddressWarning } from '../refusals.js';
import { startLogin } from '../startLogin.js';
import { signedInFrom, signedInFromLogin } from './whoamiResponse.js';

const SIGNED_OUT_AFTER_LOGIN =
  'The login succeeded, but whoami() then found no user signed in. Check that the browser keeps the cookie: its SameSite, Secure, Domain and Path, and the `credentials` option when the API is on another origin.';

/**
 * Runs the calls of a cookie session. Each carries the current cookie, and gets a CSRF token where it needs one.
 *
 * The session has started an auth call around them already, which lasts until the first `await`: here that may be the fetch of a missing
 * token. So each request is started as an auth call of its own.
 */
function createRunner<User>(
  session: () => SessionCore<CookieCredential, User>,
  {
    csrf,
    readCredential,
    attachCredential,
    trustedOrigins,
    warnOfMissingCsrf,
  }: ReturnType<typeof cookieCredential<User>>,
) {
  /** @param known The CSRF token to send. @default the current one */
  const run = <T>(name: AuthCallName, call: () => T, signal?: AbortSignal, known?: CookieCredential): T => {
    const attach: AuthCall['attachCredential'] = request =>
      attachCredential(request, known?.csrf === undefined ? readCredential() : known);
    return runAsAuthCall({ name, session: session(), trustedOrigins, attachCredential: attach, signal }, call);
  };
  const refreshCsrf =
    csrf?.fetch &&
    (async (refused: string | undefined, signal?: AbortSignal) =>
      csrf.fetch?.(refused, (call, overdue) =>
        run('refresh', call, signal ? AbortSignal.any([signal, overdue]) : overdue),
      ));
  const fetchMissingCsrf = async (signal?: AbortSignal) =>
    readCredential().csrf === undefined ? refreshCsrf?.(undefined, signal) : undefined;
  const runWithRetry = <T>(name: AuthCallName, call: () => Promise<T>, signal?: AbortSignal) =>
    withCsrfRetry(
      () => run(name, call, signal),
      csrf?.isRefused,
      refreshCsrf?.bind(null, readCredential().csrf, signal),
      warnOfMissingCsrf,
    );
  return { run, refreshCsrf, fetchMissingCsrf, runWithRetry };
}

/** The auth calls of a cookie session. */
export function cookieAuthCalls<User>(
  options: CookieOptions<User>,
  session: () => SessionCore<CookieCredential, User>,
  credential: ReturnType<typeof cookieCredential<User>>,
) {
  const { csrf, readCredential } = credential;
  const { run, refreshCsrf, fetchMissingCsrf, runWithRetry } = createRunner(session, credential);
  const callWhoami = async (signal?: AbortSignal) => {
    const sent = runWithRetry('restore', options.whoami, signal);
    const result = await rejectionAsSignedOut(withAddressWarning('whoami', sent));
    return signedInFrom(assertNotText(result, 'whoami'), readCredential(), options.getSubject);
  };
  const login = async (...args: never[]) => {
    warnOfSecretInAddress('login', options.login, args[0]);
    const withFactors = startLogin(session());
    await fetchMissingCsrf();
    const send = () =>
      withAddressWarning(
        'login',
        runWithRetry('login', () => callWith(options.login, ...args)),
      );
    const result = (await withFactors(send, answer => runWithRetry('login', answer))) as User;
    const named = signedInFromLogin(result, readCredential(), options.getSubject);
    if (!named) return enter();
    credential.freshCookie?.onLogin();
    return named;
  };
  // The browser has the cookie already: only `whoami` knows whose it is.
  const enter = () => requireUser(callWhoami);
  const restore = csrf?.appliesTo('GET')
    ? (signal?: AbortSignal) => fetchMissingCsrf(signal).then(() => callWhoami(signal))
    : callWhoami;
  // With the token of the user who signs out: if the cookie is another user's by now, the server refuses it.
  const logout = (ended: CookieCredential | undefined, ...args: never[]) =>
    run('logout', () => callWith(options.logout!, ...args), undefined, ended);
  return { login, enter, restore, refreshCsrf, logout: options.logout && logout };
}

/** Makes an auth call, and repeats it once with a fresh CSRF token if the server refuses the token. */
async function withCsrfRetry<T>(
  call: () => Promise<T>,
  isRefused: CsrfOptions['isRefused'],
  refreshCsrf: (() => Promise<void>) | undefined,
  warnOfMissingCsrf: ((refusal: Response) => void) | undefined,
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const response = responseOf(error);
    if (response) warnOfMissingCsrf?.(response);
    if (!refreshCsrf || !response || !(await isRefused?.(response))) throw error;
    await refreshCsrf();
    return call();
  }
}

/** Calls `whoami` after the server has signed a user in. */
async function requireUser<S>(callWhoami: () => Promise<S | undefined>): Promise<S> {
  const signedIn = await callWhoami().catch((error: unknown) => {
    markLoginAccepted(error);
    throw error;
  });
  if (signedIn) return signedIn;
  throw new InvalidCredentialError(SIGNED_OUT_AFTER_LOGIN);
}
