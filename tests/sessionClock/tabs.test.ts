import fc from 'fast-check';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { sessionCore } from '../../src/endpoints/sessionCore.js';
import { lock } from '../../src/entries/lock.js';
import { createSdkSession } from '../../src/index.js';
import { json } from '../session/support/answers.js';
import { type BrowserOptions } from '../session/support/fakeBrowser.js';
import { calls, lateLogout } from '../session/support/limits.js';
import { manualClock, settle } from '../session/support/manualClock.js';
import { setupCookieSession } from '../session/support/setupCookieSession.js';
import { setupTabs } from '../session/support/setupTabs.js';
import { setupTokenSession } from '../session/support/setupTokenSession.js';
import { expectNoTokenStored } from '../session/support/storedTokens.js';
import { stubPage } from '../session/support/stubPage.js';
import { type EndingUser, setupCookieTabs } from './support/setupCookieTabs.js';
import { IDLE, MINUTE, SECOND, startClock } from './support/startClock.js';

const RECORD = 'data-client-auth:data-client-auth:activity';

afterEach(() => void Reflect.deleteProperty(globalThis, 'localStorage'));

/** Two tabs of a browser in which Ada is signed in, each with a clock that has just begun. */
async function setupTwo(options: BrowserOptions = {}, clockOptions = IDLE) {
  const setup = setupTabs(options);
  const start = (opened: ReturnType<typeof setup.open>) => ({
    ...opened,
    ...opened.tab.run(() => startClock(opened.session, opened.tab.clock, clockOptions)),
    press: () => opened.tab.fire('keydown'),
    pressDuringWarning: () => opened.tab.fire('keyup'),
  });
  const [first, second] = (await setup.openTwo()).map(start) as [ReturnType<typeof start>, ReturnType<typeof start>];
  await setup.browser.pass(100);
  setup.server.clear();
  return { ...setup, start, first, second, logouts: () => setup.server.count('POST /logout') };
}

test('a system clock that is set back by an hour: the time that is stored is no activity of later, and new activity is shared at once', async () => {
  const { browser, first, second } = await setupTwo();
  second.stop();
  first.press();
  await browser.pass(2_000);
  browser.clock.setBack(60 * MINUTE);
  first.press();
  await browser.pass(10);
  first.press();
  expect(JSON.parse(browser.stored(RECORD)!)).toMatchObject({ at: browser.clock.now() });
  first.press();
  browser.clock.setBack(60 * MINUTE);
  for (let minutes = 0; minutes <= 30; minutes++) await browser.clock.advance(MINUTE);
  expect(first.now().reason).toBe('idle');
});

describe('two tabs of a browser', () => {
  test.each([
    ['with Web Locks, the server is told once', {}, 1],
    ['without, each tab tells it', { locks: 'missing' }, 2],
  ] as const)('without activity both end as idle: %s', async (_, options, times) => {
    const { browser, first, second, logouts, server } = await setupTwo(options);
    await browser.clock.advance(15 * MINUTE);
    await browser.pass(1_000);
    expect([first.now().reason, second.now().reason]).toEqual(['idle', 'idle']);
    expect([logouts(), server.seen.length]).toEqual([times, times]);
    expectNoTokenStored(browser.stored('data-client-auth'));
    expect(browser.holds()).toBe(0);
  });

  test('at most one write in a second, and the last key counts', async () => {
    const { browser, first, second } = await setupTwo();
    const written = browser.written().length;
    for (let times = 0; times < 100; times++) {
      first.press();
      await browser.pass(30);
    }
    await browser.pass(1_100);
    expect(
      browser
        .written()
        .slice(written)
        .filter(line => line.startsWith(`${RECORD}=`)).length,
    ).toBeLessThanOrEqual(5);
    expect(second.timer.getEndsIn()).toBe(first.timer.getEndsIn());
  });
});

describe('a tab that was frozen', () => {
  test('does not end what the user of another tab uses', async () => {
    const { browser, first, second } = await setupTwo();
    await browser.clock.advance(10 * MINUTE);
    browser.holdMessages();
    first.press();
    await browser.pass(100);
    await browser.clock.advance(5 * MINUTE);
    expect([first.now().status, second.now().status]).toEqual(['authenticated', 'authenticated']);
    expect(second.states).toEqual([]);
  });

  test('that another tab has ended ends as idle, and does not tell the server again', async () => {
    const { browser, first, second, logouts } = await setupTwo();
    const { now } = second.tab.clock;
    let isFrozen = true;
    Object.assign(second.tab.clock, { now: () => (isFrozen ? now() - 16 * MINUTE : now()) });
    browser.holdMessages();
    await browser.clock.advance(15 * MINUTE);
    await browser.pass(1_000);
    expect(first.now().reason).toBe('idle');
    isFrozen = false;
    second.tab.fire('pageshow');
    expect(second.now().reason).toBe('idle');
    await browser.deliverAll();
    await browser.pass(1_000);
    expect(second.now().reason).toBe('idle');
    expect(logouts()).toBe(1);
  });
});

test('a message about an end counts only for the activity that it names', async () => {
  const { browser, first } = await setupTwo();
  const at = browser.clock.now();
  await browser.clock.advance(MINUTE);
  first.press();
  await browser.post(`${RECORD}:end`, { at, ended: 'idle' });
  await browser.post(`${RECORD}:end`, { at: 'now', ended: 'idle' });
  await browser.post(`${RECORD}:end`, 'no message');
  expect(first.now().status).toBe('authenticated');
  await browser.post(`${RECORD}:end`, { at: browser.clock.now(), ended: 'idle' });
  expect(first.now().reason).toBe('idle');
});

describe('a page that is loaded', () => {
  test('goes on with the activity of before', async () => {
    const { browser, first, second, open, start } = await setupTwo();
    await browser.clock.advance(10 * MINUTE);
    first.tab.close();
    second.tab.close();
    const opened = open();
    opened.mount();
    const third = start(opened);
    await browser.pass(100);
    expect(third.timer.getEndsIn()).toBeLessThanOrEqual(5 * MINUTE);
    expect(third.timer.getEndsIn()).toBeGreaterThan(4 * MINUTE);
  });

  test('a day later, ends before it shows anything', async () => {
    const { browser, first, second, open, start, logouts } = await setupTwo();
    first.tab.close();
    second.tab.close();
    await browser.clock.advance(24 * 60 * MINUTE);
    const opened = open();
    const third = start(opened);
    opened.mount();
    await browser.pass(1_000);
    expect(third.now()).toMatchObject({ status: 'anonymous', reason: 'idle' });
    expect(logouts()).toBe(1);
  });

  /** After an idle end, a page is loaded, and the server has a session: of a sign-in at its own pages, or the one of before. */
  async function loadAfterEnd({ browser, first, second, open, start, issue }: Awaited<ReturnType<typeof setupTwo>>) {
    await browser.clock.advance(15 * MINUTE);
    await browser.pass(1_000);
    first.tab.close();
    second.tab.close();
    await browser.clock.advance(60 * MINUTE);
    const opened = open({ restore: () => Promise.resolve(issue('ada')) });
    const third = start(opened);
    opened.mount();
    await browser.pass(1_000);
    return third;
  }

  test('after an end that the server has confirmed, it begins with the whole time', async () => {
    const third = await loadAfterEnd(await setupTwo());
    expect(third.now().status).toBe('authenticated');
    expect(third.timer.getEndsIn()).toBeGreaterThan(14 * MINUTE);
  });

  test('after an end that the server has not confirmed, it ends again', async () => {
    const setup = await setupTwo();
    setup.server.routes['POST /logout'] = () => new Response(null, { status: 500 });
    const third = await loadAfterEnd(setup);
    expect(third.now()).toMatchObject({ status: 'anonymous', reason: 'idle' });
    expect(setup.logouts()).toBe(2);
  });
});

test('tabs that share nothing count for themselves, and store nothing', async () => {
  const { browser, first, second } = await setupTwo({}, { ...IDLE, tabs: false } as typeof IDLE);
  await browser.clock.advance(10 * MINUTE);
  first.press();
  await browser.clock.advance(5 * MINUTE);
  expect(second.now().reason).toBe('idle');
  expect(browser.stored(RECORD)).toBeNull();
});

test('a press counts from its own time, also where the page handles it late', async () => {
  const { browser, first } = await setupTwo({}, { ...IDLE, tabs: false } as typeof IDLE);
  await browser.clock.advance(14 * MINUTE + 59 * SECOND);
  first.pressDuringWarning();
  await browser.clock.advance(2 * SECOND);
  expect(first.now().status).toBe('authenticated');
});

test('where the storage is denied, each tab counts for itself', async () => {
  const { browser, first, second } = await setupTwo();
  const denied = () => {
    throw new DOMException('The storage is denied.', 'SecurityError');
  };
  Object.defineProperty(globalThis, 'localStorage', { configurable: true, get: denied });
  await browser.clock.advance(14 * MINUTE);
  first.pressDuringWarning();
  await browser.pass(100);
  expect([first.states, second.states]).toEqual([['idle', false], ['idle']]);
});

test('the session of two tabs ends when neither had activity for the time, and never before', async () => {
  const AFTER = 2 * MINUTE;
  const step = fc.record({
    tab: fc.constantFrom('first', 'second', undefined),
    ms: fc.integer({ min: 100, max: AFTER * 1.2 }).map(ms => Math.round(ms / 100) * 100),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async steps => {
      const { browser, logouts, ...tabs } = await setupTwo({}, { idle: { after: AFTER } });
      let activeAt = browser.clock.now() - 100;
      for (const { tab, ms } of steps) {
        if (tab) {
          tabs[tab].press();
          tabs[tab].pressDuringWarning();
          // The press is handled in a task of its own.
          await browser.clock.advance(0);
          activeAt = browser.clock.now();
        }
        for (let passed = 0; passed < ms; passed += SECOND) {
          await browser.clock.advance(Math.min(SECOND, ms - passed));
          const isOver = browser.clock.now() - activeAt >= AFTER;
          const reasons = [tabs.first.now().reason, tabs.second.now().reason];
          expect(reasons).toEqual(isOver ? ['idle', 'idle'] : [undefined, undefined]);
          if (!isOver) continue;
          await browser.pass(500);
          expect(logouts()).toBe(1);
          return;
        }
      }
    }),
    {
      numRuns: 40,
      examples: [
        [
          [
            { tab: 'first', ms: 119_000 },
            { tab: 'first', ms: 1_000 },
          ],
        ],
      ],
    },
  );
}, 60_000);

const endsAt = (user: EndingUser) => user.endsAt;

describe('two tabs with one cookie', () => {
  /** Both tabs know an end in half an hour, and a minute is left. */
  async function setupTwo() {
    const setup = setupCookieTabs({ endsAt }, 30 * MINUTE);
    setup.cookie.person = 'ada';
    const [first, second] = [setup.open(), setup.open()];
    await setup.browser.pass(500);
    await setup.browser.clock.advance(29 * MINUTE);
    return { ...setup, first, second, statuses: () => [first.now().status, second.now().status] };
  }

  test('“Stay signed in” in one moves the end of both', async () => {
    const { browser, first, second, statuses, server } = await setupTwo();
    expect([first.states, second.states]).toEqual([['expired'], ['expired']]);
    server.clear();
    await browser.until(first.tab.run(() => first.timer.stay()));
    await browser.pass(500);
    expect([first.states, second.states]).toEqual([
      ['expired', false],
      ['expired', false],
    ]);
    await browser.clock.advance(28 * MINUTE);
    expect(statuses()).toEqual(['authenticated', 'authenticated']);
    expect(server.count('GET /whoami')).toBe(1);
    await browser.clock.advance(2 * MINUTE);
    await browser.pass(500);
    expect(statuses()).toEqual(['anonymous', 'anonymous']);
  });

  test('a tab that was frozen meanwhile reads the new end before it ends anything', async () => {
    const { browser, first, second, statuses } = await setupTwo();
    browser.holdMessages();
    await browser.until(first.tab.run(() => first.timer.stay()));
    await browser.pass(500);
    await browser.clock.advance(2 * MINUTE);
    await browser.pass(500);
    expect(statuses()).toEqual(['authenticated', 'authenticated']);
    expect(second.states).toEqual(['expired', false]);
  });
});

test('after an expiry, the next sign-in of the same user has its own time', async () => {
  const { browser, cookie, open } = setupCookieTabs({ endsAt }, 30 * MINUTE);
  cookie.person = 'ada';
  const tab = open();
  await browser.pass(500);
  await browser.clock.advance(30 * MINUTE);
  await browser.pass(500);
  expect(tab.now().reason).toBe('expired');
  await browser.until(tab.tab.run(() => tab.session.refresh()));
  await browser.clock.advance(29 * MINUTE);
  expect(tab.now().status).toBe('authenticated');
});

test('the same user signs in again in one of two tabs with shared tokens: both have the new end', async () => {
  const setup = setupTabs();
  const { browser, server } = setup;
  const login = server.routes['POST /login']!;
  server.routes['POST /login'] = async seen => {
    const answer = (await (await login(seen)).json()) as { user: object };
    return json({ ...answer, user: { ...answer.user, endsAt: browser.clock.now() + 30 * MINUTE } });
  };
  const [first, second] = await setup.openTwo();
  for (const { tab, session } of [first, second]) tab.run(() => startClock(session, tab.clock, { endsAt }));
  await browser.pass(100);
  await browser.clock.advance(20 * MINUTE);
  await browser.until(first.login('ada'));
  await browser.pass(500);
  expect(second.now().user).toEqual(first.now().user);
  await browser.clock.advance(12 * MINUTE);
  await browser.pass(500);
  expect([first.now().status, second.now().status]).toEqual(['authenticated', 'authenticated']);
});

test('an end that was known before the user signed in on this page does not end it', async () => {
  const { browser, cookie, server, open } = setupCookieTabs({ endsAt });
  server.routes['POST /login'] = () => ((cookie.person = 'ada'), json({ id: 'ada' }));
  const tab = open();
  await browser.pass(500);
  const knownAt = browser.clock.now();
  await browser.pass(500);
  await browser.until(tab.tab.run(() => tab.session.login()));
  const hear = async (end: object) => {
    const message = { at: browser.clock.now(), ended: 'expired', end: { signIn: 'ada', endsAt: knownAt, ...end } };
    await browser.post('data-client-auth:data-client-auth:activity:end', message);
    return tab.now().status;
  };
  expect(await hear({ knownAt })).toBe('authenticated');
  expect(await hear({ knownAt: browser.clock.now() + 1, signIn: 'grace' })).toBe('authenticated');
  expect(await hear({ knownAt: browser.clock.now() + 1 })).toBe('anonymous');
});

// A page in the back/forward cache runs nothing, its clock included. When it is shown again, the clock's listeners run before the session's.

const pageEvent = (type: string) => Object.assign(new Event(type), { persisted: true });
interface CookiePageOptions {
  /** @default false */
  readonly locks?: boolean;
  /** The clock starts after the session, and listens after it. @default false */
  readonly isClockLate?: boolean;
  readonly options?: typeof IDLE & { readonly signOut?: () => unknown };
}

/** Ada, signed in by a cookie, leaves the page for twenty minutes. */
async function setupCookiePage(
  sharesActivity: boolean,
  { locks = false, isClockLate = false, options = IDLE }: CookiePageOptions = {},
) {
  const stored = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
  const setup = setupCookieSession(sharesActivity ? {} : { tabs: false });
  const { session, clock, fake, window } = setup;
  if (isClockLate) session.subscribe(() => {});
  const { timer, stop } = startClock(session, clock, options);
  // The next test has the same channels.
  onTestFinished(() => (stop(), session.dispose()));
  if (locks) lock({ clock }).attach(sessionCore(session));
  session.subscribe(() => {});
  await settle();
  await session.login({ name: 'ada' });
  await settle();
  fake.clear();
  window.dispatchEvent(pageEvent('pagehide'));
  const { now } = clock;
  clock.now = () => now() + 20 * MINUTE;
  return {
    ...setup,
    timer,
    comeBack: async () => {
      setup.show();
      window.dispatchEvent(pageEvent('pageshow'));
      for (let step = 0; step < 10; step++) await clock.advance(100);
    },
  };
}

test.each([
  ['one tab', false],
  ['tabs that share their activity', true],
])('a page that is shown again after the idle time has ended, and tells the server: %s', async (_, sharesActivity) => {
  const { session, timer, fake, jar, comeBack } = await setupCookiePage(sharesActivity);
  await comeBack();
  expect(calls(fake.seen)).toEqual(lateLogout);
  expect(session.getSnapshot()).toMatchObject({ status: 'anonymous', reason: 'idle' });
  expect([timer.getEndsIn(), jar.person]).toEqual([undefined, undefined]);
});

test('it ends before anything is sent also where the session listens before its clock', async () => {
  const { session, timer, fake, jar, comeBack } = await setupCookiePage(false, { isClockLate: true });
  await comeBack();
  expect(calls(fake.seen)).toEqual(lateLogout);
  expect(session.getSnapshot()).toMatchObject({ status: 'anonymous', reason: 'idle' });
  expect([timer.getEndsIn(), jar.person]).toEqual([undefined, undefined]);
});

test('with a `signOut` of the app it sends no whoami, which would find the cookie of the user', async () => {
  const signOut = vi.fn();
  const { session, fake, comeBack } = await setupCookiePage(false, { options: { ...IDLE, signOut } });
  await comeBack();
  expect(signOut).toHaveBeenCalledTimes(1);
  expect(calls(fake.seen)).toEqual([]);
  expect(session.getSnapshot().reason).toBe('idle');
});

test('with a lock it is locked, and the cookie unlocks nothing', async () => {
  const { session, fake, jar, comeBack } = await setupCookiePage(false, { locks: true });
  await comeBack();
  expect(calls(fake.seen)).toEqual(lateLogout);
  expect([session.getSnapshot().status, jar.person]).toEqual(['locked', undefined]);
});

test('a token is ended on the server, too', async () => {
  const page = stubPage();
  const { session, clock, server } = setupTokenSession();
  startClock(session, clock);
  session.subscribe(() => {});
  await session.login({ name: 'ada' });
  server.clear();
  page.window.dispatchEvent(pageEvent('pagehide'));
  const { now } = clock;
  clock.now = () => now() + 20 * MINUTE;
  page.document.dispatchEvent(new Event('visibilitychange'));
  page.window.dispatchEvent(pageEvent('pageshow'));
  for (let step = 0; step < 10; step++) await clock.advance(100);
  expect(calls(server.seen)).toEqual(['POST /logout']);
  expect(session.getSnapshot().reason).toBe('idle');
});

test('the user of an SDK is not taken over again', async () => {
  const page = stubPage();
  const clock = manualClock();
  const session = createSdkSession({
    getToken: async () => 'token',
    subject: () => 'ada',
    subscribe: () => () => {},
    server: true,
    clock,
  });
  startClock(session, clock, { ...IDLE, signOut: () => {} });
  session.subscribe(() => {});
  page.window.dispatchEvent(pageEvent('pagehide'));
  const { now } = clock;
  clock.now = () => now() + 20 * MINUTE;
  page.window.dispatchEvent(pageEvent('pageshow'));
  await clock.advance(100);
  expect(session.getSnapshot()).toMatchObject({ status: 'anonymous', reason: 'idle' });
});

describe('an idle end of before the page was left', () => {
  test('hides no user who has signed in on another page since', async () => {
    const { session, jar, window, comeBack } = await setupCookiePage(false);
    await comeBack();
    jar.person = 'grace';
    window.dispatchEvent(pageEvent('pagehide'));
    await comeBack();
    expect(session.getSnapshot()).toMatchObject({ status: 'authenticated', user: { id: 'grace' } });
  });

  test('is kept if the server has not confirmed it', async () => {
    const { session, fake, window, comeBack } = await setupCookiePage(false);
    fake.routes['POST /logout'] = () => json({}, 503);
    await comeBack();
    window.dispatchEvent(pageEvent('pagehide'));
    await comeBack();
    expect(calls(fake.seen)).toEqual(lateLogout);
    expect(session.getSnapshot()).toMatchObject({ status: 'anonymous', reason: 'idle', unconfirmed: 'logout' });
  });
});
