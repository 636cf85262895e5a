import { createSessionCore } from '../session/createSession.js';
import type { SessionOptions } from '../session/createSession.js';
import type { Mechanism } from '../session/mechanism.js';
import type { Session } from '../session/session.js';
import type { SignedIn } from '../session/mechanism.js';
import type { UserOption } from '../session/userClass.js';
import { assertFunctions } from './checkOptions.js';

/**
 * Creates a session with a mechanism of your own: for a signature, an API key, or a token that no preset supports.
 *
 * The mechanism says how a credential is obtained, sent and refreshed. The session does the rest, as for the presets
 * `createTokenSession` and `createCookieSession`: which identity a request belongs to, one refresh at a time, one replay, trusted
 * origins, the end of a session. Give it to `TokenAuthProvider`, which takes any session, or to `authEndpoint`.
 *
 * @throws TypeError when `attach` is missing, or an entry of `trustedOrigins` is not an origin.
 * @example
 * export const session = createSession({
 *   trustedOrigins: ['https://api.example.com'],
 *   async login(apiKey: string) {
 *     const user = await fetchUser(apiKey);
 *     return { credential: apiKey, user, subject: user.id };
 *   },
 *   attach: ({ init }, apiKey) => (apiKey === undefined ? init : attachHeader(init, 'X-API-Key', apiKey)),
 * });
 * @see Mechanism
 */
export function createSession<
  Credential,
  User,
  LoginArgs extends readonly unknown[] = [],
  LogoutArgs extends readonly unknown[] = [],
  EnterArgs extends readonly unknown[] = [signedIn: SignedIn<Credential, User>],
  Shown = User,
>(
  mechanism: Mechanism<Credential, User, LoginArgs, LogoutArgs, EnterArgs>,
  options: SessionOptions<Credential, User> & UserOption<Shown> = {},
): Session<Shown, LoginArgs, LogoutArgs, EnterArgs> {
  assertFunctions(mechanism, {
    caller: 'createSession',
    required: ['attach'],
    example: "createSession({ login, attach: ({ init }, key) => (key ? attachHeader(init, 'X-API-Key', key) : init) })",
  });
  const core = createSessionCore<Credential, unknown>(mechanism, options);
  return core as Session<Shown, LoginArgs, LogoutArgs, EnterArgs>;
}
