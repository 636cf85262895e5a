import { RequestError, SessionExpiredError } from '../errors.js';
import { isTransportError } from '../session/isTransportError.js';

/** Statuses by which authorization servers refuse a credential (RFC 6749, section 5.2; RFC 9110, section 15.5). */
const REFUSALS = new Set([400, 401, 403]);

/** Answers of OAuth servers and their SDKs that only a new sign-in can mend (RFC 6749 5.2, OpenID Connect Core 3.1.2.6). */
const NEEDS_SIGN_IN = new Set([
  'invalid_grant',
  'invalid_token',
  'login_required',
  'interaction_required',
  'consent_required',
  'missing_refresh_token',
]);

/** The HTTP status of an error: that of its response, or its own. */
function statusOf(error: unknown): unknown {
  if (typeof error !== 'object' || error === null) return undefined;
  const { status, response } = error as { status?: unknown; response?: { status?: unknown } };
  return response?.status ?? status;
}

/**
 * Whether a failed refresh or restore means “no” rather than “not now”.
 *
 * “No” is status 400, 401 or 403, an OAuth error that needs a sign-in, or a `SessionExpiredError` thrown on purpose.
 * Everything else (offline, 5xx, a timeout, an unreadable answer) is “not now”, and ends no session.
 */
function isRefusal(error: unknown): boolean {
  if (error instanceof SessionExpiredError) return true;
  // The kit's own errors, lost answers and unreadable ones are not a server's refusal.
  if (error instanceof RequestError || isTransportError(error)) return false;
  const code = (error as { error?: unknown } | null | undefined)?.error;
  return REFUSALS.has(statusOf(error) as number) || NEEDS_SIGN_IN.has(code as string);
}

/** The answer to a request for a credential, with every “no” as a `SessionExpiredError`, which a session understands. */
export async function rejectionAsExpired<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw isRefusal(error) ? new SessionExpiredError() : error;
  }
}

/** The answer to “who is signed in?”, where a “no” means that no user is. */
export async function rejectionAsSignedOut<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return undefined;
  }
}

/** The answer to a logout. A server that answers 401 has no session to end: that is what was wanted. */
export async function ignoreUnauthorized(answer: Promise<unknown>): Promise<unknown> {
  try {
    return await answer;
  } catch (error) {
    if (statusOf(error) !== 401) throw error;
    return undefined;
  }
}

/**
 * The answer to “who is signed in?”, unless a proxy or a captive portal has answered with a page in the server's place.
 *
 * @throws SyntaxError for a text: “not now”, like every answer that cannot be read.
 */
export function assertNotText<T>(answer: T, call: string): T {
  if (typeof answer !== 'string' || answer === '') return answer;
  throw new SyntaxError(`${call}() answered a text where an object was expected, as a proxy or a captive portal does.`);
}
