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
import { deferred, errorOf, outcomes } from './support/promises.js';
import { manualClock, settle } from './support/manualClock.js';
import { API, Article, tokenOf } from './support/article.js';
import { userOf } from './support/people.js';
import { setupTokenSession } from './support/setupTokenSession.js';

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
