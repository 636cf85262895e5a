import { InvalidCredentialError } from '../errors.js';
import { sharedSignInError } from '../session/sharedOnServer.js';
import type { SignedIn } from '../session/mechanism.js';
import { tryOrUndefined } from './tryOrUndefined.js';
import { cookieCredential, type CookieCredential } from './cookieCredential.js';
import type { CookieOptions } from './CookieSessionOptions.js';
import { signedInFrom } from './whoamiResponse.js';

const UNNAMED_INITIAL =
  "`initial` does not name its user. Give it the result of whoami(): an object with `id`, `sub` or `subject`, or one that the session's `getSubject` option can read; null means signed out.";

/**
 * Reads the user whom the app gave as `initial`: the result of `whoami`, or null.
 *
 * @throws InvalidCredentialError when it does not name the user; Error when it names a user on a server, without `server: true`.
 */
export function signedInFromInitial<User>(
  options: CookieOptions<User>,
  user: unknown,
): SignedIn<CookieCredential, User> | null {
  const signedIn = tryOrUndefined(
    () => signedInFrom(user, cookieCredential(options).readCredential(), options.getSubject) ?? null,
  );
  if (signedIn === undefined) throw new InvalidCredentialError(UNNAMED_INITIAL);
  const error = signedIn ? sharedSignInError(options.server) : undefined;
  if (error) throw error;
  return signedIn;
}
