import { afterEach, describe, expect, test } from 'vitest';
import { createCookieSession, RestEndpoint } from '../../src/entries/core.js';
import { sessionCore } from '../../src/endpoints/sessionCore.js';
import { lock } from '../../src/lock/lock.js';
import { json, networkError } from './support/answers.js';
import { API } from './support/article.js';
import { fakeBrowser } from './support/fakeBrowser.js';
import { mockServer, type Seen } from './support/mockServer.js';
import { deferred, outcomeOf } from './support/promises.js';
import { callLimitMs } from './support/limits.js';

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

test('a check and a login that fail in one tab do not sign out the user of the other tabs', async () => {
  const { browser, server, open } = setupCookieTabs();
  const b = open();
  await browser.pass(100);
  await b.login('ada');
  await browser.pass(6_000);
  server.routes['GET /whoami'] = networkError;
  server.routes['POST /login'] = networkError;
  const a = open();
  await browser.pass(500);
  expect(a.now()).toMatchObject({ status: 'anonymous', unconfirmed: 'restore' });
  await browser.until(outcomeOf(a.login('ada')));
  await browser.pass(500);
  expect(b.now()).toMatchObject({ status: 'authenticated', user: { id: 'ada' } });
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
