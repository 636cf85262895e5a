import { afterEach, expect, test, vi } from 'vitest';
import { createLocks } from '../../src/session/locks.js';
import { createRecordStore } from '../../src/mechanisms/storage.js';
import { createRecord, type SignInRecord } from '../../src/session/record.js';
import { initialState } from '../../src/session/state.js';
import { createStore } from '../../src/session/store.js';
import { createTurn } from '../../src/session/turn.js';
import { fakeLocks } from './support/fakeLocks.js';
import { manualClock, settle } from './support/manualClock.js';

interface Credential {
  readonly token: string;
  readonly isRemembered?: boolean;
}
type Options = Pick<Parameters<typeof createRecordStore>[0], 'storage' | 'tabs'>;

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** The part of a session that keeps its record. */
function openTab(options: Options) {
  const clock = manualClock();
  const store = createStore<Credential, unknown>(initialState('anonymous'));
  const shared = createRecordStore<Credential, unknown>({
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

test('text of an earlier version counts as none, and a login replaces it', async () => {
  const { values, stored } = stubStorage();
  values.set('data-client-auth', '{"accessToken":"old"');
  const tab = openTab({ storage: 'local' });
  await tab.record.sync();
  expect(tab.token()).toBe(undefined);
  await tab.login('ada');
  expect(stored()).toMatchObject({ subject: 'ada' });
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
