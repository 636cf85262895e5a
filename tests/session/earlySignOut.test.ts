import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { createTokenSession } from '../../src/entries/core.js';
import { networkError } from './support/answers.js';
import { tokenOf } from './support/article.js';
import { fakeBrowser } from './support/fakeBrowser.js';
import { manualClock, settle } from './support/manualClock.js';
import { deferred, errorOf } from './support/promises.js';
import { refreshCookieServer } from './support/refreshCookie.js';
import { setupTabs } from './support/setupTabs.js';
import { setupTokenSession } from './support/setupTokenSession.js';

// `logout()` before the page knows who is signed in looks for the session first. These tests cover events during that search;
// signOut.test.ts covers the rest.

const NAME = 'early-sign-out';

type T = { accessToken: string; user: { id: string } };

afterEach(() => void Reflect.deleteProperty(globalThis, 'localStorage'));

describe('while a sign-out looks for the session that the server must end', () => {
  test.each(['local', 'memory'] as const)('a user who signs in in another tab stays signed in (%s)', async storage => {
    const { server, sessions, loggedOut, options } = refreshCookieServer();
    const browser = fakeBrowser();
    const open = () => {
      const tab = browser.openTab();
      const session = createTokenSession<[{ name: string }], T>({
        ...options(),
        storage,
        tabs: NAME,
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
  });

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
      const setup = setupTabs({}, { tabs: 'early-sign-out' });
      const { browser, issue, server } = setup;
      const storage = what === 'the storage' ? { get: hangs, set: hangs, remove: hangs } : ('local' as const);
      const releaseLock = deferred();
      if (what === 'the lock')
        void browser
          .openTab()
          .run(() => navigator.locks.request('data-client-auth:early-sign-out:lock', {}, () => releaseLock.promise));
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
