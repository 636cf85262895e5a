import {
  ChallengeCancelledError,
  InvalidCredentialError,
  RedirectRefusedError,
  RefreshUnavailableError,
  RequestError,
} from '../errors.js';
import { isNoJson, isTransportError, responseOf } from './errorKinds.js';

/** Statuses by which a server clearly refuses a login, so that it has set no cookie (RFC 9110, section 15.5; RFC 6585). */
const CLEAR_REFUSALS = new Set([400, 401, 403, 409, 422, 429]);

/** True if a login certainly did not change the cookie: the server clearly refused it, or nothing was sent. */
export function isClearRefusal(error: unknown): boolean {
  // A server may set the cookie before it asks for the second factor, and before another page takes the turn of a slow login.
  const unclear = [InvalidCredentialError, ChallengeCancelledError, RefreshUnavailableError];
  if (wasAccepted(error) || unclear.some(kind => error instanceof kind)) return false;
  if (error instanceof RequestError) return true;
  const ownStatus = isTransportError(error) ? undefined : (error as { status?: unknown } | null | undefined)?.status;
  return CLEAR_REFUSALS.has((responseOf(error)?.status ?? ownStatus) as number);
}

/** True if the server accepted the login: it redirected, as servers with login pages do, or its answer could not be read. */
export function wasAccepted(error: unknown): boolean {
  return error instanceof RedirectRefusedError || isNoJson(error) || responseOf(error)?.ok === true;
}

export const NO_USER_AFTER_LOGIN =
  'The login succeeded, but whoami() then found no user signed in. Check that the browser keeps the cookie: its SameSite, Secure, Domain and Path, and the `credentials` option when the API is on another origin.';
