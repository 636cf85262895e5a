import { withTimeout } from '../clock.js';
import { IdentityChangedError, InvalidCredentialError, RedirectRefusedError, RequestError } from '../errors.js';
import { isTransportError } from './isTransportError.js';
import type { SessionParts } from './parts.js';
import { isSameUser, type SignedIn } from './signedIn.js';

// The answer to a cookie login replaces the browser's cookie before the page can read a byte of it. Two things follow.

/** How long a login waits for requests that are on their way, in milliseconds; never longer than the session's own calls may take. */
const REQUESTS_WAIT_MS = 5_000;

/**
 * Before the login: a request that is on its way must not go with the next user's cookie, and its answer must not bring the
 * old cookie back. Those that take too long are aborted, the session's own checks and CSRF fetches as well.
 */
export async function letRequestsSettle<Credential, User>({
  clock,
  store,
  mechanism,
  onWire,
}: SessionParts<Credential, User>): Promise<void> {
  const waitMs = Math.min(REQUESTS_WAIT_MS, mechanism.timeoutMs ?? REQUESTS_WAIT_MS);
  try {
    await withTimeout(
      clock,
      waitMs,
      onWire.settled(),
      () => new DOMException('The requests take too long.', 'TimeoutError'),
    );
  } catch {
    store.abortRequests(
      new IdentityChangedError('A login was started on this page, and it could not wait any longer for this request.'),
    );
  }
}

/**
 * After a login that failed, perhaps after its `Set-Cookie`: the user whose cookie the browser has now is signed in.
 *
 * @param checkCookie Asks the server whose the cookie is; bounded.
 * @param endSession Called when that cannot be known, or when it is no user's.
 * @throws the login's error, unless it has signed a user in.
 */
export async function findLoginOutcome<Credential, User>(
  loginError: unknown,
  before: SignedIn<Credential, User> | undefined,
  checkCookie: () => Promise<SignedIn<Credential, User> | undefined>,
  endSession: () => void,
): Promise<SignedIn<Credential, User>> {
  if (isClearRefusal(loginError)) throw loginError;
  // The login was answered, and its answer or `whoami` said that no user is signed in.
  const isAnswered = loginError instanceof InvalidCredentialError;
  const found = isAnswered ? undefined : await checkCookie().catch(() => undefined);
  if (!found) endSession();
  if (!found || (isSameUser(before, found) && !wasAccepted(loginError))) throw loginError;
  return found;
}

const acceptedLogins = new WeakSet<object>();

/** Notes that the server had accepted the login, and that the error came after it. */
export function markLoginAccepted(error: unknown): void {
  if (typeof error === 'object' && error !== null) acceptedLogins.add(error);
}

/** Statuses by which a server clearly refuses a login, so that it has set no cookie (RFC 9110, section 15.5; RFC 6585). */
const CLEAR_REFUSALS = new Set([400, 401, 403, 409, 422, 429]);

function responseOf(error: unknown): { status?: number; ok?: boolean } | undefined {
  return (error as { response?: { status?: number; ok?: boolean } } | null | undefined)?.response;
}

/** Whether the cookie certainly is as it was: the server refused the login clearly, or nothing was sent. */
function isClearRefusal(error: unknown): boolean {
  if (wasAccepted(error) || error instanceof InvalidCredentialError) return false;
  if (error instanceof RequestError) return true;
  const ownStatus = isTransportError(error) ? undefined : (error as { status?: unknown } | null | undefined)?.status;
  const status = responseOf(error)?.status ?? ownStatus;
  return CLEAR_REFUSALS.has(status as number);
}

/** Whether the server took the login: it redirected, as servers with login pages do, or its answer could not be read. */
function wasAccepted(error: unknown): boolean {
  if (acceptedLogins.has(error as object)) return true;
  return error instanceof RedirectRefusedError || error instanceof SyntaxError || responseOf(error)?.ok === true;
}
