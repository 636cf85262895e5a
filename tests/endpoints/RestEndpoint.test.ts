import { RestEndpoint as BaseRestEndpoint } from '@data-client/rest';
import { webcrypto } from 'node:crypto';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { bindSession } from '../../src/endpoints/boundSession.js';
import { mergeInit } from '../../src/endpoints/headers.js';
import { authInitOf, bindEndpoint } from '../../src/endpoints/hookifyResource.js';
import { sessionCore } from '../../src/endpoints/sessionCore.js';
import { RedirectRefusedError } from '../../src/errors.js';
import {
  authEndpoint,
  createTokenSession,
  IdentityChangedError,
  Invalidate,
  resource,
  RestEndpoint,
} from '../../src/index.js';
import { observeRequests } from '../../src/session/observeRequests.js';
import { json } from '../session/support/answers.js';
import { API, Article, tokenOf } from '../session/support/article.js';
import { mockServer, stubAnswer } from '../session/support/mockServer.js';
import { deferred, errorOf } from '../session/support/promises.js';
import { setupTokenSession } from '../session/support/setupTokenSession.js';

const urlPrefix = 'https://api.example.com';

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

describe('sending', () => {
  const redirect = (): Response => new Response(null, { status: 302, headers: { location: 'https://evil.test/' } });

  /** A browser shows the page nothing of a redirect that it did not follow: neither the status nor the address. */
  const opaqueRedirect = (): Response =>
    Object.defineProperties(new Response(null, { status: 200 }), {
      type: { value: 'opaqueredirect' },
      status: { value: 0 },
      ok: { value: false },
    });

  let stop: (() => void) | undefined;
  afterEach(() => stop?.());

  test('a redirect that a browser hides is refused like one with a status', async () => {
    const { session, ArticleResource } = setupTokenSession();
    stubAnswer('/article/1', opaqueRedirect);
    await session.login({ name: 'ada' });
    expect(await errorOf(ArticleResource.get({ id: '1' }))).toBeInstanceOf(RedirectRefusedError);
  });

  test('an endpoint that wants to see redirects itself gets the answer, with a session and without', async () => {
    const { session, ArticleResource } = setupTokenSession();
    await session.login({ name: 'ada' });
    stubAnswer('/article/1', redirect);
    const plain = new RestEndpoint({ urlPrefix: API, path: '/article/:id', requestInit: { redirect: 'manual' } });
    // A redirect without a `Location` is an answer: `fetch` does not follow it.
    const follows = plain.extend({ requestInit: { redirect: 'follow' } });
    for (const get of [ArticleResource.get.extend({ requestInit: { redirect: 'manual' } }), plain, follows]) {
      expect(await errorOf(get({ id: '1' }))).toMatchObject({ name: 'NetworkError', status: 302 });
    }
  });

  test('observers see the method that is sent, also where `getRequestInit` sets it', async () => {
    const server = mockServer({ '*': () => json({}) });
    const seen: string[] = [];
    stop = observeRequests(({ method }) => void seen.push(method));
    class Report extends RestEndpoint {
      override async getRequestInit(body: undefined) {
        return { ...(await super.getRequestInit(body)), method: 'REPORT' };
      }
    }
    await (new Report({ urlPrefix: API, path: '/x' }) as unknown as () => Promise<unknown>)();
    expect(seen).toEqual(['REPORT']);
    expect(server.seen.map(({ method }) => method)).toEqual(seen);
  });

  test.each(['text', null, undefined])('what an endpoint throws reaches the caller as it is, also %o', async thrown => {
    const { session, Endpoint } = setupTokenSession({}, { '*': () => json({}) });
    await session.login({ name: 'ada' });
    const process = () => {
      throw thrown as unknown as Error;
    };
    const get = new Endpoint({ urlPrefix: API, path: '/x', process } as never) as unknown as () => Promise<unknown>;
    expect(
      await get().then(
        () => 'resolved',
        (error: unknown) => ({ error }),
      ),
    ).toEqual({ error: thrown });
  });

  test('only a change of an endpoint that asks for it carries an Idempotency-Key', async () => {
    const server = mockServer({ '*': () => json({}) });
    for (const method of ['GET', 'POST']) {
      for (const idempotencyKey of [undefined, false, true])
        await (
          new RestEndpoint({
            urlPrefix: API,
            path: '/x',
            method,
            body: undefined,
            idempotencyKey,
          } as never) as unknown as () => Promise<unknown>
        )();
    }
    expect(server.seen.map(({ headers }) => headers.has('idempotency-key'))).toEqual([
      false,
      false,
      false,
      false,
      false,
      true,
    ]);
  });

  test('where the browser has no randomUUID, keys differ all the same', async () => {
    const server = mockServer({ '*': () => json({}) });
    vi.stubGlobal('crypto', { getRandomValues: (bytes: Uint8Array) => webcrypto.getRandomValues(bytes) });
    const post = new RestEndpoint({
      urlPrefix: API,
      path: '/x',
      method: 'POST',
      body: undefined,
      idempotencyKey: true,
    } as never) as unknown as () => Promise<unknown>;
    for (let sent = 0; sent < 2; sent++) await post();
    const keys = server.seen.map(({ headers }) => headers.get('idempotency-key'));
    for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}$/);
    expect(keys[0]).not.toBe(keys[1]);
  });

  test('a deletion by a wildcard that is answered with nothing results in its params, the path as one text', async () => {
    mockServer({ '*': () => new Response(null, { status: 204 }) });
    const { delete: remove } = resource({ urlPrefix: API, path: '/:owner/*file', schema: Article });
    for (const file of ['src/index.ts', ['src', 'index.ts']])
      expect(await remove({ owner: 'ada', file })).toEqual({ owner: 'ada', file: 'src/index.ts' });
  });
});

// Endpoints whose `fetch` is the app's own, given to the constructor or to `extend`.

interface Self {
  url(params: object): string;
  getRequestInit(body?: unknown): Promise<RequestInit>;
  fetchResponse(url: string, init: RequestInit): Promise<Response>;
  parseResponse(response: Response): Promise<unknown>;
}

/** As data-client's own `fetch`, written by an app. */
async function ownFetch(this: Self, params: object, body?: unknown): Promise<unknown> {
  const response = await this.fetchResponse(this.url(params), await this.getRequestInit(body));
  return this.parseResponse(response);
}

/** Ada is signed in, and these endpoints are those of her screen. */
async function setup() {
  const world = setupTokenSession();
  await world.session.login({ name: 'ada' });
  world.server.clear();
  const authInit = authInitOf(bindSession(sessionCore(world.session)));
  const articles = resource({ urlPrefix: API, path: '/article/:id', schema: Article });
  const bind = (endpoint: object) => bindEndpoint(endpoint as never, authInit) as Call;
  return { ...world, articles, bind, sent: () => world.server.to('/article').map(tokenOf) };
}

test.each<[string, (get: typeof RestEndpoint.prototype) => object]>([
  ['extend', get => get.extend({ fetch: ownFetch } as never)],
  ['extend, twice', get => get.extend({ fetch: ownFetch } as never).extend({ dataExpiryLength: 5 })],
  ['the constructor', () => new RestEndpoint({ urlPrefix: API, path: '/article/:id', fetch: ownFetch } as never)],
])('by %s: `this.fetchResponse` carries the credential, also after one refresh', async (_, make) => {
  const { articles, bind, expire, server, status, sent } = await setup();
  const get = bind(make(articles.get as never));
  expect(await get({ id: '1' })).toMatchObject({ title: 'of ada' });
  expire();
  expect(await get({ id: '1' })).toMatchObject({ title: 'of ada' });
  expect(sent()).toEqual(['ada-1', 'ada-1', 'ada-2']);
  expect(server.count('POST /refresh')).toBe(1);
  expect(status()).toBe('authenticated');
});

test('a change is sent again with the same Idempotency-Key', async () => {
  const { articles, bind, expire, server } = await setup();
  const change = bind(articles.partialUpdate.extend({ fetch: ownFetch, idempotencyKey: true } as never));
  expire();
  await change({ id: '1' }, { title: 'Mine' });
  const [first, second] = server.to('PATCH /article/1').map(({ headers }) => headers.get('idempotency-key'));
  expect(first).toBeTruthy();
  expect(second).toBe(first);
});

test('what it sends after its identity has ended is not sent', async () => {
  const { articles, bind, session, sent } = await setup();
  const isReady = deferred();
  const get = bind(
    articles.get.extend({
      async fetch(this: Self, params: object) {
        await isReady.promise;
        return ownFetch.call(this, params);
      },
    } as never),
  );
  const read = errorOf(get({ id: '1' }));
  await session.login({ name: 'grace' });
  isReady.resolve();
  expect(await read).toBeInstanceOf(IdentityChangedError);
  expect(sent()).toEqual([]);
});

test('a public endpoint carries nothing', async () => {
  const { articles, bind, sent } = await setup();
  await errorOf(bind(articles.get.extend({ fetch: ownFetch, public: true } as never))({ id: '1' }));
  expect(sent()).toEqual([null]);
});

test('a fetch that calls the one of the endpoint it extends is sent once, and may take the list out of the response', async () => {
  const { articles, bind, server } = await setup();
  const rows = [{ id: '1', title: 'On slashes' }];
  server.routes['GET /article'] = seen => json(tokenOf(seen) === 'ada-1' ? { results: rows } : []);
  const { fetch } = articles.getList as unknown as { fetch: Call };
  const getList = bind(
    articles.getList.extend({
      async fetch(this: object, ...args: unknown[]) {
        return ((await fetch.apply(this, args)) as { results: unknown }).results;
      },
    } as never),
  );
  expect(await getList()).toEqual(rows);
  expect(server.count('GET /article')).toBe(1);
});

test('another endpoint that it calls has no session of its own, and is sent without credentials', async () => {
  const { articles, bind, sent } = await setup();
  const get = bind(articles.get.extend({ fetch: (params: { id: string }) => articles.get(params) } as never));
  await errorOf(get({ id: '1' }));
  expect(sent()).toEqual([null]);
});

test('without a session it works as in data-client', async () => {
  const { articles, sent } = await setup();
  const get = articles.get.extend({ fetch: ownFetch } as never) as unknown as Call;
  expect(await errorOf(get({ id: '1' }))).toMatchObject({ name: 'NetworkError', status: 401 });
  expect(sent()).toEqual([null]);
});
