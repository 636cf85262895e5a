import { isSessionCore, type SessionCore } from '../session/core.js';
import type { Session } from '../session/session.js';

/**
 * Returns the session with its internal members.
 *
 * @throws TypeError when the object is not a session of this kit.
 */
export function sessionCore(session: Session<unknown, never, never>): SessionCore {
  if (isSessionCore(session)) return session;
  throw new TypeError(
    '`session` is not a session of data-client-auth. Make it with createTokenSession(), createCookieSession(), createSdkSession() or createSession().',
  );
}
