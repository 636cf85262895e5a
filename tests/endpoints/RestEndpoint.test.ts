import { RestEndpoint as BaseRestEndpoint } from '@data-client/rest';
import { expect, test } from 'vitest';
import { authEndpoint, createTokenSession, Entity, Invalidate, resource, RestEndpoint } from '../../src/index.js';
import { mergeInit } from '../../src/endpoints/headers.js';
import { json } from '../session/support/answers.js';
import { mockServer } from '../session/support/mockServer.js';

const urlPrefix = 'https://api.example.com';

class Article extends Entity {
  id = '';
  title = '';
}

type Call = (...args: unknown[]) => Promise<unknown>;

test('push, unshift, assign and getPage are the same objects at every access', () => {
  const { getList } = resource({ path: '/a/:id', schema: Article, paginationField: 'page' });
  for (const name of ['push', 'unshift', 'getPage', 'assign'] as const) expect(getList[name]).toBe(getList[name]);
  const other = getList.extend({ urlPrefix: 'https://b.test' });
  expect(other.push).not.toBe(getList.push);
  expect(other.push.url({})).toBe('https://b.test/a');
  expect(getList.getPage.key({ page: 2 })).toBe(getList.key({}));
});

test('so are remove and move, where data-client has them', () => {
  const { getList } = resource({ path: '/a/:id', schema: Article }) as unknown as {
    getList: Record<'remove' | 'move', { method: string } | undefined>;
  };
  for (const name of ['remove', 'move'] as const) {
    expect(getList[name]).toBe(getList[name]);
    if (name in BaseRestEndpoint.prototype) expect(getList[name]?.method).toBe('PATCH');
    else expect(getList[name]).toBeUndefined();
  }
});

test('the members of a resource have the methods and addresses of the spec', () => {
  const R = resource({ urlPrefix, path: '/article/:id', schema: Article, paginationField: 'page' });
  const said = (endpoint: { method: string; path: string }) => `${endpoint.method} ${endpoint.path}`;
  expect(
    [R.get, R.getList, R.getList.push, R.getList.unshift, R.getList.getPage, R.update, R.partialUpdate, R.delete].map(
      said as never,
    ),
  ).toEqual([
    'GET /article/:id',
    'GET /article',
    'POST /article',
    'POST /article',
    'GET /article',
    'PUT /article/:id',
    'PATCH /article/:id',
    'DELETE /article/:id',
  ]);
  expect(R.delete.schema).toBeInstanceOf(Invalidate);
});

test('a deletion resolves with the answer when it has a key, and else with the params', async () => {
  const answers = [json({ id: '5', gone: true }), json({}), new Response(null, { status: 204 })];
  mockServer({ '*': () => answers.shift()! });
  const { delete: remove } = resource({ urlPrefix, path: '/article/:id', schema: Article });
  expect([await remove({ id: '5' }), await remove({ id: '6' }), await remove({ id: '7' })]).toEqual([
    { id: '5', gone: true },
    { id: '6' },
    { id: '7' },
  ]);
});

test.each([
  ['a plain object', { 'X-A': '1', 'content-type': 'text/x' }],
  ['a Headers instance', new Headers({ 'X-A': '1', 'Content-Type': 'text/x' })],
  [
    'tuples',
    [
      ['X-A', '1'],
      ['CONTENT-TYPE', 'text/x'],
    ] as [string, string][],
  ],
])('headers given as %s are kept, also by JSON bodies and extend', async (_name, headers) => {
  const server = mockServer({ '*': () => json({}) });
  const post = new RestEndpoint({ urlPrefix, path: '/x', method: 'POST', requestInit: { headers } });
  await (post as unknown as Call)({ a: 1 });
  await (post.extend({ path: '/y' }) as unknown as Call)({ a: 1 });
  expect(server.seen.map(seen => [seen.headers.get('x-a'), seen.headers.get('content-type'), seen.body])).toEqual(
    Array(2).fill(['1', 'text/x', '{"a":1}']),
  );
});

test('an array body is JSON', async () => {
  const server = mockServer({ '*': () => json({}) });
  await (new RestEndpoint({ urlPrefix, path: '/x', method: 'POST' }) as unknown as Call)([{ a: 1 }, 2]);
  await (new RestEndpoint({ urlPrefix, path: '/x', method: 'POST' }) as unknown as Call)([]);
  expect(server.seen.map(seen => `${seen.headers.get('content-type')} ${seen.body}`)).toEqual([
    'application/json [{"a":1},2]',
    'application/json []',
  ]);
});

test('a record of the store is a body of JSON, like its fields', async () => {
  const server = mockServer({ '*': () => json({}) });
  const article = Article.fromJS({ id: '1', title: 'On moths' });
  await (new RestEndpoint({ urlPrefix, path: '/x', method: 'POST' }) as unknown as Call)(article);
  const [seen] = server.seen;
  expect(seen?.headers.get('content-type')).toBe('application/json');
  expect(seen?.body).toBe('{"id":"1","title":"On moths"}');
});

test('a FormData has the type that the browser gives it, also where the app sets another', async () => {
  const server = mockServer({ '*': () => json({}) });
  class Typed extends RestEndpoint {
    override getHeaders(headers: HeadersInit) {
      return { ...headers, 'content-type': 'application/json', 'X-App': '1' };
    }
  }
  const form = new FormData();
  form.append('title', 'On moths');
  for (const Endpoint of [RestEndpoint, Typed]) {
    const requestInit = { headers: { 'Content-Type': 'application/json', 'X-A': '1' } };
    await (new Endpoint({ urlPrefix, path: '/x', method: 'POST', requestInit }) as unknown as Call)(form);
  }
  for (const { headers } of server.seen) {
    expect(headers.get('content-type')).toMatch(/^multipart\/form-data; boundary=/);
    expect(headers.get('x-a')).toBe('1');
  }
  expect(server.seen[1]?.headers.get('x-app')).toBe('1');
});

test('of two inits the second wins, header by header, whatever their case and form', () => {
  const merged = mergeInit(
    { credentials: 'omit', cache: 'no-store', headers: { 'x-a': '1', 'X-B': '1' } },
    { credentials: 'include', headers: new Headers({ 'X-A': '2' }) },
  );
  expect(merged).toMatchObject({ credentials: 'include', cache: 'no-store' });
  expect(Object.fromEntries(new Headers(merged.headers))).toEqual({ 'x-a': '2', 'x-b': '1' });
  expect(Object.keys(merged.headers ?? {})).toHaveLength(2);
});

test('a resource can be extended with endpoints and overrides that stay bound to the session', async () => {
  const server = mockServer({ '/other': () => json([]), '*': () => json({}) });
  const session = createTokenSession({ server: true, login: async () => ({ accessToken: 'a-1', user: { id: 'a' } }) });
  await session.login();
  const R = resource({ urlPrefix, path: '/article/:id', schema: Article, Endpoint: authEndpoint(session) }).extend(
    (base: any) => ({
      get: base.get.extend({ searchParams: {} }),
      vote: base.partialUpdate.extend({ path: '/article/:id/vote', method: 'POST' }),
    }),
  ) as any;
  await R.get({ id: '1' });
  await R.vote({ id: '1' }, { up: true });
  await R.getList.push({}, { title: 'x' });
  await R.getList.extend({ path: '/other' }).extend({ method: 'GET' })();
  expect(server.seen.map(seen => `${seen.method} ${seen.path} ${seen.headers.get('access-token')}`)).toEqual([
    'GET /article/1 a-1',
    'POST /article/1/vote a-1',
    'POST /article a-1',
    'GET /other a-1',
  ]);
});

test('optimistic resources take a wildcard path', () => {
  const R = resource({ path: '/:owner/*id', schema: Article, optimistic: true }) as any;
  for (const name of ['partialUpdate', 'delete', 'update'])
    expect(R[name].getOptimisticResponse).toBeTypeOf('function');
  expect(R.getList.push.getOptimisticResponse).toBeTypeOf('function');
  expect(R.update.getOptimisticResponse.call(R.update, {}, { owner: 'o', id: 'a/b' }, { title: 'x' })).toMatchObject({
    id: 'a/b',
    title: 'x',
  });
});

test('a static-member token, a synchronous and an asynchronous getHeaders work as the spec shows them', async () => {
  const server = mockServer({ '*': () => json({}) });
  class StaticToken extends RestEndpoint {
    static accessToken?: string;
    override getHeaders(headers: HeadersInit): HeadersInit {
      const { accessToken } = StaticToken;
      return accessToken ? { ...headers, 'Access-Token': accessToken } : headers;
    }
  }
  class AsyncToken extends RestEndpoint {
    override async getHeaders(headers: HeadersInit): Promise<HeadersInit> {
      return { ...headers, 'Access-Token': await Promise.resolve('async') };
    }
  }
  class Cookies extends RestEndpoint {
    override async getRequestInit(body: any): Promise<RequestInit> {
      return { ...(await super.getRequestInit(body)), credentials: 'include' };
    }
  }
  const R = resource({ urlPrefix, path: '/article/:id', schema: Article, Endpoint: StaticToken });
  await R.get({ id: '1' });
  StaticToken.accessToken = 'static';
  await R.get({ id: '1' });
  await R.getList.push({ title: 'x' });
  await (new AsyncToken({ urlPrefix, path: '/a' }) as unknown as Call)();
  await (new Cookies({ urlPrefix, path: '/c', method: 'POST' }) as unknown as Call)({ a: 1 });
  expect(server.seen.map(seen => seen.headers.get('access-token'))).toEqual([null, 'static', 'static', 'async', null]);
  expect(server.seen.map(seen => seen.headers.get('content-type'))).toEqual(Array(5).fill('application/json'));
  expect(server.seen.at(-1)).toMatchObject({ credentials: 'include', body: '{"a":1}', method: 'POST' });
});

test('overrides of a session-bound class keep working, and the session’s token wins over a header of that name', async () => {
  const server = mockServer({ '*': () => json({}) });
  const session = createTokenSession({ server: true, login: async () => ({ accessToken: 'a-1', user: { id: 'a' } }) });
  await session.login();
  class Tenant extends authEndpoint(session) {
    override getHeaders(headers: HeadersInit): HeadersInit {
      return { ...headers, 'X-Tenant': 't', 'access-token': 'mine' };
    }
    override async getRequestInit(body: any): Promise<RequestInit> {
      return { ...(await super.getRequestInit(body)), cache: 'no-store' };
    }
  }
  await (new Tenant({ urlPrefix, path: '/x' }) as unknown as Call)();
  expect(server.seen.map(({ headers }) => [headers.get('x-tenant'), headers.get('access-token')])).toEqual([
    ['t', 'a-1'],
  ]);
});

test('records have their id as key; none without one', () => {
  expect(Article.fromJS({ id: '5' }).pk()).toBe('5');
  expect(Article.fromJS({ id: 5 as never }).pk()).toBe('5');
  expect(Article.fromJS({}).pk()).toBeUndefined();
  expect(Article.fromJS({ id: null as never }).pk()).toBeUndefined();
});

test('a search param that is undefined has no key of its own: the list is fetched and cached once', () => {
  interface List {
    key(params: object): string;
    push: { url(params: object): string };
  }
  const articles = resource({ path: '/article/:id', schema: Article });
  const getList = articles.getList as unknown as List;
  expect(getList.key({ author: undefined })).toBe(getList.key({}));
  expect(getList.push.url({ author: undefined })).toBe(getList.push.url({}));
});

test('a search param that is undefined or null is not sent', () => {
  const { getList } = resource({ path: '/article/:id', schema: Article });
  expect(getList.url({ author: undefined, title: null, page: 0 } as never)).toBe('/article?page=0');
});
