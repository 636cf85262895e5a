import type { AuthChallenge } from './challenges/challenge.js';
import type { AuthFailure, CredentialHandling } from './requests/credentialHandling.js';
import type { SignInStorage, Tabs } from './persistence.js';
import type { SignedIn } from './signedIn.js';

/**
 * How credentials are obtained, sent and refreshed: the part that differs between kinds of sessions. `createSession`
 * takes a mechanism of your own; `createTokenSession` and `createCookieSession` bring theirs.
 *
 * Only `attachCredential` is required. An endpoint that `login`, `restore`, `refresh` or `logout` calls before its first `await` is an auth
 * call: it goes to `trustedOrigins` only, follows no redirect, and never waits for a refresh. Requests that such a function makes
 * in another way (`fetch`, an SDK, an endpoint after an `await`) are beyond the session's control.
 *
 * `restore`, `refresh` and `readCredential` reject with `SessionExpiredError` when the credential is refused. Any other
 * rejection means that the server is unavailable, and ends no session.
 *
 * @example
 * const mechanism: Mechanism<CryptoKey, User, [secret: string]> = {
 *   trustedOrigins: ['https://api.example.com'],
 *   async login(secret) {
 *     const key = await importKey(secret);
 *     return { credential: key, subject: 'me' };
 *   },
 *   async attachCredential({ url, init }, key) {
 *     return key ? attachHeader(init, 'X-Signature', await sign(key, url, init)) : init;
 *   },
 * };
 * @see https://github.com/urql-graphql/urql/blob/main/docs/advanced/authentication.md
 * urql's auth exchange is similar: `addAuthToOperation`, `didAuthError`, `willAuthError` and `refreshAuth` correspond to
 * `attachCredential`, `classifyResponse`, `refreshAt` and `refresh`
 */
export interface Mechanism<
  Credential,
  User,
  LoginArgs extends readonly unknown[] = readonly never[],
  LogoutArgs extends readonly unknown[] = readonly never[],
  EnterArgs extends readonly unknown[] = [signedIn: SignedIn<Credential, User>],
>
  extends SignInStorage<Credential, User>, CredentialHandling<Credential> {
  /**
   * The only origins that the session's requests and auth calls may reach; anything else is an `UntrustedOriginError`, and nothing is sent.
   *
   * @default the page's own and each endpoint's `urlPrefix`
   */
  readonly trustedOrigins?: readonly string[] | undefined;
  /** How long a refresh, a restore or a logout on the server may take, in milliseconds. @default 10000 */
  readonly timeoutMs?: number | undefined;
  /**
   * True when the browser keeps the credential (a cookie). The response to a login replaces it before the page knows,
   * so requests wait for a login under way. @default false
   */
  readonly browserManaged?: boolean | undefined;
  /** The failure that `refresh` can fix. @default 'unauthorized' */
  readonly refreshOn?: AuthFailure | undefined;
  /** The tabs that share the credential. @default none */
  readonly tabs?: Tabs | undefined;
  /** The name under which tabs share the sign-in, for a `sessionClock`. @default they share none */
  readonly tabsName?: string | undefined;
  /** True when a credential is refreshed at its `refreshAt` even while nothing is sent, at most every 30 seconds. @default false */
  readonly refreshProactively?: boolean | undefined;
  /**
   * Signs in. Called by `session.login`, with its arguments, when earlier logins and logouts have ended. There is no
   * time limit. Absent: signing in happens elsewhere (an SDK), and `session.login` rejects with a `TypeError`.
   *
   * @returns the credential, and whose it is.
   * @throws anything: `session.login` rejects with it, the snapshot has it as `error`, and who is signed in does not change; see
   * `Session.login` for a credential that the browser keeps.
   */
  login?(...args: LoginArgs): Promise<SignedIn<Credential, User>>;
  /**
   * Signs in with what the app has already got from the server. Called by `session.enter`, with its arguments, like
   * `login`. Absent: `session.enter` takes the `{ credential, user?, subject? }` itself.
   */
  enter?(...args: EnterArgs): Promise<SignedIn<Credential, User>>;
  /**
   * Checks for an existing session. Called once at the first subscription (a provider that mounts) or before the first request, unless
   * `load` finds one; and by `session.refresh()` while no user is signed in. Requests wait for it. Absent: there is none.
   *
   * @param signal Aborted when the result would come too late: a user signs in or out, or a login stops waiting for it.
   * An endpoint of a `browserManaged` mechanism is aborted then.
   * @returns undefined when no user is signed in.
   * @throws SessionExpiredError when no user is signed in. Anything else means that the session could not check: no user is signed in
   * then, and the snapshot has a `RefreshUnavailableError` (or the `InvalidCredentialError` that was thrown). After a 429 or 503, only
   * `session.refresh()` calls it before its `Retry-After`.
   */
  restore?(signal: AbortSignal): Promise<SignedIn<Credential, User> | undefined>;
  /**
   * Returns who is signed in, when a component above knows it. Called before `restore` when the browser shows a page
   * that it kept frozen or prerendered.
   *
   * @returns undefined when no user is signed in, or when only `restore` can find out.
   */
  readIdentity?(): SignedIn<Credential, User> | undefined;
  /**
   * Ends the session on the server. Called by `session.logout`, with its arguments, after the user is signed out here. Its endpoints carry
   * the user's last credential. Not called if the page knows that no user is signed in. `credential` is undefined
   * if the page does not know who is signed in, and found no session by `load` and `restore`. Absent: the session ends on this page only.
   *
   * @throws anything: `session.logout` rejects with it, and the user is signed out here all the same.
   */
  logout?(credential: Credential | undefined, ...args: LogoutArgs): Promise<unknown>;
  /**
   * Gets a fresh credential for the same user. Called when a request is refused with the failure of `refreshOn`, when
   * `refreshAt` has come, and by `session.refresh()`. Only one call runs at a time; if `tabs` has a lock, in all tabs.
   * The next call starts after this one has settled or its signal is aborted. Absent: a refused credential ends the
   * session.
   *
   * @param current The current user and credential.
   * @param signal Aborted when the user signs out or another one signs in.
   * @returns the fresh credential. `user` is ignored without the session's option `user`. Another `subject` than the current one ends the session.
   * @throws SessionExpiredError to end the session. Anything else: the waiting requests reject with `RefreshUnavailableError`, the
   * user stays signed in, and the next request tries again; after a 429 or 503 not before its `Retry-After`.
   */
  refresh?(current: SignedIn<Credential, User>, signal: AbortSignal): Promise<SignedIn<Credential, User>>;
  /**
   * Answers a challenge of the server where `stepUp()` has no `answer`, because an SDK asks the user.
   *
   * @returns what `readAnswer` reads.
   */
  answerChallenge?(challenge: AuthChallenge, signal: AbortSignal): Promise<unknown>;
  /**
   * Reads the credential from the result of an answer, unless that is undefined. Absent: the credential stays the same, because
   * the server has upgraded its own session.
   *
   * @throws SessionExpiredError when it is another user's, InvalidCredentialError when it is none. Neither ends the session.
   */
  readAnswer?(result: unknown, current: SignedIn<Credential, User>): SignedIn<Credential, User>;
  /**
   * Asks the server about the current user. Called by `session.reload()`, one call at a time. It is no auth call: its
   * request is one of the session's own, by an endpoint of `authEndpoint(session)` or by `session.fetch`. Absent:
   * `reload` calls `restore` where the credential is `browserManaged`, and rejects elsewhere.
   *
   * @param current The current user and credential.
   * @param signal Aborted when the identity ends.
   * @returns the user, in the shape of the sign-in's `user`.
   * @throws SessionExpiredError to end the session. `session.reload()` rejects with anything else, and the session continues.
   */
  profile?(current: SignedIn<Credential, User>, signal: AbortSignal): Promise<User>;
}

/** What only the kit's own mechanisms have. */
export interface ResponseListener {
  /** Called with every response, before its body is read. For warnings in development. */
  onResponse?(response: Response): void;
}

/** A mechanism as its session calls it: the session passes the arguments of `login`, `logout` and `enter` on, whatever they are. */
export type CalledMechanism<Credential, User> = ResponseListener &
  Mechanism<Credential, User, readonly unknown[], readonly unknown[], readonly unknown[]>;
