import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { json } from './support/answers.js';
import type { Route } from './support/mockServer.js';
import { functionServer } from './support/functionServer.js';
import { deferred, errorOf } from './support/promises.js';
import { settle } from './support/manualClock.js';
import { ADDRESS, setupTabs } from './support/setupTabs.js';
import { userOf } from './support/people.js';
import { tokenOf } from './support/article.js';
import { expectNoTokenStored } from './support/storedTokens.js';

// Fewer where each mutant is tested.
const RUNS = Number(process.env.PROPERTY_RUNS ?? 1_000);
const FEWER_RUNS = Math.ceil(RUNS / 4);
const TABS = 3;

afterEach(() => void Reflect.deleteProperty(globalThis, 'localStorage'));

type Setup = ReturnType<typeof setupTabs>;
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

test('a stored sign-in whose id another program has written is older than a login, and ends at a logout', async () => {
  const setup = setupTabs();
  const { cell, storage } = slowStorage(setup, () => 0);
  const ada = { credential: setup.issue('ada'), user: userOf('ada'), subject: 'ada' };
  cell.text = JSON.stringify({ ...ada, ...recordId('of another program') });
  const tab = setup.open({ storage, refresh: undefined });
  tab.mount();
  await setup.browser.pass(500);
  // Another program's record is none: its user signs in again.
  expect(tab.now().user).toEqual(undefined);
  void tab.login('bob');
  await setup.browser.pass(500);
  expect(JSON.parse(cell.text)).toMatchObject({ subject: 'bob' });
  void tab.session.logout();
  await setup.browser.pass(500);
  expect(tab.now().status).toBe('anonymous');
  expectNoTokenStored(cell.text);
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
