import type { SessionCore } from '../../session/core.js';
import { createSessionCore } from '../../session/createSessionCore.js';
import type { Session } from '../../session/session.js';
import type { UserOption } from '../../session/userClass.js';
import { assertFunctions } from '../assertFunctions.js';
import type { CookieCredential } from './cookieCredential.js';
import { cookieMechanism } from './cookieMechanism.js';
import type { CookieOptions, CookieSessionOptions } from './CookieSessionOptions.js';
import { signedInFromInitial } from './initialUser.js';

/**
 * Creates a session whose credential is a cookie. The browser keeps the cookie, and the page may be unable to read it.
 *
 * While a user is signed in, requests go with `credentials: 'same-origin'` (or `include`) and, with the `csrf` option,
 * the CSRF token on every method that changes something (or on every request), read from its cookie when the request is
 * sent. While no user is signed in, requests are sent with `credentials: 'omit'`. A 401 ends the session. When the
 * server refuses the CSRF token, the session fetches a new one and sends the request once more.
 *
 * @throws TypeError when `login` or `whoami` is missing, or an entry of `trustedOrigins` is no origin;
 * InvalidCredentialError when `initial` does not name the user; Error when `initial` names a user on a server, without
 * `server: true`.
 * @example
 * export const session = createCookieSession({
 *   login: new RestEndpoint({ path: '/login', method: 'POST' }),
 *   logout: new RestEndpoint({ path: '/logout', method: 'POST' }),
 *   whoami: new RestEndpoint({ path: '/whoami' }),
 *   csrf: { cookie: 'csrftoken', header: 'X-CSRFToken' },
 * });
 * @see https://cheatsheetseries.owasp.org/cheatsheets/Cross-Site_Request_Forgery_Prevention_Cheat_Sheet.html
 */
export function createCookieSession<
  LoginArgs extends readonly unknown[],
  User,
  LogoutArgs extends readonly unknown[] = [],
  Shown = unknown extends User ? unknown : User,
>(
  options: CookieSessionOptions<LoginArgs, User, LogoutArgs> & UserOption<Shown>,
): Session<Shown, LoginArgs, LogoutArgs, []> {
  assertFunctions(options, {
    caller: 'createCookieSession',
    required: ['login', 'whoami'],
    example:
      "createCookieSession({ login: new RestEndpoint({ path: '/login', method: 'POST' }), whoami: new RestEndpoint({ path: '/whoami' }) })",
  });
  const { clock, server, initial: known, user, challenge } = options;
  const toSignedIn = (user: unknown) => signedInFromInitial(options, user);
  const session: SessionCore<CookieCredential, unknown> = createSessionCore<CookieCredential, unknown>(
    cookieMechanism(options as CookieOptions<unknown>, () => session),
    { clock, server, user, challenge, initial: known === undefined ? undefined : toSignedIn(known) },
  );
  starters.set(session, user => session.start(toSignedIn(user)));
  return session as Session<Shown, LoginArgs, LogoutArgs, []>;
}

const NO_COOKIE_SESSION =
  '`initial` is for a session of createCookieSession() only. Leave it out: a session of another kind finds its user by itself.';

const starters = new WeakMap<object, (user: unknown) => void>();

/**
 * Starts a cookie session as the user that the server already knew; null if no user was signed in. No effect once the
 * session has started a check, or a login or logout has ended.
 *
 * @throws TypeError when it is no cookie session. See `createCookieSession` for the errors of `initial`.
 */
export function startCookieSession(session: object, user: unknown): void {
  const start = starters.get(session);
  if (!start) throw new TypeError(NO_COOKIE_SESSION);
  start(user);
}
