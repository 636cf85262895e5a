import { SessionEngine } from '../session/SessionEngine.js';
import type { Session } from '../session/types.js';

/**
 * The engine behind a session.
 *
 * @throws TypeError when the object is not a session of this kit.
 */
export function engineOf(session: Session<any, any>): SessionEngine {
  if (session instanceof SessionEngine) return session;
  throw new TypeError('`session` is not a session of data-client-auth. Make it with createTokenSession() or createCookieSession().');
}
