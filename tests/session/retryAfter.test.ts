import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { RefreshUnavailableError, RestEndpoint } from '../../src/entries/core.js';
import { retryAt } from '../../src/session/retryPause.js';
import { setupCookieSession } from './support/setupCookieSession.js';
import { errorOf } from './support/promises.js';
import { functionServer } from './support/functionServer.js';
import { settle } from './support/manualClock.js';
import { API } from './support/article.js';
import { setupTokenSession } from './support/setupTokenSession.js';

const NOW = Date.UTC(2030, 0, 1);
const refusal = (status: number, headers: Record<string, string>) => ({
  response: new Response(null, { status, headers }),
});

test('a wait is what the server asked for, in seconds or as a date by its own clock, and at most a minute', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -100, max: 200 }),
      fc.constantFrom(429, 503),
      fc.integer({ min: -3600, max: 3600 }),
      (seconds, status, clockError) => {
        const serverNow = NOW + clockError * 1000;
        const date = (at: number) => new Date(at).toUTCString();
        const expected = NOW + Math.min(Math.max(seconds, 0), 60) * 1000;
        expect(retryAt(refusal(status, { 'Retry-After': String(seconds) }), NOW)).toBe(expected);
        expect(
          retryAt(refusal(status, { 'Retry-After': date(serverNow + seconds * 1000), Date: date(serverNow) }), NOW),
        ).toBe(expected);
        expect(retryAt(refusal(status, { 'Retry-After': date(NOW + seconds * 1000) }), NOW)).toBe(expected);
      },
    ),
  );
});

test('there is no wait without a date or seconds, with another status, and for an error without a response', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme-ascii' }).filter(text => !/\d/.test(text)),
      text => {
        expect(retryAt(refusal(503, { 'Retry-After': text }), NOW)).toBe(NOW);
      },
    ),
  );
  for (const text of ['5 s', 'in 5', '1e1', '2030-01-01T00:00:05Z', 'at Tue, 01 Jan 2030 00:00:05 GMT'])
    expect(retryAt(refusal(503, { 'Retry-After': text }), NOW)).toBe(NOW);
  expect(retryAt(refusal(500, { 'Retry-After': '5' }), NOW)).toBe(NOW);
  for (const error of [undefined, null, 'no', new TypeError('fetch failed'), { response: {} }, { response: 5 }])
    expect(retryAt(error, NOW)).toBe(NOW);
});

test.each([429, 503])('no refresh is sent before the time that a %i named', async status => {
  let isDown = true;
  const { session, server, clock, expire, burst, refreshRoute } = setupTokenSession(
    {},
    {
      'POST /refresh': seen =>
        isDown ? new Response(null, { status, headers: { 'Retry-After': '30' } }) : refreshRoute(seen),
    },
  );
  await session.login({ name: 'ada' });
  expire();
  for (const refreshes of [1, 1, 1]) {
    const reasons = await Promise.all(burst(3).map(errorOf));
    for (const reason of reasons) expect(reason).toBeInstanceOf(RefreshUnavailableError);
    expect((await errorOf(session.refresh())).cause).toMatchObject({ status });
    expect(server.to('/refresh')).toHaveLength(refreshes);
    await clock.advance(9_999);
  }
  isDown = false;
  await clock.advance(3);
  await Promise.all(burst(3));
  expect(server.to('/refresh')).toHaveLength(2);
  expect(session.getSnapshot().status).toBe('authenticated');
});

test('the next user waits for nothing that the server asked of the one before', async () => {
  const { session, server, expire } = setupTokenSession(
    {},
    { 'POST /refresh': () => new Response(null, { status: 503, headers: { 'Retry-After': '30' } }) },
  );
  for (const name of ['ada', 'grace']) {
    await session.login({ name });
    expire();
    await errorOf(session.refresh());
  }
  expect(server.to('/refresh')).toHaveLength(2);
});

const busy =
  (seconds: number, status = 503) =>
  () =>
    new Response(null, { status, headers: { 'Retry-After': String(seconds) } });

/** What happens on a page while the server wants to be left alone; all of it would ask whoami otherwise. */
const ACTS = ['focus', 'request', 'cookie', 'shown again', 'remount', 'try again'] as const;

test('until the time that whoami named, only a user who tries again makes it be called; after that, anything does', async () => {
  const step = fc.record({ ms: fc.nat(6_000), act: fc.constantFrom(...ACTS) });
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 12 }),
      fc.constantFrom(429, 503),
      fc.integer({ min: 1, max: 60 }),
      fc.boolean(),
      async (steps, status, seconds, isSignedIn) => {
        const { session, clock, jar, focus, whoamis, window, fake, rotate, ArticleResource } = setupCookieSession(
          { tabs: false },
          {},
          functionServer,
        );
        if (isSignedIn) jar.person = 'ada';
        let unsubscribe = session.subscribe(() => {});
        await settle();
        await clock.advance(10_000);
        fake.routes['GET /whoami'] = busy(seconds, status);
        const acts: Record<(typeof ACTS)[number], () => unknown> = {
          focus,
          request: () => ArticleResource.get({ id: '1' }).catch(() => {}),
          cookie: () => {
            rotate(`c${Math.random()}`);
            return ArticleResource.get({ id: '1' }).catch(() => {});
          },
          'shown again': () => window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true })),
          remount: () => {
            unsubscribe();
            unsubscribe = session.subscribe(() => {});
          },
          // While a user is signed in, it is a refresh of the CSRF token.
          'try again': () =>
            session.getSnapshot().status === 'anonymous' ? session.refresh().catch(() => {}) : undefined,
        };
        focus();
        await settle();
        expect(whoamis()).toBe(2);
        let [until, expected] = [clock.now() + seconds * 1000, 2];
        for (const { ms, act } of steps) {
          await clock.advance(ms);
          if (clock.now() >= until) break;
          const isExplicit = act === 'try again' && session.getSnapshot().status === 'anonymous';
          void acts[act]();
          await settle();
          if (isExplicit) [until, expected] = [clock.now() + seconds * 1000, expected + 1];
          expect(whoamis()).toBe(expected);
        }
        await clock.advance(Math.max(until - clock.now(), 0) + 5_000);
        focus();
        await settle();
        expect(whoamis()).toBe(expected + 1);
        session.dispose();
      },
    ),
  );
});

test('a restore by a refresh cookie waits too, and a user who tries again does not', async () => {
  const { session, server, window } = setupRestore();
  session.subscribe(() => {});
  await settle();
  for (let times = 0; times < 3; times++) {
    window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }));
    await settle();
    expect(session.getSnapshot()).toMatchObject({ status: 'anonymous', unconfirmed: 'restore' });
    expect((session.getSnapshot().error as Error).cause).toMatchObject({ status: 429 });
  }
  expect(server.count('/restore')).toBe(1);
  await errorOf(session.refresh());
  expect(server.count('/restore')).toBe(2);
});

function setupRestore() {
  const window = new EventTarget();
  vi.stubGlobal('addEventListener', window.addEventListener.bind(window));
  vi.stubGlobal('removeEventListener', window.removeEventListener.bind(window));
  const restore = new RestEndpoint({ urlPrefix: API, path: '/restore', method: 'POST', body: undefined });
  return { window, ...setupTokenSession({ restore: restore as never }, { 'POST /restore': busy(30, 429) }) };
}

test('a system clock that is set back by three hours ends the wait: nobody knows how long it has been', async () => {
  let isDown = true;
  const { session, server, clock, expire, burst, refreshRoute } = setupTokenSession(
    {},
    {
      'POST /refresh': seen =>
        isDown ? new Response(null, { status: 503, headers: { 'Retry-After': '30' } }) : refreshRoute(seen),
    },
  );
  await session.login({ name: 'ada' });
  expire();
  await Promise.all(burst(3).map(errorOf));
  isDown = false;
  await clock.advance(-3 * 60 * 60_000);
  await Promise.all(burst(3));
  expect(server.to('/refresh')).toHaveLength(2);
});
