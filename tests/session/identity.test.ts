import { expect, test, vi } from 'vitest';
import {
  authEndpoint,
  createTokenSession,
  IdentityChangedError,
  resource,
  SignedOutError,
} from '../../src/entries/core.js';
import { sessionCore } from '../../src/endpoints/sessionCore.js';
import { json, never } from './support/answers.js';
import { deferred, errorOf, isPending, outcomes } from './support/promises.js';
import { manualClock, settle } from './support/manualClock.js';
import { API, Article, tokenOf } from './support/article.js';
import { userOf } from './support/people.js';
import { setupTokenSession } from './support/setupTokenSession.js';

test('a switch with traffic in flight calls all of it off, and the next person’s requests are their own (scenario 8)', async () => {
  const held = deferred();
  const { session, server, burst, ArticleResource, dataRoute } = setupTokenSession();
  server.routes['*'] = async seen => {
    const answer = dataRoute(seen);
    if (tokenOf(seen)?.startsWith('ada')) await held.promise;
    return answer;
  };
  await session.login({ name: 'ada' });
  const requests = [...burst(5), ArticleResource.partialUpdate({ id: '1' }, { title: 'x' })];
  const all = outcomes(requests);
  await settle();
  expect(sessionCore(session).getStoreGeneration()).toBe(0);
  await session.login({ name: 'bob' });
  expect(sessionCore(session).getStoreGeneration()).toBe(1);
  held.resolve();

  const { resolved, reasons } = await all;
  expect(resolved).toBe(0);
  expect(reasons.every(reason => reason instanceof IdentityChangedError)).toBe(true);
  expect(server.to('/article').filter(({ signal }) => signal.aborted)).toHaveLength(6);
  expect((await Promise.all(burst(5))).every(({ title }) => title === 'of bob')).toBe(true);
  expect(server.count('/article')).toBe(11);
});

test.each(['bob', undefined])(
  'a DELETE that waits for its headers is not sent when the identity becomes %s',
  async next => {
    const headers = deferred();
    const { session, server, Endpoint } = setupTokenSession();
    class Slow extends Endpoint {
      override async getHeaders(given: HeadersInit) {
        await headers.promise;
        return given;
      }
    }
    const { delete: remove } = resource({ urlPrefix: API, path: '/article/:id', schema: Article, Endpoint: Slow });
    await session.login({ name: 'ada' });
    const error = errorOf(remove({ id: '5' }));
    await settle();
    await (next ? session.login({ name: next }) : session.logout());
    expect(await error).toBeInstanceOf(next ? IdentityChangedError : SignedOutError);
    headers.resolve();
    await settle();
    expect(server.count('DELETE')).toBe(0);
  },
);

test.each(['bob', undefined])(
  'a DELETE that waits for a refresh is not sent again when the identity becomes %s',
  async next => {
    const { session, server, expire, ArticleResource } = setupTokenSession({}, { 'POST /refresh': never });
    await session.login({ name: 'ada' });
    expire();
    const error = errorOf(ArticleResource.delete({ id: '5' }));
    await settle();
    // A logout waits for the refresh, whose token it carries.
    (next ? session.login({ name: next }) : session.logout()).catch(() => {});
    expect(await error).toBeInstanceOf(IdentityChangedError);
    await settle();
    expect(server.to('DELETE').map(tokenOf)).toEqual(['ada-1']);
  },
);

test('a fetchResponse of the app’s own, which heeds no signal, is never called for an identity that has left', async () => {
  const headers = deferred();
  const { session, Endpoint } = setupTokenSession();
  const sent: (string | null)[] = [];
  class Adapter extends Endpoint {
    override async getHeaders(given: HeadersInit) {
      await headers.promise;
      return given;
    }
    override fetchResponse(_url: string, init: RequestInit) {
      sent.push(new Headers(init.headers).get('access-token'));
      return Promise.resolve(json({}));
    }
  }
  const remove = new Adapter({ urlPrefix: API, path: '/x', method: 'DELETE' }) as unknown as () => Promise<unknown>;
  await session.login({ name: 'ada' });
  const errors = [errorOf(remove())];
  await settle();
  await session.login({ name: 'bob' });
  errors.push(errorOf(remove()));
  await settle();
  await session.logout();
  headers.resolve();
  await Promise.all(errors);
  await settle();
  expect(sent).toEqual([]);
});

test('a fetchResponse of the app’s own is never called after the sign-out, whenever that comes', async () => {
  const { session, Endpoint } = setupTokenSession();
  let isSignedIn = true;
  const calls: string[] = [];
  class Adapter extends Endpoint {
    override fetchResponse(_url: string, init: RequestInit) {
      calls.push(`${isSignedIn ? 'before' : 'after'} ${new Headers(init.headers).get('access-token')?.split('-')[0]}`);
      return Promise.resolve(json({}));
    }
  }
  const remove = new Adapter({ urlPrefix: API, path: '/x', method: 'DELETE' }) as unknown as () => Promise<unknown>;
  for (let microtasks = 0; microtasks < 40; microtasks++) {
    await session.login({ name: 'ada' });
    isSignedIn = true;
    const request = remove().catch(() => {});
    for (let i = 0; i < microtasks; i++) await Promise.resolve();
    const logout = session.logout();
    isSignedIn = false;
    await Promise.all([request, logout]);
  }
  expect(new Set(calls)).toEqual(new Set(['before ada']));
});

test('getRequestInit that hangs forever settles at sign-out', async () => {
  const { session, Endpoint } = setupTokenSession();
  class Hanging extends Endpoint {
    override getRequestInit() {
      return new Promise<RequestInit>(() => {});
    }
  }
  const get = new Hanging({ urlPrefix: API, path: '/article/:id' });
  await session.login({ name: 'ada' });
  const request = get({ id: '1' });
  expect(await isPending(request)).toBe(true);
  void session.logout();
  expect(await errorOf(request)).toBeInstanceOf(SignedOutError);
});

test('a 401 in the same tick as the sign-out is a SignedOutError and starts no refresh', async () => {
  for (const order of ['401 first', 'sign-out first']) {
    const held = deferred<Response>();
    const { session, server, burst } = setupTokenSession({}, { '*': () => held.promise });
    await session.login({ name: 'ada' });
    const error = errorOf(burst(1)[0] as Promise<unknown>);
    await settle();
    if (order === '401 first') held.resolve(json({}, 401));
    const out = session.logout();
    held.resolve(json({}, 401));
    expect(await error).toBeInstanceOf(SignedOutError);
    await out;
    expect(server.count('/refresh')).toBe(0);
  }
});

test('two sessions side by side know nothing of each other (scenario 11)', async () => {
  const { session: left, server, ArticleResource: Left, expire, clock } = setupTokenSession();
  const right = createTokenSession({
    server: true,
    login: async (name: string) => ({ accessToken: `${name}-right`, user: { id: name } }),
    clock,
  });
  const Right = resource({ urlPrefix: API, path: '/article/:id', schema: Article, Endpoint: authEndpoint(right) });
  const { dataRoute } = { dataRoute: server.routes['*']! };
  server.routes['*'] = seen =>
    tokenOf(seen)?.endsWith('-right') ? json({ id: '1', title: tokenOf(seen) }) : dataRoute(seen);
  await left.login({ name: 'ada' });
  await right.login('bob');
  const before = right.getSnapshot();
  expect(await Promise.all([Left.get({ id: '1' }), Right.get({ id: '1' })])).toEqual([
    { id: '1', title: 'of ada' },
    { id: '1', title: 'bob-right' },
  ]);
  expire();
  await Left.get({ id: '1' });
  await left.logout();
  expect(right.getSnapshot()).toBe(before);
  await expect(Right.get({ id: '1' })).resolves.toMatchObject({ title: 'bob-right' });
});

test('of two logins the last one called wins, and the first rejects at once', async () => {
  const answers = [deferred<Response>(), deferred<Response>()];
  let calls = 0;
  const { session, server, issue, status } = setupTokenSession({}, { 'POST /login': () => answers[calls++]!.promise });
  const first = errorOf(session.login({ name: 'ada' }));
  await settle();
  const second = session.login({ name: 'bob' });
  expect((await first).message).toBe('Another login or logout was started after this one, and it wins.');
  expect(status()).toBe('anonymous');
  expect(server.count('/login')).toBe(1);
  answers[0]!.resolve(json(issue('ada')));
  await settle();
  expect(status()).toBe('anonymous');
  answers[1]!.resolve(json(issue('bob')));
  expect(await second).toEqual(userOf('bob'));
  expect(session.getSnapshot()).toMatchObject({ status: 'authenticated', user: { id: 'bob' }, epoch: 1 });
});

test('a login that was overtaken before its turn is never sent', async () => {
  const held = deferred();
  const { session, server, issue } = setupTokenSession({}, {});
  server.routes['POST /login'] = seen =>
    held.promise.then(() => json(issue((JSON.parse(seen.body) as { username: string }).username)));
  const overtaken = [errorOf(session.login({ name: 'ada' })), errorOf(session.login({ name: 'bob' }))];
  const last = session.login({ name: 'cy' });
  await Promise.all(overtaken);
  held.resolve();
  expect(await last).toEqual(userOf('cy'));
  expect(server.to('/login').map(({ body }) => body)).toEqual(['{"username":"cy","password":"cy"}']);
});

test('a logout during a login wins', async () => {
  const held = deferred();
  const { session, server, issue, status } = setupTokenSession();
  server.routes['POST /login'] = () => held.promise.then(() => json(issue('ada')));
  const login = errorOf(session.login({ name: 'ada' }));
  await settle();
  const logout = session.logout();
  expect(await login).toBeInstanceOf(IdentityChangedError);
  held.resolve();
  await logout;
  await settle();
  expect(session.getSnapshot()).toMatchObject({ status: 'anonymous', error: undefined });
  expect(status()).toBe('anonymous');
});

test('a logout in the very tick of the login’s answer wins', async () => {
  for (let microtasks = 0; microtasks < 60; microtasks++) {
    const held = deferred<void>();
    const session = createTokenSession({
      server: true,
      login: () => held.promise.then(() => ({ accessToken: 'ada-1', user: { id: 'ada' } })),
    });
    const login = session.login().catch(() => {});
    await settle();
    held.resolve();
    for (let i = 0; i < microtasks; i++) await Promise.resolve();
    await session.logout();
    await login;
    expect(session.getSnapshot().status).toBe('anonymous');
    expect(sessionCore(session).getCredential()).toBeUndefined();
  }
});

test('a login during a logout is sent after it', async () => {
  const held = deferred();
  const { session, server, status } = setupTokenSession(
    {},
    { 'POST /logout': () => held.promise.then(() => new Response(null, { status: 204 })) },
  );
  await session.login({ name: 'ada' });
  const logout = session.logout();
  expect(status()).toBe('anonymous');
  const login = session.login({ name: 'bob' });
  await settle();
  expect(server.count('/login')).toBe(1);
  held.resolve();
  await Promise.all([logout, login]);
  expect(server.to('POST').map(({ path }) => path)).toEqual(['/login', '/logout', '/login']);
  expect(tokenOf(server.to('/logout')[0]!)).toBe('ada-1');
  expect(session.getSnapshot().user).toEqual(userOf('bob'));
});

test('a logout that the server does not answer ends after the timeout, and keeps nobody signed in', async () => {
  const { session, clock, status } = setupTokenSession({}, { 'POST /logout': never });
  await session.login({ name: 'ada' });
  const error = errorOf(session.logout());
  expect(status()).toBe('anonymous');
  await settle();
  await clock.advance(30_000);
  expect((await error).name).toBe('TimeoutError');
  expect(session.getSnapshot().error).toMatchObject({ name: 'LogoutUnconfirmedError', cause: await error });
  expect(clock.pending).toBe(0);
});

test('a logout when nobody is signed in asks nobody', async () => {
  const { session, server } = setupTokenSession();
  await session.logout();
  expect(server.seen).toHaveLength(0);
});

test('a failed login keeps who is signed in, and is told by the snapshot until one succeeds', async () => {
  const { session, server, status } = setupTokenSession();
  const login = server.routes['POST /login']!;
  server.routes['POST /login'] = () => json({}, 401);
  const error = await errorOf(session.login({ name: 'eve' }));
  expect(session.getSnapshot()).toMatchObject({ status: 'anonymous', error, epoch: 0 });
  server.routes['POST /login'] = login;
  await session.login({ name: 'ada' });
  expect(session.getSnapshot()).toMatchObject({ status: 'authenticated', error: undefined, epoch: 1 });
  server.routes['POST /login'] = () => json({}, 401);
  await errorOf(session.login({ name: 'bob' }));
  expect(session.getSnapshot()).toMatchObject({ status: 'authenticated', user: { id: 'ada' }, epoch: 1 });
  expect(status()).toBe('authenticated');
});

test('the same person signing in again keeps the epoch and what is under way', async () => {
  const held = deferred();
  const { session, server, burst } = setupTokenSession({}, {});
  server.routes['*'] = () => held.promise.then(() => json({ id: '0', title: 'kept' }));
  await session.login({ name: 'ada' });
  const request = burst(1)[0];
  await settle();
  await session.login({ name: 'ada' });
  held.resolve();
  await expect(request).resolves.toMatchObject({ title: 'kept' });
  expect(session.getSnapshot().epoch).toBe(1);
  expect(sessionCore(session).getStoreGeneration()).toBe(0);
});

test('people whom nothing tells apart are different people', async () => {
  const { session } = setupTokenSession({}, { 'POST /login': () => json({ accessToken: 'opaque' }) });
  await session.login({ name: 'ada' });
  await session.login({ name: 'ada' });
  expect(session.getSnapshot().epoch).toBe(2);
});

test('listeners are told once per change, the same function twice if it subscribed twice', async () => {
  const { session, status } = setupTokenSession();
  const told: string[] = [];
  const listener = () => told.push(status());
  const end = session.subscribe(listener);
  session.subscribe(listener);
  await session.login({ name: 'ada' });
  expect(told).toEqual(['authenticated', 'authenticated']);
  end();
  await session.logout();
  expect(told).toEqual(['authenticated', 'authenticated', 'anonymous']);
});

test('a listener that throws is reported, and disturbs neither the session nor the other listeners', async () => {
  const reported: unknown[] = [];
  const report = vi.spyOn(globalThis, 'queueMicrotask').mockImplementation(callback => {
    try {
      callback();
    } catch (error) {
      reported.push(error);
    }
  });
  const { session, status } = setupTokenSession();
  const broken = new Error('broken listener');
  let told = 0;
  session.subscribe(() => {
    throw broken;
  });
  session.subscribe(() => told++);
  await session.login({ name: 'ada' });
  await session.logout();
  report.mockRestore();
  expect(reported).toEqual([broken, broken]);
  expect(told).toBe(2);
  expect(status()).toBe('anonymous');
});

test('a listener that signs out inside the notification of the login wins over it', async () => {
  const { session, status } = setupTokenSession();
  const end = session.subscribe(() => {
    if (status() === 'authenticated') void session.logout();
  });
  expect(await errorOf(session.login({ name: 'ada' }))).toBeInstanceOf(IdentityChangedError);
  end();
  expect(status()).toBe('anonymous');
  expect(sessionCore(session).getCredential()).toBeUndefined();
});

test('an abort listener that starts a login or a request acts in the new state', async () => {
  const { session, server, Endpoint, status } = setupTokenSession({ logout: async () => {} });
  let onAbort = () => {};
  class Listening extends Endpoint {
    override fetchResponse(url: string, init: RequestInit) {
      init.signal?.addEventListener('abort', () => onAbort());
      return super.fetchResponse(url, init);
    }
  }
  server.routes['GET /slow'] = never;
  server.routes['GET /now'] = seen => json({ token: tokenOf(seen) });
  const get = new Listening({ urlPrefix: API, path: '/slow' });
  const now = new Endpoint({ urlPrefix: API, path: '/now' });
  await session.login({ name: 'ada' });
  const first = errorOf(get());
  await settle();
  let inside: Promise<unknown> = Promise.resolve();
  onAbort = () => {
    onAbort = () => {};
    expect(status()).toBe('anonymous');
    inside = Promise.all([now(), session.login({ name: 'bob' })]).catch((error: unknown) => error);
  };
  await session.logout();
  expect(await first).toBeInstanceOf(SignedOutError);
  await inside;
  expect(session.getSnapshot()).toMatchObject({ status: 'authenticated', user: { id: 'bob' } });
  expect(server.to('/now').filter(seen => tokenOf(seen) !== null)).toHaveLength(0);
});

test('dispose() calls off everything, leaves no timer, and nobody is signed in', async () => {
  const { session, server, burst, expire, clock } = setupTokenSession({}, { 'POST /refresh': never });
  await session.login({ name: 'ada' });
  expire();
  const requests = outcomes(burst(3));
  await settle();
  server.routes['POST /login'] = never;
  const login = errorOf(session.login({ name: 'bob' }));
  await settle();
  expect(clock.pending).toBeGreaterThan(0);

  session.dispose();
  session.dispose();
  expect((await login).message).toBe('The session was disposed of, so this request was aborted.');
  expect(new Set((await requests).reasons)).toEqual(new Set([await login]));
  await settle();
  expect(clock.pending).toBe(0);
  expect(session.getSnapshot()).toMatchObject({ status: 'anonymous', user: undefined });
  expect(sessionCore(session).getCredential()).toBeUndefined();
  expect(sessionCore(session).getStoreGeneration()).toBe(1);
});

test('a refresh and a login that are answered after dispose() change nothing', async () => {
  const held = deferred();
  const { session, server, issue, status } = setupTokenSession();
  server.routes['POST /refresh'] = () => held.promise.then(() => json(issue('ada')));
  await session.login({ name: 'ada' });
  const refresh = errorOf(session.refresh());
  server.routes['POST /login'] = () => held.promise.then(() => json(issue('ada')));
  const login = errorOf(session.login({ name: 'ada' }));
  await settle();
  session.dispose();
  held.resolve();
  await Promise.all([refresh, login]);
  await settle();
  expect(status()).toBe('anonymous');
  expect(sessionCore(session).getCredential()).toBeUndefined();
});

test('a session can be used again after dispose()', async () => {
  const { session, burst } = setupTokenSession();
  await session.login({ name: 'ada' });
  session.dispose();
  await session.login({ name: 'bob' });
  await expect(burst(1)[0]).resolves.toMatchObject({ title: 'of bob' });
});

test('requests leave at most one listener on the caller’s signal, and no further one on the epoch’s', async () => {
  const { session, ArticleResource, Endpoint } = setupTokenSession();
  await session.login({ name: 'ada' });
  const controller = new AbortController();
  const get = new Endpoint({
    urlPrefix: API,
    path: '/article/:id',
    signal: controller.signal,
  } as never) as unknown as typeof ArticleResource.get;
  const listeners = new Map<AbortSignal, number>();
  /** The transport listens too. The session's own listeners pass a reason on. */
  const count = (signal: AbortSignal, change: number, listener: unknown) => {
    if (/(signal|source)\.reason\)/.test(String(listener)))
      listeners.set(signal, (listeners.get(signal) ?? 0) + change);
  };
  const { addEventListener, removeEventListener } = AbortSignal.prototype;
  const added = vi.spyOn(AbortSignal.prototype, 'addEventListener').mockImplementation(function (
    this: AbortSignal,
    ...args: unknown[]
  ) {
    count(this, 1, args[1]);
    Reflect.apply(addEventListener, this, args);
  });
  const removed = vi.spyOn(AbortSignal.prototype, 'removeEventListener').mockImplementation(function (
    this: AbortSignal,
    ...args: unknown[]
  ) {
    count(this, -1, args[1]);
    Reflect.apply(removeEventListener, this, args);
  });
  const send = async () => {
    await Promise.all([get({ id: '1' }), ArticleResource.get({ id: '2' })]);
    await settle();
    return new Map(listeners);
  };
  const first = await send();
  const second = await send();
  // One for all requests, until their bodies are gone.
  expect(first.get(controller.signal)).toBeLessThanOrEqual(1);
  // What the second requests have added is on signals of their own.
  for (const [signal, held] of first) expect(second.get(signal)).toBe(held);
  added.mockRestore();
  removed.mockRestore();
});

test('the restore answers nobody who signed in or out meanwhile', async () => {
  for (const act of ['login', 'logout'] as const) {
    const held = deferred();
    const { session, issue, status, clock } = setupTokenSession({
      restore: () => held.promise.then(() => issue('eve')),
    });
    session.subscribe(() => {});
    expect(status()).toBe('restoring');
    if (act === 'login') await session.login({ name: 'ada' });
    const signedOut = act === 'logout' && session.logout();
    const expected = act === 'login' ? 'authenticated' : 'anonymous';
    expect(status()).toBe(expected);
    held.resolve();
    await signedOut;
    await settle();
    expect(status()).toBe(expected);
    if (act === 'login') expect(session.getSnapshot().user).toEqual(userOf('ada'));
    expect(clock.pending).toBe(0);
  }
});

test('requests that start during the restore wait for it, keep their epoch, and carry its credential', async () => {
  const held = deferred();
  let restores = 0;
  const { session, server, burst, issue } = setupTokenSession({
    restore: () => (restores++, held.promise.then(() => issue('ada'))),
  });
  const requests = burst(5);
  session.subscribe(() => {});
  session.subscribe(() => {});
  await settle();
  expect(server.seen).toHaveLength(0);
  held.resolve();
  await Promise.all(requests);
  expect(restores).toBe(1);
  expect(session.getSnapshot()).toMatchObject({ status: 'authenticated', epoch: 0 });
});

test('a restore that is refused, empty, unavailable or silent ends as nobody; only the last two are an error', async () => {
  const cases: [() => Promise<unknown>, boolean][] = [
    [() => Promise.reject(Object.assign(new Error('no'), { status: 401 })), false],
    [async () => null, false],
    [() => Promise.reject(Object.assign(new Error('down'), { status: 503 })), true],
    [() => new Promise(() => {}), true],
  ];
  for (const [restore, isError] of cases) {
    const { session, clock } = setupTokenSession({ restore });
    session.subscribe(() => {});
    await settle();
    await clock.advance(30_000);
    expect(session.getSnapshot()).toMatchObject({ status: 'anonymous', epoch: 0 });
    expect(session.getSnapshot().error?.name).toBe(isError ? 'RefreshUnavailableError' : undefined);
    expect(clock.pending).toBe(0);
  }
});

test('refresh() asks again when nobody is signed in: once for calls at the same time, and a logout meanwhile wins', async () => {
  const held = deferred();
  let restores = 0;
  const { session, issue, status } = setupTokenSession({
    restore: async () => (restores++ === 0 ? null : held.promise.then(() => issue('ada'))),
  });
  session.subscribe(() => {});
  await settle();
  const refreshes = [session.refresh(), session.refresh()];
  await settle();
  expect(restores).toBe(2);
  const signedOut = session.logout();
  held.resolve();
  await Promise.all([...refreshes, signedOut]);
  expect(status()).toBe('anonymous');
  await session.refresh();
  expect(status()).toBe('authenticated');
});

test('a session that was never read before a logout is not restored by the next request', async () => {
  let restores = 0;
  const { session, burst, issue, status, server } = setupTokenSession({
    restore: async () => (restores++, issue('ada')),
    logout: () => new Promise(() => {}),
  });
  await session.login({ name: 'ada' });
  void session.logout().catch(() => {});
  await errorOf(burst(1)[0] as Promise<unknown>);
  expect(restores).toBe(0);
  expect(status()).toBe('anonymous');
  expect(tokenOf(server.seen.at(-1)!)).toBeNull();
  session.dispose();
});

test('a login beats a refresh() that was started before it', async () => {
  const held = deferred();
  let restores = 0;
  const { session, server, issue } = setupTokenSession({
    restore: async () => (restores++ ? held.promise.then(() => issue('eve')) : null),
  });
  session.subscribe(() => {});
  await settle();
  const refresh = session.refresh();
  const login = deferred();
  server.routes['POST /login'] = () => login.promise.then(() => json(issue('ada')));
  const signingIn = session.login({ name: 'ada' });
  await settle();
  held.resolve();
  await refresh;
  login.resolve();
  await expect(signingIn).resolves.toEqual(userOf('ada'));
  expect(session.getSnapshot().user).toEqual(userOf('ada'));
});

test('an object that is no session is refused by name', () => {
  expect(() => authEndpoint({} as never)).toThrow(
    '`session` is not a session of data-client-auth. Make it with createTokenSession(), createCookieSession(), createSdkSession() or createSession().',
  );
  expect(manualClock().pending).toBe(0);
});

test('a session of another copy of the kit, and a copy of a session, are refused by name', async () => {
  vi.resetModules();
  const copy = await import('../../src/entries/core.js');
  const session = copy.createTokenSession({ login: async () => ({ accessToken: 'ada-1' }) });
  const own = createTokenSession({ login: async () => ({ accessToken: 'ada-1' }) });
  for (const other of [session, { ...own }])
    expect(() => authEndpoint(other)).toThrow(
      '`session` is a copy of a session, such as { ...session }, or the page has loaded data-client-auth twice',
    );
});
