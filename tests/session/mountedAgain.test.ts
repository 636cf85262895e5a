import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { sessionCore } from '../../src/endpoints/sessionCore.js';
import { settle } from './support/manualClock.js';
import { deferred, errorOf } from './support/promises.js';
import { setupRefreshCookieTabs, slowStorage } from './support/refreshCookie.js';
import { setupTabs } from './support/setupTabs.js';
import { setupTokenSession } from './support/setupTokenSession.js';

afterEach(() => void Reflect.deleteProperty(globalThis, 'localStorage'));

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

  test.each(['local, the lock is free', 'local, another tab has the lock', 'async'])(
    'a sign-in that has expired, and is still stored, is not taken over (%s)',
    async kind => {
      let text: string | null = null;
      const storage = {
        get: async () => text,
        set: async (next: string) => void (text = next),
        remove: async () => void (text = null),
      };
      const { browser, open, server, expire } = setupTabs(
        {},
        { refresh: undefined, ...(kind === 'async' && { storage }) },
      );
      const one = open();
      await browser.pass(10);
      const seen: string[] = [];
      let stop = () => {};
      const subscribe = () => {
        stop = one.tab.run(() =>
          one.session.subscribe(() => {
            const { status, reason } = one.now();
            seen.push(`${status} ${reason}`);
            if (status === 'anonymous' && seen.length === 1) {
              stop();
              subscribe();
            }
          }),
        );
      };
      subscribe();
      await browser.pass(100);
      await one.login('ada');
      await browser.pass(300);
      const releaseLock = deferred();
      if (kind.includes('another')) {
        const two = browser.openTab();
        void two.run(() =>
          navigator.locks.request('data-client-auth:data-client-auth:lock', {}, () => releaseLock.promise),
        );
      }
      expire();
      server.clear();
      seen.length = 0;
      await browser.until(errorOf(one.get()));
      await browser.pass(500);
      const during = one.now().status;
      releaseLock.resolve();
      await browser.pass(500);
      expect([seen, during]).toEqual([['anonymous expired'], 'anonymous']);
      expect(one.now()).toMatchObject({ status: 'anonymous', reason: 'expired' });
    },
  );

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

  test('after a page that started over, and a storage that was slow once, it takes the sign-in over', async () => {
    const { browser, open } = setupRefreshCookieTabs('mounted-again');
    const slow = slowStorage();
    const page = open({ storage: slow.storage, restores: false });
    const unmount = page.mount();
    await browser.pass(100);
    await page.login('ada');
    await browser.pass(500);
    const held = slow.hold();
    unmount();
    page.dispose();
    const unmountAgain = page.mount();
    await browser.pass(11_000);
    held.resolve();
    await browser.pass(100);
    unmountAgain();
    page.mount();
    await browser.pass(500);
    expect(page.now()).toMatchObject({ status: 'authenticated', user: { id: 'ada' } });
  });
});
