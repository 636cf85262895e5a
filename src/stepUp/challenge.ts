import type { AuthChallenge } from '../session/mechanism.js';
import type { ParsedChallenge } from './wwwAuthenticate.js';

/** An open challenge, as `useChallenge()` returns it. */
export interface OpenChallenge {
  readonly challenge: AuthChallenge;
  /**
   * Sends the user's answer; a second call while one is under way joins it. Resolves when the server has accepted it: then
   * the requests that wait are sent again. When it rejects, the challenge stays open, and `error` is the reason; a caller
   * may ignore the promise. The same function for the life of the session.
   */
  readonly answer: (values?: AnswerValues) => Promise<void>;
  /** Rejects what waits with `ChallengeCancelledError`. The same function for the life of the session. */
  readonly cancel: () => void;
  /** Why the last answer failed. Undefined before the first answer, and while the next one is under way. */
  readonly error: Error | undefined;
  /** True while an answer is under way. */
  readonly isPending: boolean;
}

/** What the user has typed: a password, a code. */
export type AnswerValues = Readonly<Record<string, unknown>>;

/** The challenges of one session. */
export interface Challenges {
  /** The challenge that the user has to answer now. The same object until it changes. */
  readonly getSnapshot: () => OpenChallenge | undefined;
  readonly subscribe: (listener: () => void) => () => void;
  /** True if there is nothing to type: an SDK asks the user. */
  readonly isAnsweredBySdk: boolean;
}

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
