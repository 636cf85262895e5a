import type { LoginWithChallenges } from '../session/challenges/challenge.js';
import type { SessionCore } from '../session/core.js';

/** Call when a login starts, before its first `await`. Without the option `challenge`, sends the login alone. */
export function startLogin({ challenges }: Pick<SessionCore, 'challenges'>): LoginWithChallenges {
  return challenges?.startLogin() ?? (login => login());
}
