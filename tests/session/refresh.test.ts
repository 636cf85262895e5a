import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { sessionCore } from '../../src/endpoints/sessionCore.js';
import {
  createSdkSession,
  createSession,
  RefreshUnavailableError,
  RestEndpoint,
  type Session,
  SessionExpiredError,
  SignedOutError,
} from '../../src/entries/core.js';
import type { RefreshArgument } from '../../src/mechanisms/tokenResponse.js';
import { retryAt } from '../../src/session/retryPause.js';
import { json, networkError, never } from './support/answers.js';
import { API, tokenOf } from './support/article.js';
import { functionServer } from './support/functionServer.js';
import { settle, until } from './support/manualClock.js';
import { deferred, errorOf, outcomes } from './support/promises.js';
import { setupCookieSession } from './support/setupCookieSession.js';
import { setupTokenSession } from './support/setupTokenSession.js';

test('401s that trickle in, some after the refresh, cost one refresh (scenario 1)', async () => {
  const late = deferred();
  const { session, server, burst, expire, dataRoute } = setupTokenSession();
  server.routes['*'] = async seen => {
    const answer = await dataRoute(seen);
    if (answer.status === 401 && Number(seen.path.split('/').pop()) % 2) await late.promise;
    return answer;
  };
  await session.login({ name: 'ada' });
  expire();

  const requests = burst(20);
  await settle();
  expect(server.count('/refresh')).toBe(1);
  late.resolve();
  expect((await outcomes(requests)).resolved).toBe(20);
  expect(server.count('/refresh')).toBe(1);
  expect(server.count('/article')).toBe(40);
});

test('a late 401 for the old token is replayed once with the new one; one for the new token refreshes again (scenario 2)', async () => {
  const late = deferred();
  const { session, server, ArticleResource, expire, dataRoute } = setupTokenSession();
  server.routes['GET /article/y'] = async seen => {
    const answer = await dataRoute(seen);
    if (answer.status === 401) await late.promise;
    return answer;
  };
  await session.login({ name: 'ada' });
  expire();
  const y = ArticleResource.get({ id: 'y' });
  await ArticleResource.get({ id: 'x' });
  expect(server.count('/refresh')).toBe(1);
  late.resolve();
  await y;
  expect(server.count('/refresh')).toBe(1);
  expect(server.to('/article/y').map(tokenOf)).toEqual(['ada-1', 'ada-2']);

  expire();
  await ArticleResource.get({ id: 'y' });
  expect(server.count('/refresh')).toBe(2);
});

test('a 401 that persists after a refresh ends the session once, after two tries of each request (scenario 3)', async () => {
  const { session, server, burst, status, clock } = setupTokenSession();
  server.routes['*'] = () => json({}, 401);
  await session.login({ name: 'ada' });
  const ends: string[] = [];
  session.subscribe(() => ends.push(`${status()} ${session.getSnapshot().reason}`));

  const { resolved, reasons } = await until(clock, outcomes(burst(20)));
  expect(resolved).toBe(0);
  expect(reasons.every(reason => reason instanceof SessionExpiredError)).toBe(true);
  // One of them tries once more, a second later.
  expect(server.count('/article')).toBeLessThanOrEqual(41);
  expect(server.count('/refresh')).toBe(1);
  expect(ends).toEqual(['anonymous expired']);
});

test.each([400, 401, 403])(
  'a refresh refused with %i rejects all who wait with one SessionExpiredError, and replays none (scenario 4)',
  async refusal => {
    const { session, server, burst, expire, status } = setupTokenSession(
      {},
      { 'POST /refresh': () => json({}, refusal) },
    );
    await session.login({ name: 'ada' });
    expire();
    let notices = 0;
    session.subscribe(() => notices++);

    const { resolved, reasons } = await outcomes(burst(20));
    expect(resolved).toBe(0);
    expect(new Set(reasons).size).toBe(1);
    expect(reasons[0]).toBeInstanceOf(SessionExpiredError);
    expect((reasons[0] as Error).message).toBe(
      'The session has expired: the server refused its credentials. Sign in again, then start the request again.',
    );
    expect(server.count('/article')).toBe(20);
    expect(server.count('/refresh')).toBe(1);
    expect(notices).toBe(1);
    expect(status()).toBe('anonymous');

    await session.login({ name: 'ada' });
    await expect(burst(1)[0]).resolves.toMatchObject({ title: 'of ada' });
  },
);

test.each([
  ['a 503', () => json({}, 503)],
  ['a network error', networkError],
  ['an answer without a token', () => json({})],
  ['an answer that is HTML', () => new Response('<!doctype html>')],
])(
  'a refresh that meets %s keeps the session, and the next request recovers with one more (scenario 5)',
  async (_name, outage) => {
    const { session, server, burst, expire, status, refreshRoute } = setupTokenSession({}, { 'POST /refresh': outage });
    await session.login({ name: 'ada' });
    expire();

    const { reasons } = await outcomes(burst(20));
    expect(reasons).toHaveLength(20);
    expect(reasons.every(reason => reason instanceof RefreshUnavailableError && reason.status === 503)).toBe(true);
    expect(server.count('/refresh')).toBe(1);
    expect(status()).toBe('authenticated');

    server.routes['POST /refresh'] = refreshRoute;
    await burst(1)[0];
    expect(server.count('/refresh')).toBe(2);
  },
);

test('requests join a refresh that takes longer than the timeout: it is one call, until its limit (scenario 31)', async () => {
  const held = deferred();
  const { session, server, burst, expire, clock, refreshRoute } = setupTokenSession();
  server.routes['POST /refresh'] = seen => held.promise.then(() => refreshRoute(seen));
  await session.login({ name: 'ada' });
  expire();
  for (let round = 0; round < 2; round++) {
    const requests = outcomes(burst(8));
    await settle();
    await clock.advance(10_000);
    expect((await requests).reasons.map(reason => (reason as Error).name)).toEqual(
      Array.from({ length: 8 }, () => 'RefreshUnavailableError'),
    );
  }
  const requests = outcomes(burst(8));
  await settle();
  held.resolve();
  expect((await requests).resolved).toBe(8);
  expect(server.count('/refresh')).toBe(1);
});

test.each([
  ['the user signs out', (session: Session<unknown, [{ name: string }]>) => session.logout()],
  ['another one signs in', (session: Session<unknown, [{ name: string }]>) => session.login({ name: 'bob' })],
  ['the session is disposed of', async (session: Session<unknown, [{ name: string }]>) => session.dispose()],
])(
  'a refresh is called off when %s, and not by the timeout: an endpoint’s request, and the signal that a function gets',
  async (name, end) => {
    const given: RefreshArgument[] = [];
    const waitForRefresh = async ({ session, burst, expire, clock }: ReturnType<typeof setupTokenSession>) => {
      await session.login({ name: 'ada' });
      expire();
      void outcomes(burst(1));
      await settle();
      await clock.advance(10_000);
    };
    const byFunction = setupTokenSession({ refresh: tokens => (given.push(tokens), new Promise(() => {})) });
    await waitForRefresh(byFunction);
    const byEndpoint = setupTokenSession({}, { 'POST /refresh': never });
    await waitForRefresh(byEndpoint);
    const signals = () => [given[0]!.signal, byEndpoint.server.to('/refresh')[0]!.signal].map(({ aborted }) => aborted);
    expect(signals()).toEqual([false, false]);
    for (const { session } of [byFunction, byEndpoint]) void end(session).catch(() => {});
    await settle();
    // A logout waits for what the refresh brings, and carries it.
    if (name === 'the user signs out') return;
    expect(signals()).toEqual([true, true]);
    expect(Object.keys(given[0]!)).toEqual(['refreshToken']);
    expect(byEndpoint.server.to('/refresh').map(({ body }) => body)).toEqual(['{"refreshToken":"ada-refresh-1"}']);
  },
);

test('a sign-out during a refresh drops its tokens, and what waits rejects with SignedOutError (scenario 7)', async () => {
  const held = deferred();
  const { session, server, burst, expire, status, clock, issue } = setupTokenSession();
  server.routes['POST /refresh'] = () => held.promise.then(() => json(issue('ada')));
  await session.login({ name: 'ada' });
  expire();
  const waiting = outcomes(burst(5));
  await settle();
  const signedOut = session.logout();
  const { reasons } = await waiting;
  expect(new Set(reasons).size).toBe(1);
  expect(reasons[0]).toBeInstanceOf(SignedOutError);
  held.resolve();
  await signedOut;
  await settle();
  expect(clock.pending).toBe(0);
  expect(status()).toBe('anonymous');
  expect(server.count('/article')).toBe(5);
  await errorOf(burst(1)[0] as Promise<unknown>);
  expect(tokenOf(server.seen.at(-1)!)).toBeNull();
});

test('a refresh answer with the tokens of another person ends the session', async () => {
  const { session, burst, expire, status, issue } = setupTokenSession(
    {},
    { 'POST /refresh': () => json(issue('bob')) },
  );
  await session.login({ name: 'ada' });
  expire();
  expect((await outcomes(burst(3))).reasons.every(reason => reason instanceof SessionExpiredError)).toBe(true);
  expect(status()).toBe('anonymous');
});

test('a refresh answer that tells less than the login is of the same person', async () => {
  const jwt = (sub: string, n: number) => `h.${btoa(JSON.stringify({ sub, n }))}.s`;
  const { session, server, burst, status } = setupTokenSession(
    { parseTokens: answer => ({ ...answer, subject: (answer as Partial<typeof answer>).user?.id.toUpperCase() }) },
    {
      'POST /login': () => json({ accessToken: jwt('auth|1', 1), refreshToken: 'r', user: { id: 'ada' } }),
      'POST /refresh': () => json({ accessToken: jwt('auth|1', 2) }),
    },
  );
  server.routes['*'] = seen => (tokenOf(seen) === jwt('auth|1', 2) ? json({ id: '0' }) : json({}, 401));
  await session.login({ name: 'ada' });
  expect((await outcomes(burst(3))).resolved).toBe(3);
  server.routes['POST /refresh'] = () => json({ accessToken: jwt('auth|2', 3) });
  await errorOf(session.refresh());
  expect(status()).toBe('anonymous');
});

test('a refresh that is overtaken by a login of the same person neither replaces its tokens nor ends it', async () => {
  for (const late of [() => json({ accessToken: 'stale' }), () => json({}, 401), () => json({}, 503)]) {
    const held = deferred();
    const { session, server, burst, expire, status } = setupTokenSession();
    server.routes['POST /refresh'] = () => held.promise.then(late);
    await session.login({ name: 'ada' });
    expire();
    const [waiting] = burst(1) as [Promise<unknown>];
    const refreshed = session.refresh();
    await settle();
    await session.login({ name: 'ada' });
    held.resolve();
    await waiting;
    await refreshed;
    expect(status()).toBe('authenticated');
    expect(tokenOf(server.seen.at(-1)!)).toBe('ada-2');
  }
});

test('a refresh changes neither the snapshot nor tells any subscriber', async () => {
  const { session, expire, burst, server } = setupTokenSession();
  await session.login({ name: 'ada' });
  const before = session.getSnapshot();
  let told = 0;
  session.subscribe(() => told++);
  expire();
  await burst(1)[0];
  await session.refresh();
  expect(server.count('/refresh')).toBe(2);
  expect(session.getSnapshot()).toBe(before);
  expect(told).toBe(0);
});

test('without a refresh option a 401 ends the session, and refresh() says what is missing', async () => {
  const { session, server, burst, expire, status, clock } = setupTokenSession({ refresh: undefined });
  await session.login({ name: 'ada' });
  expect((await errorOf(session.refresh())).message).toBe(
    'This session cannot refresh its credential: give it a `refresh` option.',
  );
  expire();
  const { reasons } = await until(clock, outcomes(burst(20)));
  expect(reasons.every(reason => reason instanceof SessionExpiredError)).toBe(true);
  expect(server.count('/article')).toBe(21);
  expect(status()).toBe('anonymous');
});

test('a refresh function that throws at once is unavailable', async () => {
  const { session, burst, expire, status } = setupTokenSession({
    refresh: () => {
      throw new Error('broken');
    },
  });
  await session.login({ name: 'ada' });
  expire();
  expect((await outcomes(burst(2))).reasons.every(reason => reason instanceof RefreshUnavailableError)).toBe(true);
  expect(status()).toBe('authenticated');
});

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

/** 0 to 13 microtasks: a refresh needs fewer than 13 after the server's answer. */
const MICROTASK_COUNTS = Array.from({ length: 14 }, (_, count) => count);

describe('a change of the user around the answer to a refresh wins over the refresh', () => {
  test.each(MICROTASK_COUNTS)('createSession: another user is adopted %i microtasks after the answer', async count => {
    // Both sign-ins have the credential `cookie`, so the session cannot tell them apart by it.
    const answer = deferred<{ credential: string; subject?: string; user: { id: string } }>();
    const session = createSession<string, { id: string }, [string]>(
      {
        login: async id => ({ credential: 'cookie', subject: id, user: { id } }),
        refresh: () => answer.promise,
        attach: ({ init }) => init,
      },
      { server: true },
    );
    onTestFinished(() => session.dispose());
    session.subscribe(() => {});
    await session.login('ada');
    const refreshed = session.refresh().catch(() => {});
    await settle();
    answer.resolve({ credential: 'of ada', user: { id: 'ada' } });
    for (let index = 0; index < count; index++) await Promise.resolve();
    sessionCore(session).adopt({ credential: 'cookie', subject: 'grace', user: { id: 'grace' } });
    await refreshed;
    await settle();
    expect(session.getSnapshot().user).toEqual({ id: 'grace' });
    expect(sessionCore(session).getSubject()).toBe('grace');
    expect(sessionCore(session).getCredential()).toBe('cookie');
  });

  test.each(MICROTASK_COUNTS)(
    'createSdkSession: the SDK changes its user %i microtasks after the answer',
    async count => {
      vi.stubGlobal('window', globalThis);
      let subject: string | null = 'ada';
      let changed = () => {};
      const token = deferred<string>();
      const session = createSdkSession({
        getToken: () => token.promise,
        subject: () => subject,
        subscribe: listener => ((changed = listener), () => {}),
      });
      onTestFinished(() => session.dispose());
      const core = sessionCore(session);
      session.subscribe(() => {});
      await settle();
      expect(core.getSubject()).toBe('ada');
      const refreshed = session.refresh().catch(() => {});
      await settle();
      token.resolve('token-of-ada');
      for (let index = 0; index < count; index++) await Promise.resolve();
      subject = 'grace';
      changed();
      await refreshed;
      await settle();
      expect([core.getSubject(), (core.getCredential() as { token?: string } | undefined)?.token]).toEqual([
        'grace',
        undefined,
      ]);
    },
  );

  test.each(MICROTASK_COUNTS)(
    'createCookieSession: `whoami` finds another user %i microtasks before the answer',
    async count => {
      const answers = { csrf: deferred(), whoami: deferred<{ id: string }>() };
      let isFirst = true;
      const { session, jar } = setupCookieSession({
        tabs: 'late-refresh',
        whoami: async () => (isFirst ? { id: 'ada' } : answers.whoami.promise),
        csrf: { cookie: 'csrftoken', header: 'X-CSRFToken', fetch: () => answers.csrf.promise },
      });
      onTestFinished(() => session.dispose());
      const core = sessionCore(session);
      jar.person = 'ada';
      session.subscribe(() => {});
      await session.ready();
      isFirst = false;
      const refreshed = session.refresh().catch(() => {});
      await settle();
      const reloaded = session.reload().catch(() => {});
      await settle();
      answers.whoami.resolve({ id: 'grace' });
      for (let index = 0; index < count; index++) await Promise.resolve();
      answers.csrf.resolve();
      await Promise.all([refreshed, reloaded]);
      await settle();
      expect([core.getSubject(), session.getSnapshot().user?.id]).toEqual(['grace', 'grace']);
    },
  );
});
