import type { Session } from '../session/session.js';
import { RestEndpoint } from './RestEndpoint.js';
import { sessionCore } from './sessionCore.js';

/**
 * A `RestEndpoint` class bound to one session, for resources that are used outside React.
 *
 * @throws TypeError when the object is not a session of this kit.
 * @example
 * const ArticleResource = resource({ path: '/article/:id', schema: Article, Endpoint: authEndpoint(session) });
 * await ArticleResource.get({ id: '5' });
 */
export function authEndpoint(session: Session<unknown, never, never>): typeof RestEndpoint {
  class AuthEndpoint extends (RestEndpoint as new (options: never) => object) {}
  Object.defineProperty(AuthEndpoint.prototype, 'session', { value: sessionCore(session), writable: true });
  return AuthEndpoint as unknown as typeof RestEndpoint;
}
