import { systemClock, type Clock } from '../clock.js';
import { InvalidCredentialError } from '../errors.js';
import type { SessionCore } from '../session/core.js';
import { createSessionCore } from '../session/createSessionCore.js';
import type { Mechanism } from '../session/mechanism.js';
import type { EnterArguments, TokenSession } from '../session/session.js';
import type { SignedIn } from '../session/signedIn.js';
import type { UserOption } from '../session/userClass.js';
import { assertFunctions } from './assertFunctions.js';
import { createTabs, DEFAULT_NAME, type TabsOptions } from './createTabs.js';
import { assertNotText, ignoreUnauthorized, rejectionAsExpired, rejectionAsSignedOut } from './refusals.js';
import { FreshTokenCheck } from './freshToken.js';
import { profileCall, type ProfileOption } from './profile.js';
import type { OAuthTokenResponse, TokenResponse } from './readTokens.js';
import { rememberedTabs } from './rememberedAccess.js';
import { attachToken, type TokenHeaderOptions } from './tokenHeader.js';
import {
  parseRefreshResponse,
  parseStoredSession,
  parseTokenResponse,
  toRefreshArgument,
  toTokenArgument,
  type CurrentTokens,
  type RefreshArgument,
  type TokenCredential,
} from './tokenResponse.js';
import { tokenStorage, type TokenStorageOptions } from './tokenStorage.js';

/** The default time after which requests that wait for a refresh reject, in milliseconds. */
const REFRESH_TIMEOUT_MS = 10_000;

const NO_JSON =
  'The server did not answer with JSON. An object with the string `accessToken` was expected. Return JSON, or parse the text in your `login`, `refresh` or `restore` function.';

/** The user in the result of a login, `{ accessToken, user }`. */
export type UserOf<Result> = Result extends { user: infer User } ? User : unknown;

/** The option that a login needs whose result has neither `accessToken` nor `access_token`. */
export interface LoginWithoutToken {
  readonly parseTokens: object;
}

/** Requires `parseTokens` where the type of the result is known and has no token. */
type ParserFor<Result> = unknown extends Result
  ? unknown
  : [Result] extends [TokenResponse | OAuthTokenResponse]
    ? unknown
    : LoginWithoutToken;

export interface TokenSessionOptions<
  LoginArgs extends readonly unknown[],
  Result,
  LogoutArgs extends readonly unknown[] = [],
  User = UserOf<Result>,
>
  extends TokenHeaderOptions, TokenStorageOptions, TabsOptions, ProfileOption, UserOption<User> {
  /** Exchanges the user's input for tokens, e.g. a `RestEndpoint`. Called with the arguments of `session.login`. */
  login: (...args: LoginArgs) => Promise<Result>;
  /**
   * Exchanges the refresh token for new tokens; its result has the same shape as that of `login`. A `RestEndpoint`
   * posts `{ refreshToken }`. Absent: a 401 ends the session.
   *
   * Called after a 401 and ahead of a known expiry. Each refresh token is used once, by one tab, unless the call fails.
   * After `timeout` the requests that wait reject with `RefreshUnavailableError`, and the next ones wait for the same
   * call. The call ends when it settles, or when its `signal` is aborted: when the user signs out or another one signs
   * in. A `RestEndpoint` is aborted then too.
   *
   * A rejection with status 400, 401 or 403 means that the server refused, and ends the session. Any other rejection
   * means that the server is unavailable: the session continues, and the next call may get the same refresh token
   * again.
   *
   * A refresh that uses a cookie, without a refresh token, must name the user, as the login does. Another tab may have
   * replaced the cookie. If the result names no user, the session does not use its tokens, and the error tells you to
   * use `getSubject`.
   *
   * @example refresh: ({ refreshToken, signal }) => fetch('/refresh', { method: 'POST', body: refreshToken, signal }).then(readTokens)
   */
  refresh?: ((tokens: RefreshArgument) => Promise<unknown>) | undefined;
  /**
   * Tells the server that the user signed out. A `RestEndpoint` carries the access token. The tokens in the first
   * argument are not enumerable, so that they never become search params. The arguments of `session.logout` come after
   * it.
   */
  logout?: (tokens: CurrentTokens, ...args: LogoutArgs) => Promise<unknown>;
  /**
   * Checks at the start if a user is signed in, e.g. by a refresh cookie. Null or a 401 means no user. The result
   * should name the user, as the login does. Otherwise each check finds a new identity, and the session cannot check
   * whose tokens a later refresh by the cookie returns.
   */
  restore?: () => Promise<unknown>;
  /**
   * Reads the tokens from a result. @default result => result, for
   * `{ accessToken, refreshToken?, expiresIn?, expiresAt? }`, or in OAuth's spelling
   * `{ access_token, refresh_token?, expires_in? }`
   */
  parseTokens?: (result: Result) => TokenResponse | OAuthTokenResponse;
  /** The only origins that get the token. @default the page's own and each endpoint's `urlPrefix` */
  trustedOrigins?: readonly string[];
  /**
   * Returns the user's id from a result. @default its `subject`, its `user` (`id` or `sub`), else the `sub` of a token
   * that is a JWT
   */
  getSubject?: (result: Result) => string | undefined;
  /**
   * How long before a known expiry the token is refreshed, in milliseconds; never more than half its lifetime. Until
   * the token expires, requests do not wait for this refresh: they carry the current token. After a failed refresh, the
   * next one starts after 30 seconds at the earliest. When the token has expired, requests wait. @default 60000
   */
  refreshBeforeExpiry?: number;
  /** Refreshes before a known expiry even while no request is sent, as long as a provider is mounted. @default false */
  autoRefresh?: boolean;
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

/**
 * Creates a session whose credential is a token in a header.
 *
 * The session reads the token when a request is sent, never at render. After a 401, all requests share one refresh, and
 * each is then sent once more.
 *
 * @throws TypeError when `login` is missing, or an entry of `trustedOrigins` is no origin.
 * @example
 * export const session = createTokenSession({
 *   login: new RestEndpoint({ urlPrefix: api, path: '/login', method: 'POST' }),
 *   refresh: new RestEndpoint({ urlPrefix: api, path: '/refresh', method: 'POST' }),
 *   header: 'Authorization',
 *   trustedOrigins: [api],
 * });
 * @see https://www.rfc-editor.org/rfc/rfc6749#section-6
 */
export function createTokenSession<
  LoginArgs extends readonly unknown[],
  Result,
  LogoutArgs extends readonly unknown[] = [],
  User = UserOf<Result>,
>(
  options: TokenSessionOptions<LoginArgs, Result, LogoutArgs, User> & ParserFor<NoInfer<Result>>,
): TokenSession<User, LoginArgs, LogoutArgs, Result> {
  assertFunctions(options, {
    caller: 'createTokenSession',
    required: ['login'],
    example: "createTokenSession({ login: new RestEndpoint({ path: '/login', method: 'POST' }) })",
  });
  const { clock, server, user, profile } = options;
  // The session only passes the arguments on, so their types do not matter inside.
  const mechanism = {
    ...tokenMechanism(options),
    ...(profile && { profile: profileCall(profile, () => core) }),
  } as unknown as Mechanism<TokenCredential, User>;
  const core: SessionCore<TokenCredential, User> = createSessionCore(mechanism, { clock, server, user });
  const getToken = async () => (await core.getUsableCredential()).accessToken;
  return Object.assign(core, { getToken }) as unknown as TokenSession<User, LoginArgs, LogoutArgs, Result>;
}

function tokenMechanism<LoginArgs extends readonly unknown[], Result, LogoutArgs extends readonly unknown[]>(
  options: TokenSessionOptions<LoginArgs, Result, LogoutArgs, unknown>,
): Mechanism<TokenCredential, UserOf<Result>, LoginArgs, LogoutArgs, EnterArguments<Result>> {
  const { login, refresh, logout, restore, timeout: timeoutMs = REFRESH_TIMEOUT_MS, clock = systemClock } = options;
  const parse = (result: unknown) => parseTokenResponse<UserOf<Result>>(result, options, clock.now());
  const freshToken = new FreshTokenCheck(options, clock);
  const enter = (result: Result, choice: unknown) => {
    const signedIn = parse(result);
    freshToken.onLogin(signedIn.credential);
    return { ...signedIn, credential: { ...signedIn.credential, isRemembered: isRemembered(choice) } };
  };
  return {
    timeoutMs,
    trustedOrigins: options.trustedOrigins,
    ...persistence<UserOf<Result>>(options, timeoutMs, clock),
    login: async (...args) => enter(await fetchTokens(() => login(...args)), args[0]),
    enter: async (result, choice) => enter(result, choice),
    ...(restore && {
      restore: async () => {
        const result = await rejectionAsSignedOut(fetchTokens(restore));
        if (result === undefined || result === null) return undefined;
        return parse(options.parseTokens ? result : assertNotText(result, 'restore'));
      },
    }),
    ...(logout && {
      logout: async (tokens, ...args) => tokens && ignoreUnauthorized(logout(toTokenArgument(tokens, false), ...args)),
    }),
    ...(refresh && {
      refresh: async (current, signal) => {
        const result = await rejectionAsExpired(
          fetchTokens(() => refresh(toRefreshArgument(current.credential, signal))),
        );
        return parseRefreshResponse(result, current, options, clock.now());
      },
      refreshAt: ({ refreshAt }) => refreshAt,
      isUnexpired: ({ expiresAt = 0 }) => expiresAt > clock.now(),
      refreshProactively: options.autoRefresh,
    }),
    isSameCredential: (a, b) => a.accessToken === b.accessToken && a.refreshToken === b.refreshToken,
    attachCredential({ init }, tokens) {
      if (!tokens) return init;
      freshToken.onSend(tokens.accessToken);
      return attachToken(init, tokens.accessToken, options);
    },
    subjectOfResponse(response) {
      // Called for every response. A response of a token session does not name its user.
      freshToken.onResponse(response);
      return undefined;
    },
  };
}

/**
 * Calls a function that returns tokens. The error for an unreadable response does not quote it, because it may be a
 * token.
 */
async function fetchTokens<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw error instanceof SyntaxError ? new InvalidCredentialError(NO_JSON) : error;
  }
}

/** Returns true if the user wants to stay signed in after the tab is closed. */
function isRemembered(choice: unknown): boolean {
  return typeof choice === 'object' && choice !== null && 'remember' in choice && choice.remember === true;
}

/** The storage of the session, and its connection to other tabs. */
function persistence<User>(
  options: TokenStorageOptions & TabsOptions,
  timeoutMs: number,
  clock: Clock,
): Pick<Mechanism<TokenCredential, User>, 'load' | 'save' | 'savesAtOnce' | 'tabs'> {
  const { storage = 'memory', storageKey = DEFAULT_NAME } = options;
  const { tabs: name = storage !== 'memory' && storage !== 'session' && storageKey } = options;
  const tabs = createTabs(name, clock, timeoutMs);
  const store = tokenStorage<SignedIn<TokenCredential, User>>(options, parseStoredSession, clock, timeoutMs);
  if (!store) return { tabs };
  const { ownId, ...signInStorage } = store;
  return { tabs: tabs && ownId ? rememberedTabs(tabs, ownId) : tabs, ...signInStorage };
}
