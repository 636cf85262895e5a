import fc from 'fast-check';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { sessionCore } from '../../src/endpoints/sessionCore.js';
import { createCookieSession, createTokenSession, type RememberedStorage } from '../../src/entries/core.js';
import { InvalidCredentialError } from '../../src/errors.js';
import { createRecordStore, readStorage } from '../../src/mechanisms/storage.js';
import { createLocks } from '../../src/session/locks.js';
import { createRecord, isLater, newId, type SignInRecord } from '../../src/session/record.js';
import { initialState, type Position } from '../../src/session/state.js';
import { createStore } from '../../src/session/store.js';
import { createTurn } from '../../src/session/turn.js';
import { json } from './support/answers.js';
import { tokenOf, type Tokens } from './support/article.js';
import { type BrowserOptions, OLD } from './support/fakeBrowser.js';
import { fakeLocks } from './support/fakeLocks.js';
import { manualClock, settle, until } from './support/manualClock.js';
import { userOf } from './support/people.js';
import { errorOf } from './support/promises.js';
import { setupTabs } from './support/setupTabs.js';
import { setupTokenSession } from './support/setupTokenSession.js';
import { expectNoTokenStored } from './support/storedTokens.js';
import { useWebkitJson } from './support/webkitJson.js';

interface Credential {
  readonly token: string;
  readonly isRemembered?: boolean;
}
type Options = Partial<Pick<Parameters<typeof createRecordStore>[0], 'storage' | 'tabs'>>;

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** The part of a session that keeps its record. */
function openTab(options: Options) {
  const clock = manualClock();
  const store = createStore<Credential, unknown>(initialState('anonymous'));
  const shared = createRecordStore<Credential, unknown>({
    ...readStorage(),
    ...options,
    parse(stored) {
      const { subject, user, credential } = stored as { subject: string; user: unknown; credential: Credential };
      return { signIn: { subject, user }, credential };
    },
    clock,
    timeoutMs: 10_000,
  });
  const record = createRecord({ store, shared, clock, endLocks: () => false, onUndone: () => {} });
  return {
    clock,
    store,
    record,
    login(token: string, { user, isRemembered }: { user?: unknown; isRemembered?: boolean } = {}) {
      const position = { id: record.nextId(), revision: 0 };
      const credential = { token, ...(isRemembered && { isRemembered }) };
      store.dispatch({ type: 'signed-in', signIn: { subject: token, user }, credential, position });
      return record.sync({ isLogin: true });
    },
    logout() {
      const { position } = store.state;
      const ended = { ...position, ended: 'signed-out' as const };
      store.dispatch({ type: 'signed-out', reason: 'signed-out', position: ended });
      return record.sync();
    },
    token: () => store.state.credential?.token,
  };
}

function stubStorage(set: (values: Map<string, string>, key: string, text: string) => void = (v, k, t) => v.set(k, t)) {
  const values = new Map<string, string>();
  vi.stubGlobal('window', {});
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, text: string) => set(values, key, text),
    removeItem: (key: string) => values.delete(key),
  });
  return { values, stored: () => [...values.values()].map(text => JSON.parse(text) as SignInRecord).at(0) };
}

test('scenario 51: a storage that the user has emptied stays empty, and signs the user out', async () => {
  const { values } = stubStorage();
  const tab = openTab({ storage: 'local' });
  await tab.login('ada');
  values.clear();
  await tab.record.sync();
  await tab.record.sync();
  expect([tab.store.state.status, tab.store.state.reason, values.size]).toEqual(['anonymous', 'elsewhere', 0]);
  await tab.login('grace');
  expect(values.size).toBe(1);
});

test('of two equal records the stored one counts', async () => {
  const { values, stored } = stubStorage();
  const tab = openTab({ storage: 'local' });
  await tab.login('ada');
  values.set('data-client-auth', JSON.stringify({ ...stored(), credential: { token: 'of another tab' } }));
  await tab.record.sync();
  expect(tab.token()).toBe('of another tab');
});

/** A storage of the app's own, whose operations may hang. */
function ownStorage() {
  const own = { text: null as string | null, hangs: false };
  const answer = <T>(value: () => T) => (own.hangs ? new Promise<T>(() => {}) : Promise.resolve().then(value));
  return Object.assign(own, {
    storage: {
      get: () => answer(() => own.text),
      set: (text: string) => answer(() => void (own.text = text)),
      remove: () => answer(() => void (own.text = null)),
    },
  });
}

test('scenario 34: a storage that does not answer is given up by nobody: what is known counts', async () => {
  const own = ownStorage();
  const tab = openTab(own);
  await tab.login('ada');
  own.hangs = true;
  const late = tab.record.sync();
  await settle();
  await tab.clock.advance(10_000);
  await late;
  expect(tab.token()).toBe('ada');
  own.hangs = false;
  expect(own.text).toContain('ada');
  await tab.record.sync();
  expect(tab.token()).toBe('ada');
});

test('the end of a sign-in is adopted from a channel, which carries no token', async () => {
  const own = ownStorage();
  const messages: unknown[] = [];
  const channels = new Set<{ onmessage?: (event: { data: unknown }) => void }>();
  class Channel {
    onmessage?: (event: { data: unknown }) => void;
    constructor() {
      channels.add(this);
    }
    postMessage(data: unknown) {
      messages.push(data);
      for (const channel of channels) if (channel !== this) channel.onmessage?.({ data });
    }
    close() {
      channels.delete(this);
    }
  }
  vi.stubGlobal('window', {});
  vi.stubGlobal('BroadcastChannel', Channel);
  const [first, second] = [openTab(own), openTab(own)];
  const ends = [first, second].map(tab => tab.record.listen()!);
  await first.login('ada');
  await settle();
  expect(second.token()).toBe('ada');
  // The second tab cannot read what the first one writes.
  own.hangs = true;
  void first.logout();
  own.hangs = false;
  for (const channel of channels) channel.onmessage?.({ data: { ...first.store.state.position } });
  await settle();
  expect([second.token(), JSON.stringify(messages)]).toEqual([undefined, expect.not.stringContaining('token')]);
  ends.forEach(end => end());
  expect(channels.size).toBe(0);
});

/** The turns of tabs that share nothing but the locks, or a storage. */
function openTurn(locks: LockManager, options: Options) {
  const tab = openTab(options);
  const turn = createTurn({ name: 'test', manager: locks, clock: tab.clock, timeoutMs: 1_000, record: tab.record });
  return { ...tab, turn };
}
const newLocks = () => fakeLocks({ here: () => undefined, run: (_tab, act) => act(), isGone: () => false });
const asManager = (locks: unknown) => locks as LockManager;

test('tabs that share no storage wait for no fence', async () => {
  const locks = asManager(newLocks());
  vi.stubGlobal('window', {});
  const [first, second] = [0, 1].map(() => openTurn(locks, { storage: 'memory' })) as [
    ReturnType<typeof openTurn>,
    ReturnType<typeof openTurn>,
  ];
  await first.login('ada');
  await first.turn.run(async () => {});
  await expect(second.turn.run(async () => 'done')).resolves.toBe('done');
  expect([first.clock.pending, second.clock.pending]).toEqual([0, 0]);
});

test('scenario 52: a turn that is taken away while it waits for a fence sends nothing', async () => {
  const locks = asManager(newLocks());
  const tab = openTurn(locks, ownStorage());
  void locks.request('test:fence 9 - 1', { mode: 'shared' }, () => new Promise(() => {}));
  const act = vi.fn(async () => {});
  const turn = tab.turn.run(act);
  turn.catch(() => {});
  await settle();
  await createLocks(locks, tab.clock).take('test:turn', { steal: true });
  await settle();
  for (let passed = 0; passed < 1_200; passed += 10) await tab.clock.advance(10);
  await expect(turn).rejects.toThrow();
  expect(act).not.toHaveBeenCalled();
});

test.each([
  [
    'rejects',
    { request: () => Promise.reject(new DOMException('', 'SecurityError')), query: () => Promise.reject(new Error()) },
  ],
  [
    'throws',
    {
      request: () => {
        throw new Error('no locks here');
      },
      query: () => Promise.reject(new Error()),
    },
  ],
  ['cannot be listed', { request: newLocks().request, query: () => Promise.reject(new Error()) }],
])('scenario 52: locks.request %s, and the refresh goes on', async (_name, locks) => {
  const tab = openTurn(asManager(locks), ownStorage());
  await expect(tab.turn.run(async () => 'done')).resolves.toBe('done');
});

const position: fc.Arbitrary<Position> = fc.record({
  id: fc.constantFrom('1', '2'),
  revision: fc.nat(2),
  ended: fc.constantFrom(undefined, 'expired', 'idle', 'signed-out'),
});

test.each<[name: string, later: Position, earlier: Position]>([
  ['the later sign-in', { id: '2', revision: 0 }, { id: '1', revision: 9, ended: 'signed-out' }],
  ['the later refresh', { id: '1', revision: 2 }, { id: '1', revision: 1 }],
  ['an expiry over any refresh', { id: '1', revision: 0, ended: 'expired' }, { id: '1', revision: 5 }],
  ['a sign-out over an expiry', { id: '1', revision: 0, ended: 'signed-out' }, { id: '1', revision: 5, ended: 'idle' }],
])('%s is the later record', (_name, later, earlier) => {
  expect([isLater(later, earlier), isLater(earlier, later)]).toEqual([true, false]);
});

test('all tabs order records in the same way', () => {
  fc.assert(
    fc.property(position, position, position, (a, b, c) => {
      expect(isLater(a, a)).toBe(false);
      if (isLater(a, b)) expect(isLater(b, a)).toBe(false);
      if (isLater(a, b) && isLater(b, c)) expect(isLater(a, c)).toBe(true);
    }),
  );
});

test('the id of a new sign-in is greater than every known one, whatever the clock says', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(2 ** 42), { minLength: 2, maxLength: 20 }), times => {
      const ids = times.reduce<string[]>((known, now) => [...known, newId(now, known.at(-1) ?? '')], []);
      expect([...ids].sort()).toEqual(ids);
    }),
  );
});

describe('remembered', () => {
  const KEY = 'data-client-auth';
  const REMEMBER = { remember: true };
  const LAG_MS = 200;

  afterEach(() => void Reflect.deleteProperty(globalThis, 'localStorage'));

  type Setup = ReturnType<typeof setupTabs>;
  type Opened = ReturnType<Setup['open']>;

  const subjectIn = (text: string | null) =>
    text === null ? undefined : (JSON.parse(text) as { subject: string }).subject;

  function setup(otherwise: RememberedStorage['otherwise'] = 'session', browser: BrowserOptions = {}) {
    const tabs = setupTabs(browser, { storage: { remembered: 'local', otherwise } });
    const pass = () => tabs.browser.pass(LAG_MS);
    return {
      ...tabs,
      pass,
      /** A mounted tab that has checked for an existing session. */
      async openTab(...args: Parameters<typeof tabs.open>) {
        const opened = tabs.open(...args);
        opened.mount();
        await pass();
        return opened;
      },
      /** The same tab after a reload: a new session. */
      async reload({ tab, session }: Opened) {
        tab.run(() => session.dispose());
        const opened = tabs.open({}, tab);
        opened.mount();
        await pass();
        return opened;
      },
      async login(tab: Opened, name: string, choice?: { remember: boolean }) {
        await tab.login(name, choice);
        await pass();
      },
      shared: () => subjectIn(tabs.browser.stored(KEY)),
      own: ({ tab }: Opened) => subjectIn(tabs.browser.storedIn(tab, KEY)),
    };
  }

  const userIn = (tab: Opened) => tab.now().user?.id;

  describe('a sign-in with `remember`', () => {
    test('is in the storage of all tabs, and outlives the tab', async () => {
      const { openTab, login, shared, own } = setup();
      const first = await openTab();
      await login(first, 'ada', REMEMBER);
      expect([shared(), own(first)]).toEqual(['ada', undefined]);
      first.tab.close();
      expect(userIn(await openTab())).toBe('ada');
    });
  });

  describe('a sign-in without `remember`', () => {
    test('is in the storage of its tab: it outlives a reload, and another tab does not have it', async () => {
      const { openTab, reload, login, shared, own } = setup();
      const first = await openTab();
      await login(first, 'ada');
      expect([shared(), own(first)]).toEqual([undefined, 'ada']);
      expect(userIn(await reload(first))).toBe('ada');
      expect((await openTab()).now()).toMatchObject({ status: 'anonymous', reason: undefined });
    });

    test('in memory: no storage has it, a refresh keeps it there, and a reload ends it', async () => {
      const { openTab, reload, login, shared, own, browser } = setup('memory');
      const tab = await openTab();
      await login(tab, 'ada', { remember: false });
      await tab.refresh();
      expect(await browser.until(tab.get())).toMatchObject({ title: 'of ada' });
      expect([shared(), own(tab)]).toEqual([undefined, undefined]);
      expect(browser.written().join()).not.toContain('ada-');
      expect((await reload(tab)).now().status).toBe('anonymous');
    });

    test('stays where it is at a refresh', async () => {
      const { openTab, login, shared, own, browser } = setup();
      const tab = await openTab();
      await login(tab, 'ada');
      await tab.refresh();
      expect([shared(), own(tab)]).toEqual([undefined, 'ada']);
      expect(browser.storedIn(tab.tab, KEY)).toContain('ada-2');
    });

    test.each(['session', 'memory'] as const)(
      'in %s: each tab has its own, and a sign-out ends no other',
      async place => {
        const { openTab, login, server, browser, pass } = setup(place);
        const [first, second] = [await openTab(), await openTab()];
        await login(first, 'ada');
        await login(second, 'bob');
        await first.refresh();
        await pass();
        expect([userIn(first), userIn(second)]).toEqual(['ada', 'bob']);
        await second.logout();
        await pass();
        expect([userIn(first), second.now().reason]).toEqual(['ada', 'signed-out']);
        expect(await browser.until(first.get())).toMatchObject({ title: 'of ada' });
        expect(server.count('/login')).toBe(2);
      },
    );

    describe.each(['session', 'memory'] as const)('in %s', place => {
      test('stays when another tab cannot store a sign-in with `remember`, because the storage is full', async () => {
        const { openTab, login } = setup(place);
        const [first, second] = [await openTab(), await openTab()];
        await login(first, 'ada');
        const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
        onTestFinished(() => warn.mockRestore());
        vi.spyOn(globalThis.localStorage, 'setItem').mockImplementation((key: string) => {
          if (key === KEY) throw new DOMException('full', 'QuotaExceededError');
        });
        await login(second, 'bob', REMEMBER);
        expect([userIn(first), userIn(second)]).toEqual(['ada', 'bob']);
      });

      test('follows a later shared sign-in, and does not come back when that one ends', async () => {
        const { openTab, login, pass } = setup(place);
        const [first, second] = [await openTab(), await openTab()];
        await login(first, 'ada');
        await login(second, 'bob', REMEMBER);
        expect(userIn(first)).toBe('bob');
        await second.logout();
        await pass();
        await login(second, 'bob', REMEMBER);
        await second.logout();
        await pass();
        expect(first.now()).toMatchObject({ status: 'anonymous', reason: 'elsewhere' });
      });
    });
  });

  describe.each([
    ['with Web Locks and BroadcastChannel', {}],
    ['with neither', OLD],
  ] as const)('a login leaves nothing in the other storage, in a browser %s', (_name, browser) => {
    test.each(['session', 'memory'] as const)(
      'to %s: the shared sign-in is removed, and its tabs are signed out',
      async place => {
        const { openTab, reload, login, shared } = setup(place, browser);
        const [first, second] = [await openTab(), await openTab()];
        await login(first, 'ada', REMEMBER);
        await login(first, 'bob');
        expect(shared()).toBeUndefined();
        expect(userIn(first)).toBe('bob');
        expect(second.now()).toMatchObject({ status: 'anonymous', reason: 'elsewhere' });
        expect(userIn(await reload(second))).toBeUndefined();
      },
    );

    test('the same user, from one to the other and back: the identity stays', async () => {
      const { openTab, login, shared, own } = setup('session', browser);
      const tab = await openTab();
      await login(tab, 'ada', REMEMBER);
      const { epoch } = tab.now();
      await login(tab, 'ada');
      expect([shared(), own(tab)]).toEqual([undefined, 'ada']);
      await login(tab, 'ada', REMEMBER);
      expect([shared(), own(tab)]).toEqual(['ada', undefined]);
      expect(tab.now().epoch).toBe(epoch);
    });
  });

  test('a tab that was closed before the other sign-in finds the later of the two', async () => {
    const { openTab, reload, login, own } = setup();
    const first = await openTab();
    await login(first, 'ada');
    first.tab.run(() => first.session.dispose());
    await login(await openTab(), 'bob', REMEMBER);
    const again = await reload(first);
    expect([userIn(again), own(again)]).toEqual(['bob', undefined]);
  });

  test('a sign-out and an expiry leave nothing in either storage', async () => {
    const { openTab, login, shared, own, server } = setup();
    const tab = await openTab();
    for (const choice of [{ remember: false }, REMEMBER]) {
      await login(tab, 'ada', choice);
      await tab.logout();
      expect([shared(), own(tab)]).toEqual([undefined, undefined]);
      await login(tab, 'ada', choice);
      server.routes['POST /refresh'] = () => json({}, 401);
      await tab.refresh().catch(() => undefined);
      expect(tab.now().reason).toBe('expired');
      expect([shared(), own(tab)]).toEqual([undefined, undefined]);
    }
  });

  test('`enter` takes the choice as its second argument', async () => {
    const { openTab, issue, pass, shared, own } = setup();
    const tab = await openTab();
    await tab.tab.run(() => tab.session.enter(issue('ada')));
    await pass();
    expect([shared(), own(tab)]).toEqual([undefined, 'ada']);
    await tab.tab.run(() => tab.session.enter(issue('ada'), REMEMBER));
    await pass();
    expect([shared(), own(tab)]).toEqual(['ada', undefined]);
    expect(tab.now().user).toEqual(userOf('ada'));
  });

  test('the choice is a property of the first argument, and anything else is none', async () => {
    const { open, browser, shared, own } = setup();
    for (const remember of ['true', 1, {}, undefined]) {
      const tab = open();
      await tab.login('ada', { remember } as never);
      await browser.pass(LAG_MS);
      expect([shared(), own(tab)]).toEqual([undefined, 'ada']);
    }
  });

  describe('with a lock on expiry', () => {
    async function setupLocked(choice?: { remember: boolean }) {
      const tabs = setup();
      const [first, second] = [await tabs.openTab(), await tabs.openTab()];
      for (const tab of [first, second]) tab.lockOnExpiry();
      await tabs.login(first, 'ada', choice);
      tabs.server.routes['POST /refresh'] = () => json({}, 401);
      first.refresh().catch(() => undefined);
      await tabs.pass();
      return { ...tabs, first, second, statuses: () => [first.now().status, second.now().status] };
    }

    test('a locked sign-in that one tab alone has stays locked when another tab signs out', async () => {
      const { second, login, pass, statuses } = await setupLocked();
      expect(statuses()).toEqual(['locked', 'anonymous']);
      await login(second, 'bob');
      await second.logout();
      await pass();
      expect(statuses()).toEqual(['locked', 'anonymous']);
      await login(second, 'bob', REMEMBER);
      expect(statuses()).toEqual(['authenticated', 'authenticated']);
    });
  });

  describe.each([
    ['stays open', false],
    ['is closed', true],
  ])('a login for one tab during a refresh in another one, which then %s,', (_outcome, isClosed) => {
    test.each(['at once', 'after the refresh'])(
      'leaves no shared tokens, when the other tab hears of it %s',
      async when => {
        const { openTab, login, holdRefresh, browser, shared, pass } = setup();
        const [first, second] = [await openTab(), await openTab()];
        await login(first, 'ada', REMEMBER);
        const answer = holdRefresh();
        second.refresh().catch(() => undefined);
        await pass();
        if (when !== 'at once') browser.holdMessages();
        const ownLogin = first.login('bob');
        await browser.pass(10);
        answer.resolve();
        await browser.pass(10);
        if (isClosed) second.tab.close();
        await ownLogin;
        await pass();
        await browser.deliverAll();
        await pass();
        expect(shared()).toBeUndefined();
        expect(userIn(first)).toBe('bob');
        if (!isClosed) expect(second.now()).toMatchObject({ status: 'anonymous', reason: 'elsewhere' });
      },
    );
  });

  describe.each([
    ['a `RememberedStorage`', { storage: { remembered: 'local', otherwise: 'session' } }],
    ['session storage', { storage: { in: 'session' } }],
  ] as const)('frames of one tab, with %s', (_name, options) => {
    async function openFrames(more = {}) {
      const { browser, openTab, login, own, pass, server } = setup();
      const settings = { ...options, ...more };
      // Tabs that have signed in before and after this one.
      const before = await openTab(settings);
      await login(before, 'ada');
      const first = await openTab(settings);
      const frame = await openTab(settings, browser.openFrame(first.tab));
      await login(first, 'ada');
      const after = await openTab(settings);
      await login(after, 'ada');
      return { browser, first, frame, others: [before, after], login, own, pass, server };
    }

    test('follow each other’s sign-ins, refreshes and sign-outs; other tabs do not', async () => {
      const { browser, first, frame, others, login, own, pass } = await openFrames();
      expect(userIn(frame)).toBe('ada');
      const { epoch } = first.now();
      await frame.refresh();
      await pass();
      expect(first.now().epoch).toBe(epoch);
      await login(frame, 'bob');
      expect([userIn(first), userIn(frame)]).toEqual(['bob', 'bob']);
      expect(await browser.until(first.get())).toMatchObject({ title: 'of bob' });
      await first.logout();
      await pass();
      expect(frame.now()).toMatchObject({ status: 'anonymous', reason: 'elsewhere' });
      expect(own(frame)).toBeUndefined();
      expect(others.map(userIn)).toEqual(['ada', 'ada']);
    });

    test('do not follow each other with `tabs: false`', async () => {
      const { browser, openTab, login } = setup();
      const settings = { storage: { ...options.storage, tabs: false } };
      const first = await openTab(settings);
      await login(first, 'ada');
      const frame = await openTab(settings, browser.openFrame(first.tab));
      await login(first, 'bob');
      expect([first, frame].map(userIn)).toEqual(['bob', 'ada']);
    });
  });
});

const ada = { name: 'ada' };
const kept = (text: string | null = null) => {
  const storage = {
    text,
    get: (): string | null | Promise<string | null> => storage.text,
    set: (next: string): void | Promise<void> => void (storage.text = next),
    remove: (): void | Promise<void> => void (storage.text = null),
  };
  return storage;
};

test.each([
  ['nothing', undefined],
  ['null', null],
  ['an empty text', ''],
  ['a number', 5],
  ['an object', { a: 1 }],
  ['a line break', 'sec\r\nret'],
  ['a NUL', 'sec\0ret'],
  ['an emoji', 'sec\u{1f600}ret'],
  ['an outer space', ' secret'],
  ['16 KB', 'sec'.padEnd(16_384, 'x')],
])(
  'a login whose token is %s is an InvalidCredentialError that does not quote it, and nobody is signed in (scenario 18)',
  async (_name, accessToken) => {
    const { session, status, burst, server } = setupTokenSession(
      {},
      { 'POST /login': () => json({ accessToken, user: { id: 'ada' } }), '*': () => json({ id: '0' }) },
    );
    const error = await errorOf(session.login(ada));
    expect(error).toBeInstanceOf(InvalidCredentialError);
    expect(`${error.message} ${error.stack} ${JSON.stringify(error)}`).not.toMatch(/sec.*ret|secx/s);
    expect(status()).toBe('anonymous');
    expect(session.getSnapshot().error).toBe(error);
    await burst(1)[0];
    expect(tokenOf(server.seen.at(-1)!)).toBeNull();
  },
);

test.each([
  ['204', () => new Response(null, { status: 204 }), 'nothing (an empty answer or 204)'],
  ['a text', () => new Response('ada-1', { headers: { 'content-type': 'text/plain' } }), 'a string'],
  ['an empty body', () => new Response(''), 'nothing (an empty answer or 204)'],
  ['{}', () => json({}), 'an empty object'],
  ['null', () => json(null), 'nothing (an empty answer or 204)'],
])('a login answered with %s is told apart', async (_name, answer, words) => {
  for (const parseTokens of [
    undefined,
    (given: unknown) => ({ accessToken: (given as { data: Tokens }).data.accessToken }),
  ]) {
    const { session, status } = setupTokenSession({ ...(parseTokens && { parseTokens }) }, { 'POST /login': answer });
    const error = await errorOf(session.login(ada));
    expect(error).toBeInstanceOf(InvalidCredentialError);
    expect(error.message).toBe(
      `The server answered ${words}, where an object with the string \`accessToken\` (or \`access_token\`) was expected. If the token has another name, read it with the session's \`parseTokens\` option.`,
    );
    expect(status()).toBe('anonymous');
  }
});

test('a login that is not JSON though it says so, or that throws no Error, is told by the snapshot', async () => {
  const { session } = setupTokenSession(
    {},
    { 'POST /login': () => new Response('{', { headers: { 'content-type': 'application/json' } }) },
  );
  expect(await errorOf(session.login(ada))).toBeInstanceOf(InvalidCredentialError);
  // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- as careless SDKs do
  const careless = createTokenSession({ server: true, login: () => Promise.reject('no') });
  expect(await errorOf(careless.login())).toBe('no');
  expect(careless.getSnapshot().error).toMatchObject({ cause: 'no' });
});

test.each(['a SyntaxError', 'a DOMException, as WebKit rejects with'])(
  'a login answered with text that is no JSON (%s) is not quoted: the text may be a token',
  async kind => {
    if (kind !== 'a SyntaxError') useWebkitJson();
    const { session } = setupTokenSession(
      {},
      { 'POST /login': () => new Response('sec-ret', { headers: { 'content-type': 'application/json' } }) },
    );
    const error = await errorOf(session.login(ada));
    expect(error.message).toMatch(
      /^The server did not answer with JSON\. An object with the string `accessToken` was expected\./,
    );
    expect(`${error.message} ${error.stack} ${JSON.stringify(error)}`).not.toContain('sec-ret');
    expect(session.getSnapshot().error).toBe(error);
  },
);

test('the header is Access-Token, or another one; Authorization has the word Bearer, unless the option has another one', async () => {
  for (const [header, sent, name = header] of [
    [undefined, 'ada-1', 'Access-Token'],
    ['X-Auth', 'ada-1'],
    ['X-Auth: JWT', 'JWT ada-1', 'X-Auth'],
    ['authorization', 'Bearer ada-1'],
    ['Authorization: token', 'token ada-1', 'Authorization'],
    ['Authorization:', 'ada-1', 'Authorization'],
  ] as const) {
    const { session, burst, server } = setupTokenSession(
      { ...(header && { header }) },
      { '*': () => json({ id: '0' }) },
    );
    await session.login(ada);
    await burst(1)[0];
    expect(server.seen.at(-1)!.headers.get(name!)).toBe(sent);
  }
});

test('tokens are kept in the storage from login to logout, renewed at a refresh, and restored', async () => {
  const storage = kept();
  const { session, server, burst } = setupTokenSession({ storage });
  session.subscribe(() => {});
  await session.login(ada);
  await session.refresh();
  expect(JSON.parse(storage.text!)).toMatchObject({
    credential: { accessToken: 'ada-2', refreshToken: 'ada-refresh-2' },
    subject: 'ada',
    user: { id: 'ada' },
  });

  const next = setupTokenSession({ storage }, { '*': () => json({ id: '0' }) });
  await next.burst(1)[0];
  expect(tokenOf(next.server.seen[0]!)).toBe('ada-2');
  expect(next.session.getSnapshot()).toMatchObject({ status: 'authenticated', user: { id: 'ada' }, epoch: 0 });
  await next.session.logout();
  expectNoTokenStored(storage.text);
  void server;
  void burst;
});

test.each([
  ['corrupt JSON', '{"credential'],
  ['a number', '5'],
  ['an array', '[]'],
  ['another shape', '{"foo":1}'],
  ['a token that is no text', '{"credential":{"accessToken":5}}'],
  ['a token that no header can carry', '{"credential":{"accessToken":"sec\\r\\nret"}}'],
])('a storage that holds %s costs no warning, and nobody is signed in', async (_name, text) => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const { session, burst, server } = setupTokenSession({ storage: kept(text) }, { '*': () => json({ id: '0' }) });
  await burst(1)[0];
  expect(session.getSnapshot()).toMatchObject({ status: 'anonymous', error: undefined });
  expect(tokenOf(server.seen[0]!)).toBeNull();
  // Text of another program is no failure: the next login replaces it.
  expect(warn.mock.calls.flat().join()).toBe('');
  warn.mockRestore();
});

const unreadable = {
  throws: () => {
    throw new DOMException('denied', 'SecurityError');
  },
  rejects: () => Promise.reject(new DOMException('denied', 'SecurityError')),
};

test.each([
  ['throws', 'a logout'],
  ['throws', 'an expiry'],
  ['rejects', 'a logout'],
  ['rejects', 'an expiry'],
] as const)('a storage that %s when it is read is emptied at %s', async (how, end) => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const storage = kept();
  const { session, burst, expire, status, clock } = setupTokenSession({ storage, refresh: undefined });
  await session.login(ada);
  storage.get = unreadable[how];
  expire();
  await (end === 'a logout' ? session.logout() : until(clock, errorOf(burst(1)[0]!)));
  await settle();
  expect(status()).toBe('anonymous');
  expectNoTokenStored(storage.text);
  warn.mockRestore();
});

test('a storage that hangs after the server has answered a refresh does not lose its tokens', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const storage = kept();
  const { session, server, issue, clock } = setupTokenSession({ storage });
  await session.login(ada);
  server.routes['POST /refresh'] = () => {
    storage.get = () => new Promise(() => {});
    return json(issue('ada'));
  };
  session.refresh().catch(() => {});
  await settle();
  await clock.advance(40_000);
  expect(sessionCore(session).getCredential()).toMatchObject({ accessToken: 'ada-2' });
  warn.mockRestore();
});

test('no state of a session that is serialized or logged holds a token', async () => {
  const { session } = setupTokenSession();
  await session.login(ada);
  const { inspect } = await import('node:util');
  expect(
    JSON.stringify(session) + JSON.stringify(session.getSnapshot()) + inspect(session, { depth: 9, showHidden: true }),
  ).not.toContain('ada-1');
});

/** Web storage, as pages have it, and some servers. Returns what it keeps. */
function stubWebStorage(): Map<string, string> {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => kept.set(key, text),
    removeItem: (key: string) => kept.delete(key),
  };
  vi.stubGlobal('localStorage', storage);
  vi.stubGlobal('sessionStorage', storage);
  return kept;
}

test.each(['local', 'session', { remembered: 'local', otherwise: 'session' }] as const)(
  'a server that has web storage shows no visitor the sign-in of another one: %j',
  async storage => {
    const kept = stubWebStorage();
    const [first, next] = [setupTokenSession({ storage }), setupTokenSession({ storage })];
    await first.session.login({ name: 'ada' });
    await next.session.ready();
    expect([next.session.getSnapshot().status, kept.size]).toEqual(['anonymous', 0]);
    await first.session.refresh();
    expect(first.session.getSnapshot().user).toMatchObject({ id: 'ada' });
  },
);

test('the sessions of a server send each other no messages: the sign-out of one visitor is no other visitor’s', async () => {
  const makeSession = () =>
    createCookieSession({ login: async () => ({ id: 'ada' }), whoami: async () => ({ id: 'ada' }), server: true });
  const [first, next] = [makeSession(), makeSession()];
  const stops = [first, next].map(session => session.subscribe(() => {}));
  await first.login();
  await next.login();
  await first.logout();
  await new Promise(resolve => setTimeout(resolve, 100));
  expect(next.getSnapshot().status).toBe('authenticated');
  for (const stop of stops) stop();
});

test('two sessions of one origin keep their tokens under two keys', async () => {
  vi.stubGlobal('window', globalThis);
  const kept = stubWebStorage();
  const left = setupTokenSession({ storage: 'local' });
  const right = setupTokenSession({ storage: { in: 'local', key: 'right' } });
  await left.session.login({ name: 'ada' });
  await right.session.login({ name: 'bob' });
  await until(left.clock, left.session.logout());
  expectNoTokenStored(kept.get('data-client-auth'));
  expect(kept.get('right')).toContain('bob');
  vi.unstubAllGlobals();
});
