import { expect, test } from 'vitest';
import { RefreshUnavailableError, RestEndpoint, SessionExpiredError } from '../../src/entries/core.js';
import { json, networkError } from './support/answers.js';
import { API, type Tokens } from './support/article.js';
import { settle } from './support/manualClock.js';
import { deferred, errorOf, outcomes } from './support/promises.js';
import { setupCookieSession } from './support/setupCookieSession.js';
import { setupTokenSession } from './support/setupTokenSession.js';

const SECOND = 1_000;

/** Ada's requests are on the wire with a token that has expired; the server refuses each of them when the test says so. */
async function setupOutage(outage: () => Response | Promise<Response>, options = {}) {
  const setup = setupTokenSession(options, { 'POST /refresh': outage });
  const { server, session, expire, dataRoute } = setup;
  const held = Array.from({ length: 20 }, () => deferred());
  await session.login({ name: 'ada' });
  expire();
  server.routes['*'] = async seen => {
    const answer = await dataRoute(seen);
    if (answer.status === 401) await held[Number(seen.path.split('/').pop())]?.promise;
    return answer;
  };
  return {
    ...setup,
    /** Refuses the requests one after another: each one's refresh has ended before the next refusal comes. */
    refuse: async (from: number, to: number) => {
      for (const { resolve } of held.slice(from, to)) {
        resolve();
        await settle();
      }
    },
  };
}

test.each([
  ['answers 500', () => json({}, 500)],
  ['cannot be reached', networkError],
  ['answers null', () => json(null)],
])('while the refresh %s, 20 requests that are refused one after another cost one', async (_name, outage) => {
  const { server, burst, refuse, status, refreshRoute } = await setupOutage(outage);
  const requests = outcomes(burst(20));
  await settle();
  await refuse(0, 20);
  const { reasons } = await requests;
  expect(reasons.filter(reason => reason instanceof RefreshUnavailableError)).toHaveLength(20);
  expect(server.count('/refresh')).toBe(1);
  expect(server.count('/article')).toBe(20);
  expect(status()).toBe('authenticated');

  server.routes['POST /refresh'] = refreshRoute;
  await burst(1)[0];
  expect(server.count('/refresh')).toBe(2);
});

test('each request that is started after a failed refresh tries again, and so does `session.refresh()`', async () => {
  const { session, server, burst, refuse } = await setupOutage(() => json({}, 500));
  await refuse(0, 20);
  for (let tries = 1; tries <= 3; tries++) {
    await errorOf(burst(1)[0] as Promise<unknown>);
    expect(server.count('/refresh')).toBe(tries);
  }
  await errorOf(session.refresh());
  expect(server.count('/refresh')).toBe(4);
});

test('a request that was sent before a failed refresh joins the next one under way, and is replayed', async () => {
  const { session, server, burst, refuse, refreshRoute } = await setupOutage(() => json({}, 500));
  const [first, second] = burst(2).map(request => outcomes([request]));
  await settle();
  await refuse(0, 1);
  expect((await first!).reasons[0]).toBeInstanceOf(RefreshUnavailableError);
  const held = deferred();
  server.routes['POST /refresh'] = seen => held.promise.then(() => refreshRoute(seen));
  const refreshed = session.refresh();
  await settle();
  await refuse(1, 2);
  held.resolve();
  await refreshed;
  expect(await second).toEqual({ resolved: 1, reasons: [] });
  expect(server.count('/refresh')).toBe(2);
});

test('a request that is refused long after the failure, such as an upload, tries again', async () => {
  const { server, clock, burst, refuse, refreshRoute } = await setupOutage(() => json({}, 500));
  const all = burst(3).map(request => outcomes([request]));
  await settle();
  await refuse(0, 1);
  await clock.advance(2 * SECOND - 1);
  await refuse(1, 2);
  expect(server.count('/refresh')).toBe(1);
  server.routes['POST /refresh'] = refreshRoute;
  await clock.advance(1);
  await refuse(2, 3);
  // All that was sent before the failure shares it.
  expect(server.count('/refresh')).toBe(1);
  expect((await Promise.all(all)).map(({ resolved }) => resolved)).toEqual([0, 0, 0]);
});

test('while a CSRF token cannot be fetched, 10 requests that are refused one after another cost one fetch', async () => {
  const { session, fake, data, ArticleResource, rotate, status } = setupCookieSession(
    {},
    { 'GET /csrf': () => json({}, 500) },
  );
  const held = Array.from({ length: 10 }, () => deferred());
  await session.login({ name: 'ada' });
  rotate('c2', false);
  fake.routes['*'] = async seen => {
    const answer = await data(seen);
    await held[Number(seen.path.split('/').pop())]?.promise;
    return answer;
  };
  const requests = outcomes(held.map((_, id) => ArticleResource.delete({ id: String(id) })));
  await settle();
  for (const { resolve } of held) {
    resolve();
    await settle();
  }
  expect((await requests).reasons.map(reason => (reason as Error).name)).toEqual(
    held.map(() => 'RefreshUnavailableError'),
  );
  expect(fake.count('GET /csrf')).toBe(1);
  expect(fake.count('DELETE')).toBe(10);
  expect(status()).toBe('authenticated');
});

test.each([
  ['text/html; charset=utf-8', 'authenticated'],
  ['application/json', 'anonymous'],
])(
  'a `refresh` that throws an error without a status for a page: a 403 of %s leaves the user %s',
  async (type, status) => {
    const call = new RestEndpoint({ urlPrefix: API, path: '/refresh', method: 'POST' });
    const refresh = async (tokens: object) =>
      (call as (body: object) => Promise<Tokens>)(tokens).catch((error: Error & { response?: Response }) => {
        const isPage = error.response?.headers.get('Content-Type')?.startsWith('text/html');
        throw isPage ? new Error('A page answered the refresh.', { cause: error }) : error;
      });
    const setup = await setupOutage(
      () => new Response('<!doctype html>', { status: 403, headers: { 'Content-Type': type } }),
      { refresh },
    );
    const refused = await errorOf(setup.session.refresh());
    expect(refused).toBeInstanceOf(status === 'anonymous' ? SessionExpiredError : RefreshUnavailableError);
    expect(setup.status()).toBe(status);
  },
);
