import { InvalidCredentialError } from '../errors.js';
import type { SignedIn } from '../session/signedIn.js';
import type { CookieCredential } from './cookieCredential.js';
import { idOf, isEnvelope, subjectOf } from './subjectOf.js';

/** Whether a login's answer tells who signed in; `{}`, a text, an envelope or nothing does not. */
export function hasIdentity(answer: unknown): boolean {
  return subjectOf(answer) !== undefined || (!isEnvelope(answer) && idOf(answer) !== undefined);
}

const NO_SUBJECT =
  "whoami() answered without telling who is signed in. Let it answer an object with `id`, `sub` or `subject`, or read it with the session's `getSubject` option; null or a 401 means signed out.";

const ID_OF_ANSWER =
  "whoami() answered with an `id` beside `result` or `data`: it may number the answer and not name the user, so the session could not tell two users apart. Read the user id with the session's `getSubject` option.";

/** The usual answers for “no user”: nothing, an empty object or list, no user in it, or a flag that is false. */
function isAnonymousResponse(answer: unknown): boolean {
  if (answer === null || answer === undefined || answer === '') return true;
  if (typeof answer !== 'object') return false;
  const { user, ...rest } = answer as { user?: unknown };
  if ('user' in answer && (user === null || user === undefined)) return true;
  if (isEnvelope(answer)) return 'result' in answer && answer.result === null;
  return Object.keys(answer).length === 0 || Object.values(rest).includes(false);
}

/**
 * The user whom an answer names, or undefined when it says that no user is signed in.
 *
 * @throws InvalidCredentialError when a user is signed in, but the answer does not name them.
 */
export function signedInFrom<User>(
  answer: unknown,
  credential: CookieCredential,
  getSubject?: (user: User) => string | undefined,
): SignedIn<CookieCredential, User> | undefined {
  const user = ((answer as { user?: User } | null | undefined)?.user ?? answer) as User;
  const isObject = typeof answer === 'object' && answer !== null;
  const isNumbered = isEnvelope(answer);
  const subject = isObject
    ? (getSubject?.(user) ?? subjectOf(answer) ?? (isNumbered ? undefined : idOf(user)))
    : undefined;
  if (subject !== undefined) return { credential, user, subject };
  if (isAnonymousResponse(answer)) return undefined;
  throw new InvalidCredentialError(isNumbered ? ID_OF_ANSWER : NO_SUBJECT);
}
