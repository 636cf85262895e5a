import { afterEach, expect, test, vi } from 'vitest';
import { createSdkSession } from '../../src/entries/core.js';
import { json } from '../session/support/answers.js';
import { fakeBrowser } from '../session/support/fakeBrowser.js';
import { setupCookieTabs } from './support/setupCookieTabs.js';
import { IDLE, MINUTE, startClock } from './support/startClock.js';

// A user who signs in on another page (the server's, or the SDK's) begins with the whole time, once a page of the app has seen that no
// user is signed in.

const DAY = 24 * 60 * MINUTE;

afterEach(() => void Reflect.deleteProperty(globalThis, 'localStorage'));

/** Ada has used the app on Monday, and closed it. */
async function setupMonday() {
  const setup = setupCookieTabs(IDLE);
  const { browser, cookie, server } = setup;
  cookie.person = 'ada';
  const monday = setup.open();
  await browser.pass(500);
  monday.tab.close();
  await browser.clock.advance(DAY);
  return { ...setup, logouts: () => server.count('POST /logout') };
}

test('a cookie that has ended overnight, and a sign-in on the server’s own page', async () => {
  const { browser, cookie, open, logouts } = await setupMonday();
  cookie.person = undefined;
  const tuesday = open();
  await browser.pass(500);
  expect(tuesday.now()).toMatchObject({ status: 'anonymous', reason: undefined });
  tuesday.tab.close();
  cookie.person = 'ada';
  const back = open();
  await browser.pass(1_000);
  expect([back.now().status, logouts()]).toEqual(['authenticated', 0]);
  expect(back.timer.getEndsIn()).toBeGreaterThan(14 * MINUTE);
});

test('a page that cannot reach the server does not know that: the session of the day before ends as idle', async () => {
  const { browser, cookie, open, server, logouts } = await setupMonday();
  const whoami = server.routes['GET /whoami']!;
  server.routes['GET /whoami'] = () => json({}, 503);
  const offline = open();
  await browser.pass(500);
  expect(offline.now()).toMatchObject({ status: 'anonymous', unconfirmed: 'restore' });
  server.routes['GET /whoami'] = whoami;
  await browser.until(offline.tab.run(() => offline.session.refresh().catch(() => {})));
  await browser.pass(500);
  expect([offline.now().reason, logouts(), cookie.person]).toEqual(['idle', 1, undefined]);
});

test('the page that could not reach the server finds no user later, and the next sign-in begins with the whole time', async () => {
  const { browser, cookie, open, server } = await setupMonday();
  const whoami = server.routes['GET /whoami']!;
  server.routes['GET /whoami'] = () => json({}, 503);
  const offline = open();
  await browser.pass(500);
  server.routes['GET /whoami'] = whoami;
  cookie.person = undefined;
  await browser.until(offline.tab.run(() => offline.session.refresh().catch(() => {})));
  await browser.pass(500);
  offline.tab.close();
  cookie.person = 'ada';
  const back = open();
  await browser.pass(1_000);
  expect(back.now().status).toBe('authenticated');
});

test('an SDK whose sign-out leaves the page: the redirect brings the user back to a session that goes on', async () => {
  const browser = fakeBrowser();
  vi.stubGlobal('window', globalThis);
  const signOuts: string[] = [];
  /** A page of the app, on which the SDK needs a moment to know its user. */
  const openPage = async (user: string | null, name: string) => {
    const tab = browser.openTab();
    const sdk = { user: undefined as string | null | undefined, report: () => {} };
    const signOut = () => (signOuts.push(name), new Promise(() => {}));
    const session = tab.run(() => {
      const made = createSdkSession({
        clock: tab.clock,
        getToken: async () => 'token',
        subject: () => sdk.user,
        subscribe: listener => ((sdk.report = listener), () => {}),
      });
      startClock(made, tab.clock, { ...IDLE, signOut });
      made.subscribe(() => {});
      return made;
    });
    await browser.pass(100);
    sdk.user = user;
    tab.run(() => sdk.report());
    await browser.pass(1_000);
    return { close: () => tab.close(), now: () => session.getSnapshot() };
  };
  const monday = await openPage('ada', 'Monday');
  await browser.clock.advance(15 * MINUTE);
  await browser.pass(1_000);
  expect(monday.now().reason).toBe('idle');
  monday.close();
  for (const day of ['Tuesday', 'Wednesday']) {
    await browser.clock.advance(DAY);
    const signedOut = await openPage(null, day);
    expect(signedOut.now().status).toBe('anonymous');
    signedOut.close();
    const back = await openPage('ada', day);
    expect(back.now().status).toBe('authenticated');
    back.close();
  }
  expect(signOuts).toEqual(['Monday']);
});
