import { afterEach, describe, expect, test } from 'vitest';
import { sessionCore } from '../../src/endpoints/sessionCore.js';
import { sessionClock } from '../../src/entries/clock.js';
import { json } from './support/answers.js';
import { tokenOf } from './support/article.js';
import { settle } from './support/manualClock.js';
import { deferred, outcomeOf } from './support/promises.js';
import { setupRefreshCookieTabs } from './support/refreshCookie.js';
import { setupTabs } from './support/setupTabs.js';
import { expectNoTokenStored } from './support/storedTokens.js';

// Which sessions a sign-out ends on the server: the one that the page shows, one that it has not found yet, and those that
// logins have created since.

const setup = () => setupRefreshCookieTabs('server-logout');

afterEach(() => void Reflect.deleteProperty(globalThis, 'localStorage'));

describe('a sign-out while the page does not know who is signed in ends the session on the server', () => {
  test('while another tab restores and stores the same session', async () => {
    const { browser, open, sessions, signIn, server, loggedOut } = setup();
    signIn('ada');
    const held = deferred();
    const restore = server.routes['POST /restore']!;
    let checks = 0;
    server.routes['POST /restore'] = seen =>
      (++checks === 1 ? held.promise : settle().then(settle)).then(() => restore(seen));
    // The browser opens two tabs again.
    const storage = 'local';
    const [b, a] = [open({ storage }), open({ storage })];
    b.mount();
    a.mount();
    await browser.pass(100);
    const signOut = outcomeOf(a.logout());
    await browser.pass(20);
    held.resolve();
    expect(await browser.until(signOut)).toBe('done');
    await browser.pass(1_000);
    const next = open({ storage });
    next.mount();
    await browser.pass(500);
    expect([a, b, next].map(tab => tab.now().status)).toEqual(['anonymous', 'anonymous', 'anonymous']);
    expect([loggedOut, [...sessions.values()]]).toEqual([['ada-1'], []]);
  });

  test('also if a login is called between two sign-outs: the login is not sent', async () => {
    const { browser, open, hold, sessions, signIn, loggedOut } = setup();
    signIn('ada');
    const held = hold('POST /restore');
    const page = open();
    page.mount();
    await browser.pass(50);
    const first = outcomeOf(page.logout());
    await browser.pass(50);
    const login = outcomeOf(page.login('grace'));
    await browser.pass(50);
    const second = outcomeOf(page.logout());
    await browser.pass(50);
    held.resolve();
    await browser.pass(500);
    await browser.until(Promise.all([first, login]));
    expect(await browser.until(second)).toBe('done');
    expect(page.now()).toMatchObject({ status: 'anonymous', unconfirmed: undefined });
    expect([loggedOut, [...sessions.values()]]).toEqual([['ada-1'], []]);
  });
});

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

  test('the one that the first check finds, and the one that the login creates', async () => {
    const { browser, open, hold, sessions, signIn, loggedOut } = setup();
    signIn('ada');
    const check = hold('POST /restore', 'at once');
    const held = hold('POST /login');
    const page = open();
    page.mount();
    await browser.pass(50);
    const login = outcomeOf(page.login('grace'));
    await browser.pass(50);
    const signOut = outcomeOf(page.logout());
    await browser.pass(50);
    held.resolve();
    await browser.pass(50);
    check.resolve();
    await browser.until(login);
    expect(await browser.until(signOut)).toBe('done');
    await browser.pass(500);
    // A login that waits for the check is not sent after the sign-out.
    expect([loggedOut.sort(), [...sessions.values()]]).toEqual([['ada-1'], []]);
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

  test.each(['session', 'memory'])(
    'the server ends both sessions of tabs that share only their activity (storage: %s)',
    async storage => {
      const { server, browser, b } = await idleTabs(0, { storage }, 'activity-of-the-app');
      expect(server.to('/logout').map(tokenOf).sort()).toEqual(['ada-1', 'grace-1']);
      expectNoTokenStored(browser.storedIn(b.tab, 'data-client-auth'));
    },
  );

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
