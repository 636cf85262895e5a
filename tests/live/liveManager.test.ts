import type { Controller, Middleware } from '@data-client/react';
import { afterEach, expect, test, vi } from 'vitest';
import { liveManager, observeLive, type LiveOptions, type LiveSource } from '../../src/entries/live.js';
import { settle } from '../session/support/manualClock.js';
import { setupTokenSession } from '../session/support/setupTokenSession.js';

/** A socket that the test opens and closes. */
class FakeSocket extends EventTarget implements LiveSource {
  url = 'wss://api.example.com/live?ticket=secret';
  closes = 0;
  constructor(readonly token: string) {
    super();
  }
  close() {
    this.closes++;
  }
  say(type: 'open' | 'message' | 'close' | 'error', fields: object = {}) {
    this.dispatchEvent(Object.assign(new Event(type), fields));
  }
}

const list = { key: () => 'GET /article' };
const subscribe = (key = 'GET /article') => ({ type: 'rdc/subscribe', endpoint: list, meta: { key, args: [] } });

const ends: (() => void)[] = [];
afterEach(() => ends.splice(0).forEach(end => end()));

/** Ada's manager, with a store that only counts reads. */
async function setup(options: Partial<LiveOptions<string, FakeSocket>> = {}) {
  const app = setupTokenSession();
  const { session, clock } = app;
  await session.login({ name: 'ada' });
  const sockets: FakeSocket[] = [];
  const openedAt: number[] = [];
  const received: unknown[] = [];
  let reads = 0;
  let answer: Promise<unknown> = Promise.resolve();
  const lines: string[] = [];
  const stop = observeLive(({ kind, url, subject, event }) => lines.push(`${kind} ${url} ${subject} ${event}`));
  const createManager = () =>
    liveManager(session, {
      open: token => {
        openedAt.push(clock.now());
        sockets.push(new FakeSocket(token));
        return sockets.at(-1)!;
      },
      receive: ({ data }) => received.push(data),
      ...options,
    });
  const controller = { fetch: () => (reads++, answer) } as unknown as Controller;
  const start = () => {
    const manager = createManager() as ReturnType<typeof createManager> & { middleware: Middleware };
    const toStore = (async () => {}) as never;
    const dispatch = manager.middleware(controller as never)(toStore) as (action: object) => Promise<void>;
    manager.init?.({} as never);
    ends.push(() => manager.cleanup());
    return { manager, dispatch };
  };
  ends.push(stop, () => session.dispose());
  const { manager, dispatch } = start();
  return {
    ...app,
    sockets,
    openedAt,
    received,
    lines,
    manager,
    dispatch,
    /** Starts the managers of a user who has unlocked the page. */
    start,
    reads: () => reads,
    holdReads: () => {
      let release!: () => void;
      answer = new Promise<void>(resolve => (release = resolve));
      return release;
    },
  };
}

test('a refused fresh token costs no second refresh; after a connection that lasted, it does', async () => {
  const { clock, sockets, dispatch, server } = await setup();
  await dispatch(subscribe());
  await settle();
  const refuse = async () => {
    const before = sockets.length;
    sockets.at(-1)!.say('open');
    sockets.at(-1)!.say('close', { code: 4401 });
    for (let wait = 0; sockets.length === before && wait < 40; wait++) await clock.advance(1_000);
  };
  await refuse();
  await refuse();
  await refuse();
  expect(sockets.map(({ token }) => token)).toEqual(['ada-1', 'ada-2', 'ada-2', 'ada-2']);
  expect(server.count('/refresh')).toBe(1);
  sockets.at(-1)!.say('open');
  await settle();
  await clock.advance(6_000);
  await refuse();
  expect(server.count('/refresh')).toBe(2);
});

test('a connect that takes long and fails is no connection that lasted', async () => {
  const { clock, sockets, openedAt, dispatch } = await setup();
  await dispatch(subscribe());
  await settle();
  for (let attempt = 0; attempt < 5; attempt++) {
    await clock.advance(6_000);
    sockets.at(-1)!.say('error');
    await settle();
    while (sockets.length === attempt + 1) await clock.advance(100);
  }
  expect(openedAt[5]! - openedAt[4]!).toBeGreaterThan(6_000 + 4_000);
});

test('a token that another request has refreshed since the connect is not refreshed again', async () => {
  const { clock, session, sockets, dispatch, server } = await setup();
  await dispatch(subscribe());
  await settle();
  sockets[0]!.say('open');
  await session.refresh();
  sockets[0]!.say('close', { code: 4401 });
  await settle();
  await clock.advance(500);
  expect(sockets.map(({ token }) => token)).toEqual(['ada-1', 'ada-2']);
  expect(server.count('/refresh')).toBe(1);
});

test('frames after a gap wait for the reads, one for each list, and a hanging read holds them ten seconds at most', async () => {
  const { clock, sockets, dispatch, received, reads, holdReads } = await setup();
  for (let row = 0; row < 20; row++) await dispatch(subscribe());
  await settle();
  sockets[0]!.say('open');
  sockets[0]!.say('message', { data: 1 });
  expect([received, reads()]).toEqual([[1], 0]);
  const release = holdReads();
  sockets[0]!.say('close', { code: 1006 });
  sockets[0]!.say('message', { data: 'late' });
  await settle();
  await clock.advance(500);
  sockets[1]!.say('open');
  sockets[1]!.say('message', { data: 2 });
  await settle();
  expect([received, reads(), sockets.length]).toEqual([[1], 1, 2]);
  release();
  await settle();
  expect(received).toEqual([1, 2]);
  holdReads();
  sockets[1]!.say('close', { code: 1006 });
  await settle();
  await clock.advance(1_000);
  sockets[2]!.say('open');
  sockets[2]!.say('message', { data: 3 });
  await clock.advance(9_900);
  expect(received).toEqual([1, 2]);
  await clock.advance(200);
  expect(received).toEqual([1, 2, 3]);
});

test.each([
  ['the network is back', (page: EventTarget) => page.dispatchEvent(new Event('online')), 0],
  ['a sleep of an hour', () => {}, 3_600_000],
])('after %s, the socket is replaced at once, with a token that is good', async (_, happen, slept) => {
  const page = new EventTarget();
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  const { clock, sockets, dispatch, reads } = await setup();
  await dispatch(subscribe());
  await settle();
  vi.unstubAllGlobals();
  sockets[0]!.say('open');
  happen(page);
  await clock.advance(slept);
  expect([sockets.length, sockets[0]!.closes]).toEqual([2, 1]);
  sockets[1]!.say('open');
  expect(reads()).toBe(1);
});

test('no line has the address’s query; the end of the identity closes the socket and drops what waits', async () => {
  const { session, sockets, dispatch, lines, manager, received, clock, holdReads } = await setup();
  await dispatch(subscribe());
  await settle();
  sockets[0]!.say('open');
  sockets[0]!.say('close', { code: 1001 });
  holdReads();
  await settle();
  await clock.advance(500);
  sockets[1]!.say('open');
  sockets[1]!.say('message', { data: 'waits' });
  manager.cleanup();
  await session.login({ name: 'grace' });
  sockets[1]!.say('message', { data: 'late' });
  await clock.advance(60_000);
  expect([received, sockets.length, sockets[1]!.closes]).toEqual([[], 2, 1]);
  expect(lines).toEqual(
    ['open', 'close 1001', 'open', 'frame', 'close'].map(event => `WS wss://api.example.com/live ada ${event}`),
  );
});

test('after a lock, the managers are others and the store is the same: what was missed is read', async () => {
  const { sockets, dispatch, manager, start, reads } = await setup();
  await dispatch(subscribe());
  await settle();
  sockets[0]!.say('open');
  manager.cleanup();
  await start().dispatch(subscribe());
  await settle();
  expect(reads()).toBe(0);
  sockets[1]!.say('open');
  expect(reads()).toBe(1);
});

test('a socket that arrives after the end of the identity, as after a ticket, is closed', async () => {
  let arrive!: (socket: FakeSocket) => void;
  const { dispatch, manager, lines } = await setup({ open: () => new Promise(resolve => (arrive = resolve)) });
  await dispatch(subscribe());
  await settle();
  manager.cleanup();
  const socket = new FakeSocket('ada-1');
  arrive(socket);
  await settle();
  socket.say('open');
  expect([socket.closes, lines]).toEqual([1, []]);
});

test('`renew` gets a refreshed token while the socket is open; without it, a refresh changes nothing', async () => {
  const renewed: string[] = [];
  const { session, sockets, dispatch, lines } = await setup({
    renew: (source, token) => renewed.push(`${source.token} ${token}`),
  });
  await dispatch(subscribe());
  await settle();
  sockets[0]!.say('open');
  await session.refresh();
  await settle();
  expect([renewed, sockets.length, sockets[0]!.closes]).toEqual([['ada-1 ada-2'], 1, 0]);
  expect(lines.at(-1)).toMatch(/ renew$/);
});
