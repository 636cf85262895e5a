import { expect, test } from 'vitest';
import { createSession } from '../../src/entries/core.js';
import { json } from './support/answers.js';
import { manualClock, settle, type ManualClock } from './support/manualClock.js';
import { setupTokenSession } from './support/setupTokenSession.js';
import { tokenOf } from './support/article.js';

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
    const { session, server, clock, burst } = skewedBy(aheadMs, ['iat', 'exp'], { autoRefresh: true });
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
    const { session, server, clock } = skewedBy(10 * MINUTE - seconds * SECOND, ['exp'], { autoRefresh: true });
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
    const { session, server, clock, burst, issue } = setupTokenSession({ autoRefresh: true });
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

test('a refresh that a refused request causes waits for no interval', async () => {
  const { session, server, clock, burst, expire, issue } = setupTokenSession({ autoRefresh: true });
  const answer = () => json({ ...issue('ada'), expiresIn: 600 });
  server.routes['POST /login'] = answer;
  server.routes['POST /refresh'] = answer;
  session.subscribe(() => {});
  await session.login({ name: 'ada' });
  await clock.advance(9 * MINUTE);
  expect(server.count('/refresh')).toBe(1);
  for (let refusals = 1; refusals <= 3; refusals++) {
    expire();
    await burst(1)[0];
    expect(server.count('/refresh')).toBe(1 + refusals);
  }
});

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
  const { session, server, clock, burst, expire, issue } = setupTokenSession({ autoRefresh: true });
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
