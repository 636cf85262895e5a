import type { Clock } from '../clock.js';
import type { ExtensionsOption } from '../session/extension.js';
import type { TabsOptions } from './tabsOption.js';
import type { CsrfOptions } from './csrfToken.js';

export interface CookieSessionOptions<
  LoginArgs extends readonly unknown[],
  User,
  LogoutArgs extends readonly unknown[] = [],
>
  extends TabsOptions, ExtensionsOption {
  /**
   * Signs in; the server sets the cookie. If the result does not name the user (such as 204), the session calls
   * `whoami`.
   */
  login: (...args: LoginArgs) => Promise<unknown>;
  /**
   * Asks who the cookie belongs to. Called at the start, after a login that did not name the user, by `session.enter()` and
   * `session.reload()`, and when another page may have replaced the cookie: at a focus (at most every 5 seconds), before a request after 5 minutes
   * without one, and when the CSRF cookie has changed. Null, or a rejection with status 400, 401 or 403, means signed out;
   * any other rejection means that the check failed.
   */
  whoami: () => Promise<User | null | undefined>;
  /** Ends the session on the server, which clears the cookie. Called with the arguments of `session.logout`. */
  logout?: (...args: LogoutArgs) => Promise<unknown>;
  /**
   * The user that the server already knew when it rendered the page, in the shape of `whoami`'s result; null if no user
   * was signed in. The session starts as this user, on the server and at the first render, and calls no `whoami`. If it
   * is wrong, the first 401 or the next check corrects it. Read once, when the session is made. On a server, make one
   * session for each request, with `server: true`. @default not known: the session calls `whoami`
   */
  initial?: User | null | undefined;
  /** Protection against cross-site request forgery: where its token is read, and how it is sent. @default none */
  csrf?: CsrfOptions;
  /** The credentials mode of requests: `include` for an API on another origin. @default 'same-origin' */
  credentials?: 'same-origin' | 'include';
  /** The only origins that get cookies. @default the page's own and each endpoint's `urlPrefix` */
  trustedOrigins?: readonly string[];
  /**
   * Returns the subject that a response names, for example from the header `X-User-Id`. If it is another user, the
   * session drops the response, and calls `whoami` before it sends further requests. The caller gets
   * `IdentityChangedError`, or `OtherUserResponseError` if `whoami` names no other user.
   * @default no response is checked
   */
  verifyResponse?: (response: Response) => string | undefined;
  /**
   * Returns the user's id from the result of `whoami` or `login`. @default its `subject`, `user`, `id` or `sub`. An
   * `id` beside `jsonrpc`, `result`, `data` or `payload` is refused: this `id` may be the id of the response, not of
   * the user
   */
  getSubject?: (result: User) => string | undefined;
  /**
   * How long whoami, logout or a fetch of the CSRF token may take, and how long requests wait for a login, in milliseconds.
   * @default 10000
   */
  timeout?: number;
  /** The current time and timers, for tests. @default the system's */
  clock?: Clock;
  /** True for a session made for one request on a server. Without it, a sign-in on a server rejects. @default false */
  server?: boolean;
}

/** The options without the types of the arguments of login and logout. */
export type CookieOptions<User> = CookieSessionOptions<never, User, never>;
