import { systemClock, type Clock } from '../clock.js';
import { InvalidCredentialError } from '../errors.js';
import type { Mechanism } from '../session/mechanism.js';
import type { Session } from '../session/session.js';
import type { SignedIn } from '../session/signedIn.js';
import { createSession } from './createSession.js';
import { createTabs, DEFAULT_NAME, type TabsOptions } from './createTabs.js';
import { assertNotText, ignoreUnauthorized, rejectionAsExpired, rejectionAsSignedOut } from './refusals.js';
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
  type TokenResponse,
} from './tokenResponse.js';
import { tokenStorage, type TokenStorageOptions } from './tokenStorage.js';

/** How long a refresh may take before the requests that wait for it reject, in milliseconds. */
const REFRESH_TIMEOUT_MS = 10_000;

const NO_JSON =
  'The server answered text that is no JSON, where an object with the string `accessToken` was expected. Let it answer JSON, or read its text in the function given to the session.';

/** The person in a login's answer `{ accessToken, user }`. */
export type UserOf<Result> = Result extends { user: infer User } ? User : unknown;

export interface TokenSessionOptions<
  LoginArgs extends readonly unknown[],
  Result,
  LogoutArgs extends readonly unknown[] = [],
>
  extends TokenHeaderOptions, TokenStorageOptions, TabsOptions {
  /** Exchanges what the person typed for tokens, e.g. a `RestEndpoint`. Called with the arguments of `session.login`. */
  login: (...args: LoginArgs) => Promise<Result>;
  /**
   * Exchanges the refresh token for new tokens; answers in the same shape as `login`. A `RestEndpoint` given as it is posts
   * `{ refreshToken }`. Absent: a 401 ends the session.
   *
   * Called after a 401 and ahead of a known expiry; each refresh token is given out once, by one tab. After `timeout` the
   * requests that wait reject with `RefreshUnavailableError`, and the next ones wait for the same call. It ends when it settles,
   * or when its `signal` is aborted: when the user signs out or another one signs in. A `RestEndpoint` is aborted then too.
   *
   * Rejecting with status 400, 401 or 403 means “refused” and ends the session; any other failure means “not now” and keeps it.
   * So a function that gives up after a time of its own rejects, and may be called with the same refresh token again.
   *
   * @example refresh: ({ refreshToken, signal }) => fetch('/refresh', { method: 'POST', body: refreshToken, signal }).then(readTokens)
   *
   * A refresh by a cookie, without a refresh token, must answer whose tokens these are, as the login did: another tab may have exchanged
   * the cookie. Where the login named the user and the refresh does not, its tokens are not used: “not now”, and the
   * cause names `getSubject`.
   */
  refresh?: ((tokens: RefreshArgument) => Promise<unknown>) | undefined;
  /**
   * Tells the server that the person signed out. A `RestEndpoint` given as it is carries the access token; the tokens in
   * the argument are not enumerable, so that they never become search params. The arguments of `session.logout` come after them.
   */
  logout?: (tokens: CurrentTokens, ...args: LogoutArgs) => Promise<unknown>;
  /**
   * Finds out at the start whether a user is signed in, e.g. by a refresh cookie; null or a 401 means no user. Should name the user as
   * the login does: an unnamed user is another one each time, and a later refresh by the cookie cannot be checked.
   */
  restore?: () => Promise<unknown>;
  /** Reads the tokens out of an answer. @default answer => answer, for `{ accessToken, refreshToken?, expiresIn?, expiresAt? }` */
  parseTokens?: (answer: never) => TokenResponse;
  /** The only origins that get the token. @default the page's own and each endpoint's `urlPrefix` */
  trustedOrigins?: readonly string[];
  /** Tells who signed in. @default the answer's `subject`, its `user` (`id` or `sub`), else the `sub` of a token that is a JWT */
  getSubject?: (answer: Result) => string | undefined;
  /**
   * How long before a known expiry the token is refreshed, in milliseconds; never more than half its lifetime. Requests do not wait
   * for that refresh while the token is good: they go with the current one. A failed one is tried again after 30 seconds at the
   * earliest. Once the token has expired, requests wait. @default 60000
   */
  refreshBeforeExpiry?: number;
  /** Refreshes before a known expiry even while no request is sent, as long as a provider is mounted. @default false */
  autoRefresh?: boolean;
  /**
   * How long requests wait for a refresh, and how long a restore, a logout, or a storage of your own may take, in
   * milliseconds. @default 10000
   */
  timeout?: number;
  /** The time and its timers, for tests. @default the machine's */
  clock?: Clock;
  /** True for a session made for one request on a server. Without it, a sign-in on a server rejects. @default false */
  server?: boolean;
}

/**
 * A session whose credential is a token in a header.
 *
 * The token is read when a request is sent, never at render; a 401 leads to one refresh, shared by all requests, and each
 * is then sent once more.
 *
 * @throws TypeError when an entry of `trustedOrigins` is no origin.
 * @example
 * export const session = createTokenSession({
 *   login: new RestEndpoint({ urlPrefix: api, path: '/login', method: 'POST' }),
 *   refresh: new RestEndpoint({ urlPrefix: api, path: '/refresh', method: 'POST' }),
 *   trustedOrigins: [api],
 * });
 * @see https://www.rfc-editor.org/rfc/rfc6749#section-6
 */
export function createTokenSession<
  LoginArgs extends readonly unknown[],
  Result,
  LogoutArgs extends readonly unknown[] = [],
>(options: TokenSessionOptions<LoginArgs, Result, LogoutArgs>): Session<UserOf<Result>, LoginArgs, LogoutArgs> {
  return createSession(tokenMechanism(options), { clock: options.clock, server: options.server });
}

function tokenMechanism<LoginArgs extends readonly unknown[], Result, LogoutArgs extends readonly unknown[]>(
  options: TokenSessionOptions<LoginArgs, Result, LogoutArgs>,
): Mechanism<TokenCredential, UserOf<Result>, LoginArgs, LogoutArgs> {
  const { login, refresh, logout, restore, timeout: timeoutMs = REFRESH_TIMEOUT_MS, clock = systemClock } = options;
  const parse = (answer: unknown) => parseTokenResponse<UserOf<Result>>(answer, options, clock.now());
  return {
    timeoutMs,
    trustedOrigins: options.trustedOrigins,
    ...persistence<UserOf<Result>>(options, timeoutMs, clock),
    login: async (...args) => parse(await fetchTokens(() => login(...args))),
    ...(restore && {
      restore: async () => {
        const answer = await rejectionAsSignedOut(fetchTokens(restore));
        if (answer === undefined || answer === null) return undefined;
        return parse(options.parseTokens ? answer : assertNotText(answer, 'restore'));
      },
    }),
    ...(logout && {
      logout: async (tokens, ...args) => tokens && ignoreUnauthorized(logout(toTokenArgument(tokens, false), ...args)),
    }),
    ...(refresh && {
      refresh: async (current, signal) => {
        const answer = await rejectionAsExpired(
          fetchTokens(() => refresh(toRefreshArgument(current.credential, signal))),
        );
        return parseRefreshResponse(answer, current, options, clock.now());
      },
      refreshAt: ({ refreshAt }) => refreshAt,
      isUnexpired: ({ expiresAt = 0 }) => expiresAt > clock.now(),
      refreshProactively: options.autoRefresh,
    }),
    isSameCredential: (a, b) => a.accessToken === b.accessToken && a.refreshToken === b.refreshToken,
    attachCredential: ({ init }, tokens) => (tokens ? attachToken(init, tokens.accessToken, options) : init),
  };
}

/** Calls a function that answers with tokens. An unreadable answer is not quoted: it may be a token. */
async function fetchTokens<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw error instanceof SyntaxError ? new InvalidCredentialError(NO_JSON) : error;
  }
}

/** How the session outlives the page, and is shared with other tabs. */
function persistence<User>(
  options: TokenStorageOptions & TabsOptions,
  timeoutMs: number,
  clock: Clock,
): Pick<Mechanism<TokenCredential, User>, 'load' | 'save' | 'savesAtOnce' | 'tabs'> {
  const { storage = 'memory', storageKey = DEFAULT_NAME } = options;
  const { tabs: name = storage !== 'memory' && storage !== 'session' && storageKey } = options;
  const tabs = createTabs(name, clock, timeoutMs);
  const store = tokenStorage<SignedIn<TokenCredential, User>>(options, parseStoredSession, clock, timeoutMs);
  return store ? { tabs, ...store } : { tabs };
}
