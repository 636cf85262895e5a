import type { Outgoing } from '../session/types.js';

/** What a session's own login, refresh, logout or whoami carries. */
export type CarryOwn = (request: Outgoing) => RequestInit;

let current: CarryOwn | undefined;

/**
 * Runs one of a session's own functions. An endpoint that it calls before its first `await` belongs to the session's own
 * call: it carries what `carry` gives it, and never waits for a refresh, starts one, or ends the session by its 401.
 */
export function asOwnCall<T>(carry: CarryOwn, call: () => T): T {
  const outer = current;
  current = carry;
  try {
    return call();
  } finally {
    current = outer;
  }
}

/** The own call that is being started right now, if any. */
export function currentOwnCall(): CarryOwn | undefined {
  return current;
}

/** Carries nothing, as a login does: it needs no credential, and must not show another person's. */
export const carryNothing: CarryOwn = ({ init }) => init;
