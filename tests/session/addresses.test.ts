import { expect, test, vi } from 'vitest';
import { createTokenSession } from '../../src/entries/core.js';
import { setupCookieSession } from './support/setupCookieSession.js';
import { json } from './support/answers.js';
import { stubAnswer } from './support/mockServer.js';
import { errorOf } from './support/promises.js';
import { API } from './support/article.js';
import { setupTokenSession } from './support/setupTokenSession.js';

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

test('an address that is none is left to `fetch`, which says so', async () => {
  const { session, Endpoint } = setupTokenSession({ trustedOrigins: [API] });
  await session.login({ name: 'ada' });
  const get = new Endpoint({ path: '/x', url: () => 'https://' } as never) as unknown as () => Promise<unknown>;
  expect(await errorOf(get())).toMatchObject({ name: 'TypeError', message: 'Invalid URL' });
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
