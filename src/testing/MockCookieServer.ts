import type { RequestHandler } from 'msw';
import type { Release } from './createGate.js';
import type { MockAuth, MockPerson, MockUser } from './MockAuth.js';
import type { MockNetwork, Outage } from './networkHandler.js';

export interface CookieAuthOptions {
  /** Who can sign in. */
  people: readonly MockPerson[];
  /**
   * The server's address. Its endpoints are `/login`, `/logout`, `/whoami` and `/csrf` below this address.
   * @default '' (the page's own origin)
   */
  url?: string;
  /**
   * The name of the session cookie.
   * @default 'session'
   */
  cookie?: string;
  /**
   * Checks CSRF tokens. Requests with an unsafe method, login and logout included, need a CSRF header that equals both the
   * cookie and the server's current token. `{}` uses Django's names: the cookie `csrftoken`, the header `X-CSRFToken`.
   * `exempt` lists paths without the check, for example `/login`. A login makes a new token and a logout deletes it;
   * `rotateOnLogin: false` keeps it at both.
   * @default no check
   */
  csrf?: { cookie?: string; header?: string; exempt?: readonly string[]; rotateOnLogin?: boolean };
  /**
   * Delay of the four endpoints' answers, in milliseconds. The server checks a request when it arrives, and sets cookies with
   * the answer.
   * @default 0
   */
  delay?: number;
}

export interface CookieAuthCounts {
  logins: number;
  logouts: number;
  /** 401 answers of `authorize`, `/whoami` and `/logout`. */
  unauthorized: number;
  /** 403 answers for a missing, outdated or invented CSRF token. */
  refusedCsrf: number;
  /** Answers of `/csrf`. */
  csrfTokens: number;
}

export interface MockCookieServer extends MockAuth {
  readonly handlers: RequestHandler[];
  readonly counts: Readonly<CookieAuthCounts>;
  /** The names of the cookies that the server sets, for cleaning up between stories. */
  readonly cookieNames: readonly string[];
  /** The number of answers that `hold()` is holding now. */
  readonly held: number;
  /** Signs a user in without HTTP. Sets `document.cookie`, and returns the cookies for tests without a document. */
  signIn(personId: string): Record<string, string>;
  /** Returns the answer of `/whoami` to this user, for the `initial` of a session. */
  userOf(personId: string): MockUser;
  /** Ends all sessions on the server. The page keeps its cookies, but the server no longer accepts them. */
  expire(): void;
  /**
   * Changes the CSRF token and the page's cookie, like an answer to another tab.
   * @default token = 'csrf-1', 'csrf-2' and so on
   */
  rotateCsrf(token?: string): void;
  /**
   * Changes the CSRF token only on the server. The page has the old cookie until it requests `/csrf`.
   * @default token = 'csrf-1', 'csrf-2' and so on
   */
  expireCsrf(token?: string): void;
  /**
   * Makes `/whoami` and `/csrf` fail: `true` with 503, a number with that status, `'network'` with a network error.
   * `false` ends the outage.
   * @default true
   */
  unavailable(outage?: Outage): void;
  /** Holds the answers of the four endpoints, and their cookies, until you call the returned function: with `'lost'` they become network errors. */
  hold(): Release;
  /** Creates a handler that makes all answers slow or lost, or ends the sessions at the first request. See `networkHandler`. */
  networkHandler(network: MockNetwork, signal?: AbortSignal): RequestHandler;
  /** Restores the initial state: no sessions, no cookies of this server on the page, numbers from 1. Held answers become network errors. */
  reset(): void;
}
