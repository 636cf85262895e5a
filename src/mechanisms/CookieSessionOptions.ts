import type { Clock } from '../clock.js';
import type { TabsOptions } from './createTabs.js';
import type { CsrfOptions } from './csrfToken.js';

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
  /**
   * Tells who the user is. @default the answer's `subject`, `user`, `id` or `sub`; an `id` beside `jsonrpc`, `result`,
   * `data` or `payload` may number the answer, and is refused
   */
  getSubject?: (answer: User) => string | undefined;
  /** How long whoami, logout or a fetch of the CSRF token may take, in milliseconds. @default 10000 */
  timeout?: number;
  /** The time and its timers, for tests. @default the machine's */
  clock?: Clock;
  /** True for a session made for one request on a server. Without it, a sign-in on a server rejects. @default false */
  server?: boolean;
}

/** The options, whatever the arguments of login and logout. */
export type CookieOptions<User> = CookieSessionOptions<never, User, never>;
