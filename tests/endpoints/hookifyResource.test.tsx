import { Endpoint, RestEndpoint as ForeignEndpoint } from '@data-client/rest';
import type { ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import { afterEach, expect, test, vi } from 'vitest';
import {
  authEndpoint,
  createTokenSession,
  Entity,
  hookifyResource,
  resource,
  useAuthInit,
  useEndpoint,
} from '../../src/index.js';
import { MissingProviderError } from '../../src/errors.js';
import { bindSession } from '../../src/endpoints/boundSession.js';
import { SessionContext } from '../../src/endpoints/SessionContext.js';
import { sessionCore } from '../../src/endpoints/sessionCore.js';
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
