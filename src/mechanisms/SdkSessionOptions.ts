import type { Clock } from '../clock.js';
import type { ExtensionsOption } from '../session/extension.js';
import type { AuthChallenge } from '../session/mechanism.js';
import type { ProfileOption } from './profile.js';
import type { TokenHeaderOptions } from './tokenHeader.js';

/**
 * Returns the token of an SDK. With `forceRefresh` the SDK must not use its cache.
 *
 * While `subject` names a user, null or undefined means that no token is available: the request rejects with
 * `RefreshUnavailableError`, and the user stays signed in. Without `subject`, it means that no user is signed in.
 *
 * A rejection with status 400, 401 or 403, with an OAuth error that needs a new sign-in (such as `login_required`), with Clerk's
 * “Session not found”, or with `SessionExpiredError` ends the session, except while the user answers a challenge. After any other
 * rejection, or without a token within 10 seconds, the request rejects with `RefreshUnavailableError`.
 */
export type GetToken = (options: GetTokenOptions) => Promise<string | null | undefined>;

export interface GetTokenOptions {
  /** True after a 401, and when the token may belong to another user: the SDK must not use its cache. */
  readonly forceRefresh: boolean;
  /**
   * What the server asks of the user, when the user answers a challenge of a session with `stepUp()`: the SDK asks the user, and gets a
   * token with these `acrValues`, `maxAge` or `scope`. Then `forceRefresh` is true.
   */
  readonly challenge?: AuthChallenge | undefined;
}

export interface SdkSessionOptions extends TokenHeaderOptions, ProfileOption, ExtensionsOption {
  /**
   * Gets the token from the SDK. Called when a request is sent; requests that are sent at the same time share one call. With
   * `forceRefresh` the SDK must not use its cache. Null or undefined means that no token is available now: the request rejects
   * with `RefreshUnavailableError`, and the user stays signed in.
   */
  readonly getToken: GetToken;
  /**
   * Returns the id of the user who is signed in with the SDK, a different one for each user; null while no user is. Undefined,
   * or a promise that is pending: the SDK does not know yet, so the status is `restoring`, and requests wait for up to 10
   * seconds. Called when the session is made, at each call of the `subscribe` listener, and by `session.refresh()` while no user
   * is signed in.
   *
   * @default the `sub` of a token that is a JWT
   */
  readonly subject?: (() => string | null | undefined | Promise<string | null | undefined>) | undefined;
  /**
   * Calls the listener whenever the SDK's user may have changed. Returns the function that ends the subscription. Called when the
   * session is made, and not on a server. @default none: the user changes with a new page only
   */
  readonly subscribe?: ((listener: () => void) => () => void) | undefined;
  /** The only origins that get the token. @default the page's own and each endpoint's `urlPrefix` */
  readonly trustedOrigins?: readonly string[] | undefined;
  /** The current time and timers, for tests. @default the system's */
  readonly clock?: Clock | undefined;
  /** True for a session made for one request on a server. Without it, a server refuses a user of the SDK. @default false */
  readonly server?: boolean | undefined;
}
