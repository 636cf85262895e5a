// Endpoints whose `fetch` is the app's own, given to the constructor or to `extend`.
import { expect, test } from 'vitest';
import { bindSession } from '../../src/endpoints/boundSession.js';
import { bindEndpoint, authInitOf } from '../../src/endpoints/hookifyResource.js';
import { sessionCore } from '../../src/endpoints/sessionCore.js';
import { IdentityChangedError, resource, RestEndpoint } from '../../src/index.js';
import { json } from '../session/support/answers.js';
import { API, Article, tokenOf } from '../session/support/article.js';
import { deferred, errorOf } from '../session/support/promises.js';
import { setupTokenSession } from '../session/support/setupTokenSession.js';

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

type Call = (...args: unknown[]) => Promise<unknown>;

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
