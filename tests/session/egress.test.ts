import { expect, test, vi } from 'vitest';
import { authEndpoint, createTokenSession, RestEndpoint } from '../../src/entries/core.js';
import { RedirectRefusedError, UntrustedOriginError } from '../../src/errors.js';
import { json } from './support/answers.js';
import { API, tokenOf } from './support/article.js';
import { mockServer, type Seen, stubAnswer } from './support/mockServer.js';
import { errorOf } from './support/promises.js';
import { setupCookieSession } from './support/setupCookieSession.js';
import { setupTokenSession } from './support/setupTokenSession.js';

const ELSEWHERE = [
  'https://evil.test/x',
  '//evil.test/x',
  String.raw`\\evil.test/x`,
  'https://api.example.com.evil.test/x',
  'https://api.example.com@evil.test/x',
  'https://sub.api.example.com/x',
  'https://api.example.com:8443/x',
  'http://api.example.com/x',
  'HTTPS://EVIL.TEST/x',
  'https://api.example.com%2eevil.test/x',
  'wss://api.example.com/x',
];

test.each(ELSEWHERE)('a session of https://api.example.com sends nothing to %s (scenario 12)', async address => {
  for (const page of [undefined, 'https://page.test/app']) {
    const { session, server, Endpoint } = setupTokenSession({ trustedOrigins: [API] }, { '*': () => json({}) });
    if (page) vi.stubGlobal('location', new URL(page));
    await session.login({ name: 'ada' });
    server.clear();
    const get = new Endpoint({ path: '/x', url: () => address } as never) as unknown as () => Promise<unknown>;
    const error = await errorOf(get());
    expect(error).toBeInstanceOf(UntrustedOriginError);
    expect(error.message).toMatch(
      /^Credentials are not sent to .+\. If its server takes the credentials of this session, add it .+ put the component below a provider of that session\. Or mark the endpoint `public: true`/,
    );
    expect(error.message + error.stack).not.toContain('ada-1');
    expect(server.seen).toHaveLength(0);
  }
});

test.each([
  'https://api.example.com/x',
  'https://API.example.com:443/x',
  String.raw`https://api.example.com\@evil.test/x`,
])('the listed origin gets exactly one token, however it is written: %s', async address => {
  const { session, server, Endpoint } = setupTokenSession({ trustedOrigins: [`${API}/`] }, { '*': () => json({}) });
  await session.login({ name: 'ada' });
  server.clear();
  const get = new Endpoint({ path: '/x', url: () => address } as never) as unknown as () => Promise<unknown>;
  await get();
  expect(server.seen.map(seen => `${new URL(seen.url).host} ${tokenOf(seen)}`)).toEqual(['api.example.com ada-1']);
});

test('without listed origins, the page’s own and the endpoint’s urlPrefix are trusted, and nothing else', async () => {
  const { session, server, Endpoint } = setupTokenSession({}, { '*': () => json({}) });
  vi.stubGlobal('location', new URL('https://page.test/app'));
  await session.login({ name: 'ada' });
  server.clear();
  const get = (urlPrefix: string, path: string) =>
    (new Endpoint({ urlPrefix, path } as never) as unknown as () => Promise<unknown>)();
  await get('', '/x');
  await get('https://elsewhere.test', '/x');
  expect(server.seen.map(tokenOf)).toEqual(['ada-1', 'ada-1']);
  for (const [prefix, path] of [
    ['', '//evil.test/x'],
    ['https://api.example.com', '.evil.test/x'],
    ['https://api.example.com', '@evil.test/x'],
  ] as const) {
    const Raw = class extends Endpoint {
      override url() {
        return prefix + path;
      }
    };
    expect(
      await errorOf((new Raw({ urlPrefix: prefix, path: '/x' }) as unknown as () => Promise<unknown>)()),
    ).toBeInstanceOf(UntrustedOriginError);
  }
  expect(server.seen).toHaveLength(2);
});

test('a page with a <base> of another origin sends it no token', async () => {
  const { session, server, Endpoint } = setupTokenSession({}, { '*': () => json({}) });
  await session.login({ name: 'ada' });
  vi.stubGlobal('location', new URL('https://page.test/app'));
  vi.stubGlobal('document', { baseURI: 'https://evil.test/' });
  server.clear();
  expect(await errorOf((new Endpoint({ path: '/x' }) as unknown as () => Promise<unknown>)())).toBeInstanceOf(
    UntrustedOriginError,
  );
  expect(server.seen).toHaveLength(0);
});

test('login, refresh, restore and logout of a token session go to trusted origins only, and follow no redirect (scenario 25)', async () => {
  const answer = { accessToken: 'ada-1', refreshToken: 'ada-refresh-1', user: { id: 'ada' } };
  const at = (urlPrefix: string, path: string) => new RestEndpoint({ urlPrefix, path, method: 'POST' }) as never;
  const sessionAt = (urlPrefix: string, more: object = {}) =>
    createTokenSession<[object], typeof answer>({
      login: at(urlPrefix, '/login'),
      refresh: at(urlPrefix, '/refresh'),
      logout: at(urlPrefix, '/logout'),
      trustedOrigins: [API],
      server: true,
      ...more,
    });
  const server = mockServer({ '*': () => json(answer) });

  const elsewhere = sessionAt('https://evil.test', { restore: at('https://evil.test', '/restore') });
  expect((await errorOf(elsewhere.refresh())).cause).toBeInstanceOf(UntrustedOriginError);
  expect(await errorOf(elsewhere.login({ password: 'lovelace' }))).toBeInstanceOf(UntrustedOriginError);
  const moved = sessionAt('https://evil.test', { login: at(API, '/login') });
  await moved.login({});
  server.clear();
  expect((await errorOf(moved.refresh())).cause).toBeInstanceOf(UntrustedOriginError);
  expect(moved.getSnapshot().status).toBe('authenticated');
  expect(await errorOf(moved.logout())).toBeInstanceOf(UntrustedOriginError);
  expect(moved.getSnapshot().status).toBe('anonymous');
  expect(server.seen).toEqual([]);

  const session = sessionAt(API, { restore: at(API, '/restore') });
  for (const call of [session.refresh, session.refresh, () => session.login({}), session.logout]) await call();
  expect(server.seen.map(({ path, redirect }) => `${path} ${redirect}`)).toEqual([
    '/restore manual',
    '/refresh manual',
    '/login manual',
    '/logout manual',
  ]);
});

test('login, whoami, logout and the CSRF fetch of a cookie session follow no redirect', async () => {
  const { session, fake, rotate } = setupCookieSession({ credentials: 'same-origin' });
  await session.refresh();
  await session.login({ name: 'ada' });
  rotate('c2', false);
  await session.refresh();
  await session.logout();
  expect(fake.seen.map(({ path, redirect }) => `${path} ${redirect}`)).toEqual([
    '/whoami manual',
    '/login manual',
    '/csrf manual',
    // The fresh CSRF token does not say whose it is.
    ...['/whoami manual'],
    '/logout manual',
  ]);
});

test.each([301, 302, 303, 307, 308])(
  'a whoami that is answered with %i is a check that failed, and signs no user out',
  async redirect => {
    const moved = () => new Response(null, { status: redirect, headers: { location: '/accounts/login/' } });
    const { session } = setupCookieSession({}, { 'GET /whoami': moved });
    expect((await errorOf(session.refresh())).cause).toBeInstanceOf(RedirectRefusedError);
    expect(session.getSnapshot()).toMatchObject({
      status: 'anonymous',
      reason: undefined,
      error: { name: 'RefreshUnavailableError' },
    });
  },
);

test.each([301, 302, 303, 307, 308])(
  'a %i is not followed with a token, and says so without its query',
  async redirect => {
    const { session, server, status, ArticleResource } = setupTokenSession(
      {},
      { '*': () => new Response(null, { status: redirect, headers: { location: 'https://evil.test/' } }) },
    );
    await session.login({ name: 'ada' });
    const error = await errorOf(ArticleResource.getList({ secret: 'x' }));
    expect(error).toBeInstanceOf(RedirectRefusedError);
    expect(error.message).toBe(
      "https://api.example.com/article redirected, and this request follows no redirect: its credentials would go to an unknown address. Let the endpoint's `urlPrefix` and `path` name the final address; where no user is signed in, let the server answer 401 instead of redirecting to its login page.",
    );
    expect(server.to('/article').map(seen => seen.redirect)).toEqual(['manual']);
    expect(status()).toBe('authenticated');
  },
);

test.each(['follow', 'error'] as const)(
  'an endpoint that asks for redirect: %s gets it only where that is stricter',
  async redirect => {
    const { session, server, ArticleResource } = setupTokenSession({}, { '*': () => json({ id: '1' }) });
    await session.login({ name: 'ada' });
    await ArticleResource.get.extend({ requestInit: { redirect } })({ id: '1' });
    expect(server.to('/article').map(seen => seen.redirect)).toEqual([redirect === 'follow' ? 'manual' : 'error']);
  },
);

test('a mutation with a CSRF header does not follow redirects either; a safe request of the page’s own origin does', async () => {
  const { session, fake, ArticleResource } = setupCookieSession({ credentials: 'same-origin' });
  await session.login({ name: 'ada' });
  await ArticleResource.update({ id: '1' }, { title: 'a' });
  await ArticleResource.get({ id: '1' });
  expect(fake.to('/article').map(({ redirect }) => redirect)).toEqual(['manual', 'follow']);
});

test('a request with cookies for another origin follows no redirect, whatever its method', async () => {
  const { session, fake, ArticleResource } = setupCookieSession({ credentials: 'include' });
  await session.login({ name: 'ada' });
  await ArticleResource.get({ id: '1' });
  expect(fake.to('/article').map(({ redirect }) => redirect)).toEqual(['manual']);
});

type Call = () => Promise<unknown>;

const sentAs = (seen: readonly Seen[]) => seen.map(({ method, path, cache }) => `${method} ${path} ${cache}`);

test('a token session sends every request, its own calls too, past the HTTP cache', async () => {
  const { session, server, Endpoint, ArticleResource, expire } = setupTokenSession(
    { restore: new RestEndpoint({ urlPrefix: API, path: '/restore' }) as never },
    { 'GET /restore': () => json({}, 401), 'GET /news': () => json([]) },
  );
  await session.refresh();
  await ArticleResource.get({ id: '1' }).catch(() => {});
  await session.login({ name: 'ada' });
  expire();
  await ArticleResource.get({ id: '2' });
  await (new Endpoint({ urlPrefix: API, path: '/news', public: true }) as unknown as Call)();
  await session.logout();
  expect(sentAs(server.seen)).toEqual([
    'GET /restore no-store',
    'GET /article/1 no-store',
    'POST /login no-store',
    'GET /article/2 no-store',
    'POST /refresh no-store',
    'GET /article/2 no-store',
    'GET /news no-store',
    'POST /logout no-store',
  ]);
});

test('so does a cookie session: whoami and the fetch of the CSRF token too', async () => {
  const { session, fake, jar, ArticleResource } = setupCookieSession();
  await session.refresh();
  jar.csrf = undefined;
  await session.login({ name: 'ada' });
  await ArticleResource.get({ id: '1' });
  await session.logout();
  expect(sentAs(fake.seen)).toEqual([
    'GET /whoami no-store',
    'GET /csrf no-store',
    'POST /login no-store',
    'GET /article/1 no-store',
    'POST /logout no-store',
  ]);
});

test('an endpoint’s own cache mode wins, in its options and in getRequestInit; for the session’s own calls too', async () => {
  const whoami = new RestEndpoint({ urlPrefix: API, path: '/whoami', requestInit: { cache: 'no-cache' } });
  const { session, fake } = setupCookieSession({ whoami: whoami as never }, { 'GET /news': () => json([]) });
  await session.refresh();
  class Reloading extends authEndpoint(session) {
    override async getRequestInit(body: any): Promise<RequestInit> {
      return { ...(await super.getRequestInit(body)), cache: 'reload' };
    }
  }
  await session.login({ name: 'ada' });
  fake.clear();
  await session.logout();
  await session.refresh();
  const Endpoint = authEndpoint(session);
  const endpoints = [
    new Endpoint({ urlPrefix: API, path: '/news', requestInit: { cache: 'default' } }),
    new Endpoint({ urlPrefix: API, path: '/news', public: true, requestInit: { cache: 'force-cache' } }),
    new Reloading({ urlPrefix: API, path: '/news' }),
  ];
  for (const endpoint of endpoints) await (endpoint as unknown as Call)();
  expect(sentAs(fake.seen)).toEqual([
    'POST /logout no-store',
    'GET /whoami no-cache',
    'GET /news default',
    'GET /news force-cache',
    'GET /news reload',
  ]);
});

test('an endpoint without a session leaves the cache mode to the browser', async () => {
  const server = mockServer({ '*': () => json({}) });
  await (new RestEndpoint({ urlPrefix: API, path: '/news' }) as unknown as Call)();
  expect(sentAs(server.seen)).toEqual(['GET /news default']);
});

test.each([
  ['another origin', 'https://login.test/sso', true, 'authenticated'],
  ['the page’s own origin', 'https://page.test/article/2', true, 'anonymous'],
  ['nowhere, for it was not redirected', 'https://login.test/sso', false, 'anonymous'],
])('a 401 of a request that a redirect has led to %s', async (_name, url, redirected, status) => {
  const answer = () =>
    Object.defineProperties(json({}, 401), { url: { value: url }, redirected: { value: redirected } });
  const { session, ArticleResource } = setupCookieSession({ tabs: false, credentials: 'same-origin' });
  await session.login({ name: 'ada' });
  stubAnswer('/article/1', answer);
  vi.stubGlobal('location', new URL('https://page.test/app'));
  expect(await errorOf(ArticleResource.get({ id: '1' }))).toBeInstanceOf(Error);
  expect(session.getSnapshot().status).toBe(status);
});

test('where there is no page, an address that only a page completes is left to `fetch`, also with a list of origins', async () => {
  const { session, server, Endpoint } = setupTokenSession({ trustedOrigins: [API] }, { '*': () => json({}) });
  await session.login({ name: 'ada' });
  await (new Endpoint({ path: '/article' }) as unknown as () => Promise<unknown>)();
  expect(server.to('/article').map(({ url }) => url)).toEqual(['https://page.test/article']);
});

test('a server that has a `location`, and is no worker, is a server', async () => {
  vi.stubGlobal('location', new URL('https://api.test/'));
  const session = createTokenSession({ login: async () => ({ accessToken: 'ada-1' }) });
  expect((await errorOf(session.login())).message).toMatch(/^This session was not made for a server/);
});

test('null among the arguments of logout is an argument', async () => {
  const seen: unknown[] = [];
  const session = createTokenSession({
    server: true,
    login: async () => ({ accessToken: 'ada-1' }),
    logout: async (_tokens, all: null) => void seen.push(all),
  });
  await session.login();
  await session.logout(null);
  expect(seen).toEqual([null]);
});
