import { Endpoint, RestEndpoint as ForeignEndpoint } from '@data-client/rest';
import type { ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { bindSession } from '../../src/endpoints/boundSession.js';
import { SessionContext } from '../../src/endpoints/SessionContext.js';
import { sessionCore } from '../../src/endpoints/sessionCore.js';
import { MissingProviderError } from '../../src/errors.js';
import {
  authEndpoint,
  createTokenSession,
  Entity,
  hookifyResource,
  IdentityChangedError,
  resource,
  useAuthInit,
  useEndpoint,
} from '../../src/index.js';
import { json } from '../session/support/answers.js';
import { mockServer } from '../session/support/mockServer.js';

const urlPrefix = 'https://api.example.com';

class Article extends Entity {
  id = '';
  title = '';
}

const articles = () => resource({ urlPrefix, path: '/article/:id', schema: Article, paginationField: 'page' });

async function signedIn(name: string) {
  const session = createTokenSession({
    server: true,
    login: async () => ({ accessToken: `${name}-1`, user: { id: name } }),
  });
  await session.login();
  return session;
}

/** What a hook returns at one render of a component, below a session or not. */
function rendered<T>(hook: () => T, session?: Awaited<ReturnType<typeof signedIn>>): T {
  let result: T | undefined;
  function Probe(): ReactNode {
    result = hook();
    return null;
  }
  renderToString(
    session ? (
      <SessionContext.Provider value={bindSession(sessionCore(session))}>
        <Probe />
      </SessionContext.Provider>
    ) : (
      <Probe />
    ),
  );
  return result as T;
}

afterEach(() => {
  vi.unstubAllEnvs();
});

test.each(['production', 'development'])('a hook called outside a render says so, by its name (%s)', mode => {
  vi.stubEnv('NODE_ENV', mode);
  const silenced = vi.spyOn(console, 'error').mockImplementation(() => {});
  const { useGetList } = hookifyResource(articles(), () => ({}));
  expect(() => useGetList()).toThrow(
    'useGetList() was called outside a render. Call it in a component or hook, keep the endpoint it returns, and use that in handlers and effects.',
  );
  silenced.mockRestore();
});

test('without a provider the default useInit names what is missing', () => {
  const { useGet } = hookifyResource(articles());
  expect(() => rendered(useGet)).toThrow(
    'useGet() found no auth provider above it. Put the component below a <TokenAuthProvider>, <CookieAuthProvider> or <ContextTokenProvider>.',
  );
});

test('every endpoint has its hook, those of extend too; other members have none', () => {
  const R = hookifyResource(
    articles().extend('vote', { path: '/article/:id/vote', method: 'POST' }) as object,
    () => ({}),
  ) as Record<string, unknown>;
  expect(
    Object.keys(
      hookifyResource({
        n: 1,
        text: 'x',
        none: null,
        help: () => 1,
        like: { extend: () => 1, key: () => '' },
        half: Object.assign(() => 1, { extend: () => 1 }),
      }),
    ),
  ).toEqual([]);
  const stock = ['useCreate']; // of data-client 0.10 only
  expect(
    Object.keys(R)
      .filter(name => !stock.includes(name))
      .sort(),
  ).toEqual(['useDelete', 'useGet', 'useGetList', 'usePartialUpdate', 'useUpdate', 'useVote']);
});

test('equal inits give the same endpoint, at every render and in every component; others give another', () => {
  let tenant = 'a';
  const { useGetList } = hookifyResource(articles(), () => ({
    credentials: 'include' as const,
    headers: new Headers({ 'X-Tenant': tenant }),
  }));
  const first = rendered(useGetList);
  expect(rendered(useGetList)).toBe(first);
  expect(rendered(useGetList).push).toBe(first.push);
  expect(rendered(useGetList).getPage).toBe(first.getPage);
  tenant = 'b';
  expect(rendered(useGetList)).not.toBe(first);
  tenant = 'a';
  expect(rendered(useGetList)).toBe(first);
});

test.each<[string, RequestInit, RequestInit]>([
  ['a field', { credentials: 'include' }, { credentials: 'include', cache: 'no-cache' }],
  ['a header', { headers: { 'X-Tenant': 'a' } }, { headers: { 'X-Tenant': 'a', 'X-Role': 'admin' } }],
])('an init with %s more, or one fewer, is another init', (_name, fewer, more) => {
  let init = fewer;
  const { useGet } = hookifyResource(articles(), () => init);
  const first = rendered(useGet);
  init = more;
  const second = rendered(useGet);
  expect(second).not.toBe(first);
  expect(second.requestInit).toMatchObject(more);
  init = fewer;
  expect(rendered(useGet)).toBe(first);
});

test('the init is merged with the resource’s own and wins over it', async () => {
  const server = mockServer({ '*': () => json({ id: '1' }) });
  const base = resource({ urlPrefix, path: '/article/:id', schema: Article }).extend((made: any) => ({
    get: made.get.extend({ requestInit: { headers: { 'X-A': 'own', 'X-B': 'own' } } }),
  })) as ReturnType<typeof articles>;
  const { useGet, useUpdate } = hookifyResource(base, () => ({ headers: { 'x-a': 'init' } }));
  await rendered(useGet)({ id: '1' });
  await rendered(useUpdate)({ id: '1' }, { title: 'x' });
  expect(
    server.seen.map(({ headers }) => [headers.get('x-a'), headers.get('x-b'), headers.get('content-type')]),
  ).toEqual([
    ['init', 'own', 'application/json'],
    ['init', null, 'application/json'],
  ]);
});

test('one hookified resource serves two sessions side by side, by useAuthInit and by an init around it', async () => {
  const server = mockServer({ '*': () => json({ id: '1' }) });
  const [ada, bob] = [await signedIn('ada'), await signedIn('bob')];
  const { useGet } = hookifyResource(articles());
  const { useGetList } = hookifyResource(articles(), () => ({ ...useAuthInit(), headers: { 'X-Tenant': 't' } }));
  expect(rendered(useGet, ada)).toBe(rendered(useGet, ada));
  expect(rendered(useGet, ada)).not.toBe(rendered(useGet, bob));
  for (const session of [ada, bob]) {
    await rendered(useGet, session)({ id: '1' });
    await rendered(useGetList, session).push({ title: 'x' });
  }
  expect(server.seen.map(({ headers }) => `${headers.get('access-token')} ${headers.get('x-tenant')}`)).toEqual([
    'ada-1 null',
    'ada-1 t',
    'bob-1 null',
    'bob-1 t',
  ]);
});

test('useEndpoint binds one endpoint to the session of the provider, memoized', async () => {
  const server = mockServer({ '*': () => json({ id: '1' }) });
  const session = await signedIn('ada');
  const { get } = articles();
  const bound = rendered(() => useEndpoint(get), session);
  expect(rendered(() => useEndpoint(get), session)).toBe(bound);
  await bound({ id: '1' });
  expect(server.seen[0]?.headers.get('access-token')).toBe('ada-1');
});

test('without a provider, useEndpoint says what is missing', () => {
  expect(() => rendered(() => useEndpoint(articles().get))).toThrow(MissingProviderError);
  expect(() => rendered(() => useEndpoint(articles().get))).toThrow(/^useEndpoint\(\) found no auth provider/);
});

test('an endpoint of another class is refused by name, unless the init belongs to no session', async () => {
  const session = await signedIn('ada');
  const foreign = new ForeignEndpoint({ urlPrefix, path: '/x' });
  expect(() => rendered(() => useEndpoint(foreign), session)).toThrow(TypeError);
  expect(() => rendered(() => useEndpoint(foreign), session)).toThrow(
    "https://api.example.com/x cannot carry a session's credentials, because its class is not the kit's. Make it with resource() or RestEndpoint of data-client-auth, or give hookifyResource a useInit of your own.",
  );
  const { useGet } = hookifyResource({ get: foreign }, () => ({ headers: { 'X-A': '1' } }));
  expect(rendered(useGet)).toBe(rendered(useGet));
});

test('data-client’s Endpoint, which need not have a name, is refused in words', async () => {
  const session = await signedIn('ada');
  const nameless = new Endpoint(async () => 1);
  // data-client reports the missing name.
  const silenced = vi.spyOn(console, 'error').mockImplementation(() => {});
  expect(() => rendered(() => useEndpoint(nameless), session)).toThrow(/^An endpoint without a name cannot carry/);
  silenced.mockRestore();
});

test('a resource whose class is bound to a session by authEndpoint can be hookified for another', async () => {
  const server = mockServer({ '*': () => json({ id: '1' }) });
  const [ada, bob] = [await signedIn('ada'), await signedIn('bob')];
  const { useGet } = hookifyResource(
    resource({ urlPrefix, path: '/article/:id', schema: Article, Endpoint: authEndpoint(ada) }),
  );
  await rendered(useGet, bob)({ id: '1' });
  expect(server.seen[0]?.headers.get('access-token')).toBe('bob-1');
});

describe('bound endpoints', () => {
  const articles = resource({ urlPrefix, path: '/article/:id', schema: Article, paginationField: 'page' });
  const open = resource({ urlPrefix, path: '/article/:id', schema: Article, public: true });
  const Hooked = hookifyResource(articles);
  const Tenant = hookifyResource(articles, () => ({ ...useAuthInit(), headers: { 'X-Tenant': 'a' } }));
  const Open = hookifyResource(open);

  interface Keyed {
    key(...args: unknown[]): string;
  }

  /** An endpoint, and the arguments of a call. */
  type Captured = readonly [endpoint: unknown, ...args: unknown[]];

  function call([endpoint, ...args]: Captured): Promise<unknown> {
    return (endpoint as (...args: unknown[]) => Promise<unknown>)(...args);
  }

  /** What a screen of now would capture. */
  function useCaptured(): Record<string, Captured> {
    const getList = Hooked.useGetList();
    return {
      get: [Hooked.useGet(), { id: '1' }],
      getList: [getList],
      push: [getList.push, { title: 'Mine' }],
      unshift: [getList.unshift, { title: 'Mine' }],
      assign: [getList.assign, { title: 'Mine' }],
      getPage: [getList.getPage, { page: 2 }],
      'a change': [Hooked.usePartialUpdate(), { id: '1' }, { title: 'Mine' }],
      'a deletion': [Hooked.useDelete(), { id: '1' }],
      'an endpoint that extend() derives': [
        Hooked.useGet().extend({ dataExpiryLength: 5 }).extend({ path: '/draft/:id' }),
        { id: '1' },
      ],
      useEndpoint: [useEndpoint(articles.get), { id: '1' }],
      'push of useEndpoint': [useEndpoint(articles.getList).push, { title: 'Mine' }],
      'a useInit that spreads useAuthInit()': [Tenant.useGet(), { id: '1' }],
      'push of a useInit that spreads useAuthInit()': [Tenant.useGetList().push, { title: 'Mine' }],
      'a public endpoint': [Open.useGet(), { id: '1' }],
    };
  }

  let sent: string[];

  beforeEach(() => {
    sent = [];
    vi.stubGlobal('fetch', async (url: string, { method = 'GET' }: RequestInit) => {
      sent.push(`${method} ${url.replace(urlPrefix, '')}`);
      return Response.json(method === 'GET' && !/\/\d$/.test(url) ? [] : { id: '1', title: 'A' });
    });
  });

  afterEach(() => {
    vi.unstubAllGlobals();
  });

  function makeSession() {
    return createTokenSession({
      server: true,
      login: async (name: string) => ({ accessToken: `${name}-1`, user: { id: name } }),
      refresh: async () => ({ accessToken: 'ada-2', user: { id: 'ada' } }),
    });
  }

  type Session = ReturnType<typeof makeSession>;

  /** What a hook returns at one render of a screen. */
  function rendered<T>(hook: () => T, session: Session): T {
    let result: T | undefined;
    function Screen(): ReactNode {
      result = hook();
      return null;
    }
    renderToString(
      <SessionContext.Provider value={bindSession(sessionCore(session))}>
        <Screen />
      </SessionContext.Provider>,
    );
    return result as T;
  }

  const capture = (session: Session) => rendered(useCaptured, session);

  /** Resolves with what has become of the calls before anything but promises has had its turn. */
  async function outcomes(captured: ReturnType<typeof useCaptured>): Promise<Record<string, unknown>> {
    const became: Record<string, unknown> = Object.fromEntries(Object.keys(captured).map(name => [name, 'pending']));
    for (const [name, one] of Object.entries(captured)) {
      call(one).then(
        () => (became[name] = 'answered'),
        (error: unknown) => (became[name] = error),
      );
    }
    for (let turn = 0; turn < 50; turn++) await Promise.resolve();
    return became;
  }

  const MESSAGE =
    'This call belongs to the screen of an identity that has left, so nothing was sent. Call the endpoint or controller that the current screen renders.';

  describe.each<[string, (session: Session) => unknown]>([
    ['a switch', session => session.login('grace')],
    ['a sign-out', session => session.logout()],
    ['a sign-out and a sign-in of the same user', async session => (await session.logout(), session.login('ada'))],
    ['an expiry', session => sessionCore(session).expire()],
    ['the end of the session', session => session.dispose()],
  ])('after %s', (_, leave) => {
    test('what a screen of Ada has captured rejects at once, and sends nothing', async () => {
      const session = makeSession();
      await session.login('ada');
      const captured = capture(session);
      await leave(session);
      const became = await outcomes(captured);
      for (const [name, error] of Object.entries(became)) {
        expect(error, name).toBeInstanceOf(IdentityChangedError);
        expect((error as Error).message, name).toBe(MESSAGE);
      }
      expect(sent).toEqual([]);
    });
  });

  test.each<[string, (session: Session) => unknown]>([
    ['a sign-in of a signed-out user', session => session.login('ada')],
    ['a refresh', async session => (await session.login('ada'), session.refresh())],
    ['another login of the same user', async session => (await session.login('ada'), session.login('ada'))],
  ])('%s leaves it as it is: the same endpoints, and they are sent', async (_, go) => {
    const session = makeSession();
    const captured = capture(session);
    await go(session);
    for (const [name, [endpoint]] of Object.entries(capture(session)))
      if (!name.includes('extend()')) expect(endpoint, name).toBe(captured[name]![0]);
    for (const one of Object.values(captured)) await call(one);
    expect(sent).toHaveLength(Object.keys(captured).length);
  });

  test('a bound endpoint has the key of the endpoint that it was made from, for each identity', async () => {
    const session = makeSession();
    await session.login('ada');
    const keyOf = (captured: ReturnType<typeof useCaptured>) => (captured.get![0] as Keyed).key({ id: '1' });
    const ofAda = keyOf(capture(session));
    await session.login('grace');
    expect([ofAda, keyOf(capture(session))]).toEqual([articles.get.key({ id: '1' }), articles.get.key({ id: '1' })]);
  });

  test('a caller that is told of the end by its abort signal finds the endpoints ended', async () => {
    const session = makeSession();
    await session.login('ada');
    const captured = capture(session);
    let late: Promise<unknown> | undefined;
    vi.stubGlobal(
      'fetch',
      (_url: string, { signal }: RequestInit) =>
        new Promise((_resolve, reject) => {
          signal!.addEventListener('abort', () => {
            late = call(captured.get!);
            late.catch(() => {});
            reject(signal!.reason as Error);
          });
        }),
    );
    const first = call(captured.get!);
    first.catch(() => {});
    await new Promise(resolve => setImmediate(resolve));
    await session.login('grace');
    await expect(first).rejects.toThrow('The identity changed while this request was under way');
    await expect(late).rejects.toThrow(MESSAGE);
  });
});
