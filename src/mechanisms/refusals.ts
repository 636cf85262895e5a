import { RequestError, SessionExpiredError } from '../errors.js';

/** Statuses by which authorization servers refuse a credential (RFC 6749, section 5.2; RFC 9110, section 15.5). */
const REFUSALS = new Set([400, 401, 403]);

/** Answers of OAuth servers and their SDKs that only a new sign-in can mend (RFC 6749 5.2, OpenID Connect Core 3.1.2.6). */
const NEEDS_SIGN_IN = new Set(['invalid_grant', 'invalid_token', 'login_required', 'interaction_required', 'consent_required', 'missing_refresh_token']);

/** The HTTP status that an error tells: that of its response, or its own. */
function statusOf(error: unknown): unknown {
  if (typeof error !== 'object' || error === null) return undefined;
  const { status, response } = error as { status?: unknown; response?: { status?: unknown } };
  return response?.status ?? status;
}

/**
 * Whether a failed refresh or restore means “no” rather than “not now”.
 *
 * “No” is status 400, 401 or 403, an OAuth error that needs a sign-in, or a `SessionExpiredError` thrown on purpose.
 * Everything else (offline, 5xx, a timeout, an answer that makes no sense) is “not now”, and ends no session.
 */
function isRefusal(error: unknown): boolean {
  if (error instanceof SessionExpiredError) return true;
  // The kit's own errors and answers that make no sense are mistakes, and no server's word.
  if (error instanceof RequestError || error instanceof SyntaxError) return false;
  const code = (error as { error?: unknown } | null | undefined)?.error;
  return REFUSALS.has(statusOf(error) as number) || NEEDS_SIGN_IN.has(code as string);
}

/** The outcome of asking for a credential, with every “no” as a `SessionExpiredError`: what a session understands. */
export async function orExpired<T>(asking: Promise<T>): Promise<T> {
  try {
    return await asking;
  } catch (error) {
    throw isRefusal(error) ? new SessionExpiredError() : error;
  }
}

/** The outcome of asking who is signed in, where a “no” means that nobody is. */
export async function orNobody<T>(asking: Promise<T>): Promise<T | undefined> {
  try {
    return await asking;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return undefined;
  }
}

/** The outcome of a sign-out. A server that knows of nobody signed in (401) has done what was asked for. */
export async function unlessNobody(telling: Promise<unknown>): Promise<unknown> {
  try {
    return await telling;
  } catch (error) {
    if (statusOf(error) !== 401) throw error;
    return undefined;
  }
}
