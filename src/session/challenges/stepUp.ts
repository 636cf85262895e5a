import type { AuthChallenge, StepUp } from './challenge.js';
import { OpenChallenges } from './openChallenges.js';
import type { ParsedChallenge } from './wwwAuthenticate.js';

/** A method, so that an app may declare the type of its own login's result. */
interface LoginResultReader {
  read(result: unknown): AuthChallenge | undefined;
}

export interface StepUpOptions {
  /**
   * Sends what the user has typed, e.g. a `RestEndpoint`, which posts the values. A request that it starts before its first
   * `await` is an auth call: it goes to `trustedOrigins` only, follows no redirect, and carries the current credential, which is
   * refreshed first if it is due; for a login, it carries none. When `answer` rejects, the challenge stays open with the error, and nothing is sent again.
   *
   * The result of a token session has the shape of that of `refresh`, and replaces the tokens in memory, in the storage and
   * in the other tabs; no content (undefined, a 204) keeps them: the server has upgraded its own session. A cookie session ignores the result.
   * For a login, the result is that of the login. @default `getToken({ forceRefresh: true, challenge })` where an SDK gives
   * the token; other sessions need it
   */
  // With `unknown`, `({ code }) => verify(code)` would be no answer, nor an endpoint whose path is known as a text only.
  readonly answer?: ((values: any, challenge: AuthChallenge) => Promise<unknown>) | undefined;
  /**
   * Returns the challenge of a refused response, null if it is none; undefined leaves it to the default, and
   * so does a function that takes longer than the session's `timeout`. Called with a copy of each refusal while a user is signed in, and
   * of a refused login. @default a 401 with `insufficient_user_authentication`
   * (RFC 9470) and a 403 with `insufficient_scope` (RFC 6750) in `WWW-Authenticate`
   *
   * @param parsed The challenges of `WWW-Authenticate`. Another origin has to expose this header.
   */
  readonly readChallenge?:
    | ((response: Response, parsed: readonly ParsedChallenge[]) => ChallengeResult | Promise<ChallengeResult>)
    | undefined;
  /**
   * Returns the challenge in the result of a login that the server has not completed: it wants a second factor. The result of
   * the answer is then the login's, and may be a challenge again. @default no result is a challenge
   */
  readonly readLoginResult?: LoginResultReader['read'] | undefined;
}

export type ChallengeResult = AuthChallenge | null | undefined;

/**
 * Makes the option `challenge` of a session: for servers that ask the user for a password or a code before some requests, or
 * for a second factor at the login.
 *
 * A refusal that is a challenge starts no refresh and ends nothing. Its request waits, and others that are refused for the same
 * reason wait with it, also if the `details` differ. `useChallenge()` or `<Challenge>` asks the user once; after the answer each
 * request is sent once more. A request that is refused again with the same challenge, `details` included, is its caller's error.
 * With another challenge the user is asked again, for one request at most three times in all. While the user thinks, other
 * requests go on.
 *
 * @throws TypeError when `answer` is missing, as soon as a session without an SDK is made.
 * @example
 * createTokenSession({
 *   // …
 *   challenge: stepUp({
 *     answer: new RestEndpoint({ urlPrefix: api, path: '/step-up', method: 'POST', body: {} as { password: string } }),
 *   }),
 * });
 * @see https://www.rfc-editor.org/rfc/rfc9470
 */
export function stepUp(options: StepUpOptions = {}): StepUp {
  return (parts, modules) => new OpenChallenges(parts, modules, options);
}
