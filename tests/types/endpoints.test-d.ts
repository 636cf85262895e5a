import { expectTypeOf, test } from 'vitest';
import { RestEndpoint, type RestGenerics, Entity, resource, hookifyResource, authEndpoint, createTokenSession } from '../../src/index.js';

class Article extends Entity { id = ''; title = ''; content = ''; }

class AuthdEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
  declare accessToken?: string;
  static accessToken?: string;
  override async getRequestInit(body: any): Promise<RequestInit> {
    return { ...(await super.getRequestInit(body)), credentials: 'same-origin' };
  }
  override getHeaders(headers: HeadersInit): HeadersInit {
    if (!AuthdEndpoint.accessToken) return headers;
    return { ...headers, 'Access-Token': AuthdEndpoint.accessToken };
  }
}
const session = createTokenSession({ login: async (body: { username: string }) => ({ accessToken: 'x', user: { id: 1 } }) });
const Bound = authEndpoint(session);
class Mine<O extends RestGenerics = any> extends Bound<O> {
  override getHeaders(headers: HeadersInit) { return { ...headers, 'X': '1' }; }
}
class Mine2<O extends RestGenerics = any> extends authEndpoint(session)<O> {
  override getHeaders(headers: HeadersInit) { return { ...headers, 'X': '1' }; }
}
test('x', () => {
  const R = resource({ path: '/article/:id', schema: Article, Endpoint: AuthdEndpoint, paginationField: 'page' });
  const r = R.get({ id: '5' });
  const e = new AuthdEndpoint({ path: '/login/:q', method: 'POST', body: {} as { a: string } });
  const f = e.extend({ accessToken: 'x' });
  const f2: typeof e = f;
  expectTypeOf(e).toBeCallableWith({ q: '1' }, { a: '' });
  const g = R.partialUpdate.extend({ accessToken: 'x' });
  const W = resource({ path: '/:owner/*file', schema: Article, Endpoint: Mine });
  const H = hookifyResource(W);
  H.useGet;
});
