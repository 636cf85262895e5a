import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createSdkSession } from '../../src/index.js';
import { lock } from '../../src/entries/lock.js';
import { sessionCore } from '../../src/endpoints/sessionCore.js';
import { json } from '../session/support/answers.js';
import { manualClock, settle } from '../session/support/manualClock.js';
import { setupCookieSession } from '../session/support/setupCookieSession.js';
import { setupTokenSession } from '../session/support/setupTokenSession.js';
import { stubPage } from '../session/support/stubPage.js';
import { calls, lateLogout } from '../session/support/limits.js';
import { IDLE, MINUTE, startClock } from './support/startClock.js';

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

  test('nor where another tab has told the server', async () => {
    const { session, jar, window, fake, comeBack } = await setupCookiePage(true);
    const key = 'data-client-auth:data-client-auth:activity';
    const { at } = JSON.parse(localStorage.getItem(key)!) as { at: number };
    localStorage.setItem(key, JSON.stringify({ at, endedBy: 'another tab', isConfirmed: true }));
    await comeBack();
    expect([session.getSnapshot().reason, calls(fake.seen)]).toEqual(['idle', []]);
    window.dispatchEvent(pageEvent('pagehide'));
    jar.person = 'grace';
    localStorage.removeItem(key);
    await comeBack();
    expect(session.getSnapshot()).toMatchObject({ status: 'authenticated', user: { id: 'grace' } });
  });

  test('nor a user whom `restore` of a token session finds', async () => {
    const page = stubPage();
    const found: string[] = [];
    const restore = async () => found.map(issue)[0];
    const { session, clock, issue } = setupTokenSession({ tabs: false, restore });
    startClock(session, clock);
    session.subscribe(() => {});
    await settle();
    await session.login({ name: 'ada' });
    await clock.advance(15 * MINUTE);
    expect(session.getSnapshot()).toMatchObject({ status: 'anonymous', reason: 'idle' });
    page.window.dispatchEvent(pageEvent('pagehide'));
    found.push('grace');
    page.window.dispatchEvent(pageEvent('pageshow'));
    await settle();
    expect(session.getSnapshot().status).toBe('authenticated');
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
