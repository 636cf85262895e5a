import { isObject } from '../isObject.js';
import { isSessionCore, type SessionCore } from '../session/core.js';
import type { Session } from '../session/session.js';

/** A member that no other object has. */
const MEMBER = 'getStoreGenerationSignal' satisfies keyof SessionCore;

const OTHER_COPY =
  '`session` was made by another copy of data-client-auth: the page has two, which share no providers and no errors. Install one version (see `npm ls data-client-auth`), and let the bundler load it once: with Vite, `resolve.dedupe`.';

/**
 * Returns the session with its internal members.
 *
 * @throws TypeError when the object is not a session of this kit, or one of another copy of it.
 */
export function sessionCore(session: Session<unknown, never, never>): SessionCore {
  if (isSessionCore(session)) return session;
  if (isObject(session) && MEMBER in session) throw new TypeError(OTHER_COPY);
  throw new TypeError(
    '`session` is not a session of data-client-auth. Make it with createTokenSession(), createCookieSession(), createSdkSession() or createSession().',
  );
}
