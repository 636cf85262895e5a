import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { sessionCore } from '../../src/endpoints/sessionCore.js';
import { createCookieSession, RestEndpoint } from '../../src/entries/core.js';
import { IdentityChangedError, RefreshUnavailableError } from '../../src/index.js';
import { lock } from '../../src/lock/lock.js';
import { json } from './support/answers.js';
import { API } from './support/article.js';
import { createCookieTabs } from './support/cookieTabs.js';
import { fakeBrowser } from './support/fakeBrowser.js';
import { callLimitMs } from './support/limits.js';
import { settle } from './support/manualClock.js';
import { mockServer, type Seen } from './support/mockServer.js';
import { deferred, outcomeOf, outcomes } from './support/promises.js';
import { setupCookieSession } from './support/setupCookieSession.js';
import { randomOf } from './support/time.js';

const TIMEOUT_MS = 400;

interface Act {
  readonly tab: number;
  readonly what: 'note' | 'ada' | 'grace' | 'logout' | 'focus' | 'mount';
  readonly after: number;
}

const act: fc.Arbitrary<Act> = fc.record({
  tab: fc.nat(2),
  what: fc.constantFrom('note', 'note', 'note', 'note', 'ada', 'grace', 'logout', 'focus', 'mount'),
  /** How long after the act before, in milliseconds. */
  after: fc.oneof(fc.nat(10), fc.nat(300), fc.constant(6_000)),
});

type Play = [acts: Act[], seed: number, tabs: number];

/** Sign-outs that ended another tab's user: after a login without an answer, and with the arguments of an earlier one. */
const known: Play[] = [
  [
    [
      { tab: 1, what: 'note', after: 6_000 },
      { tab: 0, what: 'grace', after: 6_000 },
      { tab: 0, what: 'mount', after: 6_000 },
      { tab: 1, what: 'ada', after: 6_000 },
      { tab: 1, what: 'logout', after: 0 },
      { tab: 0, what: 'note', after: 0 },
      { tab: 0, what: 'note', after: 30 },
      { tab: 0, what: 'note', after: 0 },
    ],
    1773561973,
    2,
  ],
  [
    [
      { tab: 0, what: 'logout', after: 6_000 },
      { tab: 0, what: 'grace', after: 6_000 },
      { tab: 0, what: 'logout', after: 0 },
    ],
    2021423414,
    2,
  ],
];

const numRuns = Number(process.env.PLAYS ?? 200);

test('tabs of one cookie: no request goes with another user’s, every call settles, and tabs agree at rest', async () => {
  const totals = { notes: 0, aborted: 0, lost: 0, logins: 0, logouts: 0 };
  await fc.assert(
    fc.asyncProperty(
      fc.array(act, { minLength: 3, maxLength: 20 }),
      fc.nat(),
      fc.integer({ min: 2, max: 3 }),
      async (acts, seed, count) => {
        const browser = createCookieTabs({ random: randomOf(seed), timeoutMs: TIMEOUT_MS });
        const { tabs, faults, seen } = browser;
        for (let opened = 0; opened < count; opened++) browser.openTab();
        let open = 0;
        const follow = (call: Promise<unknown>, onDone = () => {}) => {
          open++;
          call.then(onDone, () => {}).finally(() => open--);
        };
        follow(tabs[0]!.login('ada'));
        for (const { tab: index, what, after } of acts) {
          await browser.pass(after);
          const tab = tabs[index % count]!;
          if (what === 'focus' || what === 'mount') tab[what]();
          else if (what === 'note') follow(tab.note());
          else if (what === 'logout') follow(tab.logout(), () => void totals.logouts++);
          else follow(tab.login(what), () => void totals.logins++);
        }
        await browser.pass(60_000);
        expect(faults).toEqual([]);
        expect(open, 'calls that do not settle').toBe(0);
        // What a message told nobody is found with the next request.
        browser.calm();
        for (const tab of tabs) follow(tab.note());
        await browser.pass(60_000);
        expect(faults).toEqual([]);
        expect(open, 'calls that do not settle').toBe(0);
        for (const tab of tabs) expect([undefined, browser.cookie()]).toContain(tab.user());
        for (const key of ['notes', 'aborted', 'lost'] as const) totals[key] += seen[key];
      },
    ),
    { numRuns, examples: known },
  );
  expect(totals.notes).toBeGreaterThan(numRuns);
  expect(totals.aborted).toBeGreaterThan(numRuns / 4);
  expect(totals.lost).toBeGreaterThan(numRuns / 2);
  expect(Math.min(totals.logins, totals.logouts)).toBeGreaterThan(numRuns / 4);
});

test('a page that nobody listens to any more keeps its lock until what it has sent is answered', async () => {
  let luck = 0.45;
  const browser = createCookieTabs({ random: () => luck, timeoutMs: 5_000 });
  const [first, second] = [browser.openTab(), browser.openTab()];
  void first.login('ada');
  await browser.pass(6_000);
  luck = 0.95;
  const slow = first.note();
  await browser.pass(20);
  luck = 0.45;
  first.mount();
  void second.login('grace');
  await browser.pass(6_000);
  await slow;
  expect(browser.faults).toEqual([]);
  expect([second.user(), browser.cookie()]).toEqual(['grace', 'grace']);
  expect(browser.seen.aborted).toBe(0);
});

test('a page whose login took too long, so that another page’s was sent, asks who is signed in before its next request', async () => {
  let luck = 0.45;
  const browser = createCookieTabs({ random: () => luck, timeoutMs: TIMEOUT_MS });
  const [first, second] = [browser.openTab(), browser.openTab()];
  void first.login('ada');
  await browser.pass(6_000);
  luck = 0.95;
  const slow = first.login('ada').catch((error: Error) => error.name);
  await browser.pass(20);
  // No event of the page makes it ask.
  first.mount();
  void second.login('grace');
  await browser.pass(1_500);
  luck = 0.45;
  await browser.pass(6_000);
  expect(await slow).toBe('RefreshUnavailableError');
  expect([second.user(), browser.cookie()]).toEqual(['grace', 'grace']);
  first.note().catch(() => {});
  await browser.pass(6_000);
  expect(browser.faults).toEqual([]);
  expect(first.user()).toBe('grace');
});

describe('logout', () => {
  // A logout with a cookie takes time, and the user goes to another tab.

  afterEach(() => void Reflect.deleteProperty(globalThis, 'localStorage'));

  /** A server with session cookies, and a browser with one cookie for all tabs that are opened. */
  function setupCookieTabs(options: { timeout?: number } = {}) {
    const sessions = new Map<string, string>();
    const jar = { cookie: '' };
    const loggedOut: string[] = [];
    let issued = 0;
    /** Signs in, also on a page that is not the app. */
    const signIn = (name: string) => {
      jar.cookie = `${name}-${++issued}`;
      sessions.set(jar.cookie, name);
    };
    const server = mockServer({
      'POST /login': seen => {
        const { name } = JSON.parse(seen.body) as { name: string };
        signIn(name);
        return json({ id: name });
      },
      'GET /whoami': () => (sessions.has(jar.cookie) ? json({ id: sessions.get(jar.cookie) }) : json({}, 401)),
      'POST /logout': () => {
        loggedOut.push(jar.cookie);
        sessions.delete(jar.cookie);
        return new Response(null, { status: 204 });
      },
    });
    const browser = fakeBrowser();
    const open = () => {
      const tab = browser.openTab();
      const session = createCookieSession<[{ name: string }], { id: string }>({
        login: new RestEndpoint({ urlPrefix: API, path: '/login', method: 'POST' }) as never,
        logout: new RestEndpoint({ urlPrefix: API, path: '/logout', method: 'POST', body: undefined }) as never,
        whoami: new RestEndpoint({ urlPrefix: API, path: '/whoami' }) as never,
        credentials: 'include',
        tabs: 'cookie-logout',
        clock: tab.clock,
        server: true,
        ...options,
      });
      const seen: string[] = [];
      const stop = tab.run(() => session.subscribe(() => seen.push(session.getSnapshot().status)));
      return {
        tab,
        session,
        seen,
        now: () => session.getSnapshot(),
        login: (name: string) => tab.run(() => session.login({ name })),
        logout: () => tab.run(() => session.logout()),
        focus: () => tab.fire('focus'),
        unmount: () => tab.run(stop),
      };
    };
    return { browser, server, open, sessions, loggedOut, signIn };
  }

  async function adaInTwoTabs(options?: { timeout?: number }) {
    const made = setupCookieTabs(options);
    const [a, b] = [made.open(), made.open()];
    await made.browser.pass(100);
    await a.login('ada');
    await made.browser.pass(6_000);
    expect(b.now().user).toEqual({ id: 'ada' });
    b.seen.length = 0;
    /** From now on, the server ends a session `at once` or `later`, and answers when the promise resolves. */
    const holdLogout = (ends: 'at once' | 'later') => {
      const held = deferred();
      const logout = made.server.routes['POST /logout']!;
      made.server.routes['POST /logout'] = seen => {
        made.server.routes['POST /logout'] = logout;
        const early = ends === 'at once' ? logout(seen) : undefined;
        return held.promise.then(() => early ?? logout(seen));
      };
      return held;
    };
    return { ...made, a, b, holdLogout };
  }

  describe('while it is slow', () => {
    test.each(['ada', 'grace'])('a login in the other tab waits for it (%s)', async name => {
      const { browser, server, a, b, holdLogout, loggedOut, sessions } = await adaInTwoTabs();
      server.clear();
      const held = holdLogout('later');
      const out = outcomeOf(a.logout());
      await browser.pass(1_000);
      const login = b.login(name);
      await browser.pass(1_000);
      expect([server.count('/logout'), server.count('/login')]).toEqual([1, 0]);
      held.resolve();
      expect(await browser.until(out)).toBe('done');
      await browser.until(login);
      await browser.pass(1_000);
      expect(loggedOut).toEqual(['ada-1']);
      expect([...sessions.values()]).toEqual([name]);
      expect([a.now().user, b.now().user]).toEqual([{ id: name }, { id: name }]);
    });

    test('and is never answered, it ends at its limit: a later user stays signed in', async () => {
      const { browser, server, a, b } = await adaInTwoTabs();
      const logouts: Seen[] = [];
      server.routes['POST /logout'] = seen => (logouts.push(seen), new Promise<never>(() => {}));
      const out = outcomeOf(a.logout());
      await browser.pass(1_000);
      const login = b.login('grace');
      await browser.pass(callLimitMs);
      expect(await out).toBe('TimeoutError');
      await browser.until(login);
      await browser.pass(500);
      expect(logouts.map(({ signal }) => signal.aborted)).toEqual([true]);
      // The cookie that this page could not end is gone.
      expect([a.now().unconfirmed, b.now().user]).toEqual([undefined, { id: 'grace' }]);
    });
  });

  describe('after that', () => {
    test.each([undefined, Infinity])(
      'a focus finds who has signed in on a page that is not the app (timeout: %s)',
      async ms => {
        const { browser, signIn, a, b } = await adaInTwoTabs(ms === undefined ? {} : { timeout: ms });
        await browser.until(a.logout());
        signIn('grace');
        await browser.pass(11_000);
        b.focus();
        await browser.pass(500);
        // A check brings nobody back before a user signs in.
        expect(b.now().user).toEqual(undefined);
      },
    );

    test('no timer is left, and without a focus nothing is sent', async () => {
      const { browser, server, a, b } = await adaInTwoTabs();
      await browser.until(a.logout());
      await browser.pass(500);
      server.clear();
      await browser.pass(15_000);
      expect(server.seen).toEqual([]);
      await a.login('ada');
      await browser.pass(500);
      await browser.until(a.logout());
      await browser.pass(500);
      a.unmount();
      b.unmount();
      expect(browser.clock.pending).toBe(0);
    });
  });

  test.each([
    ['a login of the same user', 'ada', 'authenticated'],
    ['a logout', undefined, 'anonymous'],
  ] as const)('a locked page hears of %s in another tab', async (_name, user, status) => {
    const { browser, a, b, sessions } = await adaInTwoTabs();
    for (const { tab, session } of [a, b]) tab.run(() => lock({ clock: tab.clock }).attach(sessionCore(session)));
    sessions.clear();
    for (const one of [a, b]) one.focus();
    await browser.pass(6_000);
    expect([a.now().status, b.now().status]).toEqual(['locked', 'locked']);
    await browser.until(outcomeOf(user ? a.login(user) : a.logout()));
    await browser.pass(1_000);
    expect([a.now().status, b.now().status]).toEqual([status, status]);
  });
});

const MINUTE = 60_000;

/** Ada is signed in on a page that is mounted, and that was checked a moment ago. */
async function setupMountedSession(...[options, more]: Parameters<typeof setupCookieSession>) {
  const setup = setupCookieSession({ tabs: false, ...options }, more);
  const stop = setup.session.subscribe(() => {});
  await settle();
  await setup.session.login({ name: 'ada' });
  setup.fake.clear();
  const burst = (count = 20) => Array.from({ length: count }, (_, id) => setup.ArticleResource.get({ id: String(id) }));
  return { ...setup, stop, burst, user: () => setup.session.getSnapshot().user?.id };
}

type Setup = Awaited<ReturnType<typeof setupMountedSession>>;

/** Requests that started as Ada reach nobody, and those of after the check are Grace's. @param checks until then */
async function expectGrace({ burst, as, whoamis, user }: Setup, checks = 1) {
  const { reasons } = await outcomes(burst());
  expect(reasons).toHaveLength(20);
  for (const reason of reasons) expect(reason).toBeInstanceOf(IdentityChangedError);
  expect(as).toEqual([]);
  expect(whoamis()).toBe(1);
  expect(user()).toBe('grace');
  await Promise.all(burst(3));
  expect(as.map(({ person }) => person)).toEqual(['grace', 'grace', 'grace']);
  expect(whoamis()).toBe(checks);
}

test('the first subscriber after none: whoami is asked before anything is sent (scenario 22)', async () => {
  const setup = await setupMountedSession();
  setup.stop();
  setup.jar.person = 'grace';
  setup.session.subscribe(() => {});
  await expectGrace(setup);
});

test('each burst of requests after the last subscriber: whoami is asked before it', async () => {
  const setup = await setupMountedSession();
  setup.stop();
  setup.jar.person = 'grace';
  await expectGrace(setup, 2);
});

test('a page that is focused or shown again checks at most once in 5 seconds', async () => {
  const act = fc.constantFrom('focus', 'show', 'hide');
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.nat(3_000), act), { maxLength: 30 }), async steps => {
      const { clock, focus, show, whoamis } = await setupMountedSession();
      let [checkedAt, expected] = [clock.now(), 0];
      for (const [ms, what] of steps) {
        await clock.advance(ms);
        Object.assign(globalThis.document, { visibilityState: what === 'hide' ? 'hidden' : 'visible' });
        if (what === 'focus') focus();
        else show();
        if (what !== 'hide' && clock.now() - checkedAt >= 5_000) [checkedAt, expected] = [clock.now(), expected + 1];
        await settle();
        expect(whoamis()).toBe(expected);
      }
    }),
    { numRuns: 30 },
  );
});

test('a field that is focused is no page that is focused', async () => {
  const { clock, window, whoamis } = await setupMountedSession();
  await clock.advance(MINUTE);
  window.dispatchEvent(Object.defineProperty(new Event('focus'), 'target', { value: {} }));
  await settle();
  expect(whoamis()).toBe(0);
});

test.each([
  ['4 minutes 59', 5 * MINUTE - 1_000, 0],
  ['5 minutes 1', 5 * MINUTE + 1_000, 1],
])('the first request after %s without one costs %#', async (_name, ms, expected) => {
  const { clock, burst, whoamis } = await setupMountedSession();
  await burst(1)[0];
  await clock.advance(ms);
  expect((await outcomes(burst())).resolved).toBe(20);
  expect(whoamis()).toBe(expected);
});

test('the CSRF cookie changed, and no answer to this page did it: one whoami for 20 requests', async () => {
  const setup = await setupMountedSession();
  setup.rotate('c2');
  expect((await outcomes(setup.burst())).resolved).toBe(20);
  expect(setup.whoamis()).toBe(1);
  setup.fake.clear();
  setup.as.length = 0;
  setup.rotate('c3');
  setup.jar.person = 'grace';
  await expectGrace(setup);
});

test('a CSRF cookie that this page’s own answers change costs one whoami, after the first change', async () => {
  const setup = await setupMountedSession();
  const { rotateWith, whoamis, ArticleResource } = setup;
  rotateWith('*', 'GET /whoami');
  for (let times = 0; times < 3; times++) expect((await outcomes(setup.burst(5))).resolved).toBe(5);
  await ArticleResource.update({ id: '1' }, { title: 'x' });
  expect(whoamis()).toBe(1);
});

test('a check that finds what is known renders nothing', async () => {
  const { session, clock, focus, whoamis, rotate, burst } = await setupMountedSession();
  const before = session.getSnapshot();
  const listener = vi.fn();
  session.subscribe(listener);
  await clock.advance(MINUTE);
  focus();
  rotate('c2');
  await Promise.all(burst());
  expect(whoamis()).toBeGreaterThan(0);
  expect(session.getSnapshot()).toBe(before);
  expect(listener).not.toHaveBeenCalled();
});

test('while the check fails, requests are unavailable and nothing is sent; the next request checks again', async () => {
  const { session, fake, as, clock, focus, burst, whoamis } = await setupMountedSession();
  const before = session.getSnapshot();
  const { 'GET /whoami': sound } = fake.routes;
  await clock.advance(MINUTE);
  for (const status of [500, 503]) {
    fake.routes['GET /whoami'] = () => json({}, status);
    fake.clear();
    focus();
    const { reasons } = await outcomes(burst());
    expect(reasons).toHaveLength(20);
    for (const reason of reasons) expect(reason).toBeInstanceOf(RefreshUnavailableError);
    expect(whoamis()).toBe(1);
    expect(as).toEqual([]);
    expect(session.getSnapshot()).toBe(before);
    await clock.advance(100);
  }
  fake.routes['GET /whoami'] = sound!;
  expect((await outcomes(burst())).resolved).toBe(20);
  expect(as).toHaveLength(20);
  expect(whoamis()).toBe(2);
});

test('verifyResponse: no answer for another user is given to a caller, and nothing further is sent before whoami has answered', async () => {
  const setup = await setupMountedSession({ verifyResponse: ({ headers }) => headers.get('x-user-id') ?? undefined });
  const { fake, jar, data, as, whoamis, burst, user } = setup;
  const whoami = deferred();
  fake.routes['*'] = async seen => {
    const [{ person }, answer] = [jar, await data(seen)];
    answer.headers.set('x-user-id', person!);
    return answer;
  };
  fake.routes['GET /whoami'] = () => whoami.promise.then(() => json({ id: jar.person }));
  expect((await outcomes(burst(3))).resolved).toBe(3);
  jar.person = 'grace';
  as.length = 0;
  const first = outcomes(burst(3));
  await settle();
  const further = outcomes(burst(5));
  await settle();
  expect(as).toHaveLength(3);
  whoami.resolve();
  const { resolved, reasons } = await first;
  for (const reason of reasons) expect(reason).toBeInstanceOf(IdentityChangedError);
  expect(resolved).toBe(0);
  expect((await further).resolved).toBe(0);
  expect(as).toHaveLength(3);
  expect(whoamis()).toBe(1);
  expect(user()).toBe('grace');
});

const HOUR = 60 * MINUTE;

describe('after the system clock was set back by three hours', () => {
  test('a focus checks, as ever', async () => {
    const setup = await setupMountedSession();
    await setup.clock.advance(MINUTE);
    setup.clock.setBack(3 * HOUR);
    setup.jar.person = 'grace';
    setup.focus();
    await expectGrace(setup);
  });
});
