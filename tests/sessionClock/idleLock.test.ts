import { describe, expect, test } from 'vitest';
import { createSdkSession, SessionExpiredError } from '../../src/index.js';
import { lock } from '../../src/entries/lock.js';
import { sessionCore } from '../../src/endpoints/sessionCore.js';
import { json } from '../session/support/answers.js';
import { manualClock, settle } from '../session/support/manualClock.js';
import { errorOf } from '../session/support/promises.js';
import { setupCookieSession } from '../session/support/setupCookieSession.js';
import { setupTokenSession } from '../session/support/setupTokenSession.js';
import { calls, lateLogout } from '../session/support/limits.js';
import { IDLE, MINUTE, startClock } from './support/startClock.js';

// A provider with `clock` and with `onExpiry={lock()}`: silence locks.

/** Ada's session with a token: no one was there for a quarter of an hour. */
async function setupIdle(options: Parameters<typeof startClock>[2] = IDLE) {
  const setup = setupTokenSession();
  const { session, clock, server } = setup;
  lock({ clock }).attach(sessionCore(session));
  startClock(session, clock, options);
  await session.login({ name: 'ada' });
  const { epoch } = session.getSnapshot();
  server.clear();
  await clock.advance(15 * MINUTE);
  return { ...setup, epoch, now: () => session.getSnapshot() };
}

test('the session locks as idle, its credential is gone here and on the server, and the same user continues', async () => {
  const { session, clock, server, epoch, ArticleResource, now } = await setupIdle();
  expect(now()).toMatchObject({ status: 'locked', reason: 'idle', user: { id: 'ada' }, epoch });
  expect(sessionCore(session).getCredential()).toBeUndefined();
  const read = ArticleResource.get({ id: '1' });
  await clock.advance(MINUTE);
  expect(server.seen.map(({ path }) => path)).toEqual(['/logout']);
  await session.login({ name: 'ada' });
  await read;
  expect(server.seen.map(({ path }) => path)).toEqual(['/logout', '/login', '/article/1']);
  await clock.advance(15 * MINUTE - 1);
  expect(now()).toMatchObject({ status: 'authenticated', epoch });
  await clock.advance(1);
  expect(now()).toMatchObject({ status: 'locked', reason: 'idle', epoch });
});

test('stay() that the server refuses rejects like session.refresh()', async () => {
  const { session, clock, server } = setupTokenSession();
  lock({ clock }).attach(sessionCore(session));
  const { timer } = startClock(session, clock);
  await session.login({ name: 'ada' });
  await clock.advance(14 * MINUTE);
  server.routes['POST /refresh'] = () => json({}, 401);
  expect(await errorOf(timer.stay())).toBeInstanceOf(SessionExpiredError);
  expect(session.getSnapshot()).toMatchObject({ status: 'locked', reason: 'expired' });
});

test('with a `signOut` of the app it ends: that signs out of more than this session', async () => {
  let calls = 0;
  const { now } = await setupIdle({ ...IDLE, signOut: () => calls++ });
  expect(now()).toMatchObject({ status: 'anonymous', reason: 'idle' });
  expect(calls).toBe(1);
});

test('the SDK of a context session keeps its sign-in, so that session ends: a new token would unlock the page', async () => {
  const clock = manualClock();
  const session = createSdkSession({
    getToken: async () => 'token',
    subject: () => 'ada',
    subscribe: () => () => {},
    server: true,
    clock,
  });
  session.subscribe(() => {});
  lock({ clock }).attach(sessionCore(session));
  startClock(session, clock, IDLE);
  await clock.advance(15 * MINUTE);
  expect(session.getSnapshot()).toMatchObject({ status: 'anonymous', reason: 'idle' });
});

describe('a cookie session', () => {
  async function setupIdleCookie(logout: () => Response | Promise<Response>) {
    const setup = setupCookieSession({ tabs: false }, {});
    const logoutRoute = setup.fake.routes['POST /logout']!;
    setup.fake.routes['POST /logout'] = async seen => ((await logout()).ok ? logoutRoute(seen) : logout());
    const { session, clock, fake } = setup;
    lock({ clock }).attach(sessionCore(session));
    startClock(session, clock, IDLE);
    session.subscribe(() => {});
    await settle();
    await session.login({ name: 'ada' });
    fake.clear();
    await clock.advance(15 * MINUTE);
    await settle();
    return setup;
  }

  test('has no cookie any more, and the same user continues', async () => {
    const { session, jar, status, fake } = await setupIdleCookie(() => json({}));
    expect([status(), jar.person]).toEqual(['locked', undefined]);
    await session.login({ name: 'ada' });
    expect([status(), jar.person]).toEqual(['authenticated', 'ada']);
    expect(calls(fake.seen)).toEqual([...lateLogout, 'POST /login']);
  });

  test('that the server has not ended stays locked at the return to the page, although its cookie is good', async () => {
    const { session, jar, status, fake, focus, show, clock } = await setupIdleCookie(() => json({}, 503));
    expect([status(), jar.person]).toEqual(['locked', 'ada']);
    expect(session.getSnapshot()).toMatchObject({ error: { name: 'LogoutUnconfirmedError' }, unconfirmed: 'logout' });
    for (const comeBack of [focus, show]) {
      await clock.advance(6_000);
      comeBack();
      await settle();
    }
    expect(status()).toBe('locked');
    expect(calls(fake.seen)).toEqual(lateLogout);
    await session.login({ name: 'ada' });
    expect(session.getSnapshot()).toMatchObject({
      status: 'authenticated',
      error: undefined,
      unconfirmed: undefined,
    });
  });

  test('that the server has not ended says so when the time of the lock is over, until a logout is confirmed', async () => {
    let answer = 503;
    const { session, jar, clock, status, fake } = await setupIdleCookie(() => json({}, answer));
    await clock.advance(15 * MINUTE);
    expect(session.getSnapshot()).toMatchObject({
      status: 'anonymous',
      reason: 'idle',
      error: { name: 'LogoutUnconfirmedError' },
      unconfirmed: 'logout',
    });
    answer = 200;
    await session.logout();
    expect(session.getSnapshot()).toMatchObject({ status: 'anonymous', error: undefined, unconfirmed: undefined });
    expect([status(), jar.person]).toEqual(['anonymous', undefined]);
    expect(calls(fake.seen)).toEqual([...lateLogout, ...lateLogout]);
  });

  test('stays locked after a login without a clear answer: its cookie proves no login', async () => {
    const { session, jar, fake } = await setupIdleCookie(() => json({}, 503));
    const loginRoute = fake.routes['POST /login']!;
    fake.routes['POST /login'] = () => json({}, 503);
    expect(await errorOf(session.login({ name: 'mallory' }))).toMatchObject({ status: 503 });
    expect(session.getSnapshot()).toMatchObject({ status: 'locked', unconfirmed: 'logout' });
    expect(jar.person).toBe('ada');
    // The server has accepted it, and its answer was lost: it is another user's cookie.
    fake.routes['POST /login'] = async seen => (await loginRoute(seen), json({}, 503));
    await session.login({ name: 'grace' });
    expect(session.getSnapshot()).toMatchObject({ status: 'authenticated', user: { id: 'grace' } });
  });
});
