import { afterEach, describe, expect, test } from 'vitest';
import { createCookieSession, RestEndpoint, type Session } from '../../src/index.js';
import { lock } from '../../src/entries/lock.js';
import { sessionCore } from '../../src/endpoints/sessionCore.js';
import { json, never } from '../session/support/answers.js';
import { API } from '../session/support/article.js';
import type { Route } from '../session/support/mockServer.js';
import { setupTabs } from '../session/support/setupTabs.js';
import { IDLE, MINUTE, startClock } from './support/startClock.js';
import { expectNoTokenStored } from '../session/support/storedTokens.js';
import { calls, lateLogout } from '../session/support/limits.js';

// Two tabs, each of which has a provider with `clock` and with `onExpiry={lock()}`: silence locks both.
afterEach(() => void Reflect.deleteProperty(globalThis, 'localStorage'));

/** Two tabs with Ada's cookie, both idle; the server has not confirmed the logout of the one that has told it. `isLate`: the other one has heard of the end before its own time was over. */
async function setupIdleTabs(withLock: boolean, logout: Route = () => json({}, 503), isLate = false) {
  const setup = setupTabs();
  let person: string | undefined;
  const own = (path: string, method: string) => new RestEndpoint({ urlPrefix: API, path, method }) as never;
  Object.assign(setup.server.routes, {
    'POST /login': () => json({ id: (person = 'ada') }),
    'POST /logout': logout,
    'GET /whoami': () => json(person === undefined ? null : { id: person }),
  });
  const open = (minutes = 15) => {
    const tab = setup.browser.openTab();
    const session: Session<{ id: string }, [{ name: string }]> = createCookieSession({
      server: true,
      login: own('/login', 'POST'),
      logout: own('/logout', 'POST'),
      whoami: own('/whoami', 'GET'),
      clock: tab.clock,
    });
    tab.run(() => session.subscribe(() => {}));
    if (withLock) lock({ clock: tab.clock }).attach(sessionCore(session));
    tab.run(() => startClock(session, tab.clock, { idle: { after: minutes * MINUTE } }));
    const settled = async <T>(act: () => Promise<T>) => {
      const result = tab.run(act).catch((error: unknown) => error);
      await setup.browser.pass(500);
      return result;
    };
    const focus = async () => {
      await setup.browser.clock.advance(6_000);
      tab.fire('focus');
      await setup.browser.pass(500);
    };
    return { session, settled, focus, now: () => session.getSnapshot() };
  };
  const opened = [open(), open(isLate ? 20 : 15)] as const;
  await setup.browser.pass(100);
  await opened[0].settled(() => opened[0].session.login({ name: 'ada' }));
  await setup.browser.clock.advance(15 * MINUTE);
  await setup.browser.pass(1_000);
  const left = withLock ? 'locked' : 'anonymous';
  expect(opened.map(({ now }) => `${now().status} ${now().reason}`)).toEqual([`${left} idle`, `${left} idle`]);
  setup.server.clear();
  const [teller, other] = opened[0].now().unconfirmed ? opened : [opened[1], opened[0]];
  return { ...setup, left, teller, other };
}

describe('the tab that has not told the server', () => {
  test.each([true, false])(
    'asks no server at the return to it, and one login signs in both (with a lock: %s)',
    async withLock => {
      const { teller, other, left, server } = await setupIdleTabs(withLock);
      for (const { focus } of [other, teller]) await focus();
      expect([teller.now(), other.now()]).toMatchObject([{ status: left }, { status: left }]);
      expect(server.seen).toEqual([]);
      await other.settled(() => other.session.login({ name: 'ada' }));
      expect([teller.now(), other.now()]).toMatchObject([{ status: 'authenticated' }, { status: 'authenticated' }]);
    },
  );

  test.each([false, true])(
    'asks no server while that one has not answered the other tab (it has heard of the end from that one: %s)',
    async isLate => {
      const { other, teller, server } = await setupIdleTabs(false, never, isLate);
      for (const { focus, now } of [other, teller]) {
        await focus();
        expect(now()).toMatchObject({ status: 'anonymous', reason: 'idle' });
      }
      expect(server.seen).toEqual([]);
    },
  );

  test('tells it when a user says “Not me”, and is not signed in by the cookie that is left', async () => {
    const { teller, other, server } = await setupIdleTabs(true);
    await other.settled(() => other.session.logout());
    for (const { focus } of [other, teller]) await focus();
    expect([teller.now().status, other.now().status]).toEqual(['anonymous', 'anonymous']);
    expect(other.now().unconfirmed).toBe('logout');
    expect(calls(server.seen)).toEqual(lateLogout);
  });

  test('asks as ever at the return to it once its next user has gone: the cookie is of a later sign-in', async () => {
    const { teller, other, server } = await setupIdleTabs(false);
    await teller.settled(() => teller.session.login({ name: 'ada' }));
    server.routes['GET /article/1'] = () => json({}, 401);
    await other.settled(async () => sessionCore(other.session).expire());
    server.clear();
    await other.focus();
    expect(server.seen.map(({ path }) => path)).toEqual(['/whoami']);
  });
});

test('two tabs lock, the server is told once, and one login unlocks both', async () => {
  const setup = setupTabs();
  const tabs = await setup.openTwo();
  for (const { session, tab } of tabs) {
    lock({ clock: tab.clock }).attach(sessionCore(session));
    tab.run(() => startClock(session, tab.clock, IDLE));
  }
  const statuses = () => tabs.map(tab => `${tab.now().status} ${tab.now().reason}`);
  await setup.browser.pass(100);
  setup.server.clear();
  await setup.browser.clock.advance(15 * MINUTE);
  await setup.browser.pass(1_000);
  expect(statuses()).toEqual(['locked idle', 'locked idle']);
  expect(setup.server.seen.map(({ path }) => path)).toEqual(['/logout']);
  expectNoTokenStored(setup.browser.stored('data-client-auth'));
  await tabs[1].login('ada');
  await setup.browser.pass(1_000);
  expect(statuses()).toEqual(['authenticated undefined', 'authenticated undefined']);
  expect(setup.server.seen.map(({ path }) => path)).toEqual(['/logout', '/login']);
});

test.each([
  ['counts no silence', {}],
  ['counts longer', { idle: { after: 30 * MINUTE } }],
])('the tab that is idle locks one that %s', async (_, longer) => {
  const setup = setupTabs();
  const [first, second] = await setup.openTwo();
  for (const { session, tab } of [first, second]) lock({ clock: tab.clock }).attach(sessionCore(session));
  first.tab.run(() => startClock(first.session, first.tab.clock, IDLE));
  second.tab.run(() => startClock(second.session, second.tab.clock, longer));
  await setup.browser.pass(100);
  await setup.browser.clock.advance(15 * MINUTE);
  await setup.browser.pass(1_000);
  expect([first.now().status, second.now().status]).toEqual(['locked', 'locked']);
});
