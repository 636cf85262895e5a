import { afterEach, describe, expect, test, vi } from 'vitest';
import { systemClock } from '../../src/clock.js';
import { sessionCore } from '../../src/endpoints/sessionCore.js';
import { createSession } from '../../src/entries/core.js';
import { lock } from '../../src/entries/lock.js';
import { IdentityChangedError, RefreshUnavailableError, SignedOutError } from '../../src/index.js';
import { json, networkError, never } from './support/answers.js';
import { tokenOf } from './support/article.js';
import { manualClock, type ManualClock, settle } from './support/manualClock.js';
import type { Seen } from './support/mockServer.js';
import { deferred, errorOf, outcomes } from './support/promises.js';
import { setupTabs } from './support/setupTabs.js';
import { setupTokenSession } from './support/setupTokenSession.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

afterEach(() => void Reflect.deleteProperty(globalThis, 'localStorage'));

/** Tokens that live so many seconds; a JWT tells its end by the server's clock. */
function livingFor(seconds: number, options: Parameters<typeof setupTokenSession>[0] = {}) {
  let n = 0;
  const setup = setupTokenSession(options);
  const issue = () => json({ ...setup.issue('ada'), expiresIn: seconds, n: n++ });
  setup.server.routes['POST /login'] = issue;
  setup.server.routes['POST /refresh'] = issue;
  return setup;
}

test('once less than a minute is left a token is renewed, by one refresh for all, which no request waits for', async () => {
  const { session, server, clock, burst } = livingFor(600);
  await session.login({ name: 'ada' });
  await clock.advance(9 * MINUTE - 1);
  await burst(1)[0];
  expect(server.count('/refresh')).toBe(0);
  await clock.advance(1);
  const held = deferred();
  const refreshRoute = server.routes['POST /refresh']!;
  server.routes['POST /refresh'] = seen => held.promise.then(() => refreshRoute(seen));
  await Promise.all(burst(20));
  expect(server.count('/refresh')).toBe(1);
  expect(server.to('/article').map(tokenOf)).toEqual(Array.from({ length: 21 }, () => 'ada-1'));
  held.resolve();
  await settle();
  await burst(1)[0];
  expect(tokenOf(server.seen.at(-1)!)).toBe('ada-2');
  expect(server.count('/refresh')).toBe(1);
  expect(clock.pending).toBe(0);
});

test.each([
  ['answers 503', () => json({}, 503)],
  ['never answers', never],
])(
  'while the issuer %s and the token is good, 64 requests are answered: one attempt in 30 seconds, and one at a time (scenario 32)',
  async (_name, outage) => {
    const { session, server, clock, burst } = livingFor(600);
    const issue = server.routes['POST /refresh']!;
    const onTheWire = new Set<Seen>();
    let most = 0;
    await session.login({ name: 'ada' });
    await clock.advance(9 * MINUTE);
    const attempts: number[] = [];
    server.routes['POST /refresh'] = async seen => {
      attempts.push(clock.now());
      onTheWire.add(seen);
      most = Math.max(most, [...onTheWire].filter(({ signal }) => !signal.aborted).length);
      const answer = await (outage as typeof issue)(seen);
      onTheWire.delete(seen);
      return answer;
    };
    for (let second = 0; second < 59; second++) {
      await Promise.all(burst(second === 0 ? 6 : 1));
      await clock.advance(1_000);
    }
    expect(server.count('/article')).toBe(64);
    expect(most).toBe(1);
    expect(attempts.slice(1).map((at, index) => at - attempts[index]!)).toEqual([30_000]);
    server.routes['POST /refresh'] = issue;
    await clock.advance(1_000);
    // The token has expired: now a request waits.
    const late = outcomes(burst(1));
    await settle();
    if (outage === never) await clock.advance(10_000);
    // The attempt that never ends has a limit, and the next one is answered.
    expect((await late).resolved).toBe(1);
  },
);

test.each([0, -5, Number.NaN, 'soon'])(
  'a refresh that answers a token with %s seconds left makes no loop',
  async expiresIn => {
    const { session, server, clock, burst } = livingFor(600);
    await session.login({ name: 'ada' });
    await clock.advance(10 * MINUTE);
    const { issue } = { issue: server.routes['POST /refresh']! };
    server.routes['POST /refresh'] = async seen =>
      json({ ...((await (await issue(seen)).json()) as object), expiresIn });
    await Promise.all(burst(3));
    await burst(1)[0];
    await clock.advance(60 * MINUTE);
    await burst(1)[0];
    expect(server.count('/refresh')).toBe(1);
  },
);

test('the expiry is read from a JWT, unless the answer tells it', async () => {
  for (const told of [{}, { expiresIn: 3600 }]) {
    const { session, server, clock, burst } = setupTokenSession();
    const jwt = (minutes: number) =>
      `h.${btoa(JSON.stringify({ sub: 'ada', exp: clock.now() / 1000 + minutes * 60 }))}.s`;
    server.routes['POST /login'] = () => json({ accessToken: jwt(10), refreshToken: 'r', ...told });
    server.routes['POST /refresh'] = () => json({ accessToken: jwt(10), refreshToken: 'r' });
    server.routes['*'] = () => json({ id: '0' });
    await session.login({ name: 'ada' });
    await clock.advance(9 * MINUTE);
    await burst(1)[0];
    expect(server.count('/refresh')).toBe('expiresIn' in told ? 0 : 1);
  }
});

test('a due refresh that is unavailable rejects, and the next request tries again', async () => {
  const { session, server, clock, burst } = livingFor(600);
  const issue = server.routes['POST /refresh']!;
  await session.login({ name: 'ada' });
  await clock.advance(10 * MINUTE);
  server.routes['POST /refresh'] = () => json({}, 503);
  await expect(burst(1)[0]).rejects.toMatchObject({ name: 'RefreshUnavailableError' });
  server.routes['POST /refresh'] = issue;
  await burst(1)[0];
  expect(server.count('/refresh')).toBe(2);
  expect(server.count('/article')).toBe(1);
});

test('a request that waits for a refresh of the app is sent with the current token when that is unavailable', async () => {
  const { session, server, burst } = livingFor(600);
  await session.login({ name: 'ada' });
  const refusal = deferred<Response>();
  server.routes['POST /refresh'] = () => refusal.promise;
  const refreshed = errorOf(session.refresh());
  await settle();
  const [waiting] = burst(1);
  await settle();
  expect(server.count('/article')).toBe(0);
  refusal.resolve(json({}, 503));
  expect((await refreshed).name).toBe('RefreshUnavailableError');
  await waiting;
  expect(server.count('/article')).toBe(1);
  expect(server.count('/refresh')).toBe(1);
});

test.each([
  [600, undefined, 540],
  [600, 10_000, 590],
  [600, 0, 600],
  [600, 300_001, 300],
  [600, Infinity, 300],
  [100, undefined, 50],
])(
  'a token of %i seconds with the margin %s is renewed after %i seconds',
  async (lives, beforeExpiry, afterSeconds) => {
    const { session, server, clock, burst } = livingFor(lives, {
      refresh: { beforeExpiry },
    });
    await session.login({ name: 'ada' });
    await clock.advance(afterSeconds * 1_000 - 1);
    await burst(1)[0];
    expect(server.count('/refresh')).toBe(0);
    await clock.advance(1);
    await burst(1)[0];
    await settle();
    expect(server.count('/refresh')).toBe(1);
  },
);

test('the timer renews again and again while somebody subscribes, and a request finds a fresh token', async () => {
  const { session, server, clock, burst } = livingFor(600, { refresh: { auto: true } });
  const stop = session.subscribe(() => {});
  await session.login({ name: 'ada' });
  await clock.advance(9 * MINUTE - 1);
  expect(server.count('/refresh')).toBe(0);
  for (let refreshes = 1; refreshes <= 3; refreshes++) {
    await clock.advance(refreshes === 1 ? 1 : 9 * MINUTE);
    expect(server.count('/refresh')).toBe(refreshes);
    expect(clock.pending).toBe(1);
  }
  await burst(1)[0];
  expect(server.count('/refresh')).toBe(3);
  stop();
  expect(clock.pending).toBe(0);
  await clock.advance(60 * MINUTE);
  expect(server.count('/refresh')).toBe(3);
});

test.each([
  ['a sign-out', (session: { logout: () => Promise<void> }) => session.logout()],
  ['dispose()', async (session: { dispose: () => void }) => session.dispose()],
])('%s stops the timer', async (_name, end) => {
  const { session, server, clock } = livingFor(600, { refresh: { auto: true } });
  session.subscribe(() => {});
  await session.login({ name: 'ada' });
  await end(session);
  await settle();
  expect(clock.pending).toBe(0);
  await clock.advance(60 * MINUTE);
  expect(server.count('/refresh')).toBe(0);
});

test('a login with another lifetime sets the timer again, and one that tells none ends it', async () => {
  const { session, server, clock, issue } = livingFor(600, { refresh: { auto: true } });
  session.subscribe(() => {});
  await session.login({ name: 'ada' });
  server.routes['POST /login'] = () => json({ ...issue('ada'), expiresIn: 6_000 });
  await session.login({ name: 'ada' });
  expect(clock.pending).toBe(1);
  await clock.advance(98 * MINUTE);
  expect(server.count('/refresh')).toBe(0);
  server.routes['POST /login'] = () => json(issue('ada'));
  await session.login({ name: 'ada' });
  expect(clock.pending).toBe(0);
});

test('after a renewal that failed the timer tries again every 30 seconds', async () => {
  const { session, server, clock, status } = livingFor(600, { refresh: { auto: true }, timeout: 5_000 });
  const issue = server.routes['POST /refresh']!;
  session.subscribe(() => {});
  await session.login({ name: 'ada' });
  server.routes['POST /refresh'] = () => json({}, 503);
  await clock.advance(9 * MINUTE);
  expect(server.count('/refresh')).toBe(1);
  for (let tries = 2; tries <= 5; tries++) {
    await clock.advance(29_999);
    expect(server.count('/refresh')).toBe(tries - 1);
    await clock.advance(1);
    expect(server.count('/refresh')).toBe(tries);
  }
  server.routes['POST /refresh'] = issue;
  await clock.advance(30_000);
  expect(server.count('/refresh')).toBe(6);
  await clock.advance(9 * MINUTE - 1);
  expect(server.count('/refresh')).toBe(6);
  expect(status()).toBe('authenticated');
});

test.each([60, 400])('a token of %i days is not renewed at once, by the machine’s own clock either', async days => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  try {
    const { session, server } = livingFor((days * DAY) / 1_000, { refresh: { auto: true }, clock: systemClock });
    const stop = session.subscribe(() => {});
    await session.login({ name: 'ada' });
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(DAY);
    expect(server.count('/refresh')).toBe(0);
    await vi.advanceTimersByTimeAsync(days * DAY);
    await settle();
    expect(server.count('/refresh')).toBeGreaterThanOrEqual(1);
    expect(server.count('/refresh')).toBeLessThanOrEqual(Math.ceil(days / 24) + 1);
    expect(vi.getTimerCount()).toBe(1);
    stop();
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

test.each([['with Web Locks', {}]] as const)('tabs with timers refresh once in all (%s)', async (_name, browser) => {
  const setup = setupTabs(browser, { refresh: { auto: true } });
  const living = () => json({ ...setup.issue('ada'), expiresIn: 600 });
  Object.assign(setup.server.routes, { 'POST /login': living, 'POST /refresh': living });
  const tabs = [setup.open(), setup.open(), setup.open()];
  const stops = tabs.map(({ mount }) => mount());
  await setup.browser.pass(100);
  await tabs[0]!.login('ada');
  await setup.browser.pass(500);
  for (let refreshes = 1; refreshes <= 2; refreshes++) {
    await setup.browser.clock.advance(9 * MINUTE);
    await setup.browser.pass(1_000);
    expect(setup.server.count('/refresh')).toBe(refreshes);
  }
  expect(tabs.map(({ now }) => now().status)).toEqual(['authenticated', 'authenticated', 'authenticated']);
  stops.forEach(stop => stop());
  // What a tab shows the others after its turn.
  await setup.browser.pass(1_000);
  expect(setup.browser.clock.pending).toBe(0);
});

/** Ada's refresh has timed out; its answer is still on the way. */
async function lateAnswer() {
  const held = deferred<Response>();
  const setup = setupTokenSession({ timeout: 3_000 }, { 'POST /refresh': () => held.promise });
  await setup.session.login({ name: 'ada' });
  setup.expire();
  const waiting = outcomes(setup.burst(3));
  await settle();
  await setup.clock.advance(3_000);
  expect((await waiting).reasons.map(reason => (reason as Error).name)).toEqual(
    Array.from({ length: 3 }, () => 'RefreshUnavailableError'),
  );
  setup.server.clear();
  return { ...setup, held, next: async () => (await setup.burst(1)[0], tokenOf(setup.server.to('/article').at(-1)!)) };
}

test('the late refusal of a refresh that timed out ends the session: its refresh token was used', async () => {
  const { held, status } = await lateAnswer();
  held.resolve(json({}, 401));
  await settle();
  expect(status()).toBe('anonymous');
});

test('a late answer is dropped after a sign-out, a switch and a login of the same person', async () => {
  for (const [what, expected] of [
    [async ({ session }: Awaited<ReturnType<typeof lateAnswer>>) => session.logout(), null],
    [async ({ session }: Awaited<ReturnType<typeof lateAnswer>>) => session.login({ name: 'bob' }), 'bob-1'],
    [async ({ session }: Awaited<ReturnType<typeof lateAnswer>>) => session.login({ name: 'ada' }), 'ada-2'],
  ] as const) {
    const setup = await lateAnswer();
    const done = what(setup);
    await settle();
    setup.held.resolve(json({ accessToken: 'late', refreshToken: 'late', user: { id: 'ada' } }));
    await done;
    await outcomes(setup.burst(1));
    expect(tokenOf(setup.server.to('/article').at(-1)!)).toBe(expected);
    expect(setup.clock.pending).toBe(0);
  }
});

describe('clocks that differ', () => {
  const SECOND = 1_000;
  const MINUTE = 60 * SECOND;

  /** A server whose clock is behind the page's by so much. It answers with JWTs that live for ten minutes. */
  function skewedBy(aheadMs: number, claims: readonly string[], options: Parameters<typeof setupTokenSession>[0] = {}) {
    const setup = setupTokenSession(options);
    const { clock, server } = setup;
    let issued = 0;
    const issue = () => {
      const iat = Math.floor((clock.now() - aheadMs) / SECOND);
      const all = Object.entries({ sub: 'ada', jti: issued++, iat, exp: iat + 600 });
      const payload = Object.fromEntries(all.filter(([name]) => ['sub', 'jti', ...claims].includes(name)));
      return json({ accessToken: `h.${btoa(JSON.stringify(payload))}.s`, refreshToken: 'r' });
    };
    server.routes['POST /login'] = issue;
    server.routes['POST /refresh'] = issue;
    server.routes['*'] = () => json({ id: '0' });
    return setup;
  }

  /** Lets so much time pass in steps, so that a timer which is set again and again is called again and again. */
  async function pass(clock: ManualClock, ms: number, stepMs: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += stepMs) await clock.advance(stepMs);
  }

  test.each([-60, -5, 1, 5, 9, 9.5, 9.9, 10, 60].map(minutes => minutes * MINUTE))(
    'a page whose clock is ahead by %i ms refreshes a JWT by its lifetime, from the first refresh on',
    async aheadMs => {
      const { session, server, clock, burst } = skewedBy(aheadMs, ['iat', 'exp'], { refresh: { auto: true } });
      session.subscribe(() => {});
      await session.login({ name: 'ada' });
      await session.refresh();
      server.clear();
      for (let refreshes = 1; refreshes <= 3; refreshes++) {
        await pass(clock, 9 * MINUTE - SECOND, SECOND);
        await burst(1)[0];
        expect(server.count('/refresh')).toBe(refreshes - 1);
        await clock.advance(SECOND);
        expect(server.count('/refresh')).toBe(refreshes);
      }
    },
  );

  test('a login or restore may give a token that was issued before: its `exp` counts', async () => {
    const { session, server, clock, burst } = skewedBy(0, ['iat', 'exp'], {
      restore: async () => {
        const iat = clock.now() / SECOND - 300;
        return { accessToken: `h.${btoa(JSON.stringify({ sub: 'ada', iat, exp: iat + 600 }))}.s`, refreshToken: 'r' };
      },
    });
    await session.ready();
    await clock.advance(4 * MINUTE - 1);
    await burst(1)[0];
    expect(server.count('/refresh')).toBe(0);
    await clock.advance(1);
    await burst(1)[0];
    expect(server.count('/refresh')).toBe(1);
  });

  test.each([2, 5, 20])(
    'by a clock that is ahead, each new token has %i seconds left: the timer refreshes every 30 seconds at most',
    async seconds => {
      const { session, server, clock } = skewedBy(10 * MINUTE - seconds * SECOND, ['exp'], { refresh: { auto: true } });
      session.subscribe(() => {});
      await session.login({ name: 'ada' });
      await pass(clock, 5 * MINUTE, 250);
      expect(server.count('/refresh')).toBeGreaterThan(0);
      expect(server.count('/refresh')).toBeLessThanOrEqual(10);
    },
  );

  test.each([0.001, 0.5, 0.999])(
    'a lifetime of %s seconds is none: neither the timer nor requests refresh again and again',
    async expiresIn => {
      const { session, server, clock, burst, issue } = setupTokenSession({ refresh: { auto: true } });
      const answer = () => json({ ...issue('ada'), expiresIn });
      server.routes['POST /login'] = answer;
      server.routes['POST /refresh'] = answer;
      session.subscribe(() => {});
      await session.login({ name: 'ada' });
      await pass(clock, 5 * SECOND, 1);
      for (let request = 0; request < 20; request++) {
        await burst(1)[0];
        await clock.advance(100);
      }
      expect(server.count('/refresh')).toBe(0);
      expect(server.to('/article').map(tokenOf)).toEqual(Array.from({ length: 20 }, () => 'ada-1'));
    },
  );

  test('a mechanism of the app whose credential is always due is refreshed every 30 seconds', async () => {
    const clock = manualClock();
    let refreshes = 0;
    const session = createSession(
      {
        login: async () => ({ credential: 0, subject: 'ada' }),
        refresh: async current => ({ ...current, credential: ++refreshes }),
        refreshAt: () => clock.now() - 60 * MINUTE,
        expiresAt: () => Infinity,
        autoRefresh: true,
        attach: ({ init }) => init,
      },
      { clock, server: true },
    );
    const stop = session.subscribe(() => {});
    await session.login();
    await settle();
    await pass(clock, 5 * MINUTE - SECOND, 250);
    expect(refreshes).toBeLessThanOrEqual(10);
    stop();
    expect(clock.pending).toBe(0);
  });

  test('after the system clock was set back by an hour, the next token is refreshed in time', async () => {
    const { session, server, clock, burst, expire, issue } = setupTokenSession({ refresh: { auto: true } });
    const answer = () => json({ ...issue('ada'), expiresIn: 600 });
    server.routes['POST /login'] = answer;
    server.routes['POST /refresh'] = answer;
    session.subscribe(() => {});
    await session.login({ name: 'ada' });
    await clock.advance(9 * MINUTE);
    expect(server.count('/refresh')).toBe(1);
    await clock.advance(-60 * MINUTE);
    expire();
    await burst(1)[0];
    expect(server.count('/refresh')).toBe(2);
    await clock.advance(9 * MINUTE);
    expect(server.count('/refresh')).toBe(3);
  });
});

const ada = { name: 'ada' };
const MINUTE_MS = 60_000;

/** Ada is signed in with a token that lives ten minutes, and is due for a refresh after nine. */
async function signedIn(refresh: () => Response | Promise<Response>) {
  const setup = setupTokenSession(
    {},
    {
      'POST /login': () => json({ accessToken: 'ada-1', refreshToken: 'r', expiresIn: 600, user: { id: 'ada' } }),
      'POST /refresh': refresh,
    },
  );
  await setup.session.login(ada);
  setup.server.clear();
  return setup;
}
const fresh = () => json({ accessToken: 'ada-2', expiresIn: 600 });

test('a token that is not due for a refresh costs no request', async () => {
  const { session, server } = await signedIn(fresh);
  expect(await session.getToken()).toBe('ada-1');
  expect(server.seen).toEqual([]);
});

test.each([9, 11])('after %i minutes, one refresh for all callers', async minutes => {
  const { session, server, clock } = await signedIn(fresh);
  await clock.advance(minutes * MINUTE_MS);
  expect(await Promise.all([session.getToken(), session.getToken()])).toEqual(['ada-2', 'ada-2']);
  expect(server.seen.map(({ path }) => path)).toEqual(['/refresh']);
});

test('where the refresh fails, the token that has not expired, and an error for one that has', async () => {
  const { session, clock } = await signedIn(networkError);
  await clock.advance(9 * MINUTE_MS);
  expect(await session.getToken()).toBe('ada-1');
  await clock.advance(2 * MINUTE_MS);
  expect(await errorOf(session.getToken())).toBeInstanceOf(RefreshUnavailableError);
});

test('where the refused refresh locks the session, it waits until the user has signed in again', async () => {
  const { session, clock, server } = await signedIn(() => json({}, 401));
  const detach = lock({ clock }).attach(sessionCore(session));
  await clock.advance(11 * MINUTE_MS);
  const token = session.getToken();
  await settle();
  expect(session.getSnapshot().status).toBe('locked');
  server.routes['POST /login'] = () => json({ accessToken: 'ada-3', user: { id: 'ada' } });
  await session.login(ada);
  expect(await token).toBe('ada-3');
  detach();
});

test('it waits for the check for an existing session, and rejects when no user is signed in', async () => {
  const answer = deferred<unknown>();
  const { session } = setupTokenSession({ restore: () => answer.promise });
  const restored = session.getToken();
  answer.resolve({ accessToken: 'ada-7', user: { id: 'ada' } });
  expect(await restored).toBe('ada-7');
  await session.logout();
  const error = await errorOf(session.getToken());
  expect(error).toBeInstanceOf(SignedOutError);
  expect(error.message).toBe('No user is signed in, so there is no token. Sign in, then ask for the token again.');
});

test('another user’s sign-in during the refresh: no token of either user', async () => {
  const answer = deferred<Response>();
  const { session, clock, issue } = await signedIn(() => answer.promise);
  await clock.advance(9 * MINUTE_MS);
  const token = errorOf(session.getToken());
  await settle();
  await session.enter(issue('grace'));
  answer.resolve(fresh());
  expect(await token).toBeInstanceOf(IdentityChangedError);
});
