import { expect, test } from 'vitest';
import { authEndpoint, RestEndpoint } from '../../src/entries/core.js';
import { setupCookieSession } from './support/setupCookieSession.js';
import { json } from './support/answers.js';
import { mockServer, type Seen } from './support/mockServer.js';
import { API } from './support/article.js';
import { setupTokenSession } from './support/setupTokenSession.js';

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
