import fc from 'fast-check';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { sessionCore } from '../../src/endpoints/sessionCore.js';
import { sessionClock } from '../../src/entries/clock.js';
import {
  createTokenSession,
  LogoutUnconfirmedError,
  RefreshUnavailableError,
  type Session,
} from '../../src/entries/core.js';
import { json, networkError, never } from './support/answers.js';
import { tokenOf } from './support/article.js';
import { fakeBrowser } from './support/fakeBrowser.js';
import { functionServer } from './support/functionServer.js';
import { callLimitMs, drainMs } from './support/limits.js';
import { manualClock, settle } from './support/manualClock.js';
import { type Route } from './support/mockServer.js';
import { deferred, errorOf, outcomeOf } from './support/promises.js';
import { refreshCookieServer, setupRefreshCookieTabs } from './support/refreshCookie.js';
import { setupCookieSession } from './support/setupCookieSession.js';
import { setupTabs } from './support/setupTabs.js';
import { setupTokenSession } from './support/setupTokenSession.js';
import { expectNoTokenStored } from './support/storedTokens.js';

const [ada, grace] = [{ name: 'ada' }, { name: 'grace' }];

/** One browser with a refresh cookie. `load` loads the page: a new session over the same browser and server. */
function setupRefreshCookie() {
  const clock = manualClock();
  const made = refreshCookieServer();
  const load = () =>
    createTokenSession<[{ name: string }], { accessToken: string; user: { id: string } }>({ ...made.options(), clock });
  return { ...made, clock, load };
}

test.each([
  ['shorter than', 3_000],
  ['exactly as long as', 10_000],
  ['longer than', 25_000],
])('a sign-out during a login that takes %s it waits ends the session that the login creates', async (_name, ms) => {
  for (const before of [undefined, 'ada']) {
    const { clock, server, sessions, signIn, nameIn, loggedOut, load } = setupRefreshCookie();
    const session = load();
    session.subscribe(() => {});
    await settle();
    if (before) await session.login({ name: before });
    server.routes['POST /login'] = async seen => {
      await new Promise<void>(resolve => void clock.setTimeout(resolve, ms));
      return signIn(nameIn(seen));
    };
    const login = errorOf(session.login(grace));
    await settle();
    const logout = session.logout();
    expect((await login).name).toBe('AbortError');
    expect(session.getSnapshot().status).toBe('anonymous');
    for (let passed = 0; passed < 40_000; passed += 1_000) await clock.advance(1_000);
    await logout;
    expect(loggedOut).toContain(`grace-${before ? 2 : 1}`);
    expect([...sessions.values()]).not.toContain('grace');
    expect(session.getSnapshot()).toMatchObject({ status: 'anonymous', error: undefined });

    const reloaded = load();
    reloaded.subscribe(() => {});
    await settle();
    expect(reloaded.getSnapshot().status).toBe('anonymous');
  }
});

test.each([
  ['a 500', () => json({}, 500)],
  ['no connection', networkError],
])(
  'a sign-out that does not reach the server says so, and is sent again with the same token: %s',
  async (_name, failure) => {
    const { session, server, status } = setupTokenSession({}, { 'POST /logout': failure });
    await session.login(ada);
    const error = await errorOf(session.logout());
    expect(status()).toBe('anonymous');
    expect(session.getSnapshot()).toMatchObject({ reason: 'signed-out', user: undefined });
    expect(session.getSnapshot().error).toBeInstanceOf(LogoutUnconfirmedError);
    expect(session.getSnapshot().error).toMatchObject({ cause: error });

    await errorOf(session.logout());
    expect(session.getSnapshot().error).toBeInstanceOf(LogoutUnconfirmedError);
    server.routes['POST /logout'] = () => new Response(null, { status: 204 });
    await session.logout();
    expect(server.to('/logout').map(tokenOf)).toEqual(['ada-1', 'ada-1', 'ada-1']);
    expect(session.getSnapshot()).toMatchObject({ status: 'anonymous', reason: 'signed-out', error: undefined });

    await session.logout();
    expect(server.count('/logout')).toBe(3);
  },
);

test('a sign-out before the session has looked for a user reaches the server: the cookie may be a user’s', async () => {
  const { session, fake, jar, whoamis } = setupCookieSession({ tabs: false });
  jar.person = 'ada';
  await session.logout();
  expect({ logouts: fake.count('/logout'), person: jar.person, whoamis: whoamis() }).toEqual({
    logouts: 1,
    person: undefined,
    whoamis: 1,
  });
});

test('a button may call logout and wait for nothing: no unhandled rejection, and its event is not sent', async () => {
  const event = { type: 'click', preventDefault: () => undefined };
  const args: unknown[][] = [];
  const { session } = setupTokenSession({
    logout: async (_tokens, ...rest: unknown[]) => {
      args.push(rest);
      throw new Error('The server is down.');
    },
  });
  const buttons: ((event: unknown) => unknown)[] = [() => session.logout(), session.logout];
  for (const onClick of buttons) {
    await session.login(ada);
    onClick(event);
    // `support/setup.ts` fails the test for an unhandled rejection.
    await settle();
    expect(session.getSnapshot()).toMatchObject({ status: 'anonymous', unconfirmed: 'logout' });
    expect(session.getSnapshot().error).toBeInstanceOf(LogoutUnconfirmedError);
  }
  expect(args).toEqual([[], []]);
  await session.login(ada);
  expect(await errorOf(session.logout())).toMatchObject({ message: 'The server is down.' });
});

test('a late login that cannot be ended on the server makes the sign-out unconfirmed', async () => {
  const { session, server, clock, issue } = setupTokenSession();
  await session.login(ada);
  const answered = deferred();
  server.routes['POST /login'] = async () => {
    await answered.promise;
    return json(issue('grace'));
  };
  const login = errorOf(session.login(grace));
  await settle();
  const logout = session.logout();
  await clock.advance(10_000);
  await Promise.all([login, logout]);
  expect(session.getSnapshot()).toMatchObject({ status: 'anonymous', error: undefined });
  server.routes['POST /logout'] = networkError;
  answered.resolve();
  await settle();
  expect(server.to('/logout').map(tokenOf)).toEqual(['ada-1', 'grace-1']);
  expect(session.getSnapshot()).toMatchObject({ status: 'anonymous', unconfirmed: 'logout' });
  expect(session.getSnapshot().error).toBeInstanceOf(LogoutUnconfirmedError);
});

describe('a sign-out before the page knows who is signed in', () => {
  /** Ada has signed in, and loads the page again. */
  async function setupReload() {
    const made = setupRefreshCookie();
    await made.load().login(ada);
    made.server.clear();
    return { ...made, session: made.load() };
  }

  test('no check is under way: ends the session of the refresh cookie on the server', async () => {
    const { session, sessions, loggedOut } = await setupReload();
    const signedOut = session.logout();
    expect(session.getSnapshot()).toMatchObject({ status: 'anonymous', reason: 'signed-out' });
    await signedOut;
    expect([...sessions]).toEqual([]);
    expect(loggedOut).toEqual(['ada-1']);
    expect(session.getSnapshot()).toMatchObject({ status: 'anonymous', unconfirmed: undefined });
  });

  test.each(['the first check', 'a check after one that failed'])(
    'during %s: ends the session that it finds, and does not ask a second time',
    async which => {
      const { session, server, sessions, loggedOut } = await setupReload();
      const held = deferred();
      const restore = server.routes['POST /restore']!;
      if (which !== 'the first check') {
        server.routes['POST /restore'] = networkError;
        await session.ready();
        expect(session.getSnapshot().status).toBe('anonymous');
        server.clear();
      }
      server.routes['POST /restore'] = seen => held.promise.then(() => restore(seen));
      void session.refresh().catch(() => {});
      await settle();
      const signedOut = session.logout();
      expect(session.getSnapshot().status).toBe('anonymous');
      await settle();
      held.resolve();
      await signedOut;
      expect([...sessions]).toEqual([]);
      expect(loggedOut).toEqual(['ada-1']);
      expect(server.count('/restore')).toBe(1);
      expect(session.getSnapshot()).toMatchObject({ status: 'anonymous', user: undefined });
    },
  );

  test.each(['at once', 'during the check'])(
    'the server cannot be reached %s: the logout is unconfirmed, and the next one ends the session',
    async when => {
      const { session, server, sessions, loggedOut } = await setupReload();
      const restore = server.routes['POST /restore']!;
      const held = deferred();
      server.routes['POST /restore'] = () => held.promise.then(networkError);
      if (when === 'during the check') session.subscribe(() => {});
      await settle();
      const signedOut = errorOf(session.logout());
      await settle();
      held.resolve();
      await signedOut;
      expect(session.getSnapshot()).toMatchObject({ status: 'anonymous', unconfirmed: 'logout' });
      expect(session.getSnapshot().error).toBeInstanceOf(LogoutUnconfirmedError);
      server.routes['POST /restore'] = restore;
      await session.logout();
      expect([...sessions]).toEqual([]);
      expect(loggedOut).toEqual(['ada-1']);
      expect(session.getSnapshot()).toMatchObject({ status: 'anonymous', unconfirmed: undefined, error: undefined });
    },
  );

  test('after a check whose answer is old: ends the session that is there now', async () => {
    const { session, load, loggedOut } = await setupReload();
    await session.ready();
    session.dispose();
    await load().login(grace);
    await session.logout();
    expect(loggedOut).toEqual(['grace-2']);
  });

  test('the server finds no session: there is nothing to end', async () => {
    const { session, sessions, loggedOut } = await setupReload();
    sessions.clear();
    await session.logout();
    expect(loggedOut).toEqual([]);
    expect(session.getSnapshot()).toMatchObject({ status: 'anonymous', unconfirmed: undefined });
  });

  test('a login after it waits until the old session has ended, and is not ended', async () => {
    const { session, server, sessions, loggedOut } = await setupReload();
    const held = deferred();
    const restore = server.routes['POST /restore']!;
    server.routes['POST /restore'] = seen => held.promise.then(() => restore(seen));
    const signedOut = session.logout();
    const login = session.login(grace);
    await settle();
    expect(server.count('/login')).toBe(0);
    held.resolve();
    await Promise.all([signedOut, login]);
    expect([...sessions.values()]).toEqual(['grace']);
    expect(loggedOut).toEqual(['ada-1']);
    expect(session.getSnapshot().user).toEqual({ id: 'grace' });
  });

  test('the tokens that the check finds are never stored', async () => {
    const stored: string[] = [];
    const place = { get: () => null, set: (text: string) => void stored.push(text), remove: () => {} };
    const { session, server, issue } = setupTokenSession({ storage: place, restore: async () => issue('ada') });
    await session.logout();
    expect(server.seen.map(tokenOf)).toEqual(['ada-1']);
    expect(stored).toEqual([]);
  });

  test.each([
    ['synchronous', 0],
    ['slow', 0],
    ['synchronous', -24 * 60 * 60_000],
  ])('ends the session of tokens in a %s storage (the clock is set by %i ms)', async (speed, ms) => {
    const storage = { text: null as string | null };
    const slowly = async <T>(act: () => T) => (await settle(), act());
    const place = {
      get: () => (speed === 'slow' ? slowly(() => storage.text) : storage.text),
      set: (text: string) => void (storage.text = text),
      remove: () => (speed === 'slow' ? slowly(() => void (storage.text = null)) : void (storage.text = null)),
    };
    const { session, server, clock } = setupTokenSession({ storage: place });
    await session.login(ada);
    await settle();
    session.dispose();
    await clock.advance(ms);
    server.clear();
    expect(session.getSnapshot().status).toBe('restoring');
    await session.logout();
    expect(server.seen.map(({ path }) => path)).toEqual(['/logout']);
    expect(tokenOf(server.seen[0]!)).toBe('ada-1');
    expectNoTokenStored(storage.text);
  });
});

describe('which sessions it ends on the server', () => {
  // Which sessions a sign-out ends on the server: the one that the page shows, one that it has not found yet, and those that
  // logins have created since.

  const setup = setupRefreshCookieTabs;

  afterEach(() => void Reflect.deleteProperty(globalThis, 'localStorage'));

  describe('a sign-out during a login ends both sessions on the server (scenario 33)', () => {
    test('the one of the signed-in user, and the one that the login creates', async () => {
      const { browser, open, hold, sessions, loggedOut } = setup();
      const page = open();
      page.mount();
      await browser.pass(100);
      await page.login('ada');
      await browser.pass(100);
      const held = hold('POST /login');
      const login = outcomeOf(page.login('grace'));
      await browser.pass(50);
      const signOut = outcomeOf(page.logout());
      await browser.pass(50);
      held.resolve();
      await browser.until(login);
      expect(await browser.until(signOut)).toBe('done');
      await browser.pass(500);
      expect([loggedOut.sort(), [...sessions.values()]]).toEqual([['ada-1', 'grace-2'], []]);
    });

    test('also if one logout fails: the other one is sent, and a retry sends the failed one again', async () => {
      const { browser, open, hold, sessions, loggedOut, server } = setup();
      const page = open();
      page.mount();
      await browser.pass(100);
      await page.login('ada');
      await browser.pass(100);
      const held = hold('POST /login');
      const login = outcomeOf(page.login('grace'));
      await browser.pass(50);
      const logout = server.routes['POST /logout']!;
      server.routes['POST /logout'] = seen => (tokenOf(seen) === 'ada-1' ? json({}, 500) : logout(seen));
      const signOut = outcomeOf(page.logout());
      await browser.pass(50);
      held.resolve();
      await browser.until(login);
      expect(await browser.until(signOut)).toBe('NetworkError');
      expect([...sessions.values()]).toEqual(['ada']);
      expect(page.now().unconfirmed).toBe('logout');
      server.routes['POST /logout'] = logout;
      await browser.until(page.logout());
      expect([loggedOut, page.now().unconfirmed]).toEqual([['grace-2', 'ada-1'], undefined]);
    });
  });

  const REMEMBERED = { storage: { remembered: 'local', otherwise: 'session' } };

  describe('an idle end of two tabs that each have their own sign-in', () => {
    const IDLE_MS = 15 * 60_000;

    async function idleTabs(lateMs: number, options: object = REMEMBERED, tabs?: string) {
      const { browser, server, open } = setupTabs({}, options);
      const [a, b] = [open(), open()];
      const startClock = ({ tab }: typeof a, session: typeof a.session, after: number) =>
        tab.run(() =>
          sessionClock({ clock: tab.clock, idle: { after }, ...(tabs && { tabs }) })(
            sessionCore(session) as never,
          ).start(),
        );
      a.mount();
      b.mount();
      startClock(a, a.session, IDLE_MS);
      startClock(b, b.session, IDLE_MS + lateMs);
      await browser.pass(100);
      await a.login('ada');
      await browser.pass(300);
      await b.login('grace');
      await browser.pass(300);
      server.clear();
      await browser.clock.advance(IDLE_MS);
      await browser.pass(2_000);
      expect([a.now(), b.now()]).toMatchObject([{ reason: 'idle' }, { reason: 'idle' }]);
      return { browser, server, open, b, startClock };
    }

    const lateness = [
      ['both timers are in time', 0],
      ['the timer of one tab is a minute late', 60_000],
    ] as const;

    test.each(lateness)('the server ends both sessions (%s)', async (_name, lateMs) => {
      const { server } = await idleTabs(lateMs);
      expect(server.to('/logout').map(tokenOf).sort()).toEqual(['ada-1', 'grace-1']);
    });

    test.each(lateness)('a reload does not bring the user back (%s)', async (_name, lateMs) => {
      const { browser, open, b, startClock } = await idleTabs(lateMs);
      expectNoTokenStored(browser.storedIn(b.tab, 'data-client-auth'));
      b.dispose();
      const reloaded = open({}, b.tab);
      reloaded.mount();
      startClock(b, reloaded.session, IDLE_MS);
      await browser.pass(300);
      expect(reloaded.now().status).toBe('anonymous');
    });
  });
});

describe('before the page knows who is signed in', () => {
  // `logout()` before the page knows who is signed in looks for the session first. These tests cover events during that search;
  // signOut.test.ts covers the rest.

  const NAME = 'early-sign-out';

  type T = { accessToken: string; user: { id: string } };

  afterEach(() => void Reflect.deleteProperty(globalThis, 'localStorage'));

  describe('while a sign-out looks for the session that the server must end', () => {
    test.each(['local', 'memory'] as const)(
      'a user who signs in in another tab stays signed in (%s)',
      async storage => {
        const { server, sessions, loggedOut, options } = refreshCookieServer();
        const browser = fakeBrowser();
        const open = () => {
          const tab = browser.openTab();
          const session = createTokenSession<[{ name: string }], T>({
            ...options(),
            storage: { in: storage, key: NAME },
            clock: tab.clock,
          });
          return { tab, session };
        };
        const [a, b] = [open(), open()];
        b.tab.run(() => b.session.subscribe(() => {}));
        await browser.pass(100);
        // The first check of tab A hangs, and fails then.
        const held = deferred();
        const restore = server.routes['POST /restore']!;
        let first = true;
        server.routes['POST /restore'] = seen => {
          if (!first) return restore(seen);
          first = false;
          return held.promise.then(networkError);
        };
        a.tab.run(() => a.session.subscribe(() => {}));
        await browser.pass(50);
        const signedOut = a.tab
          .run(() => a.session.logout())
          .then(
            () => 'done',
            () => 'failed',
          );
        await browser.pass(200);
        const login = b.tab.run(() => b.session.login({ name: 'grace' }));
        await browser.pass(300);
        held.resolve();
        await browser.until(Promise.all([signedOut, login]));
        await browser.pass(500);
        expect(b.session.getSnapshot().user).toEqual({ id: 'grace' });
        // Tabs that keep their tokens in memory tell each other nothing.
        const isTold = storage === 'local';
        expect(a.session.getSnapshot().user).toEqual(isTold ? { id: 'grace' } : undefined);
        expect(loggedOut).toEqual([]);
        expect([...sessions.values()]).toEqual(['grace']);
      },
    );

    describe('the session is disposed of', () => {
      async function disposed() {
        const { server, options, signIn, sessions, loggedOut } = refreshCookieServer();
        signIn('ada');
        const clock = manualClock();
        const session = createTokenSession<[{ name: string }], T>({ ...options(), clock });
        session.subscribe(() => {});
        const held = deferred();
        const restore = server.routes['POST /restore']!;
        server.routes['POST /restore'] = seen => held.promise.then(() => restore(seen));
        await settle();
        const signedOut = session.logout().then(
          () => 'done',
          () => 'failed',
        );
        await settle();
        session.dispose();
        return { server, clock, session, held, signedOut, sessions, loggedOut };
      }
      test('no timer is left, and nothing more is sent', async () => {
        const { clock, server } = await disposed();
        await settle();
        expect(clock.pending).toBe(0);
        expect(server.seen.map(({ path }) => path)).toEqual(['/restore']);
      });
      test('a login after `dispose()` stays signed in', async () => {
        const { session, held, loggedOut, clock } = await disposed();
        await session.login({ name: 'grace' });
        held.resolve();
        await settle();
        await clock.advance(100);
        expect(session.getSnapshot().user).toEqual({ id: 'grace' });
        expect(loggedOut).not.toContain('grace-2');
      });
    });

    test('two sign-outs and two logins: one logout is sent, everything settles, and the last login counts', async () => {
      const made = setupTokenSession({ restore: async () => (await held.promise, made.issue('ada')) });
      const held = deferred();
      const { session, server, clock } = made;
      onTestFinished(() => session.dispose());
      session.subscribe(() => {});
      await settle();
      const outs = [session.logout(), session.logout()];
      const login = errorOf(session.login({ name: 'grace' }));
      const last = session.login({ name: 'bob' });
      await settle();
      held.resolve();
      expect((await login).name).toBe('AbortError');
      await Promise.all([...outs, last]);
      await settle();
      expect(server.to('/logout').map(tokenOf)).toEqual(['ada-1']);
      expect(session.getSnapshot().user?.id).toBe('bob');
      expect(clock.pending).toBe(0);
    });

    test.each(['the check', 'the lock', 'the storage', 'the logout'])(
      'when %s hangs, the promise settles, and no lock or timer is left',
      async what => {
        const hangs = () => new Promise<never>(() => {});
        const setup = setupTabs();
        const { browser, issue, server } = setup;
        const storage = what === 'the storage' ? { get: hangs, set: hangs, remove: hangs } : ('local' as const);
        const releaseLock = deferred();
        if (what === 'the lock')
          void browser
            .openTab()
            .run(() =>
              navigator.locks
                .request('data-client-auth:data-client-auth:turn', {}, () => releaseLock.promise)
                .catch(() => {}),
            );
        const restore = () => (what === 'the check' ? hangs() : Promise.resolve(issue('ada')));
        if (what === 'the logout') server.routes['POST /logout'] = hangs;
        const a = setup.open({ storage, restore });
        const unmount = a.mount();
        let isDone = false;
        void a.tab
          .run(() => a.session.logout())
          .catch(() => {})
          .then(() => (isDone = true));
        await browser.pass(41_000);
        expect(isDone).toBe(true);
        releaseLock.resolve();
        await browser.pass(1_000);
        unmount();
        a.dispose();
        await browser.pass(1_000);
        expect([browser.holds(), browser.clock.pending]).toEqual([0, 0]);
      },
    );
  });
});

describe('unconfirmed', () => {
  const ada = { name: 'ada' };
  const html = () =>
    new Response('<!doctype html><p>Sign in to the Wi-Fi', { headers: { 'Content-Type': 'text/html' } });
  const notJson = () => new Response('<!doctype html>', { headers: { 'Content-Type': 'application/json' } });
  const redirected = () => new Response(null, { status: 302, headers: { Location: '/login' } });
  const answering = (status: number) => () => json({}, status);

  /** Answers that do not say who is signed in. */
  const UNREADABLE: Record<string, Route> = {
    html,
    notJson,
    redirected,
    networkError,
    never,
    500: answering(500),
    502: answering(502),
    503: answering(503),
  };

  const snapshotOf = ({ getSnapshot }: Pick<Session, 'getSnapshot'>) => getSnapshot();

  describe('who is signed in cannot be read (scenario 41)', () => {
    test.each(Object.entries(UNREADABLE))(
      'whoami answers %s: unavailable, and never “signed out”',
      async (_name, whoami) => {
        const { session, clock } = setupCookieSession({ tabs: false }, { 'GET /whoami': whoami });
        session.subscribe(() => {});
        await settle();
        await clock.advance(callLimitMs);
        const { error, ...rest } = snapshotOf(session);
        expect(rest).toMatchObject({ status: 'anonymous', reason: undefined, unconfirmed: 'restore' });
        expect(error).toBeInstanceOf(RefreshUnavailableError);
        expect(error?.cause).toBeDefined();
      },
    );

    test('a whoami that answers with a page says so in the cause', async () => {
      const { session } = setupCookieSession({}, { 'GET /whoami': html });
      expect((await errorOf(session.refresh())).cause).toEqual(
        new SyntaxError('whoami() answered a text where an object was expected, as a proxy or a captive portal does.'),
      );
    });

    test('a token restore that answers with a page is unavailable, unless the app reads texts itself', async () => {
      const { session } = setupTokenSession({ restore: async () => '<!doctype html>' });
      expect(await errorOf(session.refresh())).toBeInstanceOf(RefreshUnavailableError);
      expect(snapshotOf(session)).toMatchObject({ status: 'anonymous', unconfirmed: 'restore' });
      const other = setupTokenSession({
        restore: async () => 'ada-1',
        parseTokens: answer => ({ accessToken: `${answer as unknown as string}` }),
      });
      await other.session.refresh();
      expect(snapshotOf(other.session)).toMatchObject({ status: 'authenticated', unconfirmed: undefined });
    });

    type Step = { check: keyof typeof UNREADABLE } | 'refused login' | 'nobody';
    const step: fc.Arbitrary<Step> = fc.oneof(
      fc.record({ check: fc.constantFrom(...Object.keys(UNREADABLE)) }),
      fc.constant('refused login' as const),
      fc.constant('nobody' as const),
    );

    test('it stays unconfirmed until a check is answered, whatever logins fail, and signing in works as soon as the server does', () =>
      fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 6 }), fc.boolean(), async (steps, byLogin) => {
          const { session, fake, clock, jar } = setupCookieSession({}, {}, functionServer);
          const login = fake.routes['POST /login']!;
          let expected: 'restore' | undefined;
          let checks = 0;
          for (const now of steps) {
            if (now === 'refused login') {
              fake.routes['POST /login'] = answering(401);
              const refused = errorOf(session.login(ada));
              await settle();
              // A login waits so long for a check that is never answered.
              await clock.advance(drainMs);
              expect(await refused).toMatchObject({ status: 401 });
              expect(snapshotOf(session).error).toMatchObject({ status: 401 });
            } else {
              fake.routes['GET /whoami'] = now === 'nobody' ? answering(401) : UNREADABLE[now.check]!;
              const check = session.refresh().catch(() => {});
              await settle();
              await clock.advance(callLimitMs);
              await check;
              checks++;
              expected = now === 'nobody' ? undefined : 'restore';
            }
            expect(snapshotOf(session)).toMatchObject({ reason: undefined, user: undefined });
            if (checks > 0) expect(snapshotOf(session)).toMatchObject({ status: 'anonymous', unconfirmed: expected });
          }
          expect(fake.count('/whoami')).toBe(checks);
          fake.routes['POST /login'] = login;
          fake.routes['GET /whoami'] = () => json({ id: 'ada' });
          jar.person = 'ada';
          const signedIn = byLogin ? session.login(ada) : session.refresh();
          await settle();
          await clock.advance(drainMs);
          await signedIn;
          expect(snapshotOf(session)).toMatchObject({
            status: 'authenticated',
            user: { id: 'ada' },
            error: undefined,
            unconfirmed: undefined,
          });
        }),
        { numRuns: 100 },
      ));
  });

  function worldOfToken() {
    const { session, server } = setupTokenSession({}, {}, functionServer);
    return { session, routes: server.routes, count: server.count };
  }

  function worldOfCookie() {
    const { session, fake } = setupCookieSession({ tabs: false }, {}, functionServer);
    return { session, routes: fake.routes, count: fake.count };
  }

  describe('a sign-out that the server has not confirmed (scenario 42)', () => {
    const UNCONFIRMED: Record<string, Route> = {
      networkError,
      never,
      403: answering(403),
      500: answering(500),
      503: answering(503),
    };
    type Step = { logout: keyof typeof UNCONFIRMED } | 'focus' | 'refused login' | 'request';
    const step: fc.Arbitrary<Step> = fc.oneof(
      fc.record({ logout: fc.constantFrom(...Object.keys(UNCONFIRMED)) }),
      fc.constantFrom('focus' as const, 'refused login' as const, 'request' as const),
    );

    test('signs out here at once and for good, until a logout is confirmed or a user signs in', () =>
      fc.assert(
        fc.asyncProperty(
          fc.boolean(),
          fc.boolean(),
          fc.array(step, { maxLength: 6 }),
          fc.boolean(),
          async (isStale, isFocused, steps, byLogin) => {
            const { session, fake, clock, jar, as, status, focus, ArticleResource } = setupCookieSession(
              { tabs: false },
              {},
              functionServer,
            );
            session.subscribe(() => {});
            await session.login(ada);
            const { 'POST /login': login, 'POST /logout': logout, 'GET /whoami': whoami } = fake.routes;
            const signOut = async (answer: Route, during = () => {}) => {
              fake.routes['POST /logout'] = answer;
              const error = errorOf(session.logout());
              expect(status()).toBe('anonymous');
              during();
              await settle();
              await clock.advance(callLimitMs);
              await error;
            };
            if (isStale) {
              // The check before the sign-out has failed, so another one is due.
              fake.routes['GET /whoami'] = networkError;
              await clock.advance(10_000);
              focus();
              await settle();
              fake.routes['GET /whoami'] = whoami!;
            }
            await clock.advance(10_000);
            await signOut(answering(500), isFocused ? focus : undefined);
            let logouts = 1;
            fake.clear();
            for (const now of steps) {
              await clock.advance(10 * 60_000);
              if (now === 'focus') focus();
              else if (now === 'request') await errorOf(ArticleResource.get({ id: '1' }));
              else if (now === 'refused login') {
                fake.routes['POST /login'] = answering(401);
                await errorOf(session.login(ada));
                expect(snapshotOf(session).error).toMatchObject({ status: 401 });
              } else {
                await signOut(UNCONFIRMED[now.logout]!);
                logouts++;
                expect(snapshotOf(session).error).toBeInstanceOf(LogoutUnconfirmedError);
              }
              await settle();
              expect(jar.person).toBe('ada');
              expect(snapshotOf(session)).toMatchObject({
                status: 'anonymous',
                reason: 'signed-out',
                unconfirmed: 'logout',
              });
            }
            // Another try asks first whose cookie it is.
            expect(fake.count('/whoami')).toBe(logouts - 1);
            expect(fake.count('/logout')).toBe(logouts - 1);
            expect(as.filter(({ person }) => person !== undefined)).toEqual([]);
            fake.routes['POST /login'] = login!;
            fake.routes['POST /logout'] = logout!;
            await (byLogin ? session.login(ada) : session.logout());
            expect(snapshotOf(session)).toMatchObject({
              status: byLogin ? 'authenticated' : 'anonymous',
              error: undefined,
              unconfirmed: undefined,
            });
            expect(jar.person).toBe(byLogin ? 'ada' : undefined);
            session.dispose();
          },
        ),
        { numRuns: 100 },
      ));

    const calls = fc.array(
      fc.record({ call: fc.constantFrom('login', 'logout'), fails: fc.constantFrom(500, 503, 403) }),
      { maxLength: 4 },
    );

    test.each(['token', 'cookie'] as const)(
      'stays unconfirmed when the calls after it were made before its answer, and fail as well (%s)',
      kind =>
        fc.assert(
          fc.asyncProperty(calls, fc.boolean(), async (more, answersAtOnce) => {
            const { session, routes, count } = kind === 'token' ? worldOfToken() : worldOfCookie();
            await session.login(ada);
            const statuses = [...more.filter(({ call }) => call === 'logout').map(({ fails }) => fails), 500];
            const answered = deferred();
            routes['POST /logout'] = async () => {
              if (!answersAtOnce) await answered.promise;
              return json({}, statuses.pop());
            };
            routes['POST /login'] = () => json({}, 401);
            const first = errorOf(session.logout());
            await settle();
            const later = more.map(({ call }) => errorOf(call === 'login' ? session.login(ada) : session.logout()));
            answered.resolve();
            await Promise.all([first, ...later]);
            await settle();
            expect(snapshotOf(session)).toMatchObject({
              status: 'anonymous',
              reason: 'signed-out',
              unconfirmed: 'logout',
            });
            expect(snapshotOf(session).error).toBeInstanceOf(
              more.at(-1)?.call === 'login' ? Error : LogoutUnconfirmedError,
            );
            const before = count('/logout');
            routes['POST /logout'] = () => new Response(null, { status: 204 });
            await session.logout();
            expect(snapshotOf(session)).toMatchObject({ status: 'anonymous', unconfirmed: undefined });
            expect(count('/logout')).toBe(before + 1);
          }),
          { numRuns: 50 },
        ),
    );
  });
});
