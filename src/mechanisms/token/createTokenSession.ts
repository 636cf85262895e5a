import type { SessionCore } from '../../session/core.js';
import { createSessionCore } from '../../session/createSessionCore.js';
import type { TokenSession } from '../../session/tokenSession.js';
import { assertFunctions } from '../assertFunctions.js';
import { profileCall } from '../profile.js';
import { tokenMechanism } from './tokenMechanism.js';
import type { TokenCredential } from './tokenResponse.js';
import type { ParserFor, TokenSessionOptions, UserOf } from './TokenSessionOptions.js';

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
  const { clock, server, user, profile, challenge } = options;
  const mechanism = {
    ...tokenMechanism(options, () => core),
    ...(profile && { profile: profileCall(profile, () => core) }),
  };
  const core: SessionCore<TokenCredential, unknown> = createSessionCore<TokenCredential, unknown>(mechanism, {
    clock,
    server,
    user,
    challenge,
  });
  const getToken = async () => (await core.getUsableCredential()).accessToken;
  return Object.assign(core, { getToken }) as TokenSession<User, LoginArgs, LogoutArgs, Result>;
}
