import { assertTrusted } from './trustedOrigins.js';
import type { OutgoingRequest } from './outgoingRequest.js';
import type { SessionSnapshot } from '../session.js';
import { withoutRedirect } from './withoutRedirect.js';

/** The kind of an auth call. A fetch of the CSRF token counts as a refresh, a `whoami` as a restore; a challenge is the answer to one. */
export type AuthCallName = 'login' | 'refresh' | 'restore' | 'logout' | 'challenge';

/** A session's own login, refresh, restore or logout, while it is being started. */
export interface AuthCall {
  readonly name: AuthCallName;
  /** The session that makes the call, as observers see it. */
  readonly session: ObservableSession;
  /** The only origins that the call may reach. Undefined: the page's own and the endpoint's `urlPrefix`. */
  readonly trustedOrigins: readonly string[] | undefined;
  /** Puts the call's credential on a request, if it has one. */
  readonly attachCredential: (request: OutgoingRequest) => RequestInit | Promise<RequestInit>;
  /** Aborts the requests of the call. */
  readonly signal?: AbortSignal | undefined;
}

/** A session, as far as observers of requests may see it. */
export interface ObservableSession {
  readonly id: number;
  readonly getSnapshot: () => SessionSnapshot;
}

/**
 * Runs one of the mechanism's functions as an auth call. A logout and an answer carry the credential. The signal aborts the
 * requests.
 */
export type RunAuthCall<Credential> = <T>(
  name: AuthCallName,
  call: () => T,
  options?: { credential?: Credential | undefined; signal?: AbortSignal | undefined },
) => T;

let current: AuthCall | undefined;

/**
 * Runs one of a session's own functions. An endpoint that the function calls before its first `await` belongs to the auth
 * call: it carries what `attachCredential` gives it, never waits for a refresh or starts one, and its 401 ends no session.
 *
 * It goes to trusted origins only and follows no redirect: a password or a refresh token in its body is a credential too.
 */
export function runAsAuthCall<T>(authCall: AuthCall, call: () => T): T {
  const outer = current;
  current = { ...authCall, attachCredential: request => prepareAuthCall(authCall, request) };
  try {
    return call();
  } finally {
    current = outer;
  }
}

/** @throws UntrustedOriginError */
async function prepareAuthCall(
  { trustedOrigins, attachCredential, signal }: AuthCall,
  request: OutgoingRequest,
): Promise<RequestInit> {
  assertTrusted(request, trustedOrigins);
  const init = withoutRedirect(await attachCredential(request));
  return signal ? { ...init, signal: init.signal ? AbortSignal.any([init.signal, signal]) : signal } : init;
}

/** The auth call that is being started right now, if any. */
export function currentAuthCall(): AuthCall | undefined {
  return current;
}
