import {
  ChallengeCancelledError,
  IdentityChangedError,
  InvalidCredentialError,
  RedirectRefusedError,
  RequestError,
} from '../../errors.js';
import { createWithDeadline } from '../deadline.js';
import { isNoJson, isTransportError } from '../requests/isTransportError.js';
import { responseOf } from '../requests/responseOf.js';
import type { SessionParts } from '../parts.js';
import type { SignedIn } from '../signedIn.js';

// The response to a cookie login replaces the browser's cookie before the page can read a byte of it. `letRequestsSettle` deals with that
// before the login, `findLoginOutcome` after a failed one.

/**
 * How long a login waits for requests on the wire, in milliseconds; never longer than the session's own calls may take.
 */
const REQUESTS_WAIT_MS = 5_000;

/**
 * Before the login: waits for the requests on the wire. None of them must go with the next user's cookie, and no
 * response must bring the old cookie back. Aborts those that take too long, the session's own checks and CSRF fetches
 * as well. A request that has not been sent goes on waiting.
 */
export async function letRequestsSettle<Credential, User>({
  clock,
  store,
  mechanism,
  onWire,
}: SessionParts<Credential, User>): Promise<void> {
  const waitMs = Math.min(REQUESTS_WAIT_MS, mechanism.timeoutMs ?? REQUESTS_WAIT_MS);
  try {
    await createWithDeadline(clock, waitMs)(onWire.settled());
  } catch {
    const reason = new IdentityChangedError(
      'A login was started on this page, and it could not wait any longer for this request.',
    );
    store.abortWire(reason);
    onWire.abort(reason);
  }
}

/**
 * After a login that failed, perhaps after its `Set-Cookie`: signs in the user whose cookie the browser has now.
 *
 * @param wasThere Returns true if the cookie of this user may be older than the login, so that it says nothing about it.
 * @param checkCookie Asks the server who the cookie belongs to, with a timeout.
 * @param endSession Called when the check fails, or when the cookie belongs to no user.
 * @throws the login's error, unless it has signed a user in.
 */
export async function findLoginOutcome<Credential, User>(
  loginError: unknown,
  wasThere: (found: SignedIn<Credential, User>) => boolean,
  checkCookie: () => Promise<SignedIn<Credential, User> | undefined>,
  endSession: () => void,
): Promise<SignedIn<Credential, User>> {
  if (isClearRefusal(loginError)) throw loginError;
  // The response to the login, or `whoami` after it, said that no user is signed in.
  const isAnswered = loginError instanceof InvalidCredentialError;
  const found = isAnswered ? undefined : await checkCookie().catch(() => undefined);
  if (!found) endSession();
  if (!found || (wasThere(found) && !wasAccepted(loginError))) throw loginError;
  return found;
}

const acceptedLogins = new WeakSet<object>();

/** Marks an error that came after the server had accepted the login. */
export function markLoginAccepted(error: unknown): void {
  if (typeof error === 'object' && error !== null) acceptedLogins.add(error);
}

/** Statuses by which a server clearly refuses a login, so that it has set no cookie (RFC 9110, section 15.5; RFC 6585). */
const CLEAR_REFUSALS = new Set([400, 401, 403, 409, 422, 429]);

/** True if the cookie certainly did not change: the server clearly refused the login, or nothing was sent. */
function isClearRefusal(error: unknown): boolean {
  if (wasAccepted(error) || error instanceof InvalidCredentialError) return false;
  // A server may set the cookie before it asks for the second factor.
  if (error instanceof ChallengeCancelledError) return false;
  if (error instanceof RequestError) return true;
  const ownStatus = isTransportError(error) ? undefined : (error as { status?: unknown } | null | undefined)?.status;
  const status = responseOf(error)?.status ?? ownStatus;
  return CLEAR_REFUSALS.has(status as number);
}

/**
 * True if the server accepted the login: it redirected, as servers with login pages do, or its response could not be
 * read.
 */
function wasAccepted(error: unknown): boolean {
  if (acceptedLogins.has(error as object)) return true;
  return error instanceof RedirectRefusedError || isNoJson(error) || responseOf(error)?.ok === true;
}
