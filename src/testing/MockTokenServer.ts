import type { RequestHandler } from 'msw';
import type { Release } from './createGate.js';
import type { IncomingRequest, MockAuth, MockPerson, MockUser } from './MockAuth.js';
import type { MockNetwork, Outage } from './networkHandler.js';

export interface TokenAuthOptions {
  /** The server's address. Its endpoints are `/login`, `/refresh` and `/logout` below this address. */
  url: string;
  /** Who can sign in. */
  people: readonly MockPerson[];
  /**
   * The header that carries the access token, and the word before it: the same as that of the session. The server refuses a credential
   * without the word.
   * @default 'Access-Token'
   */
  header?: string;
  /**
   * A refresh token works once. Its second use revokes all tokens of the same login.
   * @default true
   */
  oneUseRefresh?: boolean;
  /**
   * Lifetime of an access token, in seconds. The answers contain it.
   * @default no expiry, or one hour for a JWT; the answers contain no `expiresIn`
   */
  expiresIn?: number;
  /**
   * Delay of the answers of `/login`, `/refresh` and `/logout`, in milliseconds. The server checks a request when it arrives.
   * @default 0
   */
  delay?: number;
  /**
   * Access tokens are JWTs with `sub`, `exp` and the readable name as `jti`.
   * @default false
   */
  jwt?: boolean;
}

/** The answer to a login or a refresh. */
export interface MockTokens {
  accessToken: string;
  refreshToken: string;
  expiresIn?: number;
  user: MockUser;
}

export interface TokenAuthCounts {
  logins: number;
  /** Refreshes that issued new tokens. */
  refreshes: number;
  refusedRefreshes: number;
  logouts: number;
  /** 401 answers of `authorize`, which resources call. */
  unauthorized: number;
}

export interface MockTokenServer extends MockAuth {
  readonly handlers: RequestHandler[];
  readonly counts: Readonly<TokenAuthCounts>;
  /** The number of `/refresh` answers that `holdRefresh()` is holding now. */
  readonly held: number;
  authorize(incoming: IncomingRequest | Request): Response | undefined;
  personOf(incoming: IncomingRequest | Request): MockPerson | undefined;
  /** Signs a user in without HTTP, for stories that start signed in. Counts no login. */
  signIn(personId: string): MockTokens;
  /** Expires all current access tokens. Refresh tokens still work. */
  expire(): void;
  /** Ends all logins of a user: the server refuses the access tokens and the refresh tokens. */
  revoke(personId: string): void;
  /**
   * Makes resources answer every request with 401. Refreshes still work. `false` ends it.
   * @default true
   */
  refuseEverything(on?: boolean): void;
  /**
   * Makes refreshes fail: `true` with 503, a number with that status, `'network'` with a network error. `false` ends the outage.
   * @default true
   */
  unavailable(outage?: Outage): void;
  /** Checks and counts refreshes when they arrive, but holds the answers until you call the returned function: with `'lost'` they become network errors. */
  holdRefresh(): Release;
  /** Creates a handler that makes all answers slow or lost, or expires the access tokens at the first request. See `networkHandler`. */
  networkHandler(network: MockNetwork, signal?: AbortSignal): RequestHandler;
  /** Restores the initial state: no logins, no failures, numbers from 1. Held answers become network errors. */
  reset(): void;
}
