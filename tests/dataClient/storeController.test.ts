import * as dataClient from '@data-client/react';
import { __INTERNAL__, Controller, type Manager } from '@data-client/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { sessionCore } from '../../src/endpoints/sessionCore.js';
import {
  authEndpoint,
  createTokenSession,
  Entity,
  IdentityChangedError,
  resource,
  RestEndpoint,
} from '../../src/index.js';
import { storeControllerClass } from '../../src/dataClient/storeController.js';
import { storeManagers } from '../../src/dataClient/storeManagers.js';
import { middlewareOf, type Dispatch } from './support/middlewareOf.js';

const urlPrefix = 'https://api.example.com';

class Article extends Entity {
  id = '';
  title = '';
}

/** A store as data-client's provider makes it, without React; `commit` is what becomes of an action that changes the state. */
function storeOf(session: ReturnType<typeof makeSession>, commit: Dispatch) {
  const core = sessionCore(session);
  const StoreController = storeControllerClass(core.getStoreGenerationSignal());
  const controller = new StoreController();
  const managers: Manager[] = storeManagers(core);
  const chain = managers.map(manager => middlewareOf(manager)(controller));
  Object.assign(controller, {
    dispatch: chain.reduceRight((next, middleware) => middleware(next), commit),
    getState: () => __INTERNAL__.initialState,
  });
  return { StoreController, controller };
}

function makeSession() {
  return createTokenSession({
    server: true,
    login: async (name: string) => ({ accessToken: `${name}-1`, user: { id: name } }),
  });
}

const committed = vi.fn<Dispatch>(async () => {});
const never = new Promise<never>(() => {});
let sent: string[];
let credentials: (string | null)[];

/** data-client 0.10 sends a read when the browser is idle. Later versions send it at once, or have another manager that waits. */
const WAITS_FOR_IDLE = !('IdlingNetworkManager' in dataClient);

beforeEach(() => {
  // Also what data-client does once the browser is idle.
  vi.useFakeTimers();
  sent = [];
  credentials = [];
  vi.stubGlobal('fetch', (url: string, { headers }: RequestInit) => {
    sent.push(url.replace(urlPrefix, ''));
    credentials.push(new Headers(headers).get('Access-Token'));
    return never;
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  committed.mockClear();
});

async function storeOfAda(commit: Dispatch = committed) {
  const session = makeSession();
  await session.login('ada');
  const articles = resource({ urlPrefix, path: '/article/:id', schema: Article, Endpoint: authEndpoint(session) });
  return { session, articles, ...storeOf(session, commit) };
}

const LEFT =
  'This call belongs to the screen of an identity that has left, so nothing was sent. Call the endpoint or controller that the current screen renders.';
const plain = new RestEndpoint({ urlPrefix, path: '/weather' });
const post = new RestEndpoint({ urlPrefix, path: '/weather', method: 'POST' });
const open = new RestEndpoint({ urlPrefix, path: '/open', public: true });

/** The state of each promise, before anything but promises has its turn. */
async function outcomesOf(promises: Record<string, unknown>): Promise<Record<string, unknown>> {
  const became = Object.fromEntries(Object.keys(promises).map(name => [name, 'pending']));
  for (const [name, promise] of Object.entries(promises)) {
    Promise.resolve(promise).then(
      () => (became[name] = 'resolved'),
      (error: Error) => (became[name] = error.message),
    );
  }
  for (let turn = 0; turn < 50; turn++) await Promise.resolve();
  return became;
}

test('every new of the class is one controller: the store that React mounts has that of the one it discarded', async () => {
  const { StoreController, controller } = await storeOfAda();
  expect(new StoreController()).toBe(controller);
  expect(controller).toBeInstanceOf(Controller);
});

describe.each<[string, (session: ReturnType<typeof makeSession>) => unknown]>([
  ['a switch', session => session.login('grace')],
  ['a sign-out', session => session.logout()],
  ['an expiry', session => sessionCore(session).expire()],
])('after %s', (_, leave) => {
  test('its fetches reject, its other acts do nothing, and nothing is sent', async () => {
    const { session, controller, articles } = await storeOfAda();
    const polled = articles.get.extend({ pollFrequency: 1_000 });
    await leave(session);
    const { fetch } = controller;
    const became = await outcomesOf({
      fetch: controller.fetch(articles.get, { id: '1' }),
      'fetch, taken from its controller': fetch(articles.get, { id: '1' }),
      'fetch of a change': controller.fetch(articles.partialUpdate, { id: '1' }, { title: 'Mine' }),
      'fetch without a session': controller.fetch(plain),
      'a change without a session': controller.fetch(post, {}),
      'fetch of a public endpoint': controller.fetch(open),
      'fetch without its param': controller.fetch(articles.get, {} as never),
      fetchIfStale: controller.fetchIfStale(articles.get, { id: '1' }),
      subscribe: controller.subscribe(polled, { id: '1' }),
      invalidate: controller.invalidate(articles.get, { id: '1' }),
      reset: controller.resetEntireStore(),
      set: controller.setResponse(articles.get, { id: '1' }, { id: '1', title: 'Mine' }),
    });
    const fetches = Object.keys(became).filter(name => /fetch|change/.test(name));
    expect(became).toEqual(
      Object.fromEntries(Object.keys(became).map(name => [name, fetches.includes(name) ? LEFT : 'resolved'])),
    );
    await vi.advanceTimersByTimeAsync(10_000);
    expect(sent).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
    expect(committed).not.toHaveBeenCalled();
  });
});

test('what is under way when the identity leaves settles then, whatever the server does: also without a session', async () => {
  const { session, controller, articles } = await storeOfAda(() => never);
  const underWay = {
    read: controller.fetch(articles.get, { id: '1' }),
    'the same read': controller.fetch(articles.get, { id: '1' }),
    change: controller.fetch(articles.partialUpdate, { id: '1' }, { title: 'Mine' }),
    'read without a session': controller.fetch(plain),
    'change without a session': controller.fetch(post, {}),
    'public read': controller.fetch(open),
    'read by fetchIfStale': controller.fetchIfStale(plain),
    invalidation: controller.invalidate(articles.get, { id: '1' }),
  };
  await vi.advanceTimersByTimeAsync(1_000);
  expect(Object.values(await outcomesOf(underWay))).toEqual(Object.keys(underWay).map(() => 'pending'));
  expect(sent.sort()).toEqual(['/article/1', '/article/1', '/open', '/weather', '/weather']);
  void session.logout();
  const signedOut =
    'The user signed out while this request was under way, so its answer was dropped. Sign in, then start it again.';
  expect(await outcomesOf(underWay)).toEqual({
    ...Object.fromEntries(Object.keys(underWay).map(name => [name, signedOut])),
    invalidation: 'resolved',
  });
});

test('a read that was started before the identity leaves is not sent as the next one', async () => {
  const { session, controller, articles } = await storeOfAda();
  const read = controller.fetch(articles.get, { id: '1' });
  read.catch(() => {});
  await session.login('grace');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(credentials).toEqual(WAITS_FOR_IDLE ? [] : ['ada-1']);
  await expect(read).rejects.toBeInstanceOf(IdentityChangedError);
});

test('it goes on through a refresh and a sign-in of a signed-out user', async () => {
  const session = makeSession();
  const { controller } = storeOf(session, committed);
  vi.stubGlobal('fetch', async () => Response.json({ sun: true }));
  await session.login('ada');
  const read = controller.fetch(post, {});
  await vi.advanceTimersByTimeAsync(0);
  expect(await read).toEqual({ sun: true });
});

test('a data-client whose controller has methods, and an accessor for its dispatch, ends the same way', async () => {
  /** A controller as later versions may have it. */
  class LaterController {
    #dispatch: Dispatch = committed;
    get dispatch() {
      return this.#dispatch;
    }
    set dispatch(dispatch: Dispatch) {
      this.#dispatch = dispatch;
    }
    bindMiddleware({ dispatch }: { dispatch: Dispatch }) {
      this.#dispatch = dispatch;
    }
    fetch(action: string) {
      return this.dispatch(action);
    }
    fetchIfStale(action: string) {
      return this.fetch(action);
    }
    resetEntireStore() {
      return this.dispatch('reset');
    }
  }
  vi.doMock('@data-client/react', async original => ({ ...(await original<object>()), Controller: LaterController }));
  vi.resetModules();
  const later = await import('../../src/dataClient/storeController.js');
  vi.doUnmock('@data-client/react');
  vi.resetModules();
  const generation = new AbortController();
  const controller = new (later.storeControllerClass(generation.signal))() as unknown as LaterController;
  const [first, second] = [vi.fn<Dispatch>(async () => {}), vi.fn<Dispatch>(() => never)];
  controller.dispatch = first;
  await controller.fetch('one');
  expect(first.mock.calls).toEqual([['one']]);
  controller.bindMiddleware({ dispatch: second });
  const underWay = {
    fetch: controller.fetch('two'),
    stale: controller.fetchIfStale('three'),
    reset: controller.resetEntireStore(),
  };
  expect(second.mock.calls).toEqual([['two'], ['three'], ['reset']]);
  expect(await outcomesOf(underWay)).toEqual({ fetch: 'pending', stale: 'pending', reset: 'pending' });
  generation.abort(new Error('left'));
  expect(await outcomesOf(underWay)).toEqual({ fetch: 'left', stale: 'left', reset: 'resolved' });
  expect(
    await outcomesOf({
      fetch: controller.fetch('four'),
      stale: controller.fetchIfStale('five'),
      reset: controller.resetEntireStore(),
    }),
  ).toEqual({ fetch: LEFT, stale: LEFT, reset: 'resolved' });
  expect([first.mock.calls.length, second.mock.calls.length]).toEqual([1, 3]);
});
