import type { AuthCallName, OutgoingRequest, SessionSnapshot } from './types.js';

/** A session's own login, refresh, restore or logout, while it is being started. */
export interface AuthCall {
  readonly name: AuthCallName;
  /** The session that makes the call, as observers see it. */
  readonly session: ObservableSession;
  /** Puts on a request of the call what it should carry. */
  readonly attachCredential: (request: OutgoingRequest) => RequestInit | Promise<RequestInit>;
}

/** A session, as far as observers of requests may see it. */
export interface ObservableSession {
  readonly id: number;
  readonly getSnapshot: () => SessionSnapshot;
}

/** Runs one of the mechanism's functions as an auth call that carries this credential. */
export type RunAuthCall<Credential> = <T>(name: AuthCallName, credential: Credential | undefined, call: () => T) => T;

let current: AuthCall | undefined;

/**
 * Runs one of a session's own functions. An endpoint that the function calls before its first `await` belongs to the auth
 * call: it carries what `attachCredential` gives it, never waits for a refresh or starts one, and its 401 ends no session.
 */
export function runAsAuthCall<T>(authCall: AuthCall, call: () => T): T {
  const outer = current;
  current = authCall;
  try {
    return call();
  } finally {
    current = outer;
  }
}

/** The auth call that is being started right now, if any. */
export function currentAuthCall(): AuthCall | undefined {
  return current;
}
