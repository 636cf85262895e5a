import { afterEach, describe, expect, test } from 'vitest';
import { sessionClock } from '../../src/entries/clock.js';
import { createContextSession } from '../../src/mechanisms/context.js';
import { json } from '../session/support/answers.js';
import { fakeBrowser } from '../session/support/fakeBrowser.js';
import { setupTabs } from '../session/support/setupTabs.js';
import { setupCookieTabs, type EndingUser } from './support/setupCookieTabs.js';
import { MINUTE, startClock } from './support/startClock.js';

// An expiry is the end of one sign-in, at the time that the tabs have learned last.

afterEach(() => void Reflect.deleteProperty(globalThis, 'localStorage'));

const endsAt = (user: EndingUser) => user.endsAt;

describe('two tabs with one cookie', () => {
  /** Both tabs know an end in half an hour, and a minute is left. */
  async function setupTwo() {
    const setup = setupCookieTabs({ endsAt }, 30 * MINUTE);
    setup.cookie.person = 'ada';
    const [first, second] = [setup.open(), setup.open()];
    await setup.browser.pass(500);
    await setup.browser.clock.advance(29 * MINUTE);
    return { ...setup, first, second, statuses: () => [first.now().status, second.now().status] };
  }

  test('“Stay signed in” in one moves the end of both', async () => {
    const { browser, first, second, statuses, server } = await setupTwo();
    expect([first.states, second.states]).toEqual([['expired'], ['expired']]);
    server.clear();
    await browser.until(first.tab.run(() => first.timer.stay()));
    await browser.pass(500);
    expect([first.states, second.states]).toEqual([
      ['expired', false],
      ['expired', false],
    ]);
    await browser.clock.advance(28 * MINUTE);
    expect(statuses()).toEqual(['authenticated', 'authenticated']);
    expect(server.count('GET /whoami')).toBe(1);
    await browser.clock.advance(2 * MINUTE);
    await browser.pass(500);
    expect(statuses()).toEqual(['anonymous', 'anonymous']);
  });

  test('a tab that was frozen meanwhile reads the new end before it ends anything', async () => {
    const { browser, first, second, statuses } = await setupTwo();
    browser.holdMessages();
    await browser.until(first.tab.run(() => first.timer.stay()));
    await browser.pass(500);
    await browser.clock.advance(2 * MINUTE);
    await browser.pass(500);
    expect(statuses()).toEqual(['authenticated', 'authenticated']);
    expect(second.states).toEqual(['expired', false]);
  });
});

test('a tab that has not learned the end by itself ends with the tab that has', async () => {
  const browser = fakeBrowser();
  const end = browser.clock.now() + 10 * MINUTE;
  const open = (named: number | undefined) => {
    const tab = browser.openTab();
    return tab.run(() => {
      const { session } = createContextSession({ clock: tab.clock }, { subject: 'ada', getToken: async () => 'token' });
      startClock(session, tab.clock, { endsAt: () => named });
      session.subscribe(() => {});
      return session;
    });
  };
  const [first, second] = [open(end), open(undefined)];
  await browser.pass(100);
  await browser.clock.advance(10 * MINUTE);
  await browser.pass(500);
  expect([first.getSnapshot().reason, second.getSnapshot().reason]).toEqual(['expired', 'expired']);
});

test('after an expiry, the next sign-in of the same user has its own time', async () => {
  const { browser, cookie, open } = setupCookieTabs({ endsAt }, 30 * MINUTE);
  cookie.person = 'ada';
  const tab = open();
  await browser.pass(500);
  await browser.clock.advance(30 * MINUTE);
  await browser.pass(500);
  expect(tab.now().reason).toBe('expired');
  await browser.until(tab.tab.run(() => tab.session.refresh()));
  await browser.clock.advance(29 * MINUTE);
  expect(tab.now().status).toBe('authenticated');
});

test('the same user signs in again in one of two tabs with shared tokens: both have the new end', async () => {
  const setup = setupTabs();
  const { browser, server } = setup;
  const login = server.routes['POST /login']!;
  server.routes['POST /login'] = async seen => {
    const answer = (await (await login(seen)).json()) as { user: object };
    return json({ ...answer, user: { ...answer.user, endsAt: browser.clock.now() + 30 * MINUTE } });
  };
  const [first, second] = await setup.openTwo();
  for (const { tab, session } of [first, second]) tab.run(() => startClock(session, tab.clock, { endsAt }));
  await browser.pass(100);
  await browser.clock.advance(20 * MINUTE);
  await browser.until(first.login('ada'));
  await browser.pass(500);
  expect(second.now().user).toEqual(first.now().user);
  await browser.clock.advance(12 * MINUTE);
  await browser.pass(500);
  expect([first.now().status, second.now().status]).toEqual(['authenticated', 'authenticated']);
});

test('the expiry of a sign-in that one tab alone has ends no other tab', async () => {
  const setup = setupTabs({}, { storage: { remembered: 'local', otherwise: 'session' }, refresh: undefined as never });
  const { browser, server } = setup;
  const login = server.routes['POST /login']!;
  const open = () => {
    const opened = setup.open();
    opened.mount();
    opened.tab.run(() => startClock(opened.session, opened.tab.clock, {}));
    return opened;
  };
  const signIn = async (opened: ReturnType<typeof open>, name: string, expiresIn: number) => {
    server.routes['POST /login'] = async seen =>
      json({ ...((await (await login(seen)).json()) as object), refreshToken: undefined, expiresIn });
    await browser.until(opened.login(name, { remember: false }));
    await browser.pass(500);
  };
  const [first, second] = [open(), open()];
  await browser.pass(500);
  await signIn(first, 'grace', 3600);
  await signIn(second, 'ada', 600);
  await browser.clock.advance(10 * MINUTE);
  await browser.pass(500);
  expect([first.now().user?.id, second.now().reason]).toEqual(['grace', 'expired']);
});

test('two users side by side under one clock: the expiry of one is none of the other', async () => {
  const { openTab, clock, pass } = fakeBrowser();
  const tab = openTab();
  const ends: Record<string, number> = { ada: clock.now() + 10 * MINUTE, grace: clock.now() + 60 * MINUTE };
  const timer = sessionClock<{ subject: string }>({ clock: tab.clock, endsAt: user => ends[user.subject] });
  const start = (subject: string) =>
    tab.run(() => {
      const { session } = createContextSession({ clock: tab.clock }, { subject, getToken: async () => 'token' });
      timer(session).start();
      session.subscribe(() => {});
      return session;
    });
  const [ada, grace] = [start('ada'), start('grace')];
  await pass(100);
  await clock.advance(10 * MINUTE);
  await pass(500);
  expect([ada.getSnapshot().reason, grace.getSnapshot().status]).toEqual(['expired', 'authenticated']);
});

test('an end that was known before the user signed in on this page does not end it', async () => {
  const { browser, cookie, server, open } = setupCookieTabs({ endsAt });
  server.routes['POST /login'] = () => ((cookie.person = 'ada'), json({ id: 'ada' }));
  const tab = open();
  await browser.pass(500);
  const knownAt = browser.clock.now();
  await browser.pass(500);
  await browser.until(tab.tab.run(() => tab.session.login()));
  const hear = async (end: object) => {
    const message = { at: browser.clock.now(), ended: 'expired', end: { signIn: 'ada', endsAt: knownAt, ...end } };
    await browser.post('data-client-auth:data-client-auth:activity:end', message);
    return tab.now().status;
  };
  expect(await hear({ knownAt })).toBe('authenticated');
  expect(await hear({ knownAt: browser.clock.now() + 1, signIn: 'grace' })).toBe('authenticated');
  expect(await hear({ knownAt: browser.clock.now() + 1 })).toBe('anonymous');
});
