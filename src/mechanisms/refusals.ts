import { RequestError, SessionExpiredError, InvalidCredentialError } from '../errors.js';
import { isDevelopment } from '../isDevelopment.js';
import { isPage } from '../pageAnswer.js';
import { isTransportError } from '../session/errorKinds.js';
import { warnOnce } from '../warnOnce.js';

/** Statuses by which authorization servers refuse a credential (RFC 6749, section 5.2; RFC 9110, section 15.5). */
const REFUSALS = new Set([400, 401, 403]);

/**
 * Error codes of OAuth servers and their SDKs that only a new sign-in can fix (RFC 6749 5.2, OpenID Connect Core
 * 3.1.2.6; the last three: Auth0 and MSAL).
 */
const NEEDS_SIGN_IN = new Set([
  'invalid_grant',
  'invalid_token',
  'login_required',
  'interaction_required',
  'consent_required',
  'missing_refresh_token',
  'no_tokens_found',
  'refresh_token_expired',
]);

/** The HTTP status of an error, or of its response. */
function statusOf(error: unknown): unknown {
  if (typeof error !== 'object' || error === null) return undefined;
  const { status, response } = error as { status?: unknown; response?: { status?: unknown } };
  return response?.status ?? status;
}

/**
 * Returns true if a failed refresh or restore means *refused*, false if it means *unavailable*.
 *
 * Refused: status 400, 401 or 403, an OAuth error that needs a sign-in, or a `SessionExpiredError` of the app. All else
 * (offline, 5xx, a timeout, an unreadable response) is unavailable, and ends no session.
 */
function isRefusal(error: unknown): boolean {
  if (error instanceof SessionExpiredError) return true;
  // The kit's own errors, and lost or unreadable responses, are not a server's refusal.
  if (error instanceof RequestError || isTransportError(error)) return false;
  // MSAL's errors have `errorCode`.
  const { error: code, errorCode } = (error ?? {}) as { error?: unknown; errorCode?: unknown };
  return (
    REFUSALS.has(statusOf(error) as number) ||
    [code, errorCode].some(name => NEEDS_SIGN_IN.has(name as string)) ||
    isEndedByClerk(error)
  );
}

interface ClerkError {
  readonly clerkError?: unknown;
  readonly errors?: readonly { readonly message?: unknown }[];
}

/**
 * Returns true if Clerk refuses the token of a session that it has ended. By the message: a JWT template that does not exist has the
 * same status, 404, and the same code.
 */
function isEndedByClerk(error: unknown): boolean {
  const { clerkError, errors } = (error ?? {}) as ClerkError;
  return clerkError === true && !!errors?.some(({ message }) => /^session not found/i.test(String(message)));
}

/**
 * Converts the refusal of a refresh to a `SessionExpiredError`, which ends the session.
 *
 * @param onRefused Called before. @default nothing is
 */
export async function rejectionAsExpired<T>(result: Promise<T>, onRefused?: () => void): Promise<T> {
  try {
    return await result;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    onRefused?.();
    throw new SessionExpiredError();
  }
}

/** Converts the refusal of a check for an existing session to undefined: no user is signed in. */
export async function rejectionAsSignedOut<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return undefined;
  }
}

/** Ignores a 401 of a logout: the server has no session to end. */
export async function ignoreUnauthorized(result: Promise<unknown>): Promise<unknown> {
  try {
    return await result;
  } catch (error) {
    if (statusOf(error) !== 401) throw error;
    return undefined;
  }
}

/**
 * Returns the result of a check for an existing session, unless it is a page of a proxy or a captive portal.
 *
 * @throws SyntaxError for a text: the server is unavailable.
 */
export function assertNotText<T>(result: T, call: NamedCall): T {
  if (typeof result !== 'string' || result === '') return result;
  warnOfAddress(call, 'a text');
  throw new SyntaxError(`${call}() answered a text where an object was expected, as a proxy or a captive portal does.`);
}

/** An option of a session, as a warning names it. */
type NamedCall = 'whoami' | 'restore' | 'refresh' | 'login' | 'logout';

/** Warns in development when a session's own call is answered with 404, or a refresh with a page. Returns the same promise. */
export function withAddressWarning<T>(call: NamedCall, answer: Promise<T>): Promise<T> {
  if (isDevelopment) {
    const onAnswer = (result: T) => void (call === 'refresh' && isPage(result) && warnOfAddress(call, 'a page'));
    const onError = (error: unknown) => {
      const status = statusOf(error) as number;
      if (status === 404) warnOfAddress(call, '404');
      else if (call === 'refresh' && status >= 500) warnOnce(`refresh() was answered with ${status}. ${OUTAGE}`);
    };
    Promise.resolve(answer).then(onAnswer, onError);
  }
  return answer;
}

const UNKNOWN_USER = [
  'the session does not know who is signed in',
  'While no user is signed in, let the server answer null or 401.',
];

/** In development: another server than the API seems to have answered, as a dev server does that sends its page for every path. */
function warnOfAddress(call: NamedCall, answer: string): void {
  if (!isDevelopment) return;
  const [effect, rule] = {
    whoami: UNKNOWN_USER,
    restore: UNKNOWN_USER,
    refresh: ['the session has no new credential', 'If the credential is no longer valid, let the server answer 401.'],
    login: ['no user is signed in', 'For a wrong name or password, let the server answer 401.'],
    logout: ['the server may not have ended the session', 'While no user is signed in, let the server answer 401.'],
  }[call];
  warnOnce(
    `${call}() was answered with ${answer}, so ${effect}. Check its address: \`urlPrefix\`, \`path\` and the proxy of the dev server. ${rule}`,
  );
}

const OUTAGE =
  'That is an outage, not a refusal: the user stays signed in, and requests that need a new credential fail until a later refresh succeeds. See the log of the server; if it means that the credential is no longer valid, let it answer 401.';

const SECRETS = ['password', 'refreshToken'];

/**
 * Warns in development when an endpoint without a body gets a secret: the endpoint makes search params of its argument.
 *
 * @param call The session's option for the endpoint. A function of the app's own is no endpoint.
 */
export function warnOfSecretInAddress(call: 'login' | 'refresh', endpoint: unknown, argument: unknown): void {
  if (!isDevelopment || (endpoint as { method?: unknown }).method !== 'GET') return;
  const given = (argument ?? {}) as Readonly<Record<string, unknown>>;
  const secret = SECRETS.find(name => typeof given[name] === 'string');
  if (secret)
    warnOnce(
      `${call}() sends \`${secret}\` in the address of a GET, which servers and proxies write into their logs. Give the endpoint \`method: 'POST'\`.`,
    );
}

/** Refusals of a request that lacks something. A refused cookie is a 401. */
const INCOMPLETE = [400, 422];

/** Warns in development when the server refuses a refresh without a refresh token as incomplete. Returns the same promise. */
export function withRefreshTokenWarning<T>(answer: Promise<T>, refreshToken: string | undefined): Promise<T> {
  if (isDevelopment && refreshToken === undefined) {
    answer.catch((error: unknown) => {
      const status = statusOf(error) as number;
      if (INCOMPLETE.includes(status))
        warnOnce(
          `refresh() was answered with ${status}, and the session has no refresh token to send: the login answered none by the name \`refreshToken\` (or \`refresh_token\`). If it has another name, read it with the session's \`parseTokens\` option.`,
        );
    });
  }
  return answer;
}

/**
 * Refuses what `fetch()` returns, which has no fields of an answer.
 *
 * @throws InvalidCredentialError for a `Response`.
 */
export function assertNotResponse(result: unknown): void {
  if (typeof Response === 'undefined' || !(result instanceof Response)) return;
  throw new InvalidCredentialError(
    'The session got a Response, and not what it contains. Return `await response.json()`, and throw the response if it is not `ok`.',
  );
}
