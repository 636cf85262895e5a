import { systemClock, type Clock } from '../clock.js';
import { InvalidCredentialError } from '../errors.js';
import type { SessionCore } from '../session/core.js';
import { createSessionCore } from '../session/createSession.js';
import { runAsAuthCall } from '../session/runAsAuthCall.js';
import type { AuthCallName, AuthFailure, Mechanism, OutgoingRequest, Session, SignedIn } from '../session/types.js';
import { withoutRedirect } from './attachHeader.js';
import { createTabs, DEFAULT_NAME, type TabsOptions } from './createTabs.js';
import { csrfToken, type CsrfOptions } from './csrfToken.js';
import { ignoreUnauthorized, rejectionAsSignedOut } from './refusals.js';
import { idOf, subjectOf } from './subjectOf.js';
import { assertTrusted, isFromOtherOrigin, parseOrigins } from './trustedOrigins.js';

/** How long a whoami, a logout or a fetch of the CSRF token may take, in milliseconds. */
const TIMEOUT_MS = 10_000;
/** Methods that change nothing and so carry no CSRF token (RFC 9110, section 9.2.1). */
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

const SIGNED_OUT_AFTER_LOGIN =
  'The login succeeded, but whoami() then found nobody signed in. Check that the browser keeps the cookie: its SameSite, Secure, Domain and Path, and the `credentials` option when the API is on another origin.';

/** All that a page knows of a cookie: that it is there, and the CSRF token that goes with it. */
interface CookieCredential {
  readonly csrf: string | undefined;
}

export interface CookieSessionOptions<LoginArgs extends readonly unknown[], User> extends TabsOptions {
  /** Signs in; the server sets the cookie. An answer that does not tell the person (such as 204) is followed by `whoami`. */
  login: (...args: LoginArgs) => Promise<unknown>;
  /** Asks who the cookie belongs to: at the start, and after a login that did not tell. Null or a 401 means nobody. */
  whoami: () => Promise<User | null | undefined>;
  /** Ends the session on the server, which clears the cookie. */
  logout?: () => Promise<unknown>;
  /** Protection against cross-site request forgery: where its token is read, and how it is sent. @default none */
  csrf?: CsrfOptions;
  /** The credentials mode of requests: `include` for an API on another origin. @default 'same-origin' */
  credentials?: 'same-origin' | 'include';
  /** The only origins that get cookies. @default the page's own and each endpoint's `urlPrefix` */
  origins?: readonly string[];
  /** Tells who the person is. @default the answer's `subject`, `user`, `id` or `sub` */
  identify?: (answer: User) => string | undefined;
  /** How long whoami, logout or a fetch of the CSRF token may take, in milliseconds. @default 10000 */
  refreshTimeout?: number;
  /** The time and its timers, for tests. @default the machine's */
  clock?: Clock;
}

function isSafe(method = 'GET'): boolean {
  return SAFE_METHODS.has(method);
}

/** Whether a login's answer tells who signed in; `{}`, a text or nothing does not. */
function hasIdentity(answer: unknown): boolean {
  return subjectOf(answer) !== undefined || idOf(answer) !== undefined;
}

/**
 * A session whose credential is a cookie that the browser keeps and the page may not see.
 *
 * While somebody is signed in, requests go with `credentials: 'same-origin'` (or `include`) and, where asked for, the CSRF
 * token on every method that changes something, read from its cookie when the request is sent. While nobody is, they go
 * with `omit`. A 401 ends the session; a refused CSRF token is fetched anew once and the request sent once more.
 *
 * @throws TypeError when an entry of `origins` is no origin.
 * @example
 * export const session = createCookieSession({
 *   login: new RestEndpoint({ path: '/login', method: 'POST' }),
 *   logout: new RestEndpoint({ path: '/logout', method: 'POST' }),
 *   whoami: new RestEndpoint({ path: '/whoami' }),
 *   csrf: { cookie: 'csrftoken', header: 'X-CSRFToken' },
 * });
 * @see https://cheatsheetseries.owasp.org/cheatsheets/Cross-Site_Request_Forgery_Prevention_Cheat_Sheet.html
 */
export function createCookieSession<LoginArgs extends readonly unknown[], User>(
  options: CookieSessionOptions<LoginArgs, User>,
): Session<User, LoginArgs> {
  const session: SessionCore<CookieCredential, User> = createSessionCore(
    cookieMechanism(options, () => session),
    { clock: options.clock },
  );
  return session as unknown as Session<User, LoginArgs>;
}

/** With `same-origin`, the browser itself keeps cookies back from another origin that a redirect leads to; with `include` it does not. */
function withCookies(init: RequestInit, credentials: RequestCredentials = 'omit'): RequestInit {
  return credentials === 'include' ? withoutRedirect({ ...init, credentials }) : { ...init, credentials };
}

function attachCsrf(csrf: ReturnType<typeof csrfToken>, init: RequestInit, token: string | undefined): RequestInit {
  return csrf && !isSafe(init.method) && token !== undefined ? csrf.attach(init, token) : init;
}

function cookieMechanism<LoginArgs extends readonly unknown[], User>(
  options: CookieSessionOptions<LoginArgs, User>,
  session: () => SessionCore<CookieCredential, User>,
): Mechanism<CookieCredential, User> {
  const { whoami, logout, credentials = 'same-origin', refreshTimeout: timeoutMs = TIMEOUT_MS, clock = systemClock } = options;
  const origins = parseOrigins(options.origins);
  const csrf = csrfToken(options.csrf, clock, timeoutMs);
  const fetchCsrf = csrf?.fetch;
  const readCredential = (): CookieCredential => ({ csrf: csrf?.read() });
  const attachCredential = (request: OutgoingRequest, cookie: CookieCredential | undefined): RequestInit => {
    assertTrusted(request, origins);
    return attachCsrf(csrf, withCookies(request.init, cookie && credentials), cookie?.csrf);
  };
  /** Runs one of the session's own functions, with the cookie of this moment. */
  const asAuthCall = <T>(name: AuthCallName, call: () => T): T =>
    runAsAuthCall({ name, session: session(), attachCredential: request => attachCredential(request, readCredential()) }, call);
  const refreshCsrf = fetchCsrf && (() => asAuthCall('refresh', fetchCsrf));
  const withRetry = <T>(name: AuthCallName, call: () => Promise<T>) => withCsrfRetry(() => asAuthCall(name, call), csrf?.isRefused, refreshCsrf);
  const askWhoami = async () => signedInFrom(await rejectionAsSignedOut(asAuthCall('restore', whoami)), readCredential(), options.identify);
  const login = async (...args: never[]) => {
    if (refreshCsrf && readCredential().csrf === undefined) await refreshCsrf();
    const answer = await withRetry('login', () => options.login(...(args as unknown as LoginArgs)));
    const fromAnswer = () => (hasIdentity(answer) ? signedInFrom(answer, readCredential(), options.identify) : undefined);
    return resolveIdentity(fromAnswer, askWhoami);
  };
  return {
    timeoutMs,
    tabs: createTabs(options.tabs ?? [DEFAULT_NAME, ...(origins ?? [])].join(' '), clock),
    browserManaged: true,
    refreshOn: 'csrf-rejected',
    restore: askWhoami,
    login,
    ...(logout && { logout: () => ignoreUnauthorized(withRetry('logout', logout)) }),
    ...(refreshCsrf && {
      refresh: async current => refreshCsrf().then(() => ({ ...current, credential: readCredential() })),
      appliesTo: (method: string) => !isSafe(method),
      refreshAt: () => (readCredential().csrf === undefined ? 0 : undefined),
    }),
    readCredential,
    isSameCredential: (a, b) => a.csrf === b.csrf,
    attachCredential,
    classifyResponse: response => classifyResponse(response, csrf?.isRefused),
  };
}

/** Calls once more with a fresh CSRF token where the server refuses the one that a login or logout carried. */
async function withCsrfRetry<T>(call: () => Promise<T>, isRefused: CsrfOptions['isRefused'], refreshCsrf: CsrfOptions['fetch']): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const { response } = error as { response?: Response };
    if (!refreshCsrf || !response || !(await isRefused?.(response))) throw error;
    await refreshCsrf();
    return call();
  }
}

async function classifyResponse(response: Response, isRefused: CsrfOptions['isRefused']): Promise<AuthFailure | undefined> {
  if (response.status === 401) return isFromOtherOrigin(response) ? undefined : 'unauthorized';
  return (await isRefused?.(response)) ? 'csrf-rejected' : undefined;
}

/** The user whom a login's answer names, else the one whom `whoami` names. */
async function resolveIdentity<S>(fromAnswer: () => S | undefined, askWhoami: () => Promise<S | undefined>): Promise<S> {
  const signedIn = fromAnswer() ?? (await askWhoami());
  if (signedIn) return signedIn;
  throw new InvalidCredentialError(SIGNED_OUT_AFTER_LOGIN);
}

const NO_SUBJECT =
  'whoami() answered without telling who is signed in. Let it answer an object with `id`, `sub` or `subject`, or read it with the session\'s `identify` option; null or a 401 means nobody.';

/** The usual answers for “no user”: nothing, an empty object or list, no user in it, or a flag that is false. */
function isAnonymousResponse(answer: unknown): boolean {
  if (answer === null || answer === undefined || answer === '') return true;
  if (typeof answer !== 'object') return false;
  const { user, ...rest } = answer as { user?: unknown };
  if ('user' in answer && (user === null || user === undefined)) return true;
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
  identify?: (user: User) => string | undefined,
): SignedIn<CookieCredential, User> | undefined {
  const user = ((answer as { user?: User } | null | undefined)?.user ?? answer) as User;
  const isObject = typeof answer === 'object' && answer !== null;
  const subject = isObject ? (identify?.(user) ?? subjectOf(answer) ?? idOf(user)) : undefined;
  if (subject !== undefined) return { credential, user, subject };
  if (isAnonymousResponse(answer)) return undefined;
  throw new InvalidCredentialError(NO_SUBJECT);
}
