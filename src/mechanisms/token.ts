import { DEFAULT_TIMEOUT_MS, systemClock } from '../clock.js';
import { isDevelopment } from '../isDevelopment.js';
import { InvalidCredentialError, SessionExpiredError } from '../errors.js';
import { isNoJson } from '../session/errorKinds.js';
import { assertFunctions } from './checkOptions.js';
import { DEFAULT_NAME } from './tabsOption.js';
import { profileCall } from './profile.js';
import {
  assertNotText,
  ignoreUnauthorized,
  rejectionAsExpired,
  rejectionAsSignedOut,
  warnOfSecretInAddress,
  withAddressWarning,
  withRefreshTokenWarning,
} from './refusals.js';
import { FreshTokenCheck } from './freshToken.js';
import {
  parseRefreshResponse,
  parseStoredSession,
  parseTokenResponse,
  toRefreshArgument,
  toTokenArgument,
  type TokenCredential,
} from './tokenResponse.js';
import type { ParserFor, RefreshOptions, TokenSessionOptions, UserOf } from './TokenSessionOptions.js';
import { attachToken } from './tokenHeader.js';
import type { TokenSession } from '../session/session.js';
import { createSessionCore } from '../session/createSession.js';
import type { SessionCore } from '../session/extension.js';
import type { AnyMechanism, SignedIn } from '../session/mechanism.js';
import { ownCall } from './ownCall.js';
import { createRecordStore, readStorage } from './storage.js';

type AnyOptions = TokenSessionOptions<readonly unknown[], unknown, readonly unknown[], unknown>;

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
  const { clock, server, extensions, user } = options;
  const mechanism = tokenMechanism(options as unknown as AnyOptions, () => core);
  const core: SessionCore<TokenCredential> = createSessionCore(mechanism, {
    clock,
    server,
    extensions,
    user,
  });
  const getToken = async () => (await core.getUsableCredential()).accessToken;
  return Object.assign(core, { getToken }) as unknown as TokenSession<User, LoginArgs, LogoutArgs, Result>;
}

function tokenMechanism(options: AnyOptions, session: () => SessionCore): AnyMechanism<TokenCredential, unknown> {
  const { timeout = DEFAULT_TIMEOUT_MS, clock = systemClock, profile, isRefused, parseTokens } = options;
  const given = options.refresh;
  const { call, beforeExpiry, auto, readToken }: RefreshOptions =
    typeof given === 'function' ? { call: given } : (given ?? {});
  const parsers = { parseTokens, beforeExpiry };
  const login = ownCall(options.login, session, 'login');
  const refresh = call && ownCall(call, session, 'refresh');
  const restore = options.restore && ownCall(options.restore, session, 'check');
  const logout = options.logout && ownCall(options.logout, session, 'logout');
  const freshToken = isDevelopment ? new FreshTokenCheck({ header: options.header, refresh: call }, clock) : undefined;
  const place = readStorage(options.storage);
  const isShared = place.tabs && place.storage !== 'memory' && place.storage !== 'session';

  function read(result: unknown, choice: unknown): SignedIn<TokenCredential, unknown> {
    const signedIn = parseTokenResponse(result, parsers, clock.now());
    freshToken?.onLogin(signedIn.credential);
    return { ...signedIn, credential: { ...signedIn.credential, isRemembered: isRemembered(choice) } };
  }

  return {
    timeout,
    trustedOrigins: options.trustedOrigins,
    storage: createRecordStore<TokenCredential, unknown>({
      ...place,
      parse: parseStoredSession,
      clock,
      timeoutMs: timeout,
    }),
    tabs: isShared ? place.key : undefined,
    turn: isShared ? `data-client-auth:${place.key}` : restore && DEFAULT_NAME,
    loginTakesTurn: restore !== undefined,
    async login(...args) {
      warnOfSecretInAddress('login', options.login, args[0]);
      return read(await session().sendLogin(() => fetchTokens('login', () => login(...args))), args[0]);
    },
    enter: async (result, choice) => read(result, choice),
    ...(restore && {
      async restore() {
        const result = await rejectionAsSignedOut(fetchTokens('restore', restore));
        if (result === undefined || result === null) return undefined;
        return parseTokenResponse(parseTokens ? result : assertNotText(result, 'restore'), parsers, clock.now());
      },
    }),
    ...(logout && {
      logout: async (tokens, ...args) =>
        tokens && ignoreUnauthorized(withAddressWarning('logout', logout(toTokenArgument(tokens, false), ...args))),
    }),
    ...(refresh && {
      async refresh(current, signal) {
        warnOfSecretInAddress('refresh', call, current.credential);
        const sent = fetchTokens('refresh', () => refresh(toRefreshArgument(current.credential, signal)));
        const checked = withRefreshTokenWarning(sent, current.credential.refreshToken);
        const result = await rejectionAsExpired(checked, () => freshToken?.onRefreshRefused());
        return parseRefreshResponse(result, current, parsers, clock.now());
      },
      refreshAt: ({ refreshAt }) => refreshAt,
      autoRefresh: auto,
    }),
    ...(readToken && {
      readRenewed(response: Response, current: SignedIn<TokenCredential, unknown>) {
        const found = readToken(response);
        if (!found) return undefined;
        const result = typeof found === 'string' ? { accessToken: found } : found;
        try {
          const next = parseRefreshResponse(result, current, { beforeExpiry }, clock.now(), true);
          return next.tenant === current.tenant ? next.credential : undefined;
        } catch (error) {
          if (error instanceof SessionExpiredError) return undefined;
          throw error;
        }
      },
    }),
    readAnswer: (result, current) => parseRefreshResponse(result, current, parsers, clock.now(), true),
    ...(profile && { profile: profileCall(profile, session) }),
    expiresAt: ({ expiresAt }) => expiresAt,
    isSame: (a, b) => a.accessToken === b.accessToken && a.refreshToken === b.refreshToken,
    attach({ init }, tokens, role) {
      if (!tokens || (role && role !== 'logout' && role !== 'challenge')) return init;
      if (!role) freshToken?.onSend(tokens.accessToken);
      return attachToken(init, tokens.accessToken, options);
    },
    ...(isRefused && {
      classify: async (response: Response) =>
        response.status === 401 || (await isRefused(response.clone())) ? ('unauthorized' as const) : undefined,
    }),
    ...(freshToken && {
      subjectOf(response: Response) {
        freshToken.onResponse(response);
        return undefined;
      },
    }),
  };
}

/** Returns true if the user wants to stay signed in after the tab is closed. */
function isRemembered(choice: unknown): boolean {
  return typeof choice === 'object' && choice !== null && 'remember' in choice && choice.remember === true;
}

const NO_JSON =
  'The server did not answer with JSON. An object with the string `accessToken` was expected. Return JSON, or parse the text in your `login`, `refresh` or `restore` function; if the server sent a page, check the address.';

/**
 * Calls a function that returns tokens. The error for an unreadable response does not quote it, because it may be a
 * token.
 */
async function fetchTokens<T>(name: 'login' | 'refresh' | 'restore', call: () => Promise<T>): Promise<T> {
  try {
    return await withAddressWarning(name, call());
  } catch (error) {
    throw isNoJson(error) ? new InvalidCredentialError(NO_JSON) : error;
  }
}
