/** The outcome of a login, restore or refresh: the credential, and whose it is. */
export interface SignedIn<Credential, User> {
  /** What `attachCredential` gets. The session never looks into it. */
  readonly credential: Credential;
  /** What `useAuth().user` shows. */
  readonly user?: User | undefined;
  /**
   * Tells users apart, e.g. the user's id. Undefined when nothing tells; then every login is a new identity, and
   * everything on screen is fetched again.
   */
  readonly subject?: string | undefined;
  /** Tells one sign-in from the next, of the same user too; a refresh keeps it. A later sign-in has a greater one. The session gives it. */
  readonly signInId?: string | undefined;
}

/** Whether both are known to be the same user. An unknown subject is a user of its own. */
export function isSameUser(
  a: SignedIn<unknown, unknown> | undefined,
  b: SignedIn<unknown, unknown> | undefined,
): boolean {
  return a?.subject !== undefined && a.subject === b?.subject;
}
