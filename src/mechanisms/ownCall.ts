import type { SessionEngine } from '../session/SessionEngine.js';
import type { Outgoing } from '../session/types.js';

/** What a session's own login, refresh, logout or whoami carries. */
export type CarryOwn = (request: Outgoing) => RequestInit;

/** What a session calls one of its own functions for; a fetch of the CSRF token is a refresh, a whoami a restore. */
export type OwnCallName = 'login' | 'refresh' | 'restore' | 'logout';

/** Which call of which session, for those who watch: see `observeRequests`. */
export interface OwnCallLabel {
  readonly name: OwnCallName;
  readonly engine: SessionEngine<any, any>;
}

export interface OwnCall {
  readonly carry: CarryOwn;
  readonly label: OwnCallLabel | undefined;
}

let current: OwnCall | undefined;

/**
 * Runs one of a session's own functions. An endpoint that it calls before its first `await` belongs to the session's own
 * call: it carries what `carry` gives it, and never waits for a refresh, starts one, or ends the session by its 401.
 */
export function asOwnCall<T>(carry: CarryOwn, call: () => T, label?: OwnCallLabel): T {
  const outer = current;
  current = { carry, label };
  try {
    return call();
  } finally {
    current = outer;
  }
}

/** The own call that is being started right now, if any. */
export function currentOwnCall(): OwnCall | undefined {
  return current;
}

/** Carries nothing, as a login does: it needs no credential, and must not show another person's. */
export const carryNothing: CarryOwn = ({ init }) => init;
