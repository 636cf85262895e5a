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
  readonly args: readonly unknown[];
  /** More than one if a login ended after the logout was called: it has created another session. */
  readonly sessions: readonly SessionToEnd<Credential, User>[];
}

/** True if the session must be found first: the page did not know it, and `find` has not found it yet. */
export function mustFind({ signedIn, find }: SessionToEnd<unknown, unknown>): boolean {
  return find !== undefined && !signedIn;
}

/**
 * Adds a session to those that earlier logouts have not ended.
 *
 * @param hasCookie The browser has one cookie, so only its last session can be ended.
 */
export function addSession<Credential, User>(
  notEnded: readonly SessionToEnd<Credential, User>[],
  session: SessionToEnd<Credential, User>,
  hasCookie: boolean,
): readonly SessionToEnd<Credential, User>[] {
  const isUnknown = session.signedIn === undefined && session.find === undefined;
  if (isUnknown && notEnded.length > 0) return notEnded;
  // With a cookie, only the new entry counts. A new search replaces one that has not found its session yet.
  return [...notEnded.filter(one => !hasCookie && !(session.find && mustFind(one))), session];
}
