// What callers of a session get, counted at the server: what the second edition of the core got wrong.
import { EventEmitter, getEventListeners } from 'node:events';
import { Readable } from 'node:stream';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { sessionCore } from '../../src/endpoints/sessionCore.js';
import {
  authEndpoint,
  createSession,
  IdentityChangedError,
  OtherUserResponseError,
  RefreshUnavailableError,
  RestEndpoint,
  SessionExpiredError,
} from '../../src/entries/core.js';
import { UnreplayableBodyError, UntrustedOriginError } from '../../src/errors.js';
import { lock } from '../../src/lock/lock.js';
import type { RefreshArgument } from '../../src/mechanisms/tokenResponse.js';
import { json, networkError, never } from './support/answers.js';
import { API, tokenOf } from './support/article.js';
import { functionServer } from './support/functionServer.js';
import { settle } from './support/manualClock.js';
import { mockServer } from './support/mockServer.js';
import { pageGate } from './support/pageGate.js';
import { deferred, errorOf, outcomes } from './support/promises.js';
import { setupCookieSession } from './support/setupCookieSession.js';
import { setupTokenSession } from './support/setupTokenSession.js';

const ada = { name: 'ada' };
const url = `${API}/me`;
const trusted = { trustedOrigins: [API] };

describe('scenario 47: the session inside its own callbacks', () => {
  test('session.fetch before the first await of refresh is the refresh’s own, and the new tokens count', async () => {
    const app = setupTokenSession({
      ...trusted,
      refresh: async () => {
        await app.session.fetch(url);
        return app.issue('ada');
      },
    });
    app.server.routes['/me'] = () => json({ id: 'ada' });
    await app.session.login(ada);
    app.expire();
    expect((await outcomes(app.burst(3))).resolved).toBe(3);
    expect(app.server.count('/me')).toBe(1);
    expect(app.status()).toBe('authenticated');
  });

  test('an endpoint without a session carries the token of the logout that calls it, to trusted origins only', async () => {
    const end = (urlPrefix: string) => new RestEndpoint({ urlPrefix, path: '/end', method: 'POST', body: undefined });
    let logout = end(API);
    const app = setupTokenSession({ ...trusted, logout: () => logout() });
    const tokens: (string | null)[] = [];
    app.server.routes['/end'] = request => {
      tokens.push(request.headers.get('Access-Token'));
      return json(null);
    };
    await app.session.login(ada);
    const token = sessionCore(app.session).getCredential() as { accessToken: string };
    await app.session.logout();
    expect(tokens).toEqual([token.accessToken]);
    await app.session.login(ada);
    logout = end('https://elsewhere.example');
    expect(await errorOf(app.session.logout())).toBeInstanceOf(UntrustedOriginError);
    expect(tokens).toHaveLength(1);
  });

  test.each<[string, (app: ReturnType<typeof setupTokenSession>) => Promise<unknown>]>([
    ['session.fetch', app => app.session.fetch(url)],
    ['session.refresh', app => app.session.refresh()],
    ['session.getToken', app => app.session.getToken()],
  ])('%s after an await of refresh settles within the timeout, and nobody is signed out', async (_name, call) => {
    const app = setupTokenSession({
      ...trusted,
      refresh: async () => {
        await Promise.resolve();
        await call(app);
        return app.issue('ada');
      },
    });
    await app.session.login(ada);
    app.expire();
    const all = outcomes(app.burst(3));
    await settle();
    await app.clock.advance(10_000);
    expect((await all).reasons.every(reason => reason instanceof RefreshUnavailableError)).toBe(true);
    expect(app.status()).toBe('authenticated');
    expect(app.session.getSnapshot().user).toMatchObject({ id: 'ada' });
  });
});

describe('scenario 48: another organization of the same user', () => {
  const jwt = (claims: object) => `x.${btoa(JSON.stringify(claims)).replaceAll('=', '')}.x`;

  test('is another identity: a new store, no password, and nothing of before is sent', async () => {
    const tokens = (org_id: string, n: number) => ({
      accessToken: jwt({ sub: 'ada', org_id, n }),
      refreshToken: `r${n}`,
    });
    const app = setupTokenSession(
      { refresh: async () => tokens('globex', 2) },
      { 'POST /login': () => json(tokens('acme', 1)) },
    );
    const held = deferred();
    app.server.routes['*'] = seen =>
      tokenOf(seen) === tokens('acme', 1).accessToken ? json({}, 401) : json({ id: '1', title: 'x' });
    app.server.routes['PATCH /article/1'] = () => held.promise.then(() => json({}, 401));
    await app.session.login(ada);
    const before = app.session.getSnapshot();
    const edit = errorOf(app.ArticleResource.partialUpdate({ id: '1' }, { title: 'Acme' }));
    await settle();
    held.resolve();
    expect((await edit).name).toBe('AbortError');
    expect(app.session.getSnapshot()).toMatchObject({ status: 'authenticated', epoch: before.epoch + 1 });
    expect(app.server.count('/article/1')).toBe(1);
    await app.ArticleResource.get({ id: '1' });
    expect(app.server.count('/login')).toBe(1);
  });
});

describe('scenario 49: a fresh credential that one machine does not know yet', () => {
  test('the user stays signed in, with one extra try', async () => {
    let refused = 2;
    const app = setupTokenSession({}, { '*': () => (refused-- > 0 ? json({}, 401) : json({ id: '1', title: 'x' })) });
    await app.session.login(ada);
    const read = app.ArticleResource.get({ id: '1' });
    await settle();
    await app.clock.advance(1_000);
    await expect(read).resolves.toMatchObject({ id: '1' });
    expect([app.server.count('/article'), app.server.count('/refresh'), app.status()]).toEqual([3, 1, 'authenticated']);
  });

  test('200 requests that stay refused: one late try for all, one refresh, one end', async () => {
    const app = setupTokenSession({}, { '*': () => json({}, 401) });
    await app.session.login(ada);
    const all = outcomes(app.burst(200));
    await settle();
    await settle();
    await app.clock.advance(1_000);
    const { reasons } = await all;
    expect([app.server.count('/article'), app.server.count('/refresh')]).toEqual([401, 1]);
    expect(new Set(reasons).size).toBe(1);
    expect(app.session.getSnapshot()).toMatchObject({ status: 'anonymous', reason: 'expired' });
  });
});

describe('scenario 55: the end is one thing', () => {
  test.each([1, 5, 20, 200])(
    '%i calls that are refused at the end get one SessionExpiredError with its response',
    async count => {
      const app = setupTokenSession(trusted, { 'POST /refresh': () => json({}, 401) });
      await app.session.login(ada);
      app.expire();
      const calls = Array.from({ length: count }, (_, id) =>
        id % 2 ? app.session.fetch(`${API}/${id}`) : app.ArticleResource.get({ id: String(id) }),
      );
      const { reasons, resolved } = await outcomes(calls);
      expect(resolved).toBe(0);
      expect(new Set(reasons).size).toBe(1);
      expect(reasons[0]).toBeInstanceOf(SessionExpiredError);
      expect((reasons[0] as { response?: Response }).response?.status).toBe(401);
    },
  );
});

describe('scenario 44: a writer that gets no answer', () => {
  test('a refresh has a limit: then the next call may try again', async () => {
    const signals: AbortSignal[] = [];
    const app = setupTokenSession({
      refresh: ({ signal }: RefreshArgument) => {
        signals.push(signal);
        return signals.length === 1 ? new Promise<never>(() => {}) : Promise.resolve(app.issue('ada') as never);
      },
    });
    await app.session.login(ada);
    app.expire();
    const first = outcomes(app.burst(5));
    await settle();
    await app.clock.advance(10_000);
    expect((await first).reasons.every(reason => reason instanceof RefreshUnavailableError)).toBe(true);
    await app.clock.advance(20_000);
    expect(signals[0]!.aborted).toBe(true);
    expect((await outcomes(app.burst(5))).resolved).toBe(5);
    expect([signals.length, app.status()]).toEqual([2, 'authenticated']);
  });
});

describe('scenario 57: a gateway refuses without CORS headers', () => {
  test('one refresh, then the answers', async () => {
    vi.stubGlobal('location', { href: 'https://page.test/', origin: 'https://page.test' });
    const app = setupTokenSession({ parseTokens: ({ accessToken, refreshToken }) => ({ accessToken, refreshToken }) });
    const seen: (string | null)[] = [];
    app.server.routes['*'] = request => {
      seen.push(tokenOf(request));
      return seen.at(-1) === 'ada-1' ? Response.error() : json({ id: '1', title: 'x' });
    };
    await app.session.login(ada);
    expect((await outcomes(app.burst(3))).resolved).toBe(3);
    expect(app.server.count('/refresh')).toBe(1);
    vi.unstubAllGlobals();
  });
});

describe('scenario 58: a server that refuses an expired token with 403', () => {
  const options = {
    ...trusted,
    isRefused: async (response: Response) =>
      response.status === 403 && ((await response.json()) as { code: string }).code === 'token_expired',
  };
  const answering = (code: string) => {
    const app = setupTokenSession(options);
    app.server.routes['/me'] = seen => (tokenOf(seen) === 'ada-1' ? json({ code }, 403) : json({ of: tokenOf(seen) }));
    return app;
  };

  test('`isRefused`: one refresh for all, and the answers', async () => {
    const app = answering('token_expired');
    await app.session.login(ada);
    const responses = await Promise.all([1, 2, 3].map(() => app.session.fetch(url)));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(app.server.count('/refresh')).toBe(1);
  });

  test('another 403 is the caller’s, whose body can be read', async () => {
    const app = answering('not_yours');
    await app.session.login(ada);
    const response = await app.session.fetch(url);
    expect([response.status, await response.json()]).toEqual([403, { code: 'not_yours' }]);
    expect(app.server.count('/refresh')).toBe(0);
    expect(app.status()).toBe('authenticated');
  });
});

describe('scenario 58: a server that sends the next token with an answer', () => {
  const options = {
    ...trusted,
    refresh: { readToken: (response: Response) => response.headers.get('X-Next-Token') },
  };
  const jwt = (claims: object) => `x.${btoa(JSON.stringify(claims)).replaceAll('=', '')}.x`;
  const next = (token: string) => Response.json({ id: '1', title: 'x' }, { headers: { 'X-Next-Token': token } });

  async function signedIn(more: object = {}) {
    const app = setupTokenSession({ ...options, ...more });
    await app.session.login(ada);
    const tokens = () => app.server.to('/article').map(tokenOf);
    return { ...app, tokens, get: () => app.ArticleResource.get({ id: '1' }) };
  }

  test('`readToken`: the next request carries it, and nothing is refreshed or rendered again', async () => {
    const { server, session, tokens, get } = await signedIn();
    const before = session.getSnapshot();
    let count = 1;
    server.routes['*'] = () => next(`ada-${++count}`);
    await get();
    await settle();
    await session.fetch(`${API}/article/2`);
    await settle();
    await get();
    expect([tokens(), server.count('/refresh')]).toEqual([['ada-1', 'ada-2', 'ada-3'], 0]);
    expect(session.getSnapshot()).toBe(before);
    await settle();
    await session.logout();
    expect(server.to('/logout').map(tokenOf)).toEqual(['ada-4']);
  });

  test('of twenty answers at once the first counts, and an answer to an older token says nothing', async () => {
    const { server, tokens, get, burst } = await signedIn();
    let count = 1;
    const late = deferred();
    server.routes['GET /article/1'] = () => late.promise.then(() => next('late'));
    server.routes['*'] = () => next(`ada-${++count}`);
    const slow = get();
    await Promise.all(
      burst(20)
        .filter((_, id) => id !== 1)
        .map(async one => one.catch(() => {})),
    );
    await settle();
    late.resolve();
    await slow;
    await settle();
    server.clear();
    await get();
    expect(tokens()).toEqual(['ada-2']);
  });

  test('during a refresh the token of the refresh counts', async () => {
    const { server, tokens, get, session } = await signedIn();
    const [read, refreshed] = [deferred(), deferred()];
    const refresh = server.routes['POST /refresh']!;
    server.routes['POST /refresh'] = seen => refreshed.promise.then(() => refresh(seen));
    server.routes['*'] = () => read.promise.then(() => next('of-the-answer'));
    const reading = get();
    await settle();
    const refreshing = session.refresh();
    await settle();
    read.resolve();
    await reading;
    await settle();
    refreshed.resolve();
    await refreshing;
    await settle();
    server.clear();
    await get();
    expect(tokens()).toEqual(['ada-2']);
  });

  test.each([
    ['another user', { sub: 'grace' }],
    ['another organization of the user', { sub: 'ada', org: 'globex' }],
  ])('a token of %s is not taken over', async (_name, claims) => {
    const own = jwt({ sub: 'ada', org: 'acme' });
    const { server, session, tokens, get, status } = await signedIn({ login: async () => ({ accessToken: own }) });
    server.routes['*'] = () => next(jwt(claims));
    await get();
    await settle();
    await get();
    expect([tokens(), status()]).toEqual([[own, own], 'authenticated']);
    expect(session.getSnapshot().epoch).toBe(1);
  });
});

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

// A signal of the app may live as long as its page: what a request adds to it must go with the request.

/** What hangs on a signal: listeners, and in Node the signals that `AbortSignal.any` has composed of it. */
function hangingOn(signal: AbortSignal): number {
  const symbols = Object.getOwnPropertySymbols(signal);
  const composed = symbols.find(({ description }) => description?.startsWith('kDependantSignals'));
  const { size = 0 } = (composed && (signal as unknown as Record<symbol, Set<unknown> | undefined>)[composed]) ?? {};
  return getEventListeners(signal, 'abort').length + size;
}

const sessions = {
  token: () => setupTokenSession({ trustedOrigins: [API] }, {}, functionServer),
  cookie: () => setupCookieSession({ tabs: false, trustedOrigins: [API] }, {}, functionServer),
};

describe.each(['token', 'cookie'] as const)('a signal that outlives its requests (%s; scenario 60)', kind => {
  async function signedIn() {
    const app = sessions[kind]();
    await app.session.login(ada);
    const { signal } = new AbortController();
    const get = (id: number) =>
      id % 2
        ? app.session.fetch(`${API}/article/${id}`, { signal }).then(response => response.json())
        : app.ArticleResource.get.extend({ signal })({ id: String(id) });
    return { ...app, signal, get };
  }

  test('has what it had before, after 1,000 requests', async () => {
    const { signal, get } = await signedIn();
    for (let id = 0; id < 1_000; id += 100) await Promise.all(Array.from({ length: 100 }, (_, n) => get(id + n)));
    expect(hangingOn(signal)).toBeLessThanOrEqual(1);
  });

  test('after requests without an answer, too', async () => {
    const app = await signedIn();
    const { routes } = 'server' in app ? app.server : app.fake;
    routes['*'] = networkError;
    expect((await outcomes(Array.from({ length: 20 }, (_, id) => app.get(id)))).reasons).toHaveLength(20);
    expect(hangingOn(app.signal)).toBe(0);
  });

  test('eleven calls at once are no warning of Node', async () => {
    const { defaultMaxListeners } = EventEmitter;
    EventEmitter.defaultMaxListeners = 10;
    const warnings: Error[] = [];
    const onWarning = (warning: Error) => void warnings.push(warning);
    process.on('warning', onWarning);
    onTestFinished(() => {
      EventEmitter.defaultMaxListeners = defaultMaxListeners;
      process.off('warning', onWarning);
    });
    const { get } = await signedIn();
    await Promise.all(Array.from({ length: 11 }, (_, id) => get(id)));
    await settle();
    expect(warnings.map(({ name, message }) => `${name}: ${message}`)).toEqual([]);
  });
});

test('the body of an answer is aborted with its caller and with its user, also long after the headers', async () => {
  const { session } = setupTokenSession({ trustedOrigins: [API] }, {}, functionServer);
  await session.login(ada);
  const signals: AbortSignal[] = [];
  vi.stubGlobal('fetch', async (_: string, { signal }: RequestInit) => {
    signals.push(signal!);
    return new Response(new ReadableStream());
  });
  const caller = new AbortController();
  const responses = [
    await session.fetch(`${API}/events`, { signal: caller.signal }),
    await session.fetch(`${API}/events`, { signal: new AbortController().signal }),
    await session.fetch(`${API}/events`),
  ];
  const aborted = () => signals.map(signal => signal.aborted);
  caller.abort();
  expect(aborted()).toEqual([true, false, false]);
  sessionCore(session).expire();
  expect(aborted()).toEqual([true, true, true]);
  expect(responses).toHaveLength(3);
});

// A request with `keepalive` outlives its page, so its answer may bring back the cookie of a user who has signed out.

test.each([true, false])(
  'scenario 56: a cookie that an answer brings back during a logout goes with it (keepalive: %s)',
  async keepalive => {
    const { session, fake, jar, clock, status } = setupCookieSession(
      { tabs: false, trustedOrigins: [API] },
      {},
      functionServer,
    );
    await session.login(ada);
    const answered = deferred();
    // A server that renews its cookie with each answer.
    fake.routes['POST /draft'] = async () => {
      await answered.promise;
      jar.person = 'ada';
      return json({});
    };
    const draft = errorOf(session.fetch(`${API}/draft`, { method: 'POST', body: 'x', keepalive }));
    await settle();
    const logout = session.logout();
    await settle();
    await clock.advance(50);
    answered.resolve();
    await settle();
    await clock.advance(100);
    await logout;
    await settle();
    expect([jar.person, status(), fake.count('POST /logout')]).toEqual([undefined, 'anonymous', 1]);
    expect((await draft).name).toBe('AbortError');
  },
);

/** A session of one cookie, whose server names the user of each answer in a header. */
async function setup(answerTo: () => Response | Promise<Response>) {
  let cookie = 'ada';
  let checks = 0;
  let isDown = false;
  const server = mockServer({ '*': answerTo });
  const session = createSession(
    {
      gate: pageGate(),
      login: async () => ({ credential: 'cookie', subject: 'ada', user: { id: 'ada' } }),
      async restore() {
        checks++;
        if (isDown) throw new TypeError('Failed to fetch');
        if (cookie === '') return undefined;
        return { credential: 'cookie', subject: cookie, user: { id: cookie } };
      },
      attach: ({ init }) => init,
      subjectOf: response => response.headers.get('x-user') ?? undefined,
    },
    { server: true },
  );
  await session.login();
  const call = (method: 'GET' | 'POST') =>
    new (authEndpoint(session))({ urlPrefix: API, path: '/article', method }) as unknown as () => Promise<unknown>;
  return {
    session,
    server,
    get: call('GET'),
    post: call('POST'),
    checks: () => checks,
    setCookie: (name: string) => (cookie = name),
    failChecks: () => (isDown = true),
  };
}

const answerFor = (user: string, status: number) =>
  new Response('{}', { status, headers: { 'x-user': user, 'content-type': 'application/json' } });

test.each([200, 404, 500])(
  'an answer %i for another user is dropped, and it is checked who is signed in',
  async status => {
    const { session, get, checks, setCookie } = await setup(() => answerFor('grace', status));
    setCookie('grace');
    expect(await errorOf(get())).toBeInstanceOf(IdentityChangedError);
    await settle();
    expect(checks()).toBe(1);
    expect(session.getSnapshot()).toMatchObject({ status: 'authenticated', user: { id: 'grace' } });
  },
);

test.each([200, 404, 500])(
  'an answer %i for another user, while the user has not changed, is an error that a screen can show',
  async status => {
    const { session, get, checks } = await setup(() => answerFor('grace', status));
    const before = session.getSnapshot();
    const error = await errorOf(get());
    expect(error).toBeInstanceOf(OtherUserResponseError);
    expect(error).toHaveProperty('status', 502);
    expect(checks()).toBe(1);
    expect(session.getSnapshot()).toBe(before);
  },
);

test('an answer for another user, while it cannot be checked who is signed in, is an error that a screen can show', async () => {
  const { get, failChecks } = await setup(() => answerFor('grace', 200));
  failChecks();
  expect(await errorOf(get())).toBeInstanceOf(RefreshUnavailableError);
});

describe('an answer for another user, while the check finds no user and the session locks', () => {
  async function setupLocked() {
    let user = 'grace';
    const made = await setup(() => answerFor(user, 200));
    const unlock = lock().attach(sessionCore(made.session));
    onTestFinished(unlock);
    made.setCookie('');
    const signIn = async () => {
      user = 'ada';
      made.setCookie('ada');
      await made.session.login();
    };
    return { ...made, signIn };
  }

  test('is an error, and the screen stays locked', async () => {
    const { session, server, get, signIn } = await setupLocked();
    expect(await errorOf(get())).toBeInstanceOf(OtherUserResponseError);
    expect(session.getSnapshot().status).toBe('locked');
    await signIn();
    expect(await get()).toEqual({});
    expect(server.seen).toHaveLength(2);
  });

  test('is an error where the request has changed something: it is not sent twice', async () => {
    const { server, post, signIn } = await setupLocked();
    expect(await errorOf(post())).toBeInstanceOf(OtherUserResponseError);
    await signIn();
    expect(server.seen).toHaveLength(1);
  });
});

test.each([200, 404, 500])(
  'an answer %i for the same user, or one that names none, is the caller’s, without a check',
  async status => {
    const answers = [answerFor('ada', status), json({}, status)];
    const { session, get, checks } = await setup(() => answers.shift()!);
    for (let sent = 0; sent < 2; sent++) {
      const became = await get().then(
        () => 200,
        (error: { status?: number }) => error.status,
      );
      expect(became).toBe(status);
    }
    expect(checks()).toBe(0);
    expect(session.getSnapshot()).toMatchObject({ status: 'authenticated', user: { id: 'ada' } });
  },
);

test('where no answer comes, the caller gets the network’s error', async () => {
  const { get, checks } = await setup(networkError);
  expect(await errorOf(get())).toMatchObject({ name: 'TypeError', message: 'Failed to fetch' });
  expect(checks()).toBe(0);
});

test('while no user is signed in, an answer for any user is the caller’s', async () => {
  const server = mockServer({ '*': () => answerFor('grace', 200) });
  const session = createSession({ attach: ({ init }) => init, subjectOf: () => 'grace' }, { server: true });
  await (new (authEndpoint(session))({ urlPrefix: API, path: '/article' }) as unknown as () => Promise<unknown>)();
  expect(server.seen).toHaveLength(1);
});
