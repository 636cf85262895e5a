import type { Session } from '../session/session.js';
import { RestEndpoint } from './RestEndpoint.js';
import { sessionCore } from './sessionCore.js';

/**
 * Creates a `RestEndpoint` class for one session, for resources outside React. The credentials are read when a request is sent.
 *
 * Each call is sent as the user of its moment. For a loop that tries again:
 * `endpoint.extend({ signal: session.getIdentitySignal() })`.
 *
 * @throws TypeError when the object is not a session of this kit.
 * @example
 * const ArticleResource = resource({ path: '/article/:id', schema: Article, Endpoint: authEndpoint(session) });
 * await ArticleResource.get({ id: '5' });
 */
export function authEndpoint(session: Session<unknown, never, never>): typeof RestEndpoint {
  class AuthEndpoint extends (RestEndpoint as new (options: never) => object) {}
  Object.defineProperty(AuthEndpoint.prototype, 'session', { value: sessionCore(session), writable: true });
  return AuthEndpoint as typeof RestEndpoint;
}
