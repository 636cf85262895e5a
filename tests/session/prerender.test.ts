// The browser may load a page that its user never opens: `/logout` behind a link, for example. Such a page does nothing yet.
import { describe, expect, test, vi } from 'vitest';
import { API, tokenOf } from './support/article.js';
import { settle } from './support/manualClock.js';
import { isPending } from './support/promises.js';
import { setupCookieSession } from './support/setupCookieSession.js';
import { setupTabs } from './support/setupTabs.js';
import { expectNoTokenStored } from './support/storedTokens.js';
import { setupTokenSession } from './support/setupTokenSession.js';

const KEY = 'data-client-auth';
const ada = { name: 'ada' };

/** Makes the page of this test a prerendered one. Returns what its user does by opening it. */
function prerender(page: EventTarget) {
  Object.assign(page, { prerendering: true });
  return () => {
    Object.assign(page, { prerendering: false });
    page.dispatchEvent(new Event('prerenderingchange'));
  };
}

describe('scenario 46: a prerendered /logout', () => {
  test.each([true, false])(
    'tokens: after the activation one logout, with the tokens (mounted: %s)',
    async isMounted => {
      const { browser, server, openTwo, open } = setupTabs();
      const [first] = await openTwo();
      const stored = browser.stored(KEY);
      const page = new EventTarget();
      vi.stubGlobal('document', Object.assign(page, { visibilityState: 'hidden' }));
      const activate = prerender(page);
      const logoutPage = open();
      if (isMounted) logoutPage.mount();
      const logout = logoutPage.logout();
      await browser.pass(60_000);
      expect([server.seen, browser.messages, browser.stored(KEY)]).toEqual([[], [], stored]);
      expect([first.now().status, await isPending(logout)]).toEqual(['authenticated', true]);

      logoutPage.tab.run(activate);
      await browser.until(logout);
      await browser.pass(1_000);
      expect(server.to('/logout').map(tokenOf)).toEqual(['ada-1']);
      expect([first.now().status, logoutPage.now().status]).toEqual(['anonymous', 'anonymous']);
      expectNoTokenStored(browser.stored(KEY));
    },
  );

  test.each([true, false])('a cookie: after the activation one logout of its user (mounted: %s)', async isMounted => {
    const posted: unknown[] = [];
    vi.stubGlobal(
      'BroadcastChannel',
      class {
        postMessage = (message: unknown) => void posted.push(message);
        close = () => {};
      },
    );
    const { session, jar, fake, clock, status } = setupCookieSession({ server: false });
    vi.stubGlobal('window', globalThis);
    const activate = prerender(document);
    jar.person = 'ada';
    if (isMounted) session.subscribe(() => {});
    const logout = session.logout();
    await settle();
    await clock.advance(60_000);
    expect([fake.seen, posted, jar.person]).toEqual([[], [], 'ada']);
    expect(await isPending(logout)).toBe(true);

    activate();
    await logout;
    await settle();
    expect([fake.count('POST /logout'), jar.person, status()]).toEqual([1, undefined, 'anonymous']);
  });
});

let text: string | null = null;
const place = { get: () => text, set: (next: string) => void (text = next), remove: () => void (text = null) };

test.each([
  ['memory', 'memory' as const],
  ['its own', place],
])(
  'a request of a prerendered page is sent when its user opens it, however late (storage: %s)',
  async (_name, storage) => {
    const page = new EventTarget();
    vi.stubGlobal('document', Object.assign(page, { visibilityState: 'hidden' }));
    const activate = prerender(page);
    const { session, server, clock } = setupTokenSession({ storage, tabs: false, trustedOrigins: [API] });
    const request = session.fetch(`${API}/article/1`);
    await settle();
    await clock.advance(60_000);
    expect([server.seen.length, await isPending(request)]).toEqual([0, true]);
    activate();
    expect((await request).status).toBe(401);
    expect(server.count('/article')).toBe(1);
    await session.login(ada);
  },
);
