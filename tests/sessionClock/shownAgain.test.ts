import { expect, test, vi } from 'vitest';
import { lock } from '../../src/index.js';
import { sessionCore } from '../../src/endpoints/sessionCore.js';
import { settle } from '../session/support/manualClock.js';
import { setupCookieSession } from '../session/support/setupCookieSession.js';
import { setupTokenSession } from '../session/support/setupTokenSession.js';
import { stubPage } from '../session/support/stubPage.js';
import { MINUTE, startClock } from './support/startClock.js';

// A page in the back/forward cache runs nothing, its clock included. When it is shown again, the clock's listeners run before the session's.

const pageEvent = (type: string) => Object.assign(new Event(type), { persisted: true });
const calls = (seen: readonly { method: string; path: string }[]) =>
  seen.map(({ method, path }) => `${method} ${path}`);

/** Ada, signed in by a cookie, leaves the page for twenty minutes. */
async function setupCookiePage(sharesActivity: boolean, locks = false) {
  const stored = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
  const setup = setupCookieSession(sharesActivity ? {} : { tabs: false });
  const { session, clock, fake, window } = setup;
  const { timer } = startClock(session, clock);
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
  expect(calls(fake.seen)).toEqual(['POST /logout']);
  expect(session.getSnapshot()).toMatchObject({ status: 'anonymous', reason: 'idle' });
  expect([timer.getEndsIn(), jar.person]).toEqual([undefined, undefined]);
});

test('with a lock it is locked, and the cookie unlocks nothing', async () => {
  const { session, fake, jar, comeBack } = await setupCookiePage(false, true);
  await comeBack();
  expect(calls(fake.seen)).toEqual(['POST /logout']);
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

test('a user who has signed in on another page since the idle end is shown', async () => {
  const { session, jar, window, comeBack } = await setupCookiePage(false);
  await comeBack();
  jar.person = 'grace';
  window.dispatchEvent(pageEvent('pagehide'));
  await comeBack();
  expect(session.getSnapshot()).toMatchObject({ status: 'authenticated', user: { id: 'grace' } });
});
