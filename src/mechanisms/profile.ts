import { InvalidCredentialError, SessionExpiredError } from '../errors.js';
import type { SessionCore } from '../session/extension.js';
import type { SignedIn } from '../session/mechanism.js';
import { ownCall } from './ownCall.js';
import { idOf } from './subjectOf.js';

/** The option of a session whose sign-in has no `whoami`. */
export interface ProfileOption {
  /**
   * Asks the server about the current user, for `session.reload()`; the result is the user, or `{ user }`. A
   * `RestEndpoint` carries the session's credential, and a refused one is refreshed as for every request. A function of
   * your own sends with `session.fetch`. Called by `reload()` only, which `sessionClock()` and `permissions()` call too.
   * @default none: `reload()` rejects
   */
  readonly profile?: (() => Promise<unknown>) | undefined;
}

const NO_USER = 'profile() answered without a user. Let it answer an object, or `{ user }`.';

/**
 * Returns the `profile` of a mechanism for the option.
 *
 * @param session Returns the session that sends the request.
 */
export function profileCall<User extends object>(profile: () => Promise<unknown>, session: () => SessionCore) {
  const send = ownCall(profile, session);
  return async ({ user: current }: SignedIn<unknown, unknown>): Promise<User> => {
    const result = (await send()) as { user?: unknown } | null | undefined;
    const user = result?.user ?? result;
    if (!(user instanceof Object)) throw new InvalidCredentialError(NO_USER);
    const [before, after] = [idOf(current), idOf(user)];
    if (before && after && before !== after) throw new SessionExpiredError();
    return user as User;
  };
}
