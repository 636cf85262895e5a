import { getEventListeners } from 'node:events';
import { getDefaultManagers, LogoutManager, SubscriptionManager, type Middleware } from '@data-client/react';
import { describe, expect, test, vi } from 'vitest';
import type { CreateManagers } from '../../src/dataClient/HostedManagers.js';
import type { StoreAction, StoreManager } from '../../src/dataClient/connectManagers.js';
import { sessionCore } from '../../src/endpoints/sessionCore.js';
import { createTokenSession } from '../../src/index.js';
import { settle } from '../session/support/manualClock.js';
import { catchErrors } from './support/catchErrors.js';
import { renderStore } from './support/openStore.js';

const user = (id: string) => ({ accessToken: `${id}-1`, refreshToken: `${id}-r`, user: { id } });

/** A session, and a factory whose manager notes in `log` what happens to it, with the subject of its identity. */
function setup(restore?: () => Promise<ReturnType<typeof user> | null>) {
  const session = createTokenSession({
    server: true,
    login: async (id: string) => user(id),
    refresh: async () => ({ accessToken: 'another', refreshToken: 'another-r' }),
    ...(restore && { restore }),
  });
  const log: string[] = [];
  const createManagers: CreateManagers = (subject = 'nobody', signal) => {
    const note = (what: string) => log.push(`${what} ${subject}`);
    note('factory');
    signal.addEventListener('abort', () => note('abort'));
    return [loggingManager(note)];
  };
  const core = sessionCore(session);
  return { session, core, log, createManagers, render: () => renderStore(core, createManagers) };
}

const ACTIONS = /^rdc\/(?:fetch|subscribe|unsubscribe|invalidate)$/;

function loggingManager(note: (what: string) => void): StoreManager {
  return {
    middleware: (() => (next: (action: StoreAction) => Promise<void>) => (action: StoreAction) => {
      if (ACTIONS.test(action.type)) note(action.type.slice('rdc/'.length));
      return next(action);
    }) as unknown as Middleware,
    init: () => note('init'),
    cleanup: () => note('cleanup'),
  };
}

/** The store's own managers expect more of a fetch than these tests do. */
const withoutNetwork = { type: 'rdc/invalidate', meta: { key: 'GET /a' } };

test('signed out, Ada, Grace, signed out: one set each, and each is cleaned up before the next one starts', async () => {
  const { session, log, render } = setup();
  const first = render();
  first.mount();
  await session.login('ada');
  await session.login('grace');
  const second = render();
  first.unmount();
  second.mount();
  await session.logout();
  const third = render();
  second.unmount();
  third.mount();
  expect(log).toEqual([
    ...['factory nobody', 'init nobody', 'abort nobody', 'cleanup nobody'],
    ...['factory ada', 'init ada', 'abort ada', 'cleanup ada'],
    ...['factory grace', 'init grace', 'abort grace', 'cleanup grace'],
    ...['factory nobody', 'init nobody'],
  ]);
});

test('another session in place of the first: its managers start after the cleanup of the first ones', async () => {
  const [ada, grace] = [setup(), setup()];
  const log: string[] = [];
  const stores = [];
  for (const [name, { session, core }] of Object.entries({ ada, grace })) {
    await session.login(name);
    stores.push(renderStore(core, () => [loggingManager(what => log.push(`${what} ${name}`))]));
  }
  const [first, second] = stores;
  first!.mount();
  // One commit of React, twice in StrictMode.
  first!.unmount();
  second!.mount();
  second!.unmount();
  second!.mount();
  await settle();
  expect(log).toEqual(['init ada', 'cleanup ada', 'init grace']);
});

test('an `init` that ends the identity: the managers after it do not start, and each that has started is cleaned up once', async () => {
  const { session, core } = setup();
  await session.login('ada');
  const log: string[] = [];
  const endsIdentity: StoreManager = {
    ...loggingManager(what => log.push(`${what} first`)),
    init() {
      log.push('init first');
      void session.logout();
    },
  };
  const store = renderStore(core, () => [endsIdentity, loggingManager(what => log.push(`${what} second`))]);
  store.mount();
  store.unmount();
  await settle();
  expect(log).toEqual(['init first', 'cleanup first']);
});

test('StrictMode connects and mounts twice: one set, started once', async () => {
  const { session, log, render } = setup();
  render();
  const store = render();
  store.connect();
  store.mount();
  store.unmount();
  store.mount();
  await Promise.resolve();
  expect(log).toEqual(['factory nobody', 'init nobody']);
  await session.login('ada');
  expect(log).toEqual(['factory nobody', 'init nobody', 'abort nobody', 'cleanup nobody', 'factory ada', 'init ada']);
});

test('a store that is shown again and again leaves nothing behind on the signal of its identity', async () => {
  const { core, render } = setup();
  const show = async () => {
    const store = render();
    store.mount();
    await store.dispatch(withoutNetwork);
    store.unmount();
    await Promise.resolve();
    return getEventListeners(core.getStoreGenerationSignal(), 'abort').length;
  };
  const once = await show();
  await show();
  expect(await show()).toBe(once);
});

test('an unmounted store cleans up once, and a store that is shown again gets a new set', async () => {
  const { log, render } = setup();
  const store = render();
  store.mount();
  store.unmount();
  await Promise.resolve();
  expect(log).toEqual(['factory nobody', 'init nobody', 'abort nobody', 'cleanup nobody']);
  store.mount();
  expect(log.slice(4)).toEqual(['factory nobody', 'init nobody']);
});

test('a refresh, and a sign-in of the same user, keep the set', async () => {
  const { session, log, render } = setup();
  await session.login('ada');
  render().mount();
  await session.refresh();
  await session.login('ada');
  expect(log).toEqual(['factory ada', 'init ada']);
});

test('a sign-in empties the store between the two sets, and neither sees it', async () => {
  const { session, log, createManagers, core } = setup();
  const store = renderStore(core, (subject, signal) => {
    const managers = createManagers(subject, signal);
    log.push(`store emptied ${store.reduced().includes('rdc/reset')}`);
    return managers;
  });
  store.mount();
  await session.login('ada');
  expect(log).toContain('store emptied true');
  expect(log.indexOf('cleanup nobody')).toBeLessThan(log.indexOf('store emptied true'));
});

test('the first action of a render reaches the managers, which start with the store', async () => {
  const { log, render } = setup();
  const store = render();
  await store.dispatch(withoutNetwork);
  expect(log).toEqual(['factory nobody', 'invalidate nobody']);
  store.mount();
  expect(log).toEqual(['factory nobody', 'invalidate nobody', 'init nobody']);
  expect(store.reduced()).toEqual(['rdc/invalidate']);
});

test('a render that React discards starts nothing, and its signal is aborted when the identity ends', async () => {
  const { session, log, render } = setup();
  await session.login('ada');
  await render().dispatch(withoutNetwork);
  await session.logout();
  expect(log).toEqual(['factory ada', 'invalidate ada', 'abort ada']);
});

test('a sign-in between the render of the store and its mount: only the new set starts', async () => {
  const { session, log, render } = setup();
  const store = render();
  await store.dispatch(withoutNetwork);
  await session.login('ada');
  store.mount();
  expect(log).toEqual(['factory nobody', 'invalidate nobody', 'abort nobody', 'factory ada', 'init ada']);
});

test('while the session checks who is signed in there is no set; the first one sees the reads that wait, and no writes', async () => {
  let found!: (tokens: ReturnType<typeof user>) => void;
  const { session, log, render } = setup(() => new Promise(resolve => (found = resolve)));
  const store = render();
  store.mount();
  const fetch = (sideEffect?: true) => {
    const payload = vi.fn(() => new Promise(() => {}));
    const settled = () => {};
    const meta = { key: 'GET /a', throttle: !sideEffect, resolve: settled, reject: settled, createdAt: Date.now() };
    // 0.10 calls the payload, and later versions the endpoint with the arguments.
    const endpoint = Object.assign(payload, { sideEffect });
    void store.dispatch({ type: 'rdc/fetch', endpoint, args: [], key: meta.key, meta, payload } as StoreAction);
    return payload;
  };
  const sent = [fetch(), fetch(true)];
  expect(log).toEqual([]);
  const isKnown = session.ready();
  await vi.waitFor(() => expect(found).toBeDefined());
  found(user('ada'));
  await isKnown;
  expect(log).toEqual(['factory ada', 'init ada', 'fetch ada']);
  await vi.waitFor(() => expect(sent.map(({ mock }) => mock.calls.length)).toEqual([1, 1]));
});

test('a check that finds no session starts the set of the signed-out user', async () => {
  const { session, log, render } = setup(async () => null);
  render().mount();
  await session.ready();
  expect(log).toEqual(['factory nobody', 'init nobody']);
});

test('subscriptions of mounted components go over to the next set, and those of the old one end', async () => {
  const { session, log, core } = setup();
  const endpoint = { key: () => 'GET /a' };
  const action = (type: string) => ({ type, endpoint, meta: { key: 'GET /a' } }) as StoreAction;
  const createManagers: CreateManagers = (subject = 'nobody') => [
    {
      getMiddleware: (() => () => (next: (action: StoreAction) => Promise<void>) => (received: StoreAction) => {
        if (!received.type.endsWith('subscribe')) return next(received);
        log.push(`${received.type} ${subject}`);
        return Promise.resolve();
      }) as unknown as () => Middleware,
      cleanup: () => log.push(`cleanup ${subject}`),
    },
  ];
  const store = renderStore(core, createManagers);
  await store.dispatch(action('rdc/subscribe'));
  store.mount();
  await session.login('ada');
  await store.dispatch(action('rdc/unsubscribe'));
  expect(log).toEqual([
    ...['rdc/subscribe nobody', 'rdc/unsubscribe nobody', 'cleanup nobody'],
    ...['rdc/subscribe ada', 'rdc/unsubscribe ada'],
  ]);
  // Nothing is subscribed any more.
  await session.logout();
  expect(log.slice(5)).toEqual(['cleanup ada']);
});

test('a subscription waits for the check, unless its component is gone by then', async () => {
  const { session, log, render } = setup(async () => user('ada'));
  const store = render();
  const [kept, gone] = ['GET /a', 'GET /b'].map(key => ({ type: 'rdc/subscribe', endpoint: {}, meta: { key } }));
  const complaints = vi.spyOn(console, 'error').mockImplementation(() => {});
  await store.dispatch(kept!);
  await store.dispatch(gone!);
  await store.dispatch({ ...gone!, type: 'rdc/unsubscribe' });
  expect(complaints).not.toHaveBeenCalled();
  store.mount();
  await session.ready();
  complaints.mockRestore();
  expect(log).toEqual(['factory ada', 'init ada', 'subscribe ada']);
});

test('managers of both kinds work, the first one outermost', async () => {
  const { core } = setup();
  const seen: string[] = [];
  const middleware = (name: string) =>
    (() => (next: (action: StoreAction) => Promise<void>) => (action: StoreAction) => {
      seen.push(name);
      return next(action);
    }) as unknown as Middleware;
  const store = renderStore(core, () => [
    { middleware: middleware('newer'), cleanup: () => {} },
    { getMiddleware: () => middleware('0.10'), cleanup: () => {} },
  ]);
  await store.dispatch(withoutNetwork);
  expect(seen).toEqual(['newer', '0.10']);
});

describe('a function that throws', () => {
  const failFor = (name: string, createManagers: CreateManagers): CreateManagers => {
    return (subject = 'nobody', signal) => {
      const managers = createManagers(subject, signal);
      if (subject === name) throw new Error(`no managers for ${name}`);
      return managers;
    };
  };

  test('in a render: the store works without managers, and the next identity has its own', async () => {
    const { thrown, sentences } = catchErrors();
    const { session, core, log, createManagers } = setup();
    const store = renderStore(core, failFor('nobody', createManagers));
    await store.dispatch(withoutNetwork);
    store.mount();
    await settle();
    expect(store.reduced()).toEqual(['rdc/invalidate']);
    expect(log).toEqual(['factory nobody', 'abort nobody']);
    expect(thrown).toEqual([new Error('no managers for nobody')]);
    expect(sentences()).toEqual([
      expect.stringContaining('The `managers` of a provider have thrown an error, so they do not run for this user.'),
    ]);
    await session.login('ada');
    expect(log.slice(2)).toEqual(['factory ada', 'init ada']);
  });

  test('at a sign-in: it is called once for this user', async () => {
    const { thrown } = catchErrors();
    const { session, core, log, createManagers } = setup();
    const store = renderStore(core, failFor('ada', createManagers));
    store.mount();
    await session.login('ada');
    // The same user, in the same store.
    await session.enter({ ...user('ada'), user: { id: 'ada', name: 'Ada' } as never });
    await settle();
    expect(log.filter(line => line.endsWith('ada'))).toEqual(['factory ada', 'abort ada']);
    expect(thrown).toEqual([new Error('no managers for ada')]);
  });

  test('a middleware that throws while it is connected is such an error, and no manager of the set runs', async () => {
    const { thrown } = catchErrors();
    const { core, log, createManagers } = setup();
    const broken: StoreManager = {
      getMiddleware() {
        throw new Error('no middleware');
      },
      cleanup: () => {},
    };
    renderStore(core, (subject, signal) => [...createManagers(subject, signal), broken]).mount();
    await settle();
    expect(log).toEqual(['factory nobody', 'abort nobody']);
    expect(thrown).toEqual([new Error('no middleware')]);
  });

  test.each([
    ['NetworkManager', () => getDefaultManagers()],
    ['LogoutManager', () => [new (class Mine extends LogoutManager {})()]],
  ])('a %s among the managers is refused', async (name, createManagers) => {
    const { thrown } = catchErrors();
    const { core } = setup();
    renderStore(core, createManagers as CreateManagers).mount();
    await settle();
    expect(thrown).toEqual([
      new TypeError(
        `\`managers\` returned a ${name}, and the provider has its own: return only your managers, without getDefaultManagers() and LogoutManager.`,
      ),
    ]);
  });
});

test('a SubscriptionManager with a subscription of your own comes before the kit’s', async () => {
  const { core } = setup();
  const opened: string[] = [];
  class Socket {
    constructor(action: { meta: { key: string } }) {
      opened.push(action.meta.key);
    }
    add() {}
    remove = () => true;
    cleanup() {}
  }
  const store = renderStore(core, () => [new SubscriptionManager(Socket as never)]);
  await store.dispatch({ type: 'rdc/subscribe', endpoint: {}, meta: { key: 'GET /a' } });
  expect(opened).toEqual(['GET /a']);
});
