import type { SignedIn } from '../signedIn.js';

/** A session that the server must end. */
export interface SessionToEnd<Credential, User> {
  /** Undefined: not known, or not found yet. */
  signedIn?: SignedIn<Credential, User> | undefined;
  /** Finds the session, if the page did not know it when it signed out. Rejects if the server cannot be reached. */
  readonly find?: ((signal: AbortSignal) => Promise<SignedIn<Credential, User> | undefined>) | undefined;
  /** Another tab ends it, and says so if that fails: nothing is left of it after this time, in milliseconds since 1970. */
  readonly endsElsewhereBy?: number | undefined;
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
 * @param hasCookie True: the browser has one cookie, so only its last session can be ended.
 */
export function addSession<Credential, User>(
  left: readonly SessionToEnd<Credential, User>[],
  session: SessionToEnd<Credential, User>,
  hasCookie: boolean,
): readonly SessionToEnd<Credential, User>[] {
  if (hasCookie) return [sameCookie(left.at(-1), session)];
  if (!session.signedIn && !session.find && left.length > 0) return left;
  // A new search finds what an earlier one has not found yet.
  return [...left.filter(one => !(session.find && isSearch(one))), session];
}

function sameCookie<Credential, User>(
  before: SessionToEnd<Credential, User> | undefined,
  session: SessionToEnd<Credential, User>,
): SessionToEnd<Credential, User> {
  if (!before) return session;
  const ends = [before, session].map(({ endsElsewhereBy = Infinity }) => endsElsewhereBy);
  return { ...session, signedIn: session.signedIn ?? before.signedIn, endsElsewhereBy: Math.max(...ends) };
}
