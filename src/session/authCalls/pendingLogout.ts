import type { SignedIn } from '../signedIn.js';

/** A session that the server must end. */
export interface SessionToEnd<Credential, User> {
  /** Undefined: not known, or not found yet. */
  signedIn?: SignedIn<Credential, User> | undefined;
  /** Finds the session, if the page did not know it when it signed out. Rejects if the server cannot be reached. */
  readonly find?: ((signal: AbortSignal) => Promise<SignedIn<Credential, User> | undefined>) | undefined;
  isEnded?: boolean;
}

export interface PendingLogout<Credential, User> {
  /** The arguments of `session.logout`. */
  readonly args: readonly never[];
  /** More than one: a login, whose response came after the logout was called, has made another session. */
  readonly sessions: readonly SessionToEnd<Credential, User>[];
}

/** True while it is not known which session the server must end. */
export function isSearch({ signedIn, find }: SessionToEnd<unknown, unknown>): boolean {
  return find !== undefined && !signedIn;
}

/**
 * Adds what a logout must end to what earlier ones have left.
 *
 * @param hasCookie The browser has one cookie, so only its last session can be ended.
 */
export function addSession<Credential, User>(
  left: readonly SessionToEnd<Credential, User>[],
  session: SessionToEnd<Credential, User>,
  hasCookie: boolean,
): readonly SessionToEnd<Credential, User>[] {
  const isKnown = session.signedIn !== undefined || session.find !== undefined;
  if (!isKnown && left.length > 0) return left;
  // A new search finds what an earlier one has not found yet.
  return [...left.filter(one => !hasCookie && !(session.find && isSearch(one))), session];
}
