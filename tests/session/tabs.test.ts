import fc from 'fast-check';
import { setMaxListeners } from 'node:events';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { sessionCore } from '../../src/endpoints/sessionCore.js';
import { createCookieSession, type SessionStatus, SignedOutError } from '../../src/entries/core.js';
import { json, never } from './support/answers.js';
import { tokenOf } from './support/article.js';
import { type BrowserOptions, OLD } from './support/fakeBrowser.js';
import { functionServer } from './support/functionServer.js';
import { settle } from './support/manualClock.js';
import type { Seen } from './support/mockServer.js';
import { userOf } from './support/people.js';
import { deferred, errorOf, outcomeOf, outcomes } from './support/promises.js';
import { ADDRESS, setupTabs } from './support/setupTabs.js';
import { setupTokenSession } from './support/setupTokenSession.js';
import { storedTokens } from './support/storedTokens.js';

const KEY = 'data-client-auth';
const TOKEN = /(ada|bob)-(refresh-)?\d/;

afterEach(() => void Reflect.deleteProperty(globalThis, 'localStorage'));

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
    const setup = setupTabs({}, { storage: { in: 'local', tabs: false } });
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
    const more = { storage: 'memory' as const, restore };
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
});

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

describe('storages, channels, locks and clocks that fail', () => {
  // Tabs, storages, channels, locks and clocks that fail: sessions as an app makes them, counted at the server.

  const DAY_MS = 86_400_000;
  const refreshTokenOf = ({ body }: Seen) => (JSON.parse(body) as { refreshToken: string }).refreshToken;

  afterEach(() => vi.restoreAllMocks());

  const BROKEN = 'throws on writes and removals';

  /** What a web storage does with what it is given from now on. */
  const FAULTS: Record<string, { setItem: (key: string, text: string) => void; removeItem?: (key: string) => void }> = {
    'swallows writes': { setItem: () => {} },
    'throws on writes': {
      setItem: () => {
        throw new DOMException('full', 'QuotaExceededError');
      },
    },
    [BROKEN]: {
      setItem: () => {
        throw new DOMException('full', 'QuotaExceededError');
      },
      removeItem: () => {
        throw new DOMException('no', 'UnknownError');
      },
    },
  };

  describe('scenario 51', () => {
    test.each(Object.keys(FAULTS))('a storage that %s: no refresh token is sent twice by the page', async fault => {
      vi.spyOn(console, 'warn').mockImplementation(() => {});
      const app = setupTabs();
      const [tab] = await app.openTwo();
      Object.assign(localStorage, FAULTS[fault]);
      for (let count = 0; count < 3; count++) {
        app.expire();
        await app.browser.until(tab.get());
        await app.browser.pass(100);
      }
      expect(app.server.to('POST /refresh').map(refreshTokenOf)).toEqual([1, 2, 3].map(n => `ada-refresh-${n}`));
      await app.browser.until(tab.login('grace'));
      await app.browser.pass(100);
      expect(tab.now()).toMatchObject({ status: 'authenticated', user: { id: 'grace' } });
      if (fault === BROKEN) return;
      const reloaded = app.open();
      reloaded.mount();
      await app.browser.pass(100);
      expect(reloaded.now().status).toBe('anonymous');
    });

    test('a user of 6 MB: the tokens are stored without the user, and outlive the page', async () => {
      const app = setupTabs();
      const { setItem } = localStorage;
      Object.assign(localStorage, {
        setItem(key: string, text: string) {
          if (text.length > 5_000_000) throw new DOMException('full', 'QuotaExceededError');
          setItem(key, text);
        },
      });
      const { routes } = app.server;
      const login = routes['POST /login']!;
      routes['POST /login'] = async seen => {
        const tokens = (await (await login(seen)).json()) as { user: object };
        return json({ ...tokens, user: { ...tokens.user, photo: 'x'.repeat(6_000_000) } });
      };
      const tab = app.open();
      tab.mount();
      await app.browser.until(tab.login('ada'));
      await app.browser.pass(100);
      expect(storedTokens(app.browser.stored(KEY))).toEqual(['ada-1', 'ada-refresh-1']);
      const reloaded = app.open();
      reloaded.mount();
      await app.browser.pass(100);
      await app.browser.until(reloaded.get());
      expect(app.server.to('GET').map(tokenOf)).toEqual(['ada-1']);
    });
  });

  describe('scenario 52', () => {
    test.each(['postMessage', 'constructor'])(
      'a channel whose %s throws: logout() signs out in all tabs',
      async broken => {
        const texts = new Map<string, string>();
        const app = setupTabs(
          {},
          {
            storage: {
              get: async () => texts.get(KEY),
              set: async text => void texts.set(KEY, text),
              remove: async () => void texts.delete(KEY),
            },
          },
        );
        const [first, second] = await app.openTwo();
        const fail = () => {
          throw new DOMException('no', 'DataCloneError');
        };
        if (broken === 'postMessage') BroadcastChannel.prototype.postMessage = fail;
        else vi.stubGlobal('BroadcastChannel', fail);
        await first.logout();
        expect(first.now().status).toBe('anonymous');
        expect([app.server.count('POST /logout'), storedTokens(texts.get(KEY))]).toEqual([1, []]);
        // The other tab was not told, and looks when it refreshes.
        app.expire();
        await app.browser.until(outcomes([second.get()]));
        expect([second.now().status, app.server.count('POST /refresh')]).toEqual(['anonymous', 0]);
      },
    );

    test.each(['refused', 'missing'] as const)(
      'locks are %s, and three tabs refresh at once: all end alike, and nobody waits',
      async locks => {
        const app = setupTabs({ locks });
        const tabs = [...(await app.openTwo()), app.open()];
        tabs[2]!.mount();
        await app.browser.pass(100);
        app.expire();
        await app.browser.until(outcomes(tabs.flatMap(tab => tab.burst(3))));
        await app.browser.pass(100);
        expect(new Set(tabs.map(tab => tab.now().status)).size).toBe(1);
        await app.browser.until(tabs[0]!.login('grace'));
        await app.browser.pass(100);
        expect(tabs.map(tab => tab.now().user?.id)).toEqual(['grace', 'grace', 'grace']);
      },
    );
  });

  describe('scenario 44: a refresh that gets no answer', () => {
    test('holds no other tab for longer than its limit', async () => {
      const app = setupTabs();
      const [first, second] = await app.openTwo();
      app.expire();
      const { routes } = app.server;
      const refresh = routes['POST /refresh']!;
      routes['POST /refresh'] = never;
      const waiting = [first, second].map(tab => outcomeOf(tab.get()));
      await app.browser.pass(10_100);
      expect(await Promise.all(waiting)).toEqual(['RefreshUnavailableError', 'RefreshUnavailableError']);
      routes['POST /refresh'] = refresh;
      await app.browser.pass(21_000);
      const { resolved } = await app.browser.until(outcomes([...first.burst(3), ...second.burst(3)]));
      expect([resolved, app.server.to('POST /refresh').map(refreshTokenOf)]).toEqual([
        6,
        ['ada-refresh-1', 'ada-refresh-1'],
      ]);
    });
  });

  describe('scenario 53: clocks that go back a day, or on', () => {
    const act = fc.record({
      tab: fc.nat(2),
      what: fc.constantFrom('ada', 'grace', 'logout', 'logout', 'refresh'),
      clock: fc.constantFrom(0, 0, DAY_MS, -DAY_MS),
    });

    test('the latest act of three tabs wins', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(act, { minLength: 2, maxLength: 8 }), async acts => {
          const app = setupTabs({}, {}, functionServer);
          let offset = 0;
          const open = () => {
            const tab = app.browser.openTab();
            return app.open({ clock: { ...tab.clock, now: () => tab.clock.now() + offset } }, tab);
          };
          const tabs = [open(), open(), open()];
          for (const tab of tabs) tab.mount();
          await app.browser.pass(50);
          let who: string | undefined;
          for (const { tab: index, what, clock } of acts) {
            const tab = tabs[index]!;
            offset += clock;
            if (what === 'logout') {
              // A tab that shows nobody signs nobody out.
              if (tab.now().status === 'authenticated') who = undefined;
              await app.browser.until(outcomes([tab.logout()]));
            } else if (what === 'refresh') await app.browser.until(outcomes([tab.refresh()]));
            else {
              await app.browser.until(tab.login(what));
              who = what;
            }
            await app.browser.pass(100);
          }
          await app.browser.pass(1_500);
          for (const tab of tabs) tab.tab.fire('focus');
          await app.browser.pass(1_500);
          expect(tabs.map(tab => tab.now().user?.id)).toEqual([who, who, who]);
          for (const tab of tabs) tab.dispose();
        }),
        { numRuns: 50 },
      );
    });
  });

  describe('scenario 54', () => {
    // 1,000 take half a minute on a busy machine.
    const COUNT = Number(process.env.REQUESTS ?? 200);

    test('three tabs with many expired requests each: one refresh, and all get their answers', async () => {
      // The mock's `fetch` listens to the signal of each request.
      setMaxListeners(0);
      const app = setupTabs({}, {}, functionServer);
      const tabs = [...(await app.openTwo()), app.open()];
      tabs[2]!.mount();
      await app.browser.pass(100);
      app.expire();
      const { resolved } = await app.browser.until(outcomes(tabs.flatMap(tab => tab.burst(COUNT))));
      expect([resolved, app.server.count('POST /refresh')]).toEqual([3 * COUNT, 1]);
    });
  });
});

describe('a provider that is mounted, or mounted again, reads the storage of the tabs', () => {
  test('a `refresh()` at that moment signs the user in', async () => {
    let answer: 'fails' | 'ada' = 'fails';
    const made = setupTokenSession({
      storage: { get: async () => null, set: async () => {}, remove: async () => {} },
      restore: async () => {
        if (answer === 'fails') throw new TypeError('offline');
        return made.issue('ada');
      },
    });
    const { session } = made;
    onTestFinished(() => session.dispose());
    await session.ready();
    expect(session.getSnapshot()).toMatchObject({ status: 'anonymous', unconfirmed: 'restore' });
    answer = 'ada';
    session.subscribe(() => {});
    await session.refresh();
    await settle();
    expect(session.getSnapshot()).toMatchObject({ status: 'authenticated', user: { id: 'ada' } });
  });

  test.each([
    ['the other tab signs out at the same time', true],
    ['each tab ends only its own page', false],
  ])('an idle user is not signed in again (%s)', async (_name, isSignedOut) => {
    const { browser, open } = setupTabs();
    const [a, b] = [open(), open()];
    a.mount();
    await browser.pass(100);
    await a.login('ada');
    await browser.pass(300);
    const unmount = b.mount();
    await browser.pass(300);
    expect(b.now().status).toBe('authenticated');
    if (isSignedOut) void a.tab.run(() => sessionCore(a.session).signOut('idle', async () => true)).catch(() => {});
    else a.tab.run(() => sessionCore(a.session).leave('idle'));
    if (isSignedOut) b.tab.run(() => sessionCore(b.session).endSession('idle'));
    else b.tab.run(() => sessionCore(b.session).leave('idle'));
    b.seen.length = 0;
    unmount();
    b.mount();
    await browser.pass(1_000);
    expect(b.seen).toEqual(['anonymous nobody']);
  });
});

/** One page in which Ada is signed in. A second session was created, as after a hot update of the module. The first one still has a listener. */
async function twoSessionsOfOnePage(storage: 'session' | 'local') {
  const setup = setupTabs({}, { storage });
  const first = setup.open();
  first.mount();
  await first.login('ada');
  await setup.browser.pass(200);
  const second = setup.open({}, first.tab);
  second.mount();
  await setup.browser.pass(200);
  setup.expire();
  setup.server.clear();
  return { ...setup, first, second };
}

const STORAGES = ['local'] as const;

test.each(STORAGES)(
  'two sessions of one page with one %s storage refresh one at a time, and both go on',
  async storage => {
    const { browser, server, refused, first, second } = await twoSessionsOfOnePage(storage);
    const requests = Promise.all([...first.burst(3), ...second.burst(3)]);
    await browser.pass(500);
    await requests;
    expect([server.count('/refresh'), refused()]).toEqual([1, 0]);
    for (const session of [first, second])
      expect(session.now()).toMatchObject({ status: 'authenticated', user: userOf('ada') });
  },
);
