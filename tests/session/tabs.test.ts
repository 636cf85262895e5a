import { afterEach, describe, expect, test, vi } from 'vitest';
import { createCookieSession, SignedOutError, type SessionStatus } from '../../src/entries/core.js';
import { json } from './support/answers.js';
import { deferred, errorOf, outcomes } from './support/promises.js';
import { OLD, type BrowserOptions } from './support/fakeBrowser.js';
import { settle } from './support/manualClock.js';
import { ADDRESS, setupTabs } from './support/setupTabs.js';
import { userOf } from './support/people.js';
import { tokenOf } from './support/article.js';

const KEY = 'data-client-auth';
const TOKEN = /(ada|bob)-(refresh-)?\d/;

afterEach(() => void Reflect.deleteProperty(globalThis, 'localStorage'));

/** What the storage keeps of a session, as an object; undefined when it keeps nothing. */
const keptIn = (browser: { stored: (key: string) => string | null }) => {
  const text = browser.stored(KEY);
  return text === null ? undefined : (JSON.parse(text) as { subject: string; credential: { accessToken: string } });
};

describe('two tabs of a browser', () => {
  test.each([0, 40, 110])(
    'ten expired requests in each, %i ms apart, cost one refresh that is not refused',
    async apart => {
      const setup = setupTabs();
      const [first, second] = await setup.openTwo();
      setup.expire();
      const ours = outcomes(first.burst(10));
      await setup.browser.pass(apart);
      const theirs = outcomes(second.burst(10));
      await setup.browser.pass(1_000);
      expect((await ours).resolved + (await theirs).resolved).toBe(20);
      expect(setup.server.count('/refresh')).toBe(1);
      expect(setup.refused()).toBe(0);
      expect(first.seen).toEqual(['restoring nobody', 'anonymous nobody', 'authenticated ada']);
      expect(second.seen).toEqual(['restoring nobody', 'authenticated ada']);
      // What a tab shows the others after its turn.
      await setup.browser.pass(1_000);
      expect(setup.browser.holds()).toBe(0);
      expect(setup.browser.stored(`${ADDRESS}:lock`)).toBeNull();
      expect(setup.browser.clock.pending).toBe(0);
    },
  );

  test.each([
    ['are sent a third time, after one refresh', false],
    ['are not sent a fourth time', true],
  ])('requests whose second token is of the other tab, and is refused too, %s', async (_what, isRefusedForGood) => {
    const setup = setupTabs();
    const [first, second] = await setup.openTwo();
    const data = setup.server.routes['*']!;
    const [refused, held] = [deferred(), deferred()];
    setup.server.routes['*'] = seen => refused.promise.then(() => data(seen));
    const reads = outcomes(first.burst(2));
    await setup.browser.until(second.refresh());
    await setup.browser.pass(200);
    setup.expire();
    const answer = isRefusedForGood ? () => json({}, 401) : data;
    // The last refusal of the old token arrives after the refresh.
    setup.server.routes['*'] = async seen => {
      if (seen.path === '/article/1' && tokenOf(seen) === 'ada-2') await held.promise;
      return answer(seen);
    };
    refused.resolve();
    await setup.browser.pass(1_000);
    held.resolve();
    await setup.browser.pass(1_000);
    expect((await reads).resolved).toBe(isRefusedForGood ? 0 : 2);
    const tokensOf = (id: number) => setup.server.seen.filter(({ path }) => path === `/article/${id}`).map(tokenOf);
    // A young token is tried once more.
    const late = isRefusedForGood ? ['ada-3'] : [];
    expect(tokensOf(0)).toEqual(['ada-1', 'ada-2', 'ada-3', ...late]);
    // By then, the session has ended.
    expect(tokensOf(1)).toEqual(['ada-1', 'ada-2', 'ada-3']);
    expect(setup.server.count('/refresh')).toBe(2);
    const ended = { status: 'anonymous', reason: 'expired' };
    expect(first.now()).toMatchObject(isRefusedForGood ? ended : { status: 'authenticated' });
  });

  test('tokens that tell nobody are shared as well, and no message holds one', async () => {
    const setup = setupTabs();
    let n = 0;
    const opaque = () => json({ accessToken: `secret-${++n}`, refreshToken: `secret-r-${n}` });
    Object.assign(setup.server.routes, {
      'POST /login': opaque,
      'POST /refresh': opaque,
      '*': (seen: Parameters<typeof tokenOf>[0]) =>
        tokenOf(seen) === `secret-${n}` ? json({ id: '1' }) : json({}, 401),
    });
    const [first, second] = [setup.open(), setup.open()];
    first.mount();
    second.mount();
    await setup.browser.pass(100);
    await first.login('ada');
    await setup.browser.pass(200);
    const before = second.now();
    expect(before.status).toBe('authenticated');
    const refresh = first.refresh();
    await setup.browser.pass(500);
    await refresh;
    expect(second.now()).toBe(before);
    await second.get();
    expect(setup.server.seen.filter(({ path }) => path === '/refresh')).toHaveLength(1);
    await first.login('ada');
    await setup.browser.pass(500);
    expect(second.now().epoch).toBeGreaterThan(before.epoch);
    expect(setup.browser.messages).toHaveLength(0);
  });

  test('after dispose() no news are heard, and nothing listens; who mounts it again hears them', async () => {
    const setup = setupTabs();
    const first = setup.open();
    const second = setup.open();
    const unmount = first.mount();
    second.mount();
    await setup.browser.pass(10);
    first.dispose();
    await second.login('bob');
    await setup.browser.pass(500);
    expect(first.seen).not.toContain('authenticated bob');
    expect(first.tab.listening).toBe(0);
    unmount();
    first.mount();
    await setup.browser.pass(10);
    expect(first.now().user).toEqual(userOf('bob'));
    await second.logout();
    await setup.browser.pass(500);
    expect(first.now().status).toBe('anonymous');
  });

  test('a tab listens while somebody subscribes, by one channel for all, and leaves nothing behind', async () => {
    const setup = setupTabs();
    const { tab, mount, login, logout } = setup.open();
    expect(tab.listening).toBe(0);
    const stops = [mount(), mount(), mount()];
    expect(tab.listening).toBe(1);
    await login('ada');
    await setup.browser.pass(500);
    stops[0]!();
    stops[0]!();
    stops[1]!();
    expect(tab.listening).toBe(1);
    stops[2]!();
    expect(tab.listening).toBe(0);
    await logout();
    await setup.browser.pass(500);
    expect(tab.listening).toBe(0);
    expect(setup.browser.messages).toHaveLength(0);
    expect(setup.browser.clock.pending).toBe(0);
    mount()();
    expect(tab.listening).toBe(0);
  });

  test('a tab in which nobody subscribes hears nothing, and yet never undoes a sign-out', async () => {
    const setup = setupTabs();
    const first = setup.open();
    await first.login('ada');
    await setup.browser.pass(200);
    const second = setup.open();
    second.mount();
    await setup.browser.pass(10);
    await second.logout();
    await setup.browser.pass(100);
    setup.expire();
    const request = errorOf(first.get());
    await setup.browser.pass(500);
    expect(await request).toBeInstanceOf(SignedOutError);
    expect(setup.server.count('/refresh')).toBe(0);
    expect(first.now()).toMatchObject({ status: 'anonymous', reason: 'elsewhere' });
  });

  test('`tabs: false` is a tab for itself: no news, no channel', async () => {
    const setup = setupTabs({}, { tabs: false });
    const [first, second] = await setup.openTwo();
    expect(first.tab.listening + second.tab.listening).toBe(0);
    await first.login('bob');
    await first.logout();
    await setup.browser.pass(500);
    expect(second.now().user).toEqual(userOf('ada'));
    expect(setup.browser.messages).toEqual([]);
    expect(setup.browser.clock.pending).toBe(0);
  });

  test('tabs that open at once ask for who is signed in one after the other, for a refresh cookie may be good once', async () => {
    let inFlight = 0;
    let most = 0;
    const setup = setupTabs();
    const restore = async () => {
      most = Math.max(most, ++inFlight);
      await settle();
      inFlight--;
      return setup.issue('ada');
    };
    const more = { storage: 'memory' as const, tabs: 'app', restore };
    const [first, second] = [setup.open(more), setup.open(more)];
    first.mount();
    second.mount();
    await setup.browser.pass(1_000);
    expect([first.now().status, second.now().status]).toEqual(['authenticated', 'authenticated']);
    expect(most).toBe(1);
  });

  test('tabs that open at once and share a storage ask once: the second finds what the first has stored', async () => {
    let asked = 0;
    const setup = setupTabs();
    const restore = async () => {
      asked++;
      await settle();
      return setup.issue('ada');
    };
    const [first, second] = [setup.open({ restore }), setup.open({ restore })];
    first.mount();
    second.mount();
    await setup.browser.pass(1_000);
    expect([first.now().status, second.now().status]).toEqual(['authenticated', 'authenticated']);
    expect(asked).toBe(1);
  });

  test.each([
    ['that the storage shows by then', 'bob', 100],
    ['whose write no other tab sees yet', 'bob', 10],
    ['that has ended by then', undefined, 10],
  ])('a login of another tab while a check is under way wins, %s', async (_, name, afterMs) => {
    const setup = setupTabs();
    const first = setup.open();
    first.mount();
    await setup.browser.pass(10);
    const answer = deferred<ReturnType<typeof setup.issue>>();
    const second = setup.open({ restore: () => answer.promise });
    second.mount();
    await setup.browser.pass(300);
    setup.browser.holdMessages();
    await first.login('bob');
    if (!name) await first.logout();
    await setup.browser.pass(afterMs);
    answer.resolve(setup.issue('ada'));
    await setup.browser.deliverAll();
    await setup.browser.pass(1_000);
    expect([first.now().user?.id, second.now().user?.id]).toEqual([name, name]);
    expect(keptIn(setup.browser)?.subject).toBe(name);
    if (afterMs === 100) expect([...second.seen, setup.browser.written()].join()).not.toContain('ada');
  });
});

test.each([
  ['signs in', undefined],
  ['switches users', 'bob'],
])(
  'a session that is disposed of while its login is being stored posts it: the other tab %s',
  async (_name, before) => {
    const setup = setupTabs();
    let text: string | null = null;
    const later = () => new Promise<void>(resolve => setup.browser.clock.setTimeout(resolve, 100));
    const storage = {
      get: () => later().then(() => text),
      set: (next: string) => later().then(() => void (text = next)),
      remove: () => later().then(() => void (text = null)),
    };
    const [first, second] = [setup.open({ storage }), setup.open({ storage })];
    for (const tab of [first, second]) tab.mount();
    await setup.browser.pass(500);
    if (before) await setup.browser.until(first.login(before));
    await setup.browser.pass(500);
    await setup.browser.until(first.login('ada'));
    setup.browser.messages.length = 0;
    first.dispose();
    await setup.browser.pass(1_000);
    expect(text).toContain('"subject":"ada"');
    expect(second.now().user).toEqual(userOf('ada'));
    expect(setup.browser.messages).toHaveLength(0);
    expect(setup.browser.clock.pending).toBe(0);
  },
);

test('cookie sessions of two APIs on one page share no news: a sign-out of one changes nothing in the other', async () => {
  const { browser } = setupTabs();
  const { clock, run } = browser.openTab();
  const open = (side: string) => {
    const session = createCookieSession({
      server: true,
      login: async () => ({ id: side }),
      logout: async () => {},
      whoami: async () => ({ id: side }),
      trustedOrigins: [`https://${side}.example.com`],
      clock,
    });
    run(() => session.subscribe(() => {}));
    return session;
  };
  const [left, right] = [open('left'), open('right')];
  await browser.pass(100);
  expect(left.getSnapshot().user).toEqual({ id: 'left' });
  const before = right.getSnapshot();
  await run(() => left.logout());
  await browser.pass(500);
  expect(browser.messages).toHaveLength(1);
  expect(right.getSnapshot()).toBe(before);
});

describe.each([
  ['denied, with Web Locks', { storage: 'denied' }],
  ['denied, without', { ...OLD, storage: 'denied' }],
  ['there and throws, with Web Locks', { storage: 'throws' }],
  ['there and throws, without', { ...OLD, storage: 'throws' }],
  ['denied, with channels and Web Locks, as in Firefox', { storage: 'denied', channels: 'denied', locks: 'refused' }],
] satisfies [string, BrowserOptions][])('where localStorage is %s', (_name, options) => {
  test('the session works in memory, by one warning', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const setup = setupTabs(options);
    const first = setup.open();
    first.mount();
    await setup.browser.pass(10);
    await first.login('ada');
    setup.expire();
    const requests = outcomes(first.burst(10));
    await setup.browser.pass(1_000);
    expect((await requests).resolved).toBe(10);
    expect(setup.server.count('/refresh')).toBe(1);
    await first.logout();
    expect(first.now()).toMatchObject({ status: 'anonymous', reason: 'signed-out' });
    expect(warn).toHaveBeenCalledTimes(1);
    expect(warn.mock.calls.join()).not.toMatch(TOKEN);
    warn.mockRestore();
  });
});

/** A store that is sound until told otherwise. */
function fragile() {
  const kept: { text: string | null; fails: string } = { text: null, fails: '' };
  const verb = <T>(name: string, act: () => T) => {
    if (kept.fails.includes(name)) throw new Error('broken');
    return act();
  };
  return Object.assign(kept, {
    get: () => verb('get', () => kept.text),
    set: (text: string) => verb('set', () => void (kept.text = text)),
    remove: () => verb('remove', () => void (kept.text = null)),
  });
}

type Setup = ReturnType<typeof setupTabs>;

const refuseRefresh = async ({ server }: Setup, tab: ReturnType<Setup['open']>) => {
  await tab.login('ada');
  server.routes['POST /refresh'] = () => json({}, 401);
  tab.refresh().catch(() => {});
};

/** What has happened in a tab before its provider is unmounted, and its status then. */
const ends: [string, (tab: ReturnType<Setup['open']>, setup: Setup) => Promise<unknown>, SessionStatus][] = [
  ['no user was signed in', async () => {}, 'anonymous'],
  ['the user signed out here', tab => tab.login('ada').then(tab.logout), 'anonymous'],
  ['the session expired here', (tab, setup) => refuseRefresh(setup, tab), 'anonymous'],
  ['the page is locked', (tab, setup) => (tab.lockOnExpiry(), refuseRefresh(setup, tab)), 'locked'],
];

test.each(ends)(
  'a provider that is mounted again follows a login that another tab made in the meantime: %s',
  async (_before, end, status) => {
    const setup = setupTabs();
    const { browser, server, refreshRoute } = setup;
    const first = setup.open();
    let unmount = first.mount();
    await browser.pass(100);
    await end(first, setup);
    await browser.pass(200);
    expect(first.now().status).toBe(status);
    unmount();
    unmount = first.mount();
    await browser.pass(200);
    expect(first.now().status).toBe(status);
    unmount();
    server.routes['POST /refresh'] = refreshRoute;
    const second = setup.open();
    second.mount();
    await browser.pass(10);
    await second.login('bob');
    await browser.pass(200);
    first.mount();
    await browser.pass(200);
    expect(first.now()).toMatchObject({ status: 'authenticated', user: { id: 'bob' } });
    server.clear();
    await browser.until(first.get());
    expect(server.seen.map(tokenOf)).toEqual(['bob-1']);
  },
);

describe('a storage that fails later on', () => {
  const setup = async (fails: string) => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    const storage = fragile();
    const made = setupTabs({}, { storage });
    const first = made.open();
    first.mount();
    await made.browser.pass(10);
    await first.login('ada');
    await made.browser.pass(200);
    // A page that has found the tokens, and has not written any.
    const second = made.open();
    second.mount();
    await made.browser.pass(10);
    if (fails === 'corrupt') storage.text = '{"cred';
    else storage.fails = fails;
    return { ...made, storage, first, second };
  };
  afterEach(() => void vi.restoreAllMocks());

  test('(set): a refresh that cannot be stored signs the other tab out: its refresh token was used', async () => {
    const { browser, expire, first, second } = await setup('set');
    expire();
    await browser.until(first.get());
    await browser.pass(500);
    expect(first.now().status).toBe('authenticated');
    expect(second.now()).toMatchObject({ status: 'anonymous', reason: 'elsewhere', user: undefined });
  });
});

describe.each([80, 300])(
  'a browser whose tabs hear of a sign-in %i ms before their storage has it, as WebKit',
  lagMs => {
    async function openTwo() {
      const { browser, open } = setupTabs({ lagMs });
      const [first, second] = [open(), open()];
      first.mount();
      second.mount();
      await browser.pass(100);
      return { browser, first, second };
    }

    test('follow it', async () => {
      const { browser, first, second } = await openTwo();
      await first.login('ada');
      await browser.pass(1_000);
      expect(second.seen).toEqual(['restoring nobody', 'anonymous nobody', 'authenticated ada']);
      await first.login('bob');
      await browser.pass(1_000);
      expect(second.now().user).toEqual(userOf('bob'));
      expect(browser.clock.pending).toBe(0);
    });

    test('follow it after a check that was under way', async () => {
      const setup = setupTabs({ lagMs });
      const first = setup.open();
      first.mount();
      await setup.browser.pass(100);
      const login = first.login('ada');
      const second = setup.open();
      second.mount();
      await login;
      await setup.browser.pass(1_000);
      expect(second.now().user).toEqual(userOf('ada'));
    });

    test('do not stay with one that has ended by then', async () => {
      const { browser, first, second } = await openTwo();
      await first.login('ada');
      await browser.pass(70);
      await first.logout();
      await browser.pass(2_000);
      expect(second.now().status).toBe('anonymous');
      expect(browser.clock.pending).toBe(0);
    });
  },
);
