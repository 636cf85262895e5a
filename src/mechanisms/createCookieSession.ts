import { systemClock, type Clock } from '../clock.js';
import { InvalidCredentialError } from '../errors.js';
import { markLoginAccepted } from '../session/cookieLogin.js';
import type { SessionCore } from '../session/core.js';
import { createSessionCore } from '../session/createSessionCore.js';
import { runAsAuthCall } from '../session/runAsAuthCall.js';
import { isFromOtherOrigin, parseOrigins } from '../session/trustedOrigins.js';
import type { AuthFailure, Mechanism } from '../session/mechanism.js';
import type { OutgoingRequest } from '../session/outgoingRequest.js';
import type { AuthCallName } from '../session/runAsAuthCall.js';
import type { Session } from '../session/session.js';
import type { SignedIn } from '../session/signedIn.js';
import { withoutRedirect } from '../session/withoutRedirect.js';
import { createTabs, DEFAULT_NAME, type TabsOptions } from './createTabs.js';
import { csrfToken, type CsrfOptions } from './csrfToken.js';
import { assertNotText, ignoreUnauthorized, rejectionAsSignedOut } from './refusals.js';
import { idOf, isEnvelope, subjectOf } from './subjectOf.js';

/** How long a whoami, a logout or a fetch of the CSRF token may take, in milliseconds. */
const TIMEOUT_MS = 10_000;

const SIGNED_OUT_AFTER_LOGIN =
  'The login succeeded, but whoami() then found no user signed in. Check that the browser keeps the cookie: its SameSite, Secure, Domain and Path, and the `credentials` option when the API is on another origin.';

/** All that a page knows of a cookie: that it is there, and the CSRF token that goes with it. */
interface CookieCredential {
  readonly csrf: string | undefined;
}

export interface CookieSessionOptions<
  LoginArgs extends readonly unknown[],
  User,
  LogoutArgs extends readonly unknown[] = [],
> extends TabsOptions {
  /** Signs in; the server sets the cookie. An answer that does not tell the person (such as 204) is followed by `whoami`. */
  login: (...args: LoginArgs) => Promise<unknown>;
  /** Asks who the cookie belongs to: at the start, and after a login that did not tell. Null or a 401 means signed out. */
  whoami: () => Promise<User | null | undefined>;
  /** Ends the session on the server, which clears the cookie. Called with the arguments of `session.logout`. */
  logout?: (...args: LogoutArgs) => Promise<unknown>;
  /** Protection against cross-site request forgery: where its token is read, and how it is sent. @default none */
  csrf?: CsrfOptions;
  /** The credentials mode of requests: `include` for an API on another origin. @default 'same-origin' */
  credentials?: 'same-origin' | 'include';
  /** The only origins that get cookies. @default the page's own and each endpoint's `urlPrefix` */
  trustedOrigins?: readonly string[];
  /**
   * Reads from a response whose answer it is, where the server names the user in each of them (a header such as `X-User-Id`, in
   * the form of the session's subject). An answer for another user enters no store: its caller gets `IdentityChangedError`,
   * `whoami` is asked, and no further request is sent before it has answered. @default no response is checked
   */
  verifyResponse?: (response: Response) => string | undefined;
  /** Tells who the user is. @default the answer's `subject`, `user`, `id` or `sub`; an `id` beside `jsonrpc`, `result`, `data` or `payload` may number the answer, and is refused */
  getSubject?: (answer: User) => string | undefined;
  /** How long whoami, logout or a fetch of the CSRF token may take, in milliseconds. @default 10000 */
  timeout?: number;
  /** The time and its timers, for tests. @default the machine's */
  clock?: Clock;
  /** True for a session made for one request on a server. Without it, a sign-in on a server rejects. @default false */
  server?: boolean;
}

/** Whether a login's answer tells who signed in; `{}`, a text, an envelope or nothing does not. */
function hasIdentity(answer: unknown): boolean {
  return subjectOf(answer) !== undefined || (!isEnvelope(answer) && idOf(answer) !== undefined);
}

/**
 * A session whose credential is a cookie that the browser keeps and the page may not see.
 *
 * While a user is signed in, requests go with `credentials: 'same-origin'` (or `include`) and, with the `csrf` option, the CSRF
 * token on every method that changes something (or on every request), read from its cookie when the request is sent. While no
 * user is, they go with `omit`. A 401 ends the session. A refused CSRF token is fetched again once, and the request sent once more.
 *
 * @throws TypeError when an entry of `trustedOrigins` is no origin.
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
>(options: CookieSessionOptions<LoginArgs, User, LogoutArgs>): Session<User, LoginArgs, LogoutArgs> {
  const session: SessionCore<CookieCredential, User> = createSessionCore(
    cookieMechanism(options, () => session),
    { clock: options.clock, server: options.server },
  );
  return session as unknown as Session<User, LoginArgs, LogoutArgs>;
}

/** With `same-origin`, the browser itself keeps cookies back from another origin that a redirect leads to; with `include` it does not. */
function withCookies(init: RequestInit, credentials: RequestCredentials = 'omit'): RequestInit {
  return credentials === 'include' ? withoutRedirect({ ...init, credentials }) : { ...init, credentials };
}

type CookieOptions<User> = CookieSessionOptions<never, User, never>;

/** How the cookie and the CSRF token reach a request. */
function cookieCredential<User>(options: CookieOptions<User>) {
  const { credentials = 'same-origin', timeout: timeoutMs = TIMEOUT_MS, clock = systemClock } = options;
  const csrf = csrfToken(options.csrf, clock, timeoutMs);
  const readCredential = (): CookieCredential => ({ csrf: csrf?.read() });
  const attachCredential = ({ init }: OutgoingRequest, cookie: CookieCredential | undefined): RequestInit => {
    const withCookie = withCookies(init, cookie && credentials);
    return csrf ? csrf.attach(withCookie, cookie?.csrf) : withCookie;
  };
  return { csrf, readCredential, attachCredential, trustedOrigins: parseOrigins(options.trustedOrigins) };
}

/** The calls that a cookie session makes itself, each with the cookie of its moment. */
function cookieCalls<User>(
  options: CookieOptions<User>,
  session: () => SessionCore<CookieCredential, User>,
  { csrf, readCredential, attachCredential, trustedOrigins }: ReturnType<typeof cookieCredential<User>>,
) {
  const asAuthCall = <T>(name: AuthCallName, call: () => T, signal?: AbortSignal): T => {
    const attachCurrent = (request: OutgoingRequest) => attachCredential(request, readCredential());
    return runAsAuthCall({ name, session: session(), trustedOrigins, attachCredential: attachCurrent, signal }, call);
  };
  const refreshCsrf =
    csrf?.fetch &&
    (async (refused: string | undefined, signal?: AbortSignal) =>
      csrf.fetch?.(refused, call => asAuthCall('refresh', call, signal)));
  const fetchMissingCsrf = async (signal?: AbortSignal) =>
    readCredential().csrf === undefined ? refreshCsrf?.(undefined, signal) : undefined;
  const withRetry = <T>(name: AuthCallName, call: () => Promise<T>) =>
    withCsrfRetry(
      () => asAuthCall(name, call),
      csrf?.isRefused,
      refreshCsrf?.bind(null, readCredential().csrf, undefined),
    );
  const askWhoami = async (signal?: AbortSignal) => {
    const answer = assertNotText(await rejectionAsSignedOut(asAuthCall('restore', options.whoami, signal)), 'whoami');
    return signedInFrom(answer, readCredential(), options.getSubject);
  };
  const login = async (...args: never[]) => {
    await fetchMissingCsrf();
    const answer = await withRetry('login', () => options.login(...(args as never)));
    const fromAnswer = () =>
      hasIdentity(answer) ? signedInFrom(answer, readCredential(), options.getSubject) : undefined;
    return resolveIdentity(fromAnswer, askWhoami);
  };
  const restore = csrf?.appliesTo('GET')
    ? (signal?: AbortSignal) => fetchMissingCsrf(signal).then(() => askWhoami(signal))
    : askWhoami;
  const { logout } = options;
  return {
    login,
    restore,
    refreshCsrf,
    logout: logout && ((...args: never[]) => withRetry('logout', () => logout(...(args as never)))),
  };
}

function cookieMechanism<User>(
  options: CookieOptions<User>,
  session: () => SessionCore<CookieCredential, User>,
): Mechanism<CookieCredential, User> {
  const { timeout: timeoutMs = TIMEOUT_MS, clock = systemClock } = options;
  const credential = cookieCredential(options);
  const { csrf, readCredential, attachCredential, trustedOrigins } = credential;
  const { login, restore, refreshCsrf, logout } = cookieCalls(options, session, credential);
  return {
    timeoutMs,
    trustedOrigins,
    tabs: createTabs(options.tabs ?? [DEFAULT_NAME, ...(trustedOrigins ?? [])].join(' '), clock),
    browserManaged: true,
    refreshOn: 'csrf-rejected',
    restore,
    login,
    ...(logout && { logout: async (_, ...args: never[]) => ignoreUnauthorized(logout(...args)) }),
    ...(csrf &&
      refreshCsrf && {
        refresh: async (current, signal) =>
          refreshCsrf(current.credential.csrf, signal).then(() => ({ ...current, credential: readCredential() })),
        appliesTo: csrf.appliesTo,
        refreshAt: () => (readCredential().csrf === undefined ? 0 : undefined),
      }),
    ...(options.verifyResponse && { subjectOfResponse: options.verifyResponse }),
    readCredential,
    isSameCredential: (a, b) => a.csrf === b.csrf,
    attachCredential,
    classifyResponse: response => classifyResponse(response, csrf?.isRefused),
  };
}

/** Calls once more with a fresh CSRF token where the server refuses the one that a login or logout carried. */
async function withCsrfRetry<T>(
  call: () => Promise<T>,
  isRefused: CsrfOptions['isRefused'],
  refreshCsrf: (() => Promise<void>) | undefined,
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const { response } = error as { response?: Response };
    if (!refreshCsrf || !response || !(await isRefused?.(response))) throw error;
    await refreshCsrf();
    return call();
  }
}

async function classifyResponse(
  response: Response,
  isRefused: CsrfOptions['isRefused'],
): Promise<AuthFailure | undefined> {
  if (response.status === 401) return isFromOtherOrigin(response) ? undefined : 'unauthorized';
  return (await isRefused?.(response)) ? 'csrf-rejected' : undefined;
}

/** The user whom a login's answer names, else the one whom `whoami` names. */
async function resolveIdentity<S>(
  fromAnswer: () => S | undefined,
  askWhoami: () => Promise<S | undefined>,
): Promise<S> {
  const named = fromAnswer();
  if (named) return named;
  const signedIn = await askWhoami().catch((error: unknown) => {
    markLoginAccepted(error);
    throw error;
  });
  if (signedIn) return signedIn;
  throw new InvalidCredentialError(SIGNED_OUT_AFTER_LOGIN);
}

const NO_SUBJECT =
  "whoami() answered without telling who is signed in. Let it answer an object with `id`, `sub` or `subject`, or read it with the session's `getSubject` option; null or a 401 means signed out.";

const ID_OF_ANSWER =
  "whoami() answered with an `id` beside `result` or `data`: it may number the answer and not name the user, so the session could not tell two users apart. Read the user id with the session's `getSubject` option.";

/** The usual answers for “no user”: nothing, an empty object or list, no user in it, or a flag that is false. */
function isAnonymousResponse(answer: unknown): boolean {
  if (answer === null || answer === undefined || answer === '') return true;
  if (typeof answer !== 'object') return false;
  const { user, ...rest } = answer as { user?: unknown };
  if ('user' in answer && (user === null || user === undefined)) return true;
  if (isEnvelope(answer)) return 'result' in answer && answer.result === null;
  return Object.keys(answer).length === 0 || Object.values(rest).includes(false);
}

/**
 * The user whom an answer names, or undefined when it says that no user is signed in.
 *
 * @throws InvalidCredentialError when a user is signed in, but the answer does not name them.
 */
function signedInFrom<User>(
  answer: unknown,
  credential: CookieCredential,
  getSubject?: (user: User) => string | undefined,
): SignedIn<CookieCredential, User> | undefined {
  const user = ((answer as { user?: User } | null | undefined)?.user ?? answer) as User;
  const isObject = typeof answer === 'object' && answer !== null;
  const isNumbered = isEnvelope(answer);
  const subject = isObject
    ? (getSubject?.(user) ?? subjectOf(answer) ?? (isNumbered ? undefined : idOf(user)))
    : undefined;
  if (subject !== undefined) return { credential, user, subject };
  if (isAnonymousResponse(answer)) return undefined;
  throw new InvalidCredentialError(isNumbered ? ID_OF_ANSWER : NO_SUBJECT);
}
