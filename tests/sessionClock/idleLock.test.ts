import { afterEach, describe, expect, test, vi } from 'vitest';
import { sessionCore } from '../../src/endpoints/sessionCore.js';
import { createSdkSession } from '../../src/entries/core.js';
import { lock } from '../../src/entries/lock.js';
import { createCookieSession, RestEndpoint, type Session, SessionExpiredError } from '../../src/index.js';
import { json, never } from '../session/support/answers.js';
import { API } from '../session/support/article.js';
import { fakeBrowser } from '../session/support/fakeBrowser.js';
import { calls, lateLogout } from '../session/support/limits.js';
import { manualClock, settle } from '../session/support/manualClock.js';
import type { Route } from '../session/support/mockServer.js';
import { errorOf } from '../session/support/promises.js';
import { setupCookieSession } from '../session/support/setupCookieSession.js';
import { setupTabs } from '../session/support/setupTabs.js';
import { setupTokenSession } from '../session/support/setupTokenSession.js';
import { setupCookieTabs } from './support/setupCookieTabs.js';
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

describe('tabs that lock', () => {
  // Two tabs, each of which has a provider with `clock` and with `onExpiry={lock()}`: silence locks both.
  afterEach(() => void Reflect.deleteProperty(globalThis, 'localStorage'));

  /** Two tabs with Ada's cookie, both idle; the server has not confirmed the logout of the one that has told it. `isLate`: the other one has heard of the end before its own time was over. */
  async function setupIdleTabs(withLock: boolean, logout: Route = () => json({}, 503), isLate = false) {
    const setup = setupTabs();
    let person: string | undefined;
    const own = (path: string, method: string) => new RestEndpoint({ urlPrefix: API, path, method }) as never;
    Object.assign(setup.server.routes, {
      'POST /login': () => json({ id: (person = 'ada') }),
      'POST /logout': logout,
      'GET /whoami': () => json(person === undefined ? null : { id: person }),
    });
    const open = (minutes = 15) => {
      const tab = setup.browser.openTab();
      const session: Session<{ id: string }, [{ name: string }]> = createCookieSession({
        server: true,
        login: own('/login', 'POST'),
        logout: own('/logout', 'POST'),
        whoami: own('/whoami', 'GET'),
        clock: tab.clock,
      });
      tab.run(() => session.subscribe(() => {}));
      if (withLock) lock({ clock: tab.clock }).attach(sessionCore(session));
      tab.run(() => startClock(session, tab.clock, { idle: { after: minutes * MINUTE } }));
      const settled = async <T>(act: () => Promise<T>) => {
        const result = tab.run(act).catch((error: unknown) => error);
        await setup.browser.pass(500);
        return result;
      };
      const focus = async () => {
        await setup.browser.clock.advance(6_000);
        tab.fire('focus');
        await setup.browser.pass(500);
      };
      return { session, settled, focus, now: () => session.getSnapshot() };
    };
    const opened = [open(), open(isLate ? 20 : 15)] as const;
    await setup.browser.pass(100);
    await opened[0].settled(() => opened[0].session.login({ name: 'ada' }));
    await setup.browser.clock.advance(15 * MINUTE);
    await setup.browser.pass(1_000);
    const left = withLock ? 'locked' : 'anonymous';
    expect(opened.map(({ now }) => `${now().status} ${now().reason}`)).toEqual([`${left} idle`, `${left} idle`]);
    setup.server.clear();
    const [teller, other] = opened[0].now().unconfirmed ? opened : [opened[1], opened[0]];
    return { ...setup, left, teller, other };
  }

  describe('the tab that has not told the server', () => {
    test.each([true, false])(
      'asks no server at the return to it, and one login signs in both (with a lock: %s)',
      async withLock => {
        const { teller, other, left, server } = await setupIdleTabs(withLock);
        for (const { focus } of [other, teller]) await focus();
        expect([teller.now(), other.now()]).toMatchObject([{ status: left }, { status: left }]);
        expect(server.seen).toEqual([]);
        await other.settled(() => other.session.login({ name: 'ada' }));
        expect([teller.now(), other.now()]).toMatchObject([{ status: 'authenticated' }, { status: 'authenticated' }]);
      },
    );

    test.each([false, true])(
      'asks no server while that one has not answered the other tab (it has heard of the end from that one: %s)',
      async isLate => {
        const { other, teller, server } = await setupIdleTabs(false, never, isLate);
        for (const { focus, now } of [other, teller]) {
          await focus();
          expect(now()).toMatchObject({ status: 'anonymous', reason: 'idle' });
        }
        expect(server.seen).toEqual([]);
      },
    );

    test('tells it when a user says “Not me”, and is not signed in by the cookie that is left', async () => {
      const { teller, other, server } = await setupIdleTabs(true);
      await other.settled(() => other.session.logout());
      for (const { focus } of [other, teller]) await focus();
      expect([teller.now().status, other.now().status]).toEqual(['anonymous', 'anonymous']);
      expect(other.now().unconfirmed).toBe('logout');
      expect(calls(server.seen)).toEqual(lateLogout);
    });

    test('asks as ever at the return to it once its next user has gone: the cookie is of a later sign-in', async () => {
      const { teller, other, server } = await setupIdleTabs(false);
      await teller.settled(() => teller.session.login({ name: 'ada' }));
      server.routes['GET /article/1'] = () => json({}, 401);
      await other.settled(async () => sessionCore(other.session).expire());
      server.clear();
      await other.focus();
      expect(server.seen.map(({ path }) => path)).toEqual(['/whoami']);
    });
  });

  test.each([
    ['counts no silence', {}],
    ['counts longer', { idle: { after: 30 * MINUTE } }],
  ])('the tab that is idle locks one that %s', async (_, longer) => {
    const setup = setupTabs();
    const [first, second] = await setup.openTwo();
    for (const { session, tab } of [first, second]) lock({ clock: tab.clock }).attach(sessionCore(session));
    first.tab.run(() => startClock(first.session, first.tab.clock, IDLE));
    second.tab.run(() => startClock(second.session, second.tab.clock, longer));
    await setup.browser.pass(100);
    await setup.browser.clock.advance(15 * MINUTE);
    await setup.browser.pass(1_000);
    expect([first.now().status, second.now().status]).toEqual(['locked', 'locked']);
  });
});

describe('the next sign-in', () => {
  // A user who signs in on another page (the server's, or the SDK's) begins with the whole time, once a page of the app has seen that no
  // user is signed in.

  const DAY = 24 * 60 * MINUTE;

  afterEach(() => void Reflect.deleteProperty(globalThis, 'localStorage'));

  /** Ada has used the app on Monday, and closed it. */
  async function setupMonday() {
    const setup = setupCookieTabs(IDLE);
    const { browser, cookie, server } = setup;
    cookie.person = 'ada';
    const monday = setup.open();
    await browser.pass(500);
    monday.tab.close();
    await browser.clock.advance(DAY);
    return { ...setup, logouts: () => server.count('POST /logout') };
  }

  test('a cookie that has ended overnight, and a sign-in on the server’s own page', async () => {
    const { browser, cookie, open, logouts } = await setupMonday();
    cookie.person = undefined;
    const tuesday = open();
    await browser.pass(500);
    expect(tuesday.now()).toMatchObject({ status: 'anonymous', reason: undefined });
    tuesday.tab.close();
    cookie.person = 'ada';
    const back = open();
    await browser.pass(1_000);
    expect([back.now().status, logouts()]).toEqual(['authenticated', 0]);
    expect(back.timer.getEndsIn()).toBeGreaterThan(14 * MINUTE);
  });

  test('a page that cannot reach the server does not know that: the session of the day before ends as idle', async () => {
    const { browser, cookie, open, server, logouts } = await setupMonday();
    const whoami = server.routes['GET /whoami']!;
    server.routes['GET /whoami'] = () => json({}, 503);
    const offline = open();
    await browser.pass(500);
    expect(offline.now()).toMatchObject({ status: 'anonymous', unconfirmed: 'restore' });
    server.routes['GET /whoami'] = whoami;
    await browser.until(offline.tab.run(() => offline.session.refresh().catch(() => {})));
    await browser.pass(500);
    expect([offline.now().reason, logouts(), cookie.person]).toEqual(['idle', 1, undefined]);
  });

  test('an SDK whose sign-out leaves the page: the redirect brings the user back to a session that goes on', async () => {
    const browser = fakeBrowser();
    vi.stubGlobal('window', globalThis);
    const signOuts: string[] = [];
    /** A page of the app, on which the SDK needs a moment to know its user. */
    const openPage = async (user: string | null, name: string) => {
      const tab = browser.openTab();
      const sdk = { user: undefined as string | null | undefined, report: () => {} };
      const signOut = () => (signOuts.push(name), new Promise(() => {}));
      const session = tab.run(() => {
        const made = createSdkSession({
          clock: tab.clock,
          getToken: async () => 'token',
          subject: () => sdk.user,
          subscribe: listener => ((sdk.report = listener), () => {}),
        });
        startClock(made, tab.clock, { ...IDLE, signOut });
        made.subscribe(() => {});
        return made;
      });
      await browser.pass(100);
      sdk.user = user;
      tab.run(() => sdk.report());
      await browser.pass(1_000);
      return { close: () => tab.close(), now: () => session.getSnapshot() };
    };
    const monday = await openPage('ada', 'Monday');
    await browser.clock.advance(15 * MINUTE);
    await browser.pass(1_000);
    expect(monday.now().reason).toBe('idle');
    monday.close();
    for (const day of ['Tuesday', 'Wednesday']) {
      await browser.clock.advance(DAY);
      const signedOut = await openPage(null, day);
      expect(signedOut.now().status).toBe('anonymous');
      signedOut.close();
      const back = await openPage('ada', day);
      expect(back.now().status).toBe('authenticated');
      back.close();
    }
    expect(signOuts).toEqual(['Monday']);
  });
});
