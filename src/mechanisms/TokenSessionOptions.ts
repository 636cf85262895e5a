import type { Clock } from '../clock.js';
import type { ExtensionsOption } from '../session/extension.js';
import type { UserOption } from '../session/userClass.js';
import type { ProfileOption } from './profile.js';
import type { OAuthTokenResponse, ParsedTokens, TokenResponse } from './readTokens.js';
import type { TokenHeaderOptions } from './tokenHeader.js';
import type { CurrentTokens, RefreshArgument } from './tokenResponse.js';
import type { TokenStorageOptions } from './tokenStorage.js';

/** The user in the result of a login, `{ accessToken, user }`. */
export type UserOf<Result> = Result extends { user: infer User } ? User : unknown;

/** The option that a login needs whose result has neither `accessToken` nor `access_token`. */
export interface LoginWithoutToken {
  readonly parseTokens: object;
}

/** Requires `parseTokens` where the type of the result is known and has no token. */
export type ParserFor<Result> = unknown extends Result
  ? unknown
  : [Result] extends [TokenResponse | OAuthTokenResponse]
    ? unknown
    : LoginWithoutToken;

type Refresh = (tokens: RefreshArgument) => Promise<unknown>;

/** How and when a session gets its next tokens. */
export interface RefreshOptions {
  /** Exchanges the refresh token for new tokens. @default none: a 401 ends the session */
  readonly call?: Refresh | undefined;
  /**
   * How long before a known expiry the token is refreshed, in milliseconds; never more than half its lifetime. Until
   * the token expires, requests do not wait for this refresh: they carry the current token. The next such refresh starts
   * after 30 seconds at the earliest. When the token has expired, requests wait. @default 60000
   */
  readonly beforeExpiry?: number | undefined;
  /** Refreshes before a known expiry even while no request is sent, as long as a provider is mounted. @default false */
  readonly auto?: boolean | undefined;
  /**
   * For servers that send the next access token with an answer, in a header. Called with each accepted response to a request of the user;
   * do not read the body. Undefined or null: there is none. From another origin, the server has to name the header in
   * `Access-Control-Expose-Headers`. A token of another user is not taken over, and a refresh under way counts more.
   *
   * @default no token is read from an answer
   * @throws anything: the caller of the request gets it in place of the response.
   * @example refresh: { readToken: response => response.headers.get('X-Access-Token') }
   */
  readonly readToken?: ((response: Response) => string | TokenResponse | null | undefined) | undefined;
}

export interface TokenSessionOptions<
  LoginArgs extends readonly unknown[],
  Result,
  LogoutArgs extends readonly unknown[] = [],
  User = UserOf<Result>,
>
  extends TokenHeaderOptions, TokenStorageOptions, ProfileOption, UserOption<User>, ExtensionsOption {
  /** Exchanges the user's input for tokens, e.g. a `RestEndpoint`. Called with the arguments of `session.login`. */
  login: (...args: LoginArgs) => Promise<Result>;
  /**
   * Exchanges the refresh token for new tokens; its result has the same shape as that of `login`. A `RestEndpoint`
   * posts `{ refreshToken }`. Absent: a 401 ends the session.
   *
   * Called after a 401 and ahead of a known expiry. Each refresh token is used once, by one tab, unless the call fails.
   * After `timeout` the requests that wait reject with `RefreshUnavailableError`, and the next ones wait for the same
   * call. The call ends when it settles, or when its `signal` is aborted: when another user signs in, or after three times
   * `timeout`. A `RestEndpoint` is aborted then too. A sign-out waits for it, and ends what it brings.
   *
   * A rejection with status 400, 401 or 403, with an OAuth error that needs a new sign-in (such as `invalid_grant`), or with
   * `SessionExpiredError` means that the server refused, and ends the session. Any other rejection
   * means that the server is unavailable: the session continues, and the next call may get the same refresh token
   * again.
   *
   * A refresh that uses a cookie, without a refresh token, must name the user, as the login does. Another tab may have
   * replaced the cookie. If the result names no user, the session does not use its tokens, and the error tells you to
   * use `parseTokens`.
   *
   * @example refresh: { call: new RestEndpoint({ path: '/refresh', method: 'POST' }), auto: true }
   * @example refresh: ({ refreshToken, signal }) => fetch('/refresh', { method: 'POST', body: refreshToken, signal }).then(readTokens)
   */
  refresh?: Refresh | RefreshOptions | undefined;
  /**
   * Tells the server that the user signed out. A `RestEndpoint` carries the access token. The tokens in the first
   * argument are not enumerable, so that they never become search params. The arguments of `session.logout` come after
   * it.
   */
  logout?: (tokens: CurrentTokens, ...args: LogoutArgs) => Promise<unknown>;
  /**
   * Checks at the start if a user is signed in, e.g. by a refresh cookie. Null, or a rejection with status 400, 401 or
   * 403, means that no user is signed in; any other rejection means that the check failed. The result should name the
   * user, as the login does. Otherwise each check finds a new identity, and the session cannot check whose tokens a later
   * refresh by the cookie returns.
   */
  restore?: () => Promise<unknown>;
  /**
   * Reads the tokens from a result of another shape than `{ accessToken, refreshToken?, expiresIn?, expiresAt? }`, or in OAuth's spelling
   * `{ access_token, refresh_token?, expires_in? }`, and with `subject` the user's id.
   *
   * @default the result; the id is its `subject`, its `user` (`id` or `sub`), else the `sub` of a token that is a JWT
   * @example parseTokens: ({ jwt, account }) => ({ accessToken: jwt, subject: account.email })
   */
  parseTokens?: (result: Result) => ParsedTokens;
  /**
   * For servers that refuse an expired token with another status than 401. Called with a copy of each response that is neither ok nor a
   * 401. True: the token is refreshed, and the request is sent once more.
   *
   * @default a 401 refuses the token
   * @example isRefused: async response => response.status === 403 && (await response.json()).code === 'token_expired'
   */
  readonly isRefused?: ((response: Response) => boolean | Promise<boolean>) | undefined;
  /** The only origins that get the token. @default the page's own and each endpoint's `urlPrefix` */
  trustedOrigins?: readonly string[];
  /**
   * How long requests wait for a refresh, and how long a restore, a logout, or a storage of your own may take, in
   * milliseconds. @default 10000
   */
  timeout?: number;
  /** The current time and timers, for tests. @default the system's */
  clock?: Clock;
  /** True for a session made for one request on a server. Without it, a sign-in on a server rejects. @default false */
  server?: boolean;
}
