/** The outcome of a login, restore or refresh: the credential, and whose it is. */
export interface SignedIn<Credential, User> {
  /** Passed to `attachCredential`. The session never reads it. */
  readonly credential: Credential;
  /** Returned by `useAuth().user`. */
  readonly user?: User | undefined;
  /**
   * Distinguishes users, e.g. the user's id. Undefined when it is not known; then every login is a new identity, and
   * everything on screen is fetched again.
   */
  readonly subject?: string | undefined;
  /**
   * Distinguishes sign-ins, also of the same user. Set by the session; a refresh keeps it, and a later sign-in has a
   * greater one.
   */
  readonly signInId?: string | undefined;
  /**
   * When the session asked for `user`, if that was after the sign-in; in milliseconds since 1970 by the system's clock,
   * as data-client dates its own requests. Set by the session.
   */
  readonly askedAt?: number | undefined;
  /** How many challenges of the server the user has answered since the sign-in; see `stepUp`. Set by the session. */
  readonly answers?: number | undefined;
}

type WithSubject = Pick<SignedIn<unknown, unknown>, 'subject'>;

/** Returns true if both have the same subject. A user without a subject is never the same as another one. */
export function isSameUser(a: WithSubject | undefined, b: WithSubject | undefined): boolean {
  return a?.subject !== undefined && a.subject === b?.subject;
}

interface Comparison<Credential> {
  isSameCredential?(a: Credential, b: Credential): boolean;
}

/** Returns true if both are the same credential, or both are not known. */
export function isSameCredential<Credential>(
  mechanism: Comparison<Credential>,
  a: Credential | undefined,
  b: Credential | undefined,
): boolean {
  return a === b || (a !== undefined && b !== undefined && (mechanism.isSameCredential?.(a, b) ?? Object.is(a, b)));
}

/** Returns true if both have the same credential. Their users' data and answered challenges may differ. */
export function hasSameCredential<Credential>(
  mechanism: Comparison<Credential>,
  a: SignedIn<Credential, unknown> | undefined,
  b: SignedIn<Credential, unknown>,
): boolean {
  return a !== undefined && isSameCredential(mechanism, a.credential, b.credential);
}
