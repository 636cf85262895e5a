import { afterEach, describe, expect, test } from 'vitest';
import type { Clock } from '../../src/clock.js';
import { RestEndpoint } from '../../src/entries/core.js';
import { stepUp } from '../../src/entries/step-up.js';
import { sessionCore } from '../../src/endpoints/sessionCore.js';
import { json } from './support/answers.js';
import { API, tokenOf } from './support/article.js';
import { userOf } from './support/people.js';
import { settle } from './support/manualClock.js';
import { deferred } from './support/promises.js';
import { challengesOf, NEEDS_LOGIN, refusal } from './support/stepUpServer.js';
import { ADDRESS, setupTabs } from './support/setupTabs.js';
import { expectNoTokenStored } from './support/storedTokens.js';

afterEach(() => void Reflect.deleteProperty(globalThis, 'localStorage'));

type Setup = ReturnType<typeof setupTabs>;

/** One storage for all tabs, each of which sees it through operations of its own. */
function sharedCell() {
  const cell: { text: string | null; written: string[] } = { text: null, written: [] };
  const operations = {
    get: async () => cell.text,
    set: async (text: string) => {
      cell.text = text;
      cell.written.push((JSON.parse(text) as { subject: string }).subject);
    },
    remove: async () => void (cell.text = null),
  };
  return { cell, operations };
}

/** The read of another tab goes on only then. */
async function untilStored(cell: { text: string | null }, subject: string) {
  while (!cell.text?.includes(`"subject":"${subject}"`)) await settle();
}

const after = ({ browser }: Setup, ms: number) => new Promise<void>(resolve => browser.clock.setTimeout(resolve, ms));

/**
 * Ada is signed in, in two tabs. After `arm(n)`, Grace signs in in the second tab right before the n-th read of the first one, which hears of
 * it late: until then, only the storage can tell.
 *
 * @param isClosed The second tab is closed right after its write, and can mend nothing.
 */
async function setupRace(isClosed = false) {
  const setup = setupTabs();
  const { browser } = setup;
  const { cell, operations } = sharedCell();
  let readsLeft = Infinity;
  let beforeRead = async () => {};
  const get = async () => {
    await beforeRead();
    if (--readsLeft === 0) {
      browser.holdMessages();
      void second.login('grace');
      await untilStored(cell, 'grace');
      cell.written = [];
      if (isClosed) second.tab.close();
    }
    return cell.text;
  };
  const first = setup.open({ storage: { ...operations, get } });
  const tab = browser.openTab();
  // A later login: of two within one millisecond, either may win.
  const clock = Object.assign(Object.create(tab.clock) as Clock, { now: () => tab.clock.now() + 1 });
  const second = setup.open({ storage: operations, clock }, tab);
  first.mount();
  await browser.pass(10);
  await first.login('ada');
  await browser.pass(200);
  second.mount();
  await browser.pass(100);
  expect(second.now().user).toEqual(userOf('ada'));
  return {
    ...setup,
    cell,
    first,
    second,
    arm: (read: number) => void (readsLeft = read),
    beforeRead: (act: () => Promise<void>) => void (beforeRead = act),
    readsLeft: () => readsLeft,
  };
}

type Race = Awaited<ReturnType<typeof setupRace>>;

/** Each act with its number of reads. A sign-out has one more, whose answer it does not wait for: it finds out whether the storage is synchronous. */
const acts: [string, reads: number[], act: (race: Race) => Promise<unknown>][] = [
  ['a refresh', [1, 2, 3], ({ first }) => first.refresh()],
  [
    'a refresh that the server refuses',
    [1, 2, 3],
    ({ first, server }) => {
      server.routes['POST /refresh'] = () => json({}, 401);
      return first.refresh();
    },
  ],
  // A login is later than all that it has read, and a sign-out reads once.
  ['a login', [2], ({ first }) => first.login('bob')],
  ['a sign-out', [1], ({ first }) => first.logout()],
];

describe.each(acts)('%s', (_name, reads, act) => {
  describe.each([
    ['stays open', false],
    ['is closed at once', true],
  ])('does not undo a login in another tab, which %s,', (_fate, isClosed) => {
    test.each(reads)('that comes right before its read %i', async read => {
      const race = await setupRace(isClosed);
      const { browser, cell, first, second } = race;
      race.arm(read);
      await browser.until(act(race).catch(() => {}));
      await browser.pass(500);
      expect(race.readsLeft()).toBeLessThanOrEqual(0);
      expect(cell.text).toContain('"subject":"grace"');
      expect(cell.written.filter(subject => subject !== 'grace')).toEqual([]);
      expect(first.now().user).toEqual(userOf('grace'));
      await browser.deliverAll();
      await browser.pass(500);
      expect(cell.text).toContain('"subject":"grace"');
      if (!isClosed) expect(second.now().user).toEqual(userOf('grace'));
    });
  });

  test('reads the storage no more often than that', async () => {
    const race = await setupRace();
    race.arm(100);
    await race.browser.until(act(race).catch(() => {}));
    await race.browser.pass(500);
    expect(100 - race.readsLeft()).toBe(Math.max(...reads));
  });
});

/** Two tabs whose token has expired: the first one refreshes, with the lock, and the second one waits for its turn and hears nothing. */
async function setupWaiting({ writeMs = 0, earlierSignOuts = 0, isRefused = false } = {}) {
  const setup = setupTabs();
  const { cell, operations } = sharedCell();
  let delay = 0;
  const set = (text: string) => after(setup, delay).then(() => operations.set(text));
  const [first, second] = await setup.openTwo({ storage: { ...operations, set } });
  await setup.browser.pass(200);
  for (let count = 0; count < earlierSignOuts; count++) {
    await second.logout();
    await setup.browser.until(second.login('ada'));
    await setup.browser.pass(200);
  }
  expect([first.now().user, second.now().user]).toEqual([userOf('ada'), userOf('ada')]);
  setup.server.clear();
  delay = writeMs;
  const answer = setup.holdRefresh(isRefused ? async () => json({}, 401) : undefined);
  setup.expire();
  const requests = [first.get().catch(() => {})];
  await setup.browser.pass(100);
  requests.push(second.get().catch(() => {}));
  await setup.browser.pass(100);
  expect(setup.server.count('/refresh')).toBe(1);
  setup.browser.holdMessages();
  const settled = async () => {
    answer.resolve();
    await setup.browser.until(Promise.all(requests));
    await setup.browser.pass(1_000);
  };
  return { ...setup, cell, first, second, settled };
}

describe.each([
  ['signs the tabs out', false],
  ['locks the tabs', true],
])('a refused refresh %s,', (_end, locks) => {
  test.each(['delivered', 'held'])(
    'and is not sent again by the tab that waits for the lock (messages are %s)',
    async messages => {
      const { cell, first, second, server, settled, browser } = await setupWaiting({ isRefused: true });
      if (locks) for (const tab of [first, second]) tab.lockOnExpiry();
      if (messages === 'delivered') await browser.deliverAll();
      const requestsSettled = settled();
      await browser.pass(1_500);
      expect(server.count('/refresh')).toBe(1);
      expectNoTokenStored(cell.text);
      await browser.deliverAll();
      await browser.pass(200);
      const status = locks ? 'locked' : 'anonymous';
      expect([first.now().status, second.now().status]).toEqual([status, status]);
      for (const { logout } of [first, second]) await logout();
      await requestsSettled;
    },
  );
});

test.each(['refreshes', 'loads its user again'])(
  'a sign-out in a tab that is closed at once, while another tab %s and does not see it yet, leaves no tokens',
  async act => {
    const profile = new RestEndpoint({ urlPrefix: API, path: '/me' });
    const setup = setupTabs({}, { profile });
    const { browser, server, holdRefresh } = setup;
    const [first, second] = await setup.openTwo();
    const answer = holdRefresh();
    server.routes['GET /me'] = () => answer.promise.then(() => json({ id: 'ada', role: 'admin' }));
    const request = second.tab.run(() => (act === 'refreshes' ? second.session.refresh() : second.session.reload()));
    request.catch(() => {});
    await browser.pass(300);
    browser.holdMessages();
    first.tab.run(() => void first.session.logout());
    first.tab.close();
    answer.resolve();
    await settle();
    expect(browser.stored('data-client-auth')).not.toBeNull();
    await browser.deliverAll();
    await browser.pass(500);
    expect(second.now().status).toBe('anonymous');
    expectNoTokenStored(browser.stored('data-client-auth'));
  },
);

test('a tab removes the tokens that it stored before it heard of an idle end, and the other tabs stay locked', async () => {
  const setup = setupTabs();
  const { browser, holdRefresh } = setup;
  const [first, second] = await setup.openTwo();
  const third = setup.open();
  third.mount();
  await browser.pass(10);
  for (const tab of [first, second, third]) tab.lockOnExpiry();
  const answer = holdRefresh();
  second.refresh().catch(() => {});
  await browser.pass(300);
  browser.holdMessages();
  first.tab.run(() => sessionCore(first.session).endSession('idle'));
  first.tab.close();
  answer.resolve();
  await settle();
  expect(browser.stored('data-client-auth')).not.toBeNull();
  await browser.deliverAll();
  await browser.pass(500);
  expectNoTokenStored(browser.stored('data-client-auth'));
  expect([second.now().status, third.now().status]).toEqual(['locked', 'locked']);
});

test('a user who is loaded again is stored with the tokens of a refresh in another tab, not over them', async () => {
  const profile = new RestEndpoint({ urlPrefix: API, path: '/me' });
  const setup = setupTabs({}, { profile });
  const { browser, server } = setup;
  const { cell, operations } = sharedCell();
  let readMs = 0;
  const slowGet = async () => {
    const text = cell.text;
    await after(setup, readMs);
    return text;
  };
  const first = setup.open({ storage: operations });
  const second = setup.open({ storage: { ...operations, get: slowGet } });
  for (const tab of [first, second]) tab.mount();
  await browser.pass(10);
  await first.login('ada');
  await browser.pass(200);
  expect(second.now().user).toEqual(userOf('ada'));
  server.routes['GET /me'] = () => json({ id: 'ada', role: 'admin' });
  readMs = 100;
  const reload = second.tab.run(() => second.session.reload());
  await browser.pass(10);
  const refresh = first.refresh();
  await browser.until(Promise.all([reload, refresh]));
  await browser.pass(1_000);
  expect(cell.text).toContain('ada-2');
  expect(server.count('/refresh')).toBe(1);
  server.clear();
  await browser.until(Promise.all([first.get(), second.get()]));
  expect(server.seen.map(tokenOf)).toEqual(['ada-2', 'ada-2']);
});

test('a locked session stays locked when another tab’s late write brings back what has expired', async () => {
  const setup = setupTabs();
  const { cell, operations } = sharedCell();
  const [first, second] = await setup.openTwo({ storage: operations });
  for (const tab of [first, second]) tab.lockOnExpiry();
  await setup.browser.pass(100);
  const stored = cell.text;
  setup.expire();
  setup.server.routes['POST /refresh'] = () => json({}, 401);
  first.get().catch(() => {});
  await setup.browser.pass(1_000);
  expect([first.now().status, second.now().status]).toEqual(['locked', 'locked']);
  cell.text = stored;
  await setup.browser.post(ADDRESS, { subject: 'ada' });
  await setup.browser.pass(200);
  expect([first.now().status, second.now().status]).toEqual(['locked', 'locked']);
});

/** The second tab refreshes. Before the server answers, it hears that the user has answered a challenge in the first tab, which brought no new tokens. */
async function setupAnswered(reply: 'tokens' | 'unavailable') {
  const challenge = stepUp({ answer: new RestEndpoint({ urlPrefix: API, path: '/step-up', method: 'POST' }) as never });
  const setup = setupTabs({}, { extensions: [challenge] });
  const { browser, server, holdRefresh } = setup;
  const [first, second] = await setup.openTwo();
  let isOpen = false;
  server.routes['GET /article/7'] = () => (isOpen ? json({ id: '7' }) : refusal(401, NEEDS_LOGIN));
  server.routes['POST /step-up'] = () => ((isOpen = true), new Response(null, { status: 204 }));
  const request = first.get('7');
  await browser.pass(50);
  browser.holdMessages();
  await browser.until(first.tab.run(() => challengesOf(first.session).open().answer({ code: '1' })));
  await browser.until(request);
  await browser.pass(100);
  const answer = holdRefresh(reply === 'tokens' ? undefined : async () => json({}, 503));
  const refresh = second.refresh();
  refresh.catch(() => {});
  await browser.pass(100);
  expect(server.count('/refresh')).toBe(1);
  await browser.deliverAll();
  await browser.pass(100);
  answer.resolve();
  return { ...setup, first, second, refresh };
}

test('a challenge that is answered in another tab during a refresh, without new tokens, does not cost the tokens of the refresh', async () => {
  const { browser, server, first, second, refresh, refused } = await setupAnswered('tokens');
  await browser.until(refresh);
  await browser.pass(200);
  server.clear();
  await browser.until(Promise.all([first.get(), second.get()]));
  expect(server.seen.map(tokenOf)).toEqual(['ada-2', 'ada-2']);
  await browser.until(second.refresh());
  expect(refused()).toBe(0);
});

test('a tab that is opened while the server ends the session waits with its check: it finds no user, and brings none back', async () => {
  const restore = new RestEndpoint({ urlPrefix: API, path: '/restore', method: 'POST', body: undefined });
  const setup = setupTabs({}, { restore: restore as never });
  const { browser, server, issue } = setup;
  let isSession = false;
  server.routes['POST /restore'] = () => (isSession ? json(issue('ada')) : json({}, 401));
  const first = setup.open();
  first.mount();
  await browser.pass(100);
  await first.login('ada');
  isSession = true;
  await browser.pass(200);
  server.clear();
  const ended = deferred();
  server.routes['POST /logout'] = async () => {
    await ended.promise;
    isSession = false;
    return new Response(null, { status: 204 });
  };
  const signedOut = first.logout();
  await browser.pass(100);
  const second = setup.open();
  second.mount();
  await browser.pass(500);
  expect(server.seen.map(({ path }) => path)).toEqual(['/logout']);
  ended.resolve();
  await signedOut;
  await browser.pass(500);
  expect(server.seen.map(({ path }) => path)).toEqual(['/logout', '/restore']);
  expect(second.seen).toEqual(['restoring nobody', 'anonymous nobody']);
  expect(first.now()).toMatchObject({ status: 'anonymous', reason: 'signed-out' });
  expectNoTokenStored(browser.stored('data-client-auth'));
});

test.each([false, true])(
  'an idle end during a refresh is not undone by the storage, which still has the sign-in (lock: %s)',
  async locks => {
    const { browser, server, openTwo } = setupTabs();
    const [a] = await openTwo();
    if (locks) a.lockOnExpiry();
    server.routes['POST /refresh'] = () => new Promise(() => {});
    void a.refresh().catch(() => {});
    await browser.pass(50);
    a.tab.run(() => sessionCore(a.session).endSession('idle'));
    await browser.pass(500);
    expect(a.now().status).toBe(locks ? 'locked' : 'anonymous');
  },
);

test('a refused refresh locks each of three tabs once; the same user unlocks them, and what waited is answered', async () => {
  const { browser, server, open, openTwo, expire } = setupTabs();
  const [a, b] = await openTwo();
  const c = open();
  c.mount();
  await browser.pass(200);
  for (const tab of [a, b, c]) tab.lockOnExpiry();
  const refresh = server.routes['POST /refresh']!;
  server.routes['POST /refresh'] = () => json({}, 401);
  expire();
  server.clear();
  const reads = [a, b, c].flatMap(one => one.burst(2));
  await browser.pass(1_000);
  expect([a, b, c].map(one => one.now().status)).toEqual(['locked', 'locked', 'locked']);
  expect(server.count('/refresh')).toBe(1);
  server.routes['POST /refresh'] = refresh;
  await browser.until(a.login('ada'));
  await browser.pass(1_000);
  const answers = await browser.until(Promise.all(reads));
  expect(answers.map(answer => answer!.title)).toEqual(Array(6).fill('of ada'));
  expect([a, b, c].map(one => one.seen)).toEqual(
    [a, b, c].map(({ seen }) => [...seen.slice(0, seen.indexOf('locked ada')), 'locked ada', 'authenticated ada']),
  );
  expect(browser.holds()).toBe(0);
});
