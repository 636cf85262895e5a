import type { OutgoingRequest } from './outgoingRequest.js';

/**
 * What a refused request says about the credential: the server no longer accepts it, or only its CSRF token is out of
 * date.
 */
export type AuthFailure = 'unauthorized' | 'csrf-rejected';

/** The part of a mechanism that puts the credential on requests, and reads from responses what became of it. */
export interface CredentialHandling<Credential> {
  /**
   * True if requests of this method carry the credential that `refresh` replaces, and so wait for a refresh.
   * Called before each request. Must not throw. @default all do
   */
  appliesTo?(method: string): boolean;
  /**
   * When to refresh the credential before it is sent, in milliseconds since 1970. Called before each request. Must not
   * throw. @default undefined: not known, so a refused request leads to the refresh
   */
  refreshAt?(credential: Credential): number | undefined;
  /**
   * When the credential expires, in milliseconds since 1970. Until then the session sends it even if an early refresh
   * has failed. Without `refresh`, a `sessionClock` counts down to it. Must not throw. @default undefined: not known
   */
  expiresAt?(credential: Credential): number | undefined;
  /**
   * The credential to send now, when it lives outside the session: in a cookie, with an SDK. Called before each attempt of a request.
   *
   * @param credential The one that the session knows.
   * @returns the same credential, or a newer one of the same user. Undefined when it is gone: the user is signed out on
   * this page.
   * @throws SessionExpiredError to end the session, InvalidCredentialError for the caller of the request. Anything
   * else is a `RefreshUnavailableError`.
   * @default the credential of the latest login, restore or refresh
   */
  readCredential?(credential: Credential): Credential | undefined | Promise<Credential | undefined>;
  /**
   * True if both are the same credential. Needed when `load` or `readCredential` creates a new object at each call:
   * otherwise every read looks like a new credential. Must not throw.
   *
   * @default Object.is
   */
  isSameCredential?(a: Credential, b: Credential): boolean;
  /**
   * Puts the credential on a request. Called for each attempt, right before it is sent, and for the requests of
   * `logout`. It may be slow: when the identity changes before it has ended, nothing is sent.
   *
   * @param request Goes to a trusted origin: that was checked before.
   * @param credential Undefined: no user is signed in.
   * @returns a new init; `request.init` stays as it is. `attachHeader` makes one with a header, and without redirects.
   * A mechanism that puts the credential elsewhere sets `redirect: 'manual'` itself.
   * @throws anything, e.g. InvalidCredentialError: the caller of the request gets it, nothing is sent, and the user stays signed in.
   */
  attachCredential(request: OutgoingRequest, credential: Credential | undefined): RequestInit | Promise<RequestInit>;
  /**
   * What a refused response says about the credential; undefined when it says nothing. Called for each refusal while a
   * user is signed in. To read the body, read a `clone()`.
   *
   * @throws anything: the caller of the request gets it in place of the refusal.
   * @default 401 is `'unauthorized'`
   */
  classifyResponse?(response: Response): AuthFailure | undefined | Promise<AuthFailure | undefined>;
  /**
   * Returns the subject that a response names, for example in a header. Called for every response, before its body is
   * read. If it is another user, the session drops the response and checks again who is signed in. The caller gets
   * `IdentityChangedError`, or `OtherUserResponseError` if the check finds no other user.
   *
   * @returns undefined when the response names no subject.
   */
  subjectOfResponse?(response: Response): string | undefined;
}
