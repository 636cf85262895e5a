// Tabs, storages, channels, locks and clocks that fail: sessions as an app makes them, counted at the server.
import { setMaxListeners } from 'node:events';
import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { sessionCore } from '../../src/endpoints/sessionCore.js';
import { json, never } from './support/answers.js';
import { tokenOf } from './support/article.js';
import { functionServer } from './support/functionServer.js';
import type { Seen } from './support/mockServer.js';
import { outcomeOf, outcomes } from './support/promises.js';
import { setupTabs } from './support/setupTabs.js';
import { storedTokens } from './support/storedTokens.js';

const KEY = 'data-client-auth';
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

test.each([
  [true, 'authenticated'],
  [false, 'anonymous'],
])(
  'tokens in memory: a tab notices the end of another one at its own refusal (the server has a user: %s)',
  async (isUser, status) => {
    let isSignedIn = true;
    const { browser, issue, expire, open } = setupTabs({}, { storage: 'memory', tabs: 'memory', refresh: undefined });
    const restore = async () => (isSignedIn ? issue('ada') : null);
    const [a, b] = [open({ restore }), open({ restore })];
    [a, b].forEach(one => one.mount());
    await browser.pass(300);
    isSignedIn = isUser;
    a.tab.run(() => sessionCore(a.session).expire());
    await browser.pass(300);
    expect([a, b].map(one => one.now().status)).toEqual(['anonymous', 'authenticated']);
    expire();
    await browser.until(Promise.allSettled(b.burst(1)));
    expect(b.now().status).toBe('anonymous');
    await b.tab.run(() => b.session.refresh()).catch(() => {});
    await browser.pass(300);
    expect(b.now().status).toBe(status);
  },
);
