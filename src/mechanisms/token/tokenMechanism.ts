import { DEFAULT_TIMEOUT_MS, systemClock, type Clock } from '../../clock.js';
import type { SessionCore } from '../../session/core.js';
import type { Mechanism, ResponseListener } from '../../session/mechanism.js';
import type { EnterArguments } from '../../session/tokenSession.js';
import { fetchTokens } from './fetchTokens.js';
import { createFreshTokenCheck } from './freshToken.js';
import {
  assertNotText,
  ignoreUnauthorized,
  rejectionAsExpired,
  rejectionAsSignedOut,
  warnOfSecretInAddress,
  withAddressWarning,
  withRefreshTokenWarning,
} from '../refusals.js';
import { startLogin } from '../startLogin.js';
import { attachToken } from '../tokenHeader.js';
import { tokenPersistence } from './tokenPersistence.js';
import {
  parseRefreshResponse,
  parseTokenResponse,
  toRefreshArgument,
  toTokenArgument,
  type TokenCredential,
} from './tokenResponse.js';
import type { TokenSessionOptions, UserOf } from './TokenSessionOptions.js';

/** What a session calls when its credential is a token in a header. */
export function tokenMechanism<LoginArgs extends readonly unknown[], Result, LogoutArgs extends readonly unknown[]>(
  options: TokenSessionOptions<LoginArgs, Result, LogoutArgs, unknown>,
  session: () => Pick<SessionCore, 'challenges'>,
): Mechanism<TokenCredential, UserOf<Result>, LoginArgs, LogoutArgs, EnterArguments<Result>> & ResponseListener {
  const { login, logout, restore, timeout: timeoutMs = DEFAULT_TIMEOUT_MS, clock = systemClock } = options;
  const parse = (result: unknown) => parseTokenResponse<UserOf<Result>>(result, options, clock.now());
  const freshToken = createFreshTokenCheck(options, clock);
  const enter = (result: Result, choice: unknown) => {
    const signedIn = parse(result);
    freshToken?.onLogin(signedIn.credential);
    return { ...signedIn, credential: { ...signedIn.credential, isRemembered: isRemembered(choice) } };
  };
  return {
    timeoutMs,
    trustedOrigins: options.trustedOrigins,
    ...tokenPersistence<UserOf<Result>>(options, timeoutMs, clock),
    login: async (...args) => {
      warnOfSecretInAddress('login', login, args[0]);
      return enter((await startLogin(session())(() => fetchTokens('login', () => login(...args)))) as Result, args[0]);
    },
    enter: async (result, choice) => enter(result, choice),
    ...(restore && {
      restore: async () => {
        const result = await rejectionAsSignedOut(fetchTokens('restore', restore));
        if (result === undefined || result === null) return undefined;
        return parse(options.parseTokens ? result : assertNotText(result, 'restore'));
      },
    }),
    ...(logout && {
      logout: async (tokens, ...args) =>
        tokens && ignoreUnauthorized(withAddressWarning('logout', logout(toTokenArgument(tokens, false), ...args))),
    }),
    ...replacement(options, clock, freshToken),
    expiresAt: ({ expiresAt }) => expiresAt,
    isSameCredential: (a, b) => a.accessToken === b.accessToken && a.refreshToken === b.refreshToken,
    attachCredential({ init }, tokens) {
      if (!tokens) return init;
      freshToken?.onSend(tokens.accessToken);
      return attachToken(init, tokens.accessToken, options);
    },
    onResponse: response => freshToken?.onResponse(response),
  };
}

/** How the tokens of a user are replaced: by a refresh, and by the answer to a challenge. */
function replacement<Result>(
  options: TokenSessionOptions<never, Result, never, unknown>,
  clock: Clock,
  freshToken: ReturnType<typeof createFreshTokenCheck>,
): Pick<Mechanism<TokenCredential, UserOf<Result>>, 'readAnswer' | 'refresh' | 'refreshAt' | 'refreshProactively'> {
  const { refresh } = options;
  return {
    readAnswer: (result, current) => parseRefreshResponse(result, current, options, clock.now(), true),
    ...(refresh && {
      refresh: async (current, signal) => {
        warnOfSecretInAddress('refresh', refresh, current.credential);
        const sent = fetchTokens('refresh', () => refresh(toRefreshArgument(current.credential, signal)));
        const checked = withRefreshTokenWarning(sent, current.credential.refreshToken);
        const result = await rejectionAsExpired(checked, () => freshToken?.onRefreshRefused());
        return parseRefreshResponse(result, current, options, clock.now());
      },
      refreshAt: ({ refreshAt }) => refreshAt,
      refreshProactively: options.autoRefresh,
    }),
  };
}

/** Returns true if the user wants to stay signed in after the tab is closed. */
function isRemembered(choice: unknown): boolean {
  return typeof choice === 'object' && choice !== null && 'remember' in choice && choice.remember === true;
}
