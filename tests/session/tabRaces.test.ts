import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import type { Clock } from '../../src/clock.js';
import { sessionCore } from '../../src/endpoints/sessionCore.js';
import { RestEndpoint } from '../../src/entries/core.js';
import { json } from './support/answers.js';
import { API, tokenOf } from './support/article.js';
import { functionServer } from './support/functionServer.js';
import { settle } from './support/manualClock.js';
import type { Route } from './support/mockServer.js';
import { userOf } from './support/people.js';
import { deferred, errorOf } from './support/promises.js';
import { ADDRESS, setupTabs } from './support/setupTabs.js';
import { createTabs } from './support/sharedTabs.js';
import { expectNoTokenStored } from './support/storedTokens.js';
import { randomOf } from './support/time.js';

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

// Fewer where each mutant is tested.
const RUNS = Number(process.env.PROPERTY_RUNS ?? 1_000);
const FEWER_RUNS = Math.ceil(RUNS / 4);
const TABS = 3;
type Act = { tab: number; what: 'logout' | 'ada' | 'bob' | 'refresh' | 'request'; afterMs: number };

const act: fc.Arbitrary<Act> = fc.record({
  tab: fc.nat(TABS - 1),
  what: fc.oneof(
    { weight: 2, arbitrary: fc.constant<Act['what']>('logout') },
    { weight: 2, arbitrary: fc.constantFrom<Act['what']>('ada', 'bob') },
    { weight: 4, arbitrary: fc.constantFrom<Act['what']>('refresh', 'request') },
  ),
  afterMs: fc.constantFrom(0, 0, 10, 20, 30, 50, 60, 100, 200),
});
/** How long each read, write and answer of the server takes, one after the other and again from the start. */
const latencies = fc.array(fc.constantFrom(0, 10, 20, 30, 40, 50), { minLength: 5, maxLength: 30 });
const play = fc.record({
  acts: fc.array(act, { minLength: 1, maxLength: 10 }),
  latencies,
  answers: fc.array(fc.constantFrom(0, 20, 100, 500), { minLength: 3, maxLength: 10 }),
});

type Play = typeof play extends fc.Arbitrary<infer P> ? P : never;

const cycle = <T>(values: readonly T[]) => {
  let index = 0;
  return () => values[index++ % values.length]!;
};

/** One storage for all tabs, in which an operation takes effect at some moment of its latency, and is answered at its end. */
function slowStorage({ browser }: Setup, latency: () => number) {
  const cell: { text: string | null } = { text: null };
  const later = (ms: number) =>
    ms === 0 ? Promise.resolve() : new Promise<void>(resolve => browser.clock.setTimeout(resolve, ms));
  const operation = async <T>(effect: () => T): Promise<T> => {
    await later(latency());
    const result = effect();
    await later(latency());
    return result;
  };
  return {
    cell,
    storage: {
      get: () => operation(() => cell.text),
      set: (text: string) => operation(() => void (cell.text = text)),
      remove: () => operation(() => void (cell.text = null)),
    },
  };
}

/** Where nothing competes, longer steps do. */
async function passRoughly({ browser }: Setup, ms: number) {
  for (let passed = 0; passed < ms; passed += 50) await browser.clock.advance(50);
}

/** Ada is signed in, in all tabs. */
async function openTabs(setup: Setup, storage: object) {
  const tabs = Array.from({ length: TABS }, () => setup.open({ storage: storage as never }));
  for (const tab of tabs) tab.mount();
  await passRoughly(setup, 200);
  void tabs[0]!.login('ada');
  await passRoughly(setup, 500);
  expect(tabs.map(tab => tab.now().user)).toEqual(tabs.map(() => userOf('ada')));
  return tabs;
}

async function playOn(setup: Setup, { acts, latencies, answers }: Play, refreshRoute: Route = setup.refreshRoute) {
  const latency = cycle(latencies);
  const answerAfter = cycle(answers);
  const { cell, storage } = slowStorage(setup, latency);
  const tabs = await openTabs(setup, storage);
  const sent: string[] = [];
  setup.server.routes['POST /refresh'] = async seen => {
    sent.push(seen.body);
    const ms = answerAfter();
    if (ms > 0) await new Promise<void>(resolve => setup.browser.clock.setTimeout(resolve, ms));
    return refreshRoute(seen);
  };
  const pending: Promise<unknown>[] = [];
  const track = (promise: Promise<unknown>) => void pending.push(promise.catch(() => {}));
  for (const { tab: index, what, afterMs } of acts) {
    const { session, tab, get, refresh, login } = tabs[index]!;
    if (what === 'logout') track(tab.run(() => session.logout()));
    else if (what === 'refresh') track(refresh());
    else if (what !== 'request') track(login(what));
    else {
      setup.expire();
      track(get());
    }
    await settle();
    await setup.browser.pass(afterMs);
  }
  return { cell, tabs, sent, settled: () => setup.browser.until(Promise.all(pending)) };
}

describe('tabs that share a storage which takes 0 to 50 ms for each operation', () => {
  test(
    `a sign-out is never undone, and each refresh token is sent once (${RUNS} interleavings)`,
    { timeout: 240_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(play, fc.nat(TABS - 1), async (steps, last) => {
          const setup = setupTabs({}, {}, functionServer);
          const { cell, tabs, sent, settled } = await playOn(setup, {
            ...steps,
            acts: steps.acts.filter(({ what }) => what !== 'ada' && what !== 'bob'),
          });
          await tabs[last]!.logout();
          await settled();
          await passRoughly(setup, 1_000);
          expect(tabs.map(tab => tab.now().status)).toEqual(tabs.map(() => 'anonymous'));
          expectNoTokenStored(cell.text);
          expect(sent).toEqual([...new Set(sent)]);
          expect(setup.refused()).toBe(0);
        }),
        { numRuns: RUNS },
      );
    },
  );

  test(
    `the tabs agree with the storage, no sign-in is cleared but by its own end, and each refresh token is sent once (${RUNS} interleavings)`,
    { timeout: 240_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(play, fc.nat(TABS - 1), async (steps, last) => {
          const setup = setupTabs({}, {}, functionServer);
          const { cell, tabs, sent, settled } = await playOn(setup, steps);
          await settled();
          await passRoughly(setup, 300);
          // Who signs in last, after all that, in a tab that may have been left behind, while the others still refresh.
          const late = Promise.allSettled(tabs.map(tab => tab.refresh()));
          await setup.browser.pass(steps.latencies[0]!);
          await setup.browser.until(tabs[last]!.login('cy'));
          await setup.browser.until(late);
          await passRoughly(setup, 1_000);
          expect(JSON.parse(cell.text ?? 'null')).toMatchObject({ subject: 'cy' });
          expect(tabs.map(tab => tab.now().user)).toEqual(tabs.map(() => userOf('cy')));
          expect(sent).toEqual([...new Set(sent)]);
          expect(setup.refused()).toBe(0);
        }),
        { numRuns: RUNS },
      );
    },
  );
});

/** Two logins and a refresh that compare before, and write after, one another. */
const overwritten: Play = {
  acts: [
    { tab: 1, what: 'refresh', afterMs: 50 },
    { tab: 2, what: 'ada', afterMs: 0 },
    { tab: 0, what: 'bob', afterMs: 0 },
  ],
  latencies: [50, 30, 20, 0, 20, 0, 0],
  answers: [20, 500, 20, 0, 500, 100],
};
/** The message of a login arrives while a tab still reads what the message of a refresh was about. */
const twoMessages: Play = {
  acts: [
    { tab: 0, what: 'refresh', afterMs: 200 },
    { tab: 0, what: 'bob', afterMs: 0 },
  ],
  latencies: [30, 0, 0, 40, 0, 50, 0, 0, 0, 0, 0],
  answers: [0, 0, 0],
};

test(
  `without locks, tabs that write at the same time agree with the storage once their messages have arrived (${FEWER_RUNS} interleavings)`,
  { timeout: 240_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(play, async steps => {
        const setup = setupTabs({ locks: 'refused' }, {}, functionServer);
        // Tabs without a lock may use a refresh token twice: this server accepts that.
        const refreshRoute: Route = ({ body }) =>
          json(setup.issue((JSON.parse(body) as { refreshToken: string }).refreshToken.split('-')[0]!));
        const { cell, tabs, settled } = await playOn(
          setup,
          { ...steps, acts: steps.acts.filter(({ what }) => what !== 'logout' && what !== 'request') },
          refreshRoute,
        );
        await settled();
        await passRoughly(setup, 3_000);
        const { subject } = JSON.parse(cell.text ?? '{}') as { subject?: string };
        expect(tabs.map(tab => tab.now().user)).toEqual(tabs.map(() => userOf(subject!)));
      }),
      { numRuns: FEWER_RUNS, examples: [[twoMessages], [overwritten]] },
    );
  },
);

describe.each([
  ['refuses her refresh', () => json({}, 401)],
  ['answers her request with 401', undefined],
])('a tab that has not heard of Grace’s sign-in, and the server %s (scenario 30)', (_name, refusal) => {
  test('Grace stays signed in and stored, and the tab follows her', async () => {
    const held = deferred();
    const setup = setupTabs({}, refusal ? {} : { refresh: undefined as never });
    const [first, second] = await setup.openTwo();
    const data = setup.server.routes['*']!;
    if (refusal) setup.server.routes['POST /refresh'] = () => held.promise.then(refusal);
    else
      setup.server.routes['*'] = seen =>
        tokenOf(seen) === 'ada-1' ? held.promise.then(() => json({}, 401)) : data(seen);
    if (refusal) setup.expire();
    const request = errorOf(first.get());
    await setup.browser.pass(300);
    setup.browser.holdMessages();
    await second.login('grace');
    await setup.browser.pass(100);
    held.resolve();
    await request;
    await setup.browser.pass(300);
    expect(first.now().user).toEqual(userOf('grace'));
    expect(second.now()).toMatchObject({ status: 'authenticated', user: { id: 'grace' } });
    expect(setup.browser.stored('data-client-auth')).toContain('"subject":"grace"');
    if (refusal) expect(first.seen.slice(-2)).toEqual(['authenticated ada', 'authenticated grace']);
    await setup.browser.deliverAll();
    await setup.browser.pass(300);
    expect(setup.browser.stored('data-client-auth')).toContain('"subject":"grace"');
    expect(second.seen.at(-1)).toBe('authenticated grace');
  });
});

/** The id of a stored sign-in. */
const recordId = (id: string) => ({ id, revision: 0 });

/** What a tab tells about the end of a sign-in, and about a sign-in that another tab has written. */
const told = {
  ended: (id: string, reason?: string) => ({ id, revision: 0, ended: reason ?? 'signed-out' }),
  // Later than all that was in the storage, and no longer there.
  written: { id: '001893456999999-ada', revision: 0 },
};

describe('a message during the check of a new page', () => {
  /** The storage is read at once, and answers late. */
  function setupNew(text: (setup: Setup) => string | null) {
    const setup = setupTabs();
    const { cell, storage } = slowStorage(setup, () => 0);
    cell.text = text(setup);
    const get = async () => {
      const { text } = cell;
      await new Promise<void>(resolve => setup.browser.clock.setTimeout(resolve, 300));
      return text;
    };
    const tab = setup.open({ storage: { ...storage, get } });
    tab.mount();
    return { setup, cell, storage, tab };
  }

  test('a request that waits is sent as the user whom the other tab has signed in', async () => {
    const { setup, storage, tab } = setupNew(() => null);
    const article = tab.get();
    article.catch(() => {});
    await setup.browser.pass(50);
    void setup.open({ storage }).login('ada');
    await setup.browser.pass(1_000);
    await expect(article).resolves.toMatchObject({ title: 'of ada' });
    expect(tab.seen).toEqual(['restoring nobody', 'authenticated ada']);
  });

  test.each([undefined, 'expired'])(
    'the user whose session has ended there is not signed in here (%s)',
    async reason => {
      const signedIn = (setup: Setup) => ({ credential: setup.issue('ada'), user: userOf('ada'), subject: 'ada' });
      const { setup, cell, tab } = setupNew(setup =>
        JSON.stringify({ ...signedIn(setup), ...recordId('000000000000001-ada') }),
      );
      await setup.browser.pass(50);
      cell.text = null;
      await setup.browser.post(ADDRESS, told.ended('000000000000001-ada', reason));
      await setup.browser.pass(1_000);
      expect(tab.seen).toEqual(['restoring nobody', 'anonymous nobody']);
    },
  );
});

test.each(['a logout', 'an expiry'])('a lock that never comes keeps no token in the storage after %s', async end => {
  const setup = setupTabs();
  const { cell, storage } = slowStorage(setup, () => 10);
  const tab = setup.open({ storage, refresh: undefined });
  tab.mount();
  await setup.browser.pass(100);
  void tab.login('ada');
  await setup.browser.pass(500);
  expect(cell.text).toContain('ada-1');
  setup.browser
    .openTab()
    .run(() => void navigator.locks.request('data-client-auth:data-client-auth:lock', {}, () => new Promise(() => {})));
  setup.expire();
  const ended = end === 'a logout' ? tab.tab.run(() => tab.session.logout()) : tab.get();
  ended.catch(() => {});
  await passRoughly(setup, 11_000);
  expect(tab.now().status).toBe('anonymous');
  expectNoTokenStored(cell.text);
});

describe.each(['get', 'set', 'remove'] as const)('a storage whose %s never answers again', verb => {
  test('blocks no refresh, login or logout for longer than the timeout', async () => {
    const setup = setupTabs();
    const cell: { text: string | null; hangs: boolean } = { text: null, hangs: false };
    const operation = <T>(name: string, effect: () => T) =>
      cell.hangs && name === verb ? new Promise<T>(() => {}) : Promise.resolve().then(effect);
    const tab = setup.open({
      storage: {
        get: () => operation('get', () => cell.text),
        set: text => operation('set', () => void (cell.text = text)),
        remove: () => operation('remove', () => void (cell.text = null)),
      },
    });
    tab.mount();
    await setup.browser.pass(10);
    await tab.login('ada');
    await setup.browser.pass(200);
    cell.hangs = true;
    const bounded = async (promise: Promise<unknown>) => {
      const before = setup.browser.clock.now();
      await setup.browser.until(promise).catch(() => {});
      expect(setup.browser.clock.now() - before).toBeLessThanOrEqual(10_000);
    };
    for (let round = 0; round < 3; round++) {
      setup.expire();
      await bounded(tab.get());
    }
    setup.expire();
    await bounded(tab.get());
    await expect(setup.browser.until(tab.get())).resolves.toMatchObject({ title: 'of ada' });
    await bounded(tab.login('bob'));
    expect(tab.now().user).toEqual(userOf('bob'));
    await bounded(tab.logout());
    expect(tab.now().status).toBe('anonymous');
    await bounded(tab.login('ada'));
    expect(tab.now().user).toEqual(userOf('ada'));
  });
});

describe('plays of the record', () => {
  const DAY_MS = 86_400_000;

  interface Act {
    readonly tab: number;
    readonly what: 'login' | 'logout' | 'refresh' | 'focus' | 'clear' | 'clock' | 'open' | 'close' | 'leave';
    /** How long after the act before, in milliseconds. */
    readonly after: number;
  }

  const USUAL = ['login', 'logout', 'refresh', 'refresh', 'refresh', 'focus', 'clock'] as const;

  const actsOf = (...more: Act['what'][]): fc.Arbitrary<Act[]> =>
    fc.array(
      fc.record<Act>({
        tab: fc.nat(2),
        what: fc.constantFrom<Act['what']>(...USUAL, ...more),
        after: fc.oneof(fc.nat(10), fc.nat(200)),
      }),
      { minLength: 3, maxLength: 25 },
    );

  interface Play {
    readonly acts: readonly Act[];
    readonly seed: number;
    /** How many tabs there are. */
    readonly count: number;
    readonly hasLocks: boolean;
    readonly totals: Totals;
  }

  interface Totals {
    refreshes: number;
    signOuts: number;
  }

  async function play({ acts, seed, count, hasLocks, totals }: Play): Promise<void> {
    const browser = createTabs({ random: randomOf(seed), lagMs: 142, hasLocks });
    for (let opened = 0; opened < count; opened++) browser.openTab();
    void browser.tabs[0]!.login();
    let offset = 0;
    for (const { tab: index, what, after } of acts) {
      await browser.pass(after);
      const { tabs } = browser;
      const tab = tabs[index % tabs.length]!;
      if (what === 'clear') browser.clear();
      else if (what === 'open') browser.openTab();
      else if (what === 'clock') tab.clock((offset -= DAY_MS));
      else if (what === 'close' || what === 'leave') {
        // A sign-out in a tab that is closed at once.
        if (what === 'leave') void tab.logout();
        if (tabs.length > 1) tab.close();
      } else void tab[what]();
    }
    await browser.pass(5_000);
    // What a storage told nobody is seen at focus.
    for (const tab of browser.tabs) tab.focus();
    await browser.pass(5_000);
    totals.refreshes += browser.seen.refreshes;
    totals.signOuts += browser.signedOut.size;

    const { tabs } = browser;
    const stored = browser.stored();
    expect(new Set(tabs.map(tab => tab.state())).size, 'the tabs agree').toBe(1);
    for (const tab of tabs) expect(tab.view()).toBe(stored === undefined ? null : JSON.stringify(stored));
    for (const id of [...browser.signedOut, ...browser.removed]) {
      if (stored?.id === id) expect(stored.credential, 'no sign-out is undone').toBe(undefined);
      for (const tab of tabs) expect(tab.state()).not.toMatch(`"authenticated",{"id":"${id}"`);
    }
    // A removal that a tab hears of late ends no sign-in that came after it.
    if (stored?.ended === 'signed-out' && stored.revision === 0)
      expect([...browser.signedOut, ...browser.removed], 'sign-outs of nobody').toContain(stored.id);
    if (hasLocks) expect(browser.seen.twice, 'tokens that were sent twice').toBe(0);
    expect(browser.locks.count(), 'locks that are kept').toBe(0);
  }

  const numRuns = Number(process.env.PLAYS ?? 400);

  test.each([
    ['that are closed, or opened', ['close', 'leave', 'open'], true],
    ['whose storage is emptied', ['clear'], true],
    ['without locks', ['clear'], false],
  ] as const)('tabs %s agree at rest, no sign-out is undone, no token is sent twice', async (_name, more, hasLocks) => {
    const totals: Totals = { refreshes: 0, signOuts: 0 };
    await fc.assert(
      fc.asyncProperty(actsOf(...more), fc.nat(), fc.integer({ min: 2, max: 3 }), (acts, seed, count) =>
        play({ acts, seed, count, hasLocks, totals }),
      ),
      { numRuns },
    );
    expect(totals.refreshes).toBeGreaterThan(numRuns / 2);
    expect(totals.signOuts).toBeGreaterThan(numRuns / 4);
  });
});
