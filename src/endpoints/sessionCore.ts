import { isObject } from '../isObject.js';
import { isSessionCore } from '../session/createSession.js';
import type { SessionCore } from '../session/extension.js';

/** A member that only sessions have. */
const MEMBER = 'getStoreGenerationSignal' satisfies keyof SessionCore;

/** The remedy for a page that has loaded the package twice. */
export const LOAD_ONCE =
  'Install one version (see `npm ls data-client-auth`), and let the bundler load it once: with Vite, `resolve.dedupe`.';

const COPY = `\`session\` is a copy of a session, such as { ...session }, or the page has loaded data-client-auth twice, and another copy of the package has made it. Pass the session itself. ${LOAD_ONCE}`;

/**
 * Returns the session with its internal members.
 *
 * @throws TypeError when the object is not a session of this kit: also for a copy of one, and for one of another copy of the package.
 */
export function sessionCore(session: object): SessionCore {
  if (isSessionCore(session)) return session;
  if (isObject(session) && MEMBER in session) throw new TypeError(COPY);
  throw new TypeError(
    '`session` is not a session of data-client-auth. Make it with createTokenSession(), createCookieSession(), createSdkSession() or createSession().',
  );
}
