import { systemClock, type Clock } from '../clock.js';
import { InvalidCredentialError } from '../errors.js';
import { SessionEngine } from '../session/SessionEngine.js';
import type { Entry, Mechanism, Outgoing, Session, Verdict } from '../session/types.js';
import { createTabs, DEFAULT_NAME, type TabsOptions } from './createTabs.js';
import { csrfToken, type CsrfOptions } from './csrfToken.js';
import { withoutRedirect } from './credentialHeader.js';
import { assertTrusted, isElsewhere, parseOrigins } from './origins.js';
import { asOwnCall, type OwnCallName } from './ownCall.js';
import { orNobody, unlessNobody } from './refusals.js';
import { idOf, subjectOf } from './subjectOf.js';

/** How long a whoami, a logout or a fetch of the CSRF token may take, in milliseconds. */
const TIMEOUT_MS = 10_000;
/** Methods that change nothing and so carry no CSRF token (RFC 9110, section 9.2.1). */
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

const NOBODY_AFTER_LOGIN =
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
  const engine: SessionEngine<CookieCredential, User> = new SessionEngine<CookieCredential, User>(
    cookieMechanism(options, () => engine),
    options.clock,
  );
  return engine as unknown as Session<User, LoginArgs>;
}

/** With `same-origin`, the browser itself keeps cookies back from another origin that a redirect leads to; with `include` it does not. */
function withCookies(init: RequestInit, credentials: RequestCredentials = 'omit'): RequestInit {
  return credentials === 'include' ? withoutRedirect({ ...init, credentials }) : { ...init, credentials };
}

function cookieMechanism<LoginArgs extends readonly unknown[], User>(
  options: CookieSessionOptions<LoginArgs, User>,
  engine: () => SessionEngine<CookieCredential, User>,
): Mechanism<CookieCredential, User> {
  const { whoami, logout, credentials = 'same-origin', refreshTimeout: timeoutMs = TIMEOUT_MS, clock = systemClock } = options;
  const origins = parseOrigins(options.origins);
  const csrf = csrfToken(options.csrf);
  const fetchCsrf = csrf?.fetch;
  const read = (): CookieCredential => ({ csrf: csrf?.read() });
  const carry = (request: Outgoing, cookie: CookieCredential | undefined): RequestInit => {
    assertTrusted(request, origins);
    const init = withCookies(request.init, cookie && credentials);
    return csrf && !isSafe(init.method) && cookie?.csrf !== undefined ? csrf.carry(init, cookie.csrf) : init;
  };
  /** Runs one of the session's own functions, with the cookie of this moment. */
  const own = <T>(name: OwnCallName, call: () => T): T => asOwnCall(request => carry(request, read()), call, { name, engine: engine() });
  const twice = <T>(name: OwnCallName, call: () => Promise<T>) => withFreshCsrf(() => own(name, call), csrf?.isRefused, fetchCsrf && (() => own('refresh', fetchCsrf)));
  const ask = async () => entryOf(await orNobody(own('restore', whoami)), read(), options.identify);
  return {
    timeoutMs,
    tabs: createTabs(options.tabs ?? [DEFAULT_NAME, ...(origins ?? [])].join(' '), clock),
    ambient: true,
    renews: 'stale',
    restore: ask,
    login: async (...args: never[]) => {
      if (fetchCsrf && read().csrf === undefined) await own('refresh', fetchCsrf);
      const answer = await twice('login', () => options.login(...(args as unknown as LoginArgs)));
      return whoSignedIn(() => (hasIdentity(answer) ? entryOf(answer, read(), options.identify) : undefined), ask, () => engine().end('elsewhere'));
    },
    ...(logout && { logout: () => unlessNobody(twice('logout', logout)) }),
    ...(fetchCsrf && {
      renew: async held => own('refresh', fetchCsrf).then(() => ({ ...held, credential: read() })),
      covers: (method: string) => !isSafe(method),
      dueAt: () => (read().csrf === undefined ? 0 : undefined),
    }),
    read,
    same: (a, b) => a.csrf === b.csrf,
    carry,
    judge: response => judge(response, csrf?.isRefused),
  };
}

/** Calls once more with a fresh CSRF token where the server refuses the one that a login or logout carried. */
async function withFreshCsrf<T>(call: () => Promise<T>, isRefused: CsrfOptions['isRefused'], fetch: CsrfOptions['fetch']): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const { response } = error as { response?: Response };
    if (!fetch || !response || !(await isRefused?.(response))) throw error;
    await fetch();
    return call();
  }
}

async function judge(response: Response, isRefused: CsrfOptions['isRefused']): Promise<Verdict> {
  if (response.status === 401) return isElsewhere(response) ? 'accepted' : 'expired';
  return (await isRefused?.(response)) ? 'stale' : 'accepted';
}

/** The person a login's answer tells, or else whoami. */
async function whoSignedIn<E>(told: () => E | undefined, ask: () => Promise<E | undefined>, unknown: () => void): Promise<E> {
  try {
    const entry = told() ?? (await ask());
    if (entry) return entry;
    throw new InvalidCredentialError(NOBODY_AFTER_LOGIN);
  } catch (error) {
    unknown();
    throw error;
  }
}

const NOT_TOLD =
  'whoami() answered without telling who is signed in. Let it answer an object with `id`, `sub` or `subject`, or read it with the session\'s `identify` option; null or a 401 means nobody.';

/** The usual ways to say “nobody”: nothing, an empty object or list, no user in it, or a flag that is false. */
function tellsNobody(answer: unknown): boolean {
  if (answer === null || answer === undefined || answer === '') return true;
  if (typeof answer !== 'object') return false;
  const { user, ...rest } = answer as { user?: unknown };
  if ('user' in answer && (user === null || user === undefined)) return true;
  return Object.keys(answer).length === 0 || Object.values(rest).includes(false);
}

/**
 * Who an answer speaks of, or undefined when it speaks of nobody.
 *
 * @throws InvalidCredentialError when it speaks of somebody, but does not tell whom.
 */
function entryOf<User>(answer: unknown, credential: CookieCredential, identify?: (user: User) => string | undefined): Entry<CookieCredential, User> | undefined {
  const user = ((answer as { user?: User } | null | undefined)?.user ?? answer) as User;
  const isObject = typeof answer === 'object' && answer !== null;
  const subject = isObject ? (identify?.(user) ?? subjectOf(answer) ?? idOf(user)) : undefined;
  if (subject !== undefined) return { credential, user, subject };
  if (tellsNobody(answer)) return undefined;
  throw new InvalidCredentialError(NOT_TOLD);
}
