import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { authEndpoint, createTokenSession, type RestEndpoint } from '../../src/entries/core.js';
import { UnreplayableBodyError } from '../../src/errors.js';
import { json, never } from './support/answers.js';
import { deferred, errorOf, isPending, outcomes } from './support/promises.js';
import { settle } from './support/manualClock.js';
import { API, tokenOf } from './support/article.js';
import { setupCookieSession } from './support/setupCookieSession.js';
import { setupTokenSession } from './support/setupTokenSession.js';

test.each([
  ['JSON', { title: 'ü', nested: { n: [1, null] } }],
  ['an array', [1, { a: 2 }]],
  ['URLSearchParams', new URLSearchParams({ q: 'a b&c' })],
  ['a Blob', new Blob(['bytes \u{1f600}'], { type: 'text/plain' })],
  ['a text', 'plain'],
  ['bytes', new Uint8Array([0, 255, 7])],
])('%s is replayed once, byte for byte, with the caller’s headers', async (_name, body) => {
  const { session, server, expire, Endpoint } = setupTokenSession();
  const post = new Endpoint({
    urlPrefix: API,
    path: '/thing',
    method: 'POST',
    requestInit: { headers: new Headers({ 'Idempotency-Key': 'k1' }) },
  }) as unknown as (body: unknown) => Promise<unknown>;
  await session.login({ name: 'ada' });
  expire();
  await post(body);
  const [first, second, ...more] = server.to('/thing');
  expect(more).toEqual([]);
  expect(second?.body).toBe(first?.body);
  expect(first?.body).not.toBe('');
  expect(second?.headers.get('content-type')).toBe(first?.headers.get('content-type'));
  expect([first, second].map(seen => `${seen?.headers.get('idempotency-key')} ${tokenOf(seen!)}`)).toEqual([
    'k1 ada-1',
    'k1 ada-2',
  ]);
});

test('an endpoint with `idempotencyKey` sends one key per call, the same on the replay, and none with a read', async () => {
  const { session, server, expire, Endpoint } = setupTokenSession();
  const keys = (path: string) => server.to(path).map(({ headers }) => headers.get('idempotency-key'));
  const make = (options: object) =>
    new Endpoint({ urlPrefix: API, path: '/thing', idempotencyKey: true, ...options } as never) as unknown as (
      body?: unknown,
    ) => Promise<unknown>;
  await session.login({ name: 'ada' });
  expire();
  const post = make({ method: 'POST' });
  await post({ title: 'a' });
  await post({ title: 'a' });
  const [first, replayed, second, ...more] = keys('POST /thing');
  expect([replayed, more]).toEqual([first, []]);
  expect(first).toMatch(/^[\da-f-]{36}$/);
  expect(second).toMatch(/^[\da-f-]{36}$/);
  expect(second).not.toBe(first);
  await make({ method: 'GET' })();
  expect(keys('GET /thing')).toEqual([null]);
  await make({ method: 'PUT', requestInit: { headers: { 'idempotency-key': 'mine' } } })({});
  expect(keys('PUT /thing')).toEqual(['mine']);
  await errorOf(make({ method: 'PATCH', public: true })({}));
  expect(keys('PATCH /thing')).toEqual([expect.stringMatching(/^[\da-f-]{36}$/)]);
});

const stream = () => new Blob(['once']).stream();

test('a stream is not sent twice, and says so', async () => {
  const { session, server, expire, Endpoint } = setupTokenSession();
  class Streaming extends Endpoint {
    override async getRequestInit(body: unknown) {
      return { ...(await super.getRequestInit(undefined)), body: body as ReadableStream };
    }
  }
  await session.login({ name: 'ada' });
  for (const Class of [Endpoint, Streaming]) {
    const post = new Class({ urlPrefix: API, path: '/thing', method: 'POST' }) as unknown as (
      body: unknown,
    ) => Promise<unknown>;
    expire();
    const error = await errorOf(post(stream()));
    expect(error).toBeInstanceOf(UnreplayableBodyError);
    expect(error.message).toBe(
      'The credentials had expired and the body is a stream, which cannot be sent twice. Start the request again, or send a Blob.',
    );
  }
  expect(server.to('/thing').map(({ body }) => body)).toEqual(['once', 'once']);
});

test('a request aborted while it waits for a refresh rejects at once with the caller’s reason, and makes no call (scenario 14)', async () => {
  const held = deferred();
  const { session, server, expire, ArticleResource, refreshRoute } = setupTokenSession();
  server.routes['POST /refresh'] = seen => held.promise.then(() => refreshRoute(seen));
  await session.login({ name: 'ada' });
  expire();
  const controller = new AbortController();
  const [aborted, other] = [
    ArticleResource.get.extend({ signal: controller.signal } as never)({ id: 'aborted' }),
    ArticleResource.get({ id: 'other' }),
  ];
  const error = errorOf(aborted);
  await settle();
  const reason = new Error('left the page');
  controller.abort(reason);
  expect(await error).toBe(reason);
  held.resolve();
  await other;
  await settle();
  expect(server.count('/article/aborted')).toBe(1);
  expect(server.count('/article/other')).toBe(2);
  expect(server.count('/refresh')).toBe(1);
});

test('a request that was aborted before it starts makes no call', async () => {
  const { session, server, ArticleResource } = setupTokenSession();
  await session.login({ name: 'ada' });
  server.clear();
  expect((await errorOf(ArticleResource.get.extend({ signal: AbortSignal.abort() } as never)({ id: '1' }))).name).toBe(
    'AbortError',
  );
  expect(server.seen).toHaveLength(0);
});

test('neither does it start a check for an existing session', async () => {
  const { session, fake } = setupCookieSession({ tabs: false, trustedOrigins: [API] });
  expect((await errorOf(session.fetch(`${API}/article/1`, { signal: AbortSignal.abort() }))).name).toBe('AbortError');
  await settle();
  expect(fake.seen).toEqual([]);
});

test('an answer that comes after its caller has given up is not classified: it starts no refresh', async () => {
  const { session, server, ArticleResource } = setupTokenSession();
  await session.login({ name: 'ada' });
  const held = deferred<Response>();
  const controller = new AbortController();
  // A transport that knows no signal.
  const fetchResponse = () =>
    held.promise.then(response => Promise.reject(Object.assign(new Error('refused'), { response })));
  const error = errorOf(ArticleResource.get.extend({ signal: controller.signal, fetchResponse } as never)({ id: '1' }));
  await settle();
  controller.abort(new Error('left the page'));
  expect((await error).message).toBe('left the page');
  held.resolve(json({}, 401));
  await settle();
  expect(server.count('/refresh')).toBe(0);
});

test('a signal that getRequestInit adds aborts the request as well', async () => {
  const { session, Endpoint, server } = setupTokenSession({}, { '*': never });
  const controller = new AbortController();
  class Limited extends Endpoint {
    override async getRequestInit(body: any) {
      return { ...(await super.getRequestInit(body)), signal: controller.signal };
    }
  }
  await session.login({ name: 'ada' });
  const request = (new Limited({ urlPrefix: API, path: '/slow' }) as unknown as () => Promise<unknown>)();
  const error = errorOf(request);
  await settle();
  expect(server.count('/slow')).toBe(1);
  controller.abort(new Error('too slow'));
  expect((await error).message).toBe('too slow');
});

test('public endpoints never wait, carry nothing, and their 401 starts nothing', async () => {
  const { session, server, expire, burst, Endpoint, status, clock } = setupTokenSession(
    {},
    { 'POST /refresh': never, '/news': () => json({}, 401) },
  );
  const news = new Endpoint({ urlPrefix: API, path: '/news', public: true }) as unknown as () => Promise<unknown>;
  await session.login({ name: 'ada' });
  expire();
  const waiting = outcomes(burst(1));
  await settle();
  expect(await errorOf(news())).toMatchObject({ status: 401 });
  expect(server.to('/news').map(seen => [tokenOf(seen), seen.credentials])).toEqual([[null, 'omit']]);
  expect(server.count('/refresh')).toBe(1);
  expect(status()).toBe('authenticated');
  session.dispose();
  await waiting;
  await settle();
  expect(clock.pending).toBe(0);
});

test('login, logout and whoami never wait for a refresh, and their 401 starts none', async () => {
  const { session, server, expire, burst, status, clock } = setupTokenSession(
    {},
    { 'POST /refresh': never, 'POST /logout': () => json({}, 401) },
  );
  await session.login({ name: 'ada' });
  expire();
  const waiting = errorOf(burst(1)[0] as Promise<unknown>);
  await settle();
  server.routes['POST /login'] = () => json({}, 401);
  expect(await errorOf(session.login({ name: 'ada' }))).toMatchObject({ status: 401 });
  // The server knows of nobody signed in, which is what a logout asks for.
  const signedOut = session.logout();
  await settle();
  await clock.advance(30_000);
  await signedOut;
  await waiting;
  expect(server.count('/refresh')).toBe(1);
  expect(tokenOf(server.to('/login')[1]!)).toBeNull();
  expect(status()).toBe('anonymous');
});

test('a session whose own endpoints are bound to itself does not wait for itself', async () => {
  const { server } = setupTokenSession();
  const holder: { Endpoint?: typeof RestEndpoint } = {};
  const session = createTokenSession({
    server: true,
    login: (name: string) =>
      (
        new holder.Endpoint!({ urlPrefix: API, path: '/login', method: 'POST' }) as never as (
          body: object,
        ) => Promise<{ accessToken: string }>
      )({ username: name, password: name }),
    refresh: tokens =>
      (
        new holder.Endpoint!({ urlPrefix: API, path: '/refresh', method: 'POST' }) as never as (
          body: object,
        ) => Promise<unknown>
      )(tokens),
  });
  holder.Endpoint = authEndpoint(session);
  await session.login('ada');
  const [one, two] = [session.refresh(), session.refresh()];
  expect(await isPending(one)).toBe(false);
  await two;
  expect(server.to('/').map(seen => `${seen.path} ${tokenOf(seen)}`)).toEqual(['/login null', '/refresh null']);
});

test('errors thrown by url(), getHeaders() and process() reject the promise, and end nothing', async () => {
  const { session, Endpoint, status, server } = setupTokenSession({}, { '*': () => json({}) });
  await session.login({ name: 'ada' });
  server.clear();
  for (const member of ['url', 'getHeaders', 'getRequestInit', 'process']) {
    const broken = new Error(member);
    const get = new Endpoint({
      urlPrefix: API,
      path: '/x',
      [member]: () => {
        throw broken;
      },
    } as never) as unknown as () => Promise<unknown>;
    expect(await errorOf(get())).toBe(broken);
  }
  expect(server.seen).toHaveLength(1);
  expect(status()).toBe('authenticated');
});

async function* generate() {
  yield new TextEncoder().encode('once');
}

test.each([
  ['a generator', generate],
  ['a stream of Node', () => Readable.from(['once'])],
])('%s is a stream: it is not sent again with what is left of it', async (_, makeBody) => {
  const { session, server, expire } = setupTokenSession({ trustedOrigins: [API] });
  const send = () => session.fetch(`${API}/thing`, { method: 'POST', body: makeBody() as unknown as BodyInit });
  await session.login({ name: 'ada' });
  expect((await send()).status).toBe(200);
  expire();
  expect(await errorOf(send())).toBeInstanceOf(UnreplayableBodyError);
  expect(server.to('/thing').map(({ body }) => body)).toEqual(['once', 'once']);
});
