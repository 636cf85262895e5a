import { InvalidCredentialError } from '../errors.js';
import type { SignedIn } from '../session/mechanism.js';
import { sharedSignInError } from '../session/sharedOnServer.js';
import { assertNotResponse } from './refusals.js';
import type { CookieCredential } from './cookieCredential.js';
import type { CookieOptions } from './CookieSessionOptions.js';
import { tryOrUndefined } from './tryOrUndefined.js';
import { idOf, isEnvelope, subjectOf, subjectText } from './subjectOf.js';

const NO_SUBJECT =
  "whoami() answered without telling who is signed in. Let it answer an object with `id`, `sub` or `subject`, or read it with the session's `getSubject` option; null or a 401 means signed out.";

const ID_OF_RESPONSE =
  "whoami() answered with an `id` beside `result` or `data`: this `id` may be the id of the response, not of the user, so the session could not tell two users apart. Read the user id with the session's `getSubject` option.";

/**
 * Returns true for the usual results for “no user”: nothing, an empty object or list, no user in it, or a flag that is
 * false.
 */
function isAnonymousResponse(result: unknown): boolean {
  if (result === null || result === undefined || result === '') return true;
  if (typeof result !== 'object') return false;
  const { user, ...rest } = result as { user?: unknown };
  if ('user' in result && (user === null || user === undefined)) return true;
  if (isEnvelope(result)) return 'result' in result && result.result === null;
  return Object.keys(result).length === 0 || Object.values(rest).includes(false);
}

/**
 * Returns the user that a result names, or undefined when it says that no user is signed in.
 *
 * @throws InvalidCredentialError when a user is signed in, but the result does not name them.
 */
export function signedInFrom<User>(
  result: unknown,
  credential: CookieCredential,
  getSubject?: (user: User) => string | undefined,
): SignedIn<CookieCredential, User> | undefined {
  assertNotResponse(result);
  const user = ((result as { user?: User } | null | undefined)?.user ?? result) as User;
  const isObject = typeof result === 'object' && result !== null;
  const isEnveloped = isEnvelope(result);
  const subject = isObject
    ? (subjectText(getSubject?.(user)) ?? subjectOf(result) ?? (isEnveloped ? undefined : idOf(user)))
    : undefined;
  if (subject !== undefined) return { credential, user, subject };
  if (isAnonymousResponse(result)) return undefined;
  throw new InvalidCredentialError(isEnveloped ? ID_OF_RESPONSE : NO_SUBJECT);
}

const UNNAMED_INITIAL =
  "`initial` does not name its user. Give it the result of whoami(): an object with `id`, `sub` or `subject`, or one that the session's `getSubject` option can read; null means signed out.";

/**
 * Reads the user whom the app gave as `initial`: the result of `whoami`, or null.
 *
 * @throws InvalidCredentialError when it does not name the user; Error when it names a user on a server, without `server: true`.
 */
export function signedInFromInitial<User>(
  user: unknown,
  credential: CookieCredential,
  options: CookieOptions<User>,
): SignedIn<CookieCredential, User> | null {
  const signedIn = tryOrUndefined(() => signedInFrom(user, credential, options.getSubject) ?? null);
  if (signedIn === undefined) throw new InvalidCredentialError(UNNAMED_INITIAL);
  const error = signedIn ? sharedSignInError(options.server) : undefined;
  if (error) throw error;
  return signedIn;
}
