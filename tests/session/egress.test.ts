import { expect, test, vi } from 'vitest';
import { createTokenSession, RedirectRefusedError, RestEndpoint, UntrustedOriginError } from '../../src/index.js';
import { cookieWorld } from './support/cookieWorld.js';
import { errorOf, fakeServer, json } from './support/fakeServer.js';
import { API, tokenOf, tokenWorld } from './support/tokenWorld.js';

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

test.each(ELSEWHERE)('a session of https://api.example.com sends nothing to %s', async address => {
  for (const page of [undefined, 'https://page.test/app']) {
    const { session, server, Endpoint } = tokenWorld({ origins: [API] }, { '*': () => json({}) });
    if (page) vi.stubGlobal('location', new URL(page));
    await session.login({ name: 'ada' });
    server.seen.length = 0;
    const get = new Endpoint({ path: '/x', url: () => address } as never) as unknown as () => Promise<unknown>;
    const error = await errorOf(get());
    expect(error).toBeInstanceOf(UntrustedOriginError);
    expect(error.message).toMatch(/^Credentials are not sent to .+\. Add it to the session's `origins`, or mark the endpoint `public: true`/);
    expect(error.message + error.stack).not.toContain('ada-1');
    expect(server.seen).toHaveLength(0);
  }
});

test.each(['https://api.example.com/x', 'https://API.example.com:443/x', String.raw`https://api.example.com\@evil.test/x`])(
  'the listed origin gets exactly one token, however it is written: %s',
  async address => {
    const { session, server, Endpoint } = tokenWorld({ origins: [`${API}/`] }, { '*': () => json({}) });
    await session.login({ name: 'ada' });
    server.seen.length = 0;
    const get = new Endpoint({ path: '/x', url: () => address } as never) as unknown as () => Promise<unknown>;
    await get();
    expect(server.seen.map(seen => `${new URL(seen.url).host} ${tokenOf(seen)}`)).toEqual(['api.example.com ada-1']);
  },
);

test('without listed origins, the page’s own and the endpoint’s urlPrefix are trusted, and nothing else', async () => {
  const { session, server, Endpoint } = tokenWorld({}, { '*': () => json({}) });
  vi.stubGlobal('location', new URL('https://page.test/app'));
  await session.login({ name: 'ada' });
  server.seen.length = 0;
  const get = (urlPrefix: string, path: string) => (new Endpoint({ urlPrefix, path } as never) as unknown as () => Promise<unknown>)();
  await get('', '/x');
  await get('https://elsewhere.test', '/x');
  expect(server.seen.map(tokenOf)).toEqual(['ada-1', 'ada-1']);
  for (const [prefix, path] of [['', '//evil.test/x'], ['https://api.example.com', '.evil.test/x'], ['https://api.example.com', '@evil.test/x']] as const) {
    const Raw = class extends Endpoint {
      override url() {
        return prefix + path;
      }
    };
    expect(await errorOf((new Raw({ urlPrefix: prefix, path: '/x' }) as unknown as () => Promise<unknown>)())).toBeInstanceOf(UntrustedOriginError);
  }
  expect(server.seen).toHaveLength(2);
});

test('a page with a <base> of another origin sends it no token', async () => {
  const { session, server, Endpoint } = tokenWorld({}, { '*': () => json({}) });
  await session.login({ name: 'ada' });
  vi.stubGlobal('location', new URL('https://page.test/app'));
  vi.stubGlobal('document', { baseURI: 'https://evil.test/' });
  server.seen.length = 0;
  expect(await errorOf((new Endpoint({ path: '/x' }) as unknown as () => Promise<unknown>)())).toBeInstanceOf(UntrustedOriginError);
  expect(server.seen).toHaveLength(0);
});

test('a session’s own logout carries its token to trusted origins only', async () => {
  const server = fakeServer({ '*': () => json({}) });
  const session = createTokenSession({
    login: async (name: string) => ({ accessToken: `${name}-1`, user: { id: name } }),
    logout: new RestEndpoint({ urlPrefix: 'https://evil.test', path: '/logout', method: 'POST' }) as never,
    origins: [API],
  });
  await session.login('ada');
  expect(await errorOf(session.logout())).toBeInstanceOf(UntrustedOriginError);
  expect(server.seen).toHaveLength(0);
  expect(session.getSnapshot().status).toBe('anonymous');
});

test('cookies and CSRF tokens go to listed origins only', async () => {
  const { session, fake, ArticleResource } = cookieWorld({ origins: [API] });
  await session.login({ name: 'ada' });
  fake.seen.length = 0;
  expect(await errorOf(ArticleResource.update.extend({ urlPrefix: 'https://evil.test' })({ id: '1' }, { title: 'a' }))).toBeInstanceOf(UntrustedOriginError);
  expect(fake.seen).toHaveLength(0);
});

test.each([301, 302, 303, 307, 308])('a %i is not followed with a token, and says so without its query', async redirect => {
  const { session, server, status, ArticleResource } = tokenWorld({}, { '*': () => new Response(null, { status: redirect, headers: { location: 'https://evil.test/' } }) });
  await session.login({ name: 'ada' });
  const error = await errorOf(ArticleResource.getList({ secret: 'x' }));
  expect(error).toBeInstanceOf(RedirectRefusedError);
  expect(error.message).toBe('https://api.example.com/article redirected, and credentials must not follow a redirect to an unknown address. Let the endpoint\'s `urlPrefix` and `path` name the final address.');
  expect(server.to('/article').map(seen => seen.redirect)).toEqual(['manual']);
  expect(status()).toBe('authenticated');
});

test.each(['follow', 'error'] as const)('an endpoint that asks for redirect: %s gets it only where that is stricter', async redirect => {
  const { session, server, ArticleResource } = tokenWorld({}, { '*': () => json({ id: '1' }) });
  await session.login({ name: 'ada' });
  await ArticleResource.get.extend({ requestInit: { redirect } })({ id: '1' });
  expect(server.to('/article').map(seen => seen.redirect)).toEqual([redirect === 'follow' ? 'manual' : 'error']);
});

test('a 304, which fetch does not follow, is no redirect', async () => {
  const { session, ArticleResource } = tokenWorld({}, { '*': () => new Response(null, { status: 304 }) });
  await session.login({ name: 'ada' });
  expect(await errorOf(ArticleResource.get({ id: '1' }))).toMatchObject({ status: 304, name: 'NetworkError' });
});

test('a mutation with a CSRF header does not follow redirects either; a safe request of the page’s own origin does', async () => {
  const { session, fake, ArticleResource } = cookieWorld({ credentials: 'same-origin' });
  await session.login({ name: 'ada' });
  await ArticleResource.update({ id: '1' }, { title: 'a' });
  await ArticleResource.get({ id: '1' });
  expect(fake.to('/article').map(({ redirect }) => redirect)).toEqual(['manual', 'follow']);
});

test('a request with cookies for another origin follows no redirect, whatever its method', async () => {
  const { session, fake, ArticleResource } = cookieWorld({ credentials: 'include' });
  await session.login({ name: 'ada' });
  await ArticleResource.get({ id: '1' });
  expect(fake.to('/article').map(({ redirect }) => redirect)).toEqual(['manual']);
});

test('nobody’s requests follow redirects, and carry nothing', async () => {
  const { server, ArticleResource } = tokenWorld({}, { '*': () => json({ id: '1' }) });
  await ArticleResource.get({ id: '1' });
  expect(server.seen.map(seen => [seen.redirect, tokenOf(seen)])).toEqual([['follow', null]]);
});

test('an origin that is none is refused when the session is made', () => {
  expect(() => createTokenSession({ login: async () => ({}), origins: ['api.example.com/v1'] })).toThrow(
    'origins: "api.example.com/v1" is not an origin. Write it as \'https://api.example.com\'.',
  );
});
