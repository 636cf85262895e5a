import type { SessionModules } from '../modules.js';
import type { SessionParts } from '../parts.js';
import type { RequestScope, RequestToSend } from '../requests/requestScope.js';

/** What a server asks of a user who is signed in already, or of one whose login is not complete. */
export interface AuthChallenge {
  /** The `error` of the `WWW-Authenticate` header, or the kind that your own `readChallenge` or `readLoginResult` names. */
  readonly kind: 'insufficient_user_authentication' | 'insufficient_scope' | (string & {});
  /** The authentication contexts that the server accepts, the preferred one first (RFC 9470). */
  readonly acrValues?: readonly string[] | undefined;
  /** How old the user's last authentication may be, in seconds (RFC 9470). */
  readonly maxAge?: number | undefined;
  /** The scopes that the request needs, separated by spaces (RFC 6750). */
  readonly scope?: string | undefined;
  /** True for a factor of a login: no user is signed in by it yet. Set by the session. @default false */
  readonly isLogin?: boolean | undefined;
  /** Anything else that `answer` needs, such as the id of a transaction. Never shown. */
  readonly details?: unknown;
}

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

/** Signs in, and asks the user for each further factor that the server wants. `run` sends an answer as an auth call. */
export type LoginWithChallenges = (
  login: () => Promise<unknown>,
  run?: (answer: () => Promise<unknown>) => Promise<unknown>,
) => Promise<unknown>;

/** The challenges of one session, as the rest of the kit sees them. */
export interface Challenges {
  /** The challenge that the user has to answer now. The same object until it changes. */
  readonly getSnapshot: () => OpenChallenge | undefined;
  readonly subscribe: (listener: () => void) => () => void;
  /** True if there is nothing to type: an SDK asks the user. */
  readonly isAnsweredBySdk: boolean;
  /**
   * Returns undefined if a refusal is no challenge, true when the request is to be sent again, and false if the caller gets
   * the refusal.
   *
   * @param isRefused See `RequestToSend`. A response that is ok, and that it does not refuse, is no challenge.
   * @throws ChallengeCancelledError when the user cancels, the reason of the scope's signal when that is aborted.
   */
  waitForAnswer(
    scope: RequestScope,
    response: Response,
    isRefused?: RequestToSend<unknown>['isRefused'],
  ): Promise<boolean | undefined>;
  /** Call when a login starts, before its first `await`. */
  startLogin(): LoginWithChallenges;
}

/** Answers the challenges of a session: made by `stepUp()`, for the option `challenge`. */
export type StepUp = <Credential, User>(
  parts: SessionParts<Credential, User>,
  modules: SessionModules<Credential, User>,
) => Challenges;

/** The option of a session whose server may ask more of a user. */
export interface ChallengeOption {
  /**
   * Lets requests wait that the server refuses because the user has to prove more, or has to allow more: from `stepUp()`. The
   * session asks the user once, and sends what waits again. @default such a refusal is an error of the request
   */
  readonly challenge?: StepUp | undefined;
}
