import { DEFAULT_TIMEOUT_MS, systemClock } from '../clock.js';
import { assertFunctions } from './checkOptions.js';
import { cookieCredential, type CookieCredential } from './cookieCredential.js';
import type { CookieOptions, CookieSessionOptions } from './CookieSessionOptions.js';
import { signedInFrom, signedInFromInitial } from './whoamiResponse.js';
import { tryOrUndefined } from './tryOrUndefined.js';
import { DEFAULT_NAME } from './tabsOption.js';
import {
  assertNotText,
  ignoreUnauthorized,
  rejectionAsSignedOut,
  warnOfSecretInAddress,
  withAddressWarning,
} from './refusals.js';
import { responseOf } from '../session/errorKinds.js';
import { isFromOtherOrigin, parseOrigins } from '../session/trustedOrigins.js';
import type { Session } from '../session/session.js';
import type { UserOption } from '../session/userClass.js';
import { createSessionCore } from '../session/createSession.js';
import type { SessionCore } from '../session/extension.js';
import type { AnyMechanism, SignedIn } from '../session/mechanism.js';
import { ownCall } from './ownCall.js';
import { createTabGate } from '../session/tabGate.js';

type AnyOptions = CookieSessionOptions<readonly unknown[], unknown, readonly unknown[]>;
type Found = SignedIn<CookieCredential, unknown>;

/**
 * Creates a session whose credential is a cookie. The browser keeps the cookie, and the page may be unable to read it.
 *
 * While a user is signed in, requests go with `credentials: 'same-origin'` (or `include`) and, with the `csrf` option,
 * the CSRF token on every method that changes something (or on every request), read from its cookie when the request is
 * sent. While no user is signed in, requests are sent with `credentials: 'omit'`.
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
  const { clock, server, initial, extensions, user } = options;
  const mechanism = cookieMechanism(options as unknown as AnyOptions, () => core);
  const toSignedIn = (user: unknown) =>
    signedInFromInitial(
      user,
      mechanism.read!({ csrf: undefined }) as CookieCredential,
      options as CookieOptions<unknown>,
    );
  const core: SessionCore<CookieCredential> = createSessionCore(mechanism, {
    clock,
    server,
    extensions,
    user,
    initial: initial === undefined ? undefined : toSignedIn(initial),
  });
  starters.set(core, user => core.start(toSignedIn(user)));
  return core as unknown as Session<Shown, LoginArgs, LogoutArgs, []>;
}

const starters = new WeakMap<object, (user: unknown) => void>();

const NO_COOKIE_SESSION =
  '`initial` is for a session of createCookieSession() only. Leave it out: a session of another kind finds its user by itself.';

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

function cookieMechanism(options: AnyOptions, session: () => SessionCore): AnyMechanism<CookieCredential, unknown> {
  const { timeout = DEFAULT_TIMEOUT_MS, clock = systemClock, getSubject, verifyResponse } = options;
  const cookie = cookieCredential(options as CookieOptions<unknown>);
  const { csrf, readCredential, attachCredential, warnOfMissingCsrf, freshCookie } = cookie;
  const trustedOrigins = parseOrigins(options.trustedOrigins);
  const login = ownCall(options.login, session, 'login');
  const whoami = ownCall(options.whoami, session, 'check');
  const logout = options.logout && ownCall(options.logout, session, 'logout');
  const name = options.tabs ?? [DEFAULT_NAME, ...(trustedOrigins ?? [])].join(' ');

  /** Another token than the refused one; undefined if the session has no way to get one. */
  const fetchCsrf =
    csrf?.fetch &&
    ((refused: string | undefined) =>
      csrf.fetch!(refused, (fetch, signal) =>
        session().runAs('refresh', { signal }, ownCall(fetch, session, 'refresh')),
      ));
  const fetchMissingCsrf = async () => {
    if (csrf && readCredential().csrf === undefined) await fetchCsrf?.(undefined);
  };

  /** Sends, and once more if the server refuses the CSRF token. */
  async function withCsrfRetry<T>(send: () => Promise<T>): Promise<T> {
    const { csrf: sent } = readCredential();
    try {
      return await send();
    } catch (error) {
      const response = responseOf(error);
      if (response) warnOfMissingCsrf?.(response);
      if (!response || !(await csrf?.isRefused(response))) throw error;
      csrf?.refuse(sent);
      if (readCredential().csrf === sent) {
        if (!fetchCsrf) throw error;
        await fetchCsrf(sent);
      }
      return send();
    }
  }

  async function find(): Promise<Found | undefined> {
    if (csrf?.appliesTo('GET')) await fetchMissingCsrf();
    const result = await rejectionAsSignedOut(
      withAddressWarning(
        'whoami',
        withCsrfRetry(() => whoami()),
      ),
    );
    return signedInFrom(assertNotText(result, 'whoami'), readCredential(), getSubject);
  }

  return {
    timeout,
    trustedOrigins,
    tabs: name || undefined,
    gate: events => createTabGate({ name, clock, timeoutMs: timeout, events }),
    async login(...args) {
      warnOfSecretInAddress('login', options.login, args[0]);
      await fetchMissingCsrf();
      const result = await session().sendLogin(
        () =>
          withAddressWarning(
            'login',
            withCsrfRetry(() => login(...args)),
          ),
        next => withCsrfRetry(() => session().callAs('login', next)),
      );
      const named = tryOrUndefined(() => signedInFrom(result, readCredential(), getSubject));
      if (named) freshCookie?.onLogin();
      return named;
    },
    // The browser has the cookie already.
    enter: async () => undefined,
    restore: find,
    ...(logout && {
      logout: async (_, ...args) => ignoreUnauthorized(withAddressWarning('logout', logout(...args))),
    }),
    ...(fetchCsrf && {
      refreshOn: 'csrf-rejected' as const,
      refresh: async current =>
        fetchCsrf(current.credential.csrf).then(() => ({ ...current, credential: readCredential() })),
      refreshAt: (_, method) => (csrf.appliesTo(method) && readCredential().csrf === undefined ? 0 : undefined),
    }),
    read: readCredential,
    isSame: (a, b) => a.csrf === b.csrf,
    attach(request, known, role) {
      if (!role) return attachCredential(request, known);
      // With the token of the user who signs out: if the cookie is another user's by now, the server refuses it.
      return attachCredential(request, known?.csrf === undefined ? readCredential() : known);
    },
    async classify(response, sent) {
      warnOfMissingCsrf?.(response);
      if (response.status === 401) return isFromOtherOrigin(response) ? 'forbidden' : 'unauthorized';
      if (!(await csrf?.isRefused(response))) return undefined;
      csrf?.refuse(sent?.csrf);
      return 'csrf-rejected';
    },
    ...((verifyResponse || freshCookie) && {
      subjectOf(response: Response) {
        freshCookie?.onResponse(response);
        return verifyResponse?.(response);
      },
    }),
  };
}
