import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, test, vi } from 'vitest';
import {
  attachHeader,
  authEndpoint,
  createCookieSession,
  createSession,
  createTokenSession,
  RefreshUnavailableError,
  RestEndpoint,
  SessionExpiredError,
  type Mechanism,
  type Session,
  type TokenSession,
} from '../../src/entries/core.js';
import { InvalidCredentialError, UntrustedOriginError } from '../../src/errors.js';
import { setupCookieSession } from './support/setupCookieSession.js';
import { json, never } from './support/answers.js';
import { mockServer } from './support/mockServer.js';
import { errorOf } from './support/promises.js';
import { API, tokenOf } from './support/article.js';
import { setupTokenSession } from './support/setupTokenSession.js';
import { pageGate } from './support/pageGate.js';

interface User {
  id: string;
}

/** An API key that the user types at login, and the server checks. */
function keySession(
  more: Partial<Mechanism<string, User, [key: string]>> = {},
  options: Parameters<typeof createSession>[1] = { server: true },
) {
  const own: { session?: Session } = {};
  const session = createSession(
    {
      trustedOrigins: [API],
      async login(key: string) {
        const user = await check(own)({ key });
        return { credential: key, user, subject: user.id };
      },
      attach: ({ init }, key) => (key === undefined ? init : attachHeader(init, 'X-API-Key', key)),
      ...more,
    } satisfies Mechanism<string, User, [key: string]>,
    options as never,
  );
  own.session = session;
  return session;
}

/** Bound to the session that calls it: then it is the login's own. */
const check = (own: { session?: Session }, urlPrefix = API) =>
  new (authEndpoint(own.session!))({ urlPrefix, path: '/check', method: 'POST' }) as unknown as (
    body: object,
  ) => Promise<User>;

const readThing = (session: ReturnType<typeof keySession>, urlPrefix = API) =>
  (new (authEndpoint(session))({ urlPrefix, path: '/thing' }) as unknown as () => Promise<unknown>)();

test('a session with a mechanism of one’s own attaches its credential, follows no redirect and ends at a 401', async () => {
  let accepts = true;
  const server = mockServer({ '/check': () => json({ id: 'ada' }), '*': () => json({}, accepts ? 200 : 401) });
  const session = keySession();
  await readThing(session);
  expect(await session.login('ada-key')).toEqual({ id: 'ada' });
  await readThing(session);
  expect(server.seen.map(({ path, redirect, headers }) => [path, redirect, headers.get('x-api-key')])).toEqual([
    ['/thing', 'follow', null],
    ['/check', 'manual', null],
    ['/thing', 'manual', 'ada-key'],
  ]);
  accepts = false;
  await errorOf(readThing(session));
  expect(session.getSnapshot()).toMatchObject({ status: 'anonymous', reason: 'expired' });
});

test('its `trustedOrigins` hold for its requests and for its auth calls, without a check of its own', async () => {
  const server = mockServer({ '*': () => json({ id: 'ada' }) });
  const own: { session?: Session } = {};
  const login = async (key: string) => ({
    credential: key,
    user: await check(own, 'https://evil.test')({ key }),
    subject: 'ada',
  });
  const session = keySession({ login });
  own.session = session;
  expect(await errorOf(session.login('ada-key'))).toBeInstanceOf(UntrustedOriginError);
  expect(await errorOf(readThing(session, 'https://evil.test'))).toBeInstanceOf(UntrustedOriginError);
  expect(server.seen).toEqual([]);
  expect(() => keySession({ trustedOrigins: ['api.example.com'] })).toThrow('is not an origin');
});

test.each(['', 'a\nb', '\u{1f600}', 5])(
  'a credential that no header can carry is refused before any request, and not quoted: %j',
  async key => {
    const server = mockServer({ '/check': () => json({ id: 'ada' }), '*': () => json({}) });
    const session = keySession();
    await session.login(key as string);
    const error = await errorOf(readThing(session));
    expect(error).toBeInstanceOf(InvalidCredentialError);
    expect(error.message).toMatch(/^The value of X-API-Key /);
    expect(server.to('/thing')).toEqual([]);
  },
);

test.each([
  ['SessionExpiredError: nobody is signed in', new SessionExpiredError(), undefined],
  ['anything else: nobody knows', new Error('down'), expect.any(RefreshUnavailableError)],
])('a `restore` that rejects with %s', async (_, rejection, error) => {
  const session = keySession({ restore: () => Promise.reject(rejection) });
  await session.ready();
  expect(session.getSnapshot()).toMatchObject({ status: 'anonymous' });
  expect(session.getSnapshot().error).toEqual(error);
});

test('an asynchronous `attach` that is overtaken by a sign-out sends nothing', async () => {
  const server = mockServer({ '/check': () => json({ id: 'ada' }), '*': () => json({}) });
  const session = keySession({ attach: ({ init }, key) => (key === undefined ? init : never()) });
  await session.login('ada-key');
  const pending = errorOf(readThing(session));
  await new Promise(resolve => setImmediate(resolve));
  await session.logout();
  expect(await pending).toMatchObject({ name: 'AbortError' });
  expect(server.to('/thing')).toEqual([]);
});

const SENTENCE =
  'This session was not made for a server: its sign-in would be shared by all visitors. Make one session per request, inside the request handler, with the option `server: true`. A unit test without a `window` needs `server: true` too.';

test('without a window, a sign-in needs a session that was made for one request', async () => {
  const server = mockServer({ '*': () => json({ id: 'ada', accessToken: 'ada-1' }) });
  const login = async () => ({ id: 'ada', accessToken: 'ada-1' });
  const sessions = (options: { server?: boolean }) => [
    createTokenSession({ login, ...options }),
    createCookieSession({ login, whoami: login, ...options }),
    createSession({ login: async () => ({ credential: 1, subject: 'ada' }), attach: ({ init }) => init }, options),
  ];
  for (const session of sessions({})) {
    expect((await errorOf(session.login())).message).toBe(SENTENCE);
    expect(session.getSnapshot()).toMatchObject({
      status: expect.not.stringMatching('authenticated') as unknown,
      error: undefined,
    });
  }
  expect(server.seen).toEqual([]);
  for (const session of sessions({ server: true })) {
    await session.login();
    expect(session.getSnapshot().status).toBe('authenticated');
  }
});

test.each([
  ['a page or React Native', { window: {} }, true],
  ['a worker of a page', { WorkerGlobalScope: class {}, location: new URL('https://page.test') }, true],
  ['a server that calls itself a worker', { WorkerGlobalScope: class {} }, false],
])('a session of a module signs in on %s: %o', async (_where, globals, isFine) => {
  for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
  const session = createTokenSession({ login: async () => ({ accessToken: 'ada-1' }) });
  await session.login().catch(() => {});
  expect(session.getSnapshot().status).toBe(isFine ? 'authenticated' : 'anonymous');
});

test('the arguments of logout reach the option, behind the tokens, and the event of a click does not', async () => {
  const seen: unknown[][] = [];
  const token = createTokenSession({
    server: true,
    login: async () => ({ accessToken: 'ada-1', user: { id: 'ada' } }),
    logout: async ({ accessToken }, everywhere?: boolean) => void seen.push([accessToken, everywhere]),
  });
  await token.login();
  await token.logout(true);
  await token.login();
  await token.logout(new Event('click') as never);
  expect(seen).toEqual([
    ['ada-1', true],
    ['ada-1', undefined],
  ]);

  const whom: unknown[][] = [];
  const cookie = createCookieSession({
    server: true,
    login: async () => ({ id: 'ada' }),
    whoami: async () => ({ id: 'ada' }),
    logout: async (...args: [{ everywhere: boolean }]) => void whom.push(args),
  });
  await cookie.login();
  await cookie.logout({ everywhere: true });
  expect(whom).toEqual([[{ everywhere: true }]]);
});

test('a RestEndpoint as `logout` sends what logout was called with', async () => {
  const logout = new RestEndpoint({
    urlPrefix: API,
    path: '/logout',
    method: 'POST',
    body: {} as { everywhere: boolean },
  });
  const cookie = setupCookieSession({ logout: logout as never });
  await cookie.session.login({ name: 'ada' });
  await (cookie.session.logout as (body: object) => Promise<void>)({ everywhere: true });
  expect(cookie.fake.to('/logout').map(({ body }) => body)).toEqual(['{"everywhere":true}']);
  const token = setupTokenSession({ logout: logout as never });
  await token.session.login({ name: 'ada' });
  await (token.session.logout as (body: object) => Promise<void>)({ everywhere: true });
  expect(token.server.to('/logout').map(({ path, body }) => [path, body])).toEqual([
    ['/logout', '{"everywhere":true}'],
  ]);
});

describe('on a server, the session of a module gives no visitor the sign-in of another one', () => {
  const visitor = new AsyncLocalStorage<string>();
  const tokenOfVisitor = () => `token-of-${visitor.getStore()}`;
  const login = async () => ({ accessToken: 'unused' });

  test.each<[string, () => TokenSession<unknown, never, never, never>]>([
    [
      'that its storage has',
      () =>
        createTokenSession({
          login,
          storage: {
            tabs: false,
            in: {
              get: () => JSON.stringify({ credential: { accessToken: tokenOfVisitor() }, subject: visitor.getStore() }),
              set: () => {},
              remove: () => {},
            },
          },
          trustedOrigins: [API],
        }),
    ],
    [
      'that `restore` finds',
      () =>
        createTokenSession({
          login,
          restore: async () => ({ accessToken: tokenOfVisitor(), user: { id: visitor.getStore()! } }),
          trustedOrigins: [API],
        }),
    ],
  ])('%s', async (_, create) => {
    const server = mockServer({ '*': seen => json({ title: tokenOf(seen) }) });
    const session = create();
    for (const name of ['ada', 'grace']) {
      const error = await errorOf(visitor.run(name, () => session.fetch(`${API}/${name}`)));
      expect(error.message).toContain('`server: true`');
      expect(session.getSnapshot()).toMatchObject({ status: 'anonymous', error });
    }
    expect(server.seen).toEqual([]);
  });
});

test.each([false, true])(
  'a mechanism may be an instance of a class: the session calls its methods (browser-managed: %s)',
  async browserManaged => {
    const server = mockServer({ '*': seen => json({}, seen.headers.get('x-api-key') === 'k2' ? 200 : 401) });
    let key = 'k1';
    const methods: Mechanism<{ key: string }, User> = {
      login: async () => ({ credential: { key }, subject: 'ada' }),
      refresh: async current => ({ ...current, credential: { key: (key = 'k2') } }),
      logout: () => Promise.reject(Object.assign(new Error(), { response: new Response(null, { status: 401 }) })),
      refreshAt: () => undefined,
      read: credential => ({ ...credential }),
      isSame: (a, b) => a.key === b.key,
      attach: ({ init }, credential) => (credential ? attachHeader(init, 'X-API-Key', credential.key) : init),
      classify: ({ status }) => (status === 401 ? 'unauthorized' : undefined),
      subjectOf: () => undefined,
      ...(browserManaged && { restore: async () => ({ credential: { key }, subject: 'ada' }) }),
    };
    const called = new Set<string>();
    const prototype = Object.fromEntries(
      Object.entries(methods as unknown as Record<string, (...args: unknown[]) => unknown>).map(([name, method]) => [
        name,
        function (this: unknown, ...args: unknown[]) {
          if (this === mechanism) called.add(name);
          return method(...args);
        },
      ]),
    );
    const own = { trustedOrigins: [API], refreshOn: 'unauthorized', gate: browserManaged ? pageGate() : undefined };
    const mechanism = Object.assign(Object.create(prototype) as Mechanism<{ key: string }, User>, own);
    const session = createSession(mechanism, { server: true });
    await session.login();
    expect(await readThing(session as never)).toEqual({});
    expect(server.seen.map(({ headers }) => headers.get('x-api-key'))).toEqual(['k1', 'k2']);
    await errorOf(session.logout());
    expect([...called].sort()).toEqual(Object.keys(methods).sort());
  },
);
