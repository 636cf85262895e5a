import { describe, expect, test, vi } from 'vitest';
import { sessionCore } from '../../src/endpoints/sessionCore.js';
import {
  authEndpoint,
  createSession,
  createTokenSession,
  IdentityChangedError,
  LogoutUnconfirmedError,
  type Mechanism,
  RefreshUnavailableError,
  resource,
  SessionExpiredError,
  type SignedIn,
  SignedOutError,
} from '../../src/entries/core.js';
import { InvalidCredentialError } from '../../src/errors.js';
import {
  endReasonOf,
  initialState,
  NO_POSITION,
  type SessionEvent,
  type State,
  transition,
} from '../../src/session/state.js';
import { json, networkError, never } from './support/answers.js';
import { API, Article, tokenOf } from './support/article.js';
import { manualClock, settle, until } from './support/manualClock.js';
import { mockServer, type Route } from './support/mockServer.js';
import { userOf } from './support/people.js';
import { deferred, errorOf, outcomes } from './support/promises.js';
import { setupCookieSession } from './support/setupCookieSession.js';
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

const ada = { name: 'ada' };

describe('a token session', () => {
  test('signs a user in with the tokens of a registration, without a request', async () => {
    const storage = { text: '', get: () => null, set: (text: string) => void (storage.text = text), remove: () => {} };
    const { session, server, issue, burst } = setupTokenSession({ storage });
    expect(await session.enter(issue('ada'))).toEqual(userOf('ada'));
    expect(server.seen).toEqual([]);
    expect(session.getSnapshot()).toMatchObject({ status: 'authenticated', user: { id: 'ada' }, error: undefined });
    expect(JSON.parse(storage.text)).toMatchObject({ credential: { accessToken: 'ada-1' }, subject: 'ada' });
    await burst(1)[0];
    expect(tokenOf(server.seen.at(-1)!)).toBe('ada-1');
  });

  test('the same user keeps the identity, another user is another one', async () => {
    const { session, issue } = setupTokenSession();
    await session.login(ada);
    const { epoch } = session.getSnapshot();
    await session.enter(issue('ada'));
    expect(session.getSnapshot().epoch).toBe(epoch);
    expect(sessionCore(session).getCredential()).toMatchObject({ accessToken: 'ada-2' });
    await session.enter(issue('grace'));
    expect(session.getSnapshot()).toMatchObject({ epoch: epoch + 1, user: { id: 'grace' } });
  });

  test('the last call wins: it waits for a login under way, and the login rejects', async () => {
    const answer = deferred<Response>();
    const { session, issue } = setupTokenSession({}, { 'POST /login': () => answer.promise });
    const login = errorOf(session.login(ada));
    const entered = session.enter(issue('grace'));
    expect(await login).toBeInstanceOf(IdentityChangedError);
    answer.resolve(json(issue('ada')));
    expect(await entered).toEqual(userOf('grace'));
    expect(session.getSnapshot().user).toEqual(userOf('grace'));
  });

  test('reads the answer as that of a login, and an answer without a token signs no user in', async () => {
    const session = createTokenSession({
      server: true,
      login: async () => ({ data: { jwt: 'a' }, account: 'ada' }),
      parseTokens: ({ data, account }) => ({ accessToken: data.jwt, subject: account }),
    });
    await session.enter({ data: { jwt: 'b' }, account: 'grace' });
    expect(sessionCore(session).getSubject()).toBe('grace');
    await session.logout();
    const error = await errorOf(session.enter({ data: {}, account: 'grace' } as never));
    expect(error).toBeInstanceOf(InvalidCredentialError);
    expect(session.getSnapshot()).toMatchObject({ status: 'anonymous', error });
  });

  test('on a server it rejects like a login: all visitors would share the session', async () => {
    const session = createTokenSession({ login: async () => ({ accessToken: 'a' }) });
    expect((await errorOf(session.enter({ accessToken: 'a' }))).message).toContain('was not made for a server');
  });
});

describe('a cookie session', () => {
  test('asks whoami whose cookie the server has set', async () => {
    const { session, fake, jar, clock } = setupCookieSession({ tabs: false });
    await session.ready();
    fake.clear();
    jar.person = 'ada';
    expect(await until(clock, session.enter())).toEqual(userOf('ada'));
    expect(fake.seen.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /whoami']);
    expect(session.getSnapshot()).toMatchObject({ status: 'authenticated', user: { id: 'ada' } });
  });

  test('rejects when whoami finds no user', async () => {
    const { session, clock } = setupCookieSession({ tabs: false });
    const error = await until(clock, errorOf(session.enter()));
    expect(error).toBeInstanceOf(InvalidCredentialError);
    expect(session.getSnapshot()).toMatchObject({ status: 'anonymous', error });
  });
});

describe('a session with a mechanism of its own', () => {
  const attach = ({ init }: { init: RequestInit }) => init;

  test('takes the credential and whose it is', async () => {
    const session = createSession(
      { login: async () => ({ credential: 'a', subject: 'ada' }), attach },
      { server: true },
    );
    await session.enter({ credential: 'b', subject: 'grace' });
    expect([sessionCore(session).getSubject(), sessionCore(session).getCredential()]).toEqual(['grace', 'b']);
  });

  test('or calls the mechanism’s own `enter` with the arguments', async () => {
    const session = createSession(
      {
        enter: async (key: string, subject: string): Promise<SignedIn<string, unknown>> => ({
          credential: key,
          subject,
        }),
        attach,
      },
      { server: true },
    );
    await session.enter('key-1', 'ada');
    expect([sessionCore(session).getSubject(), sessionCore(session).getCredential()]).toEqual(['ada', 'key-1']);
  });
});

test('ready() starts the check that no one has started, and resolves when it is known who is signed in', async () => {
  const answer = deferred<Response>();
  const { session, fake } = setupCookieSession({ tabs: false }, { 'GET /whoami': () => answer.promise });
  let isReady = false;
  const ready = Promise.all([session.ready(), session.ready()]).then(() => (isReady = true));
  await settle();
  expect([isReady, session.getSnapshot().status]).toEqual([false, 'restoring']);
  answer.resolve(json({ id: 'ada' }));
  await ready;
  expect(session.getSnapshot()).toMatchObject({ status: 'authenticated', user: { id: 'ada' } });
  await session.ready();
  expect(fake.seen.map(({ path }) => path)).toEqual(['/whoami']);
});

test('ready() never rejects: a check that fails leaves the user signed out, with the error', async () => {
  const { session } = setupCookieSession({ tabs: false }, { 'GET /whoami': networkError });
  await session.ready();
  expect(session.getSnapshot()).toMatchObject({ status: 'anonymous', unconfirmed: 'restore' });
  expect(session.getSnapshot().error).toBeInstanceOf(RefreshUnavailableError);
});

test('ready() resolves at once where there is nothing to check', async () => {
  const { session, server } = setupTokenSession();
  await session.ready();
  expect(session.getSnapshot().status).toBe('anonymous');
  expect(server.seen).toEqual([]);
});

interface User {
  id: string;
}

/** A session with a credential that is sent as it is, and the server that sees it. */
function ownSession(more: Partial<Mechanism<string, User>>, answer: Route = () => json({})) {
  const server = mockServer({ '*': answer });
  const session = createSession<string, User>(
    {
      login: async () => ({ credential: 'c1', subject: 'ada', user: { id: 'ada' } }),
      attach: ({ init }, credential) => ({ ...init, headers: { 'X-Credential': credential ?? 'none' } }),
      ...more,
    },
    { server: true },
  );
  const get = new (authEndpoint(session))({ urlPrefix: API, path: '/article' }) as unknown as () => Promise<unknown>;
  return { session, get, sent: () => server.seen.map(({ headers }) => headers.get('x-credential')) };
}

test('a credential that is read while a refresh replaces it does not bring the old one back', async () => {
  const read = deferred<string>();
  let isHeld = true;
  const { session, get, sent } = ownSession({
    read: credential => (isHeld ? ((isHeld = false), read.promise) : credential),
    refresh: async current => ({ ...current, credential: 'c2' }),
  });
  await session.login();
  const request = get();
  await settle();
  await session.refresh();
  read.resolve('c1, read again');
  await request;
  await get();
  expect(sent()).toEqual(['c2', 'c2']);
});

test.each([
  ['another user: the session ends', 'ada', 'grace', 'anonymous'],
  ['the same user', 'ada', 'ada', 'authenticated'],
  ['no user: it is the user’s of before', 'ada', undefined, 'authenticated'],
  ['a user, where the sign-in named none', undefined, 'ada', 'authenticated'],
])('a refresh that names %s', async (_name, before, after, status) => {
  const { session, get, sent } = ownSession({
    login: async () => ({ credential: 'c1', subject: before, user: { id: 'ada' } }),
    refresh: async () => ({ credential: 'c2', subject: after }),
  });
  await session.login();
  const { user, epoch } = session.getSnapshot();
  const error = await session.refresh().then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(session.getSnapshot().status).toBe(status);
  if (status === 'anonymous') {
    expect(error).toBeInstanceOf(SessionExpiredError);
    expect(session.getSnapshot().reason).toBe('expired');
    return;
  }
  expect(error).toBeUndefined();
  await get();
  expect(sent()).toEqual(['c2']);
  expect(session.getSnapshot()).toMatchObject({ user, epoch });
  expect(sessionCore(session).getSubject()).toBe('ada');
});

test('a refusal while no user is signed in is the caller’s, and no credential is refreshed or classified', async () => {
  const classify = vi.fn(() => 'unauthorized' as const);
  const refresh = vi.fn();
  const { session, get } = ownSession({ classify, refresh }, () => json({}, 401));
  expect(await errorOf(get())).toMatchObject({ name: 'NetworkError', status: 401 });
  expect(classify).not.toHaveBeenCalled();
  expect(refresh).not.toHaveBeenCalled();
  expect(session.getSnapshot()).toMatchObject({ status: 'anonymous', reason: undefined, error: undefined });
});

test.each([500, 404, 403])(
  'an answer %i is not sent again, also where the token was replaced in the meantime',
  async status => {
    const { session, server, ArticleResource } = setupTokenSession();
    await session.login(ada);
    const answered = deferred();
    server.routes['*'] = async () => {
      await answered.promise;
      return json({}, status);
    };
    const request = errorOf(ArticleResource.partialUpdate({ id: '1' }, { title: 'Mine' }));
    await settle();
    await session.refresh();
    answered.resolve();
    expect(await request).toMatchObject({ status });
    expect(server.count('PATCH /article')).toBe(1);
  },
);

test.each([
  [new InvalidCredentialError('No header can carry it.'), InvalidCredentialError],
  [new Error('The SDK is offline.'), RefreshUnavailableError],
])('where `read` fails with %s, nothing is sent, and the user stays signed in', async (failure, expected) => {
  let isBroken = false;
  const read = () => {
    if (isBroken) throw failure;
    return 'c1';
  };
  const { session, get, sent } = ownSession({ read });
  await session.login();
  isBroken = true;
  expect(await errorOf(get())).toBeInstanceOf(expected);
  expect(sent()).toEqual([]);
  expect(session.getSnapshot().status).toBe('authenticated');
});

describe('logins that are late', () => {
  const [ada, grace] = [{ name: 'ada' }, { name: 'grace' }];

  test('a logout that fails after a later login was called leaves no error with the user who signed in', async () => {
    const answered = deferred<Response>();
    const { session, server } = setupTokenSession({}, { 'POST /logout': () => answered.promise });
    await session.login(ada);
    const logout = errorOf(session.logout());
    await settle();
    const login = session.login(grace);
    const errors: unknown[] = [];
    session.subscribe(() => void errors.push(session.getSnapshot().error));
    answered.resolve(json({}, 500));
    expect(await logout).toMatchObject({ status: 500 });
    await login;
    expect(errors.filter(error => error instanceof LogoutUnconfirmedError)).toEqual([]);
    expect(session.getSnapshot()).toMatchObject({ status: 'authenticated', user: { id: 'grace' }, error: undefined });
    expect(server.count('/logout')).toBe(1);
  });

  test('a logout during a second login does not carry the token that the server has ended before', async () => {
    const { session, server, clock, issue } = setupTokenSession();
    await session.login(ada);
    await session.logout();
    const answered = deferred();
    server.routes['POST /login'] = async () => {
      await answered.promise;
      return json(issue('grace'));
    };
    const login = errorOf(session.login(grace));
    await settle();
    const logout = session.logout();
    await clock.advance(10_000);
    answered.resolve();
    await Promise.all([login, logout]);
    await settle();
    expect(server.to('/logout').map(tokenOf)).toEqual(['ada-1', 'grace-1']);
  });

  test('a token login that a later one has overtaken is answered late: the user of now stays until the later one is answered', async () => {
    const { session, server, issue } = setupTokenSession();
    await session.login(ada);
    const answers = [deferred(), deferred()];
    let sent = 0;
    server.routes['POST /login'] = async seen => {
      const { username: name } = JSON.parse(seen.body) as { username: string };
      await answers[sent++]!.promise;
      return json(issue(name));
    };
    const first = errorOf(session.login(grace));
    await settle();
    const second = session.login({ name: 'cy' });
    answers[0]!.resolve();
    await first;
    await settle();
    expect(session.getSnapshot()).toMatchObject({ status: 'authenticated', user: { id: 'ada' } });
    answers[1]!.resolve();
    await second;
    expect(session.getSnapshot()).toMatchObject({ status: 'authenticated', user: { id: 'cy' } });
    // What nobody uses is ended.
    expect(server.to('/logout').map(tokenOf)).toEqual(['grace-1']);
  });
});

describe('state', () => {
  type Event = SessionEvent<string, { name: string }>;
  type Known = State<string, { name: string }>;

  const ada = { credential: 'ada-1', signIn: { subject: 'ada', user: { name: 'Ada' } } };
  const grace = { credential: 'grace-1', signIn: { subject: 'grace', user: { name: 'Grace' } } };
  const position = { id: '1', revision: 0 };
  const failed = new RefreshUnavailableError();
  const unconfirmed = new LogoutUnconfirmedError();

  const restoring: Known = initialState('restoring');
  const after = (...events: Event[]) => events.reduce<Known>((state, event) => transition(state, event), restoring);
  const found: Event = { type: 'found', ...ada, position };
  const signedIn = after(found);
  const locked = transition(signedIn, { type: 'signed-out', reason: 'expired', locks: true });
  const signedOut = transition(signedIn, { type: 'signed-out', reason: 'signed-out' });
  const stale = transition(signedIn, { type: 'stale' });

  /** Only the fields that a row names; a missing one is undefined. */
  const fieldsOf = (state: Known, row: Partial<Known>) =>
    Object.fromEntries(Object.keys(row).map(key => [key, state[key as keyof Known]]));

  const counts = ({ epoch, generation, version }: Known) => ({ epoch, generation, version });

  describe.each<[name: string, before: Known, event: Event, after: Partial<Known>]>([
    [
      'the first check finds Ada: no new epoch',
      restoring,
      found,
      { status: 'authenticated', epoch: 0, generation: 0, version: 1 },
    ],
    [
      'the first check finds nobody',
      restoring,
      { type: 'found-no-user', reason: 'expired' },
      { status: 'anonymous', reason: undefined, epoch: 0, version: 0 },
    ],
    [
      'the first check gets no answer',
      restoring,
      { type: 'unchecked', error: failed },
      { status: 'anonymous', unconfirmed: 'restore', error: failed },
    ],
    [
      'a check finds the same user',
      stale,
      { type: 'found', ...ada },
      { status: 'authenticated', stale: false, epoch: 0, generation: 0, version: 2 },
    ],
    [
      'a check finds another user',
      stale,
      { type: 'found', ...grace },
      { signIn: grace.signIn, stale: false, epoch: 1, generation: 1 },
    ],
    [
      'a check finds nobody',
      stale,
      { type: 'found-no-user', reason: 'expired' },
      { status: 'anonymous', reason: 'expired', epoch: 1, generation: 1 },
    ],
    [
      'a check without an answer signs nobody out, and stays due',
      stale,
      { type: 'unchecked', error: failed },
      { status: 'authenticated', stale: true },
    ],
    [
      'a login of the same user',
      signedIn,
      { type: 'signed-in', ...ada, credential: 'ada-2' },
      { credential: 'ada-2', epoch: 0, generation: 0 },
    ],
    [
      'a login of another user',
      signedIn,
      { type: 'signed-in', ...grace },
      { signIn: grace.signIn, epoch: 1, generation: 1 },
    ],
    [
      'the same subject in another organization',
      signedIn,
      { type: 'signed-in', ...ada, signIn: { ...ada.signIn, tenant: 'globex' } },
      { epoch: 1, generation: 1 },
    ],
    ['a login from nobody keeps the store', signedOut, { type: 'signed-in', ...grace }, { epoch: 2, generation: 1 }],
    [
      'a refresh',
      signedIn,
      { type: 'refreshed', ...ada, credential: 'ada-2' },
      { credential: 'ada-2', epoch: 0, generation: 0, version: 2 },
    ],
    [
      'a refresh that comes after the sign-out',
      signedOut,
      { type: 'refreshed', ...ada },
      { status: 'anonymous', credential: undefined },
    ],
    ['a refresh of a stale page leaves it stale', stale, { type: 'refreshed', ...ada }, { stale: true }],
    [
      'a sign-out',
      signedIn,
      { type: 'signed-out', reason: 'signed-out' },
      { status: 'anonymous', signIn: undefined, credential: undefined, epoch: 1, generation: 1 },
    ],
    [
      'a lock keeps the user and the store',
      signedIn,
      { type: 'signed-out', reason: 'idle', locks: true },
      { status: 'locked', reason: 'idle', signIn: ada.signIn, credential: undefined, epoch: 0, generation: 0 },
    ],
    [
      'the same user unlocks',
      locked,
      { type: 'signed-in', ...ada },
      { status: 'authenticated', reason: undefined, epoch: 0, generation: 0 },
    ],
    [
      'another user unlocks',
      locked,
      { type: 'signed-in', ...grace },
      { status: 'authenticated', epoch: 1, generation: 1 },
    ],
    [
      'the end of a lock',
      locked,
      { type: 'signed-out', reason: 'signed-out' },
      { status: 'anonymous', reason: 'signed-out', epoch: 1, generation: 1 },
    ],
    [
      'a failed logout',
      signedOut,
      { type: 'failed', error: unconfirmed },
      { error: unconfirmed, unconfirmed: 'logout' },
    ],
    ['a failed login', signedOut, { type: 'failed', error: failed }, { error: failed, unconfirmed: undefined }],
    ['nobody is never stale', signedOut, { type: 'stale' }, { stale: false }],
    [
      'a frozen page is shown again',
      signedIn,
      { type: 'reset', status: 'restoring', because: failed },
      { status: 'restoring', position: NO_POSITION, epoch: 1, generation: 1 },
    ],
    [
      'a frozen page of nobody mounts its tree again',
      signedOut,
      { type: 'reset', status: 'restoring', because: failed },
      { status: 'restoring', epoch: 2, generation: 2 },
    ],
  ])('%s', (_name, before, event, expected) => {
    test('makes the next state', () => {
      const next = transition(before, event);
      expect(fieldsOf(next, expected)).toEqual(expected);
      for (const count of ['epoch', 'generation', 'version'] as const)
        expect(counts(next)[count]).toBeGreaterThanOrEqual(counts(before)[count]);
    });
  });

  test('an unconfirmed logout stays unconfirmed until the server confirms it, or a user signs in', () => {
    const left = transition(signedOut, { type: 'failed', error: unconfirmed });
    const checked = transition(left, { type: 'found-no-user', reason: 'expired' });
    expect([checked.unconfirmed, transition(left, { type: 'unchecked', error: failed }).unconfirmed]).toEqual([
      'logout',
      'logout',
    ]);
    const gone = { unconfirmed: undefined, error: undefined };
    expect(fieldsOf(transition(left, { type: 'logout-confirmed' }), gone)).toEqual(gone);
    expect(fieldsOf(transition(left, { type: 'signed-in', ...grace }), gone)).toEqual(gone);
  });

  test('an event that changes nothing returns the same state', () => {
    expect(transition(signedOut, { type: 'signed-out', reason: 'expired' })).toBe(signedOut);
    expect(transition(locked, { type: 'signed-out', reason: 'idle', locks: true })).toBe(locked);
    expect(transition(stale, { type: 'stale' })).toBe(stale);
    expect(transition(signedOut, { type: 'refreshed', ...ada })).toBe(signedOut);
  });

  test('requests of an ended epoch reject with the reason of its end', () => {
    const because = Object.assign(new SessionExpiredError(), { response: new Response(null, { status: 401 }) });
    expect(endReasonOf({ type: 'signed-out', reason: 'expired', because })).toBe(because);
    expect(endReasonOf({ type: 'found-no-user', reason: 'expired' })).toBeInstanceOf(SessionExpiredError);
    expect(endReasonOf({ type: 'signed-out', reason: 'elsewhere' })).toBeInstanceOf(SignedOutError);
    expect(endReasonOf({ type: 'signed-in', ...grace }).name).toBe('AbortError');
  });
});
