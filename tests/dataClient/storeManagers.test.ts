import { __INTERNAL__, Controller, type Manager } from '@data-client/react';
import { RestEndpoint as ForeignEndpoint } from '@data-client/rest';
import { expect, test, vi } from 'vitest';
import { sessionCore } from '../../src/endpoints/sessionCore.js';
import { authEndpoint, createTokenSession, Entity, resource } from '../../src/index.js';
import { storeManagers } from '../../src/dataClient/storeManagers.js';
import { middlewareOf, type Dispatch } from './support/middlewareOf.js';
import { json } from '../session/support/answers.js';
import { mockServer } from '../session/support/mockServer.js';
import { createGate } from '../../src/testing/createGate.js';
import { settle } from '../session/support/manualClock.js';

const urlPrefix = 'https://api.example.com';

class Article extends Entity {
  id = '';
}

/** A session, and the managers of a store of now, as data-client's provider starts them; `reset` counts how often the store was emptied. */
function setup() {
  const session = createTokenSession({
    server: true,
    login: async (name: string) => ({ accessToken: `${name}-1`, user: { id: name } }),
  });
  const openStore = () => {
    const managers: Manager[] = storeManagers(sessionCore(session));
    const controller = new Controller();
    const reset = vi.spyOn(controller, 'resetEntireStore').mockResolvedValue(undefined);
    const chain = managers.map(manager => middlewareOf(manager)(controller));
    Object.assign(controller, {
      dispatch: chain.reduceRight<Dispatch>(
        (next, middleware) => middleware(next),
        async () => {},
      ),
      getState: () => __INTERNAL__.initialState,
    });
    for (const manager of managers) manager.init?.(__INTERNAL__.initialState);
    return { controller, reset, close: () => managers.forEach(manager => manager.cleanup()) };
  };
  return { session, openStore, status: () => session.getSnapshot().status };
}

const foreign = new ForeignEndpoint({ urlPrefix, path: '/weather' });

/** Resolves when the store has the answer, whatever it is. */
function fetchThrough(controller: Controller, endpoint: object, ...args: unknown[]): Promise<void> {
  const fetch = controller.fetch as unknown as (...all: unknown[]) => Promise<unknown>;
  return fetch(endpoint, ...args).then(
    () => {},
    () => {},
  );
}

test('a 401 that ends the session warns once, with the address of the endpoint of another class, and without its params', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  mockServer({ '*': () => json({}, 401) });
  const { session, openStore, status } = setup();
  await session.login('ada');
  const { controller, close } = openStore();
  const forecast = new ForeignEndpoint({ urlPrefix, path: '/forecast' });
  await fetchThrough(controller, forecast, { city: 'secret' });
  expect(status()).toBe('anonymous');
  expect(warn.mock.calls).toEqual([
    [
      'data-client-auth: https://api.example.com/forecast was answered with 401, which ends the session. Its endpoint is not of the kit, so the session has attached no credentials. Make it with resource() or RestEndpoint of data-client-auth, and read it by the hook of hookifyResource(resource).',
    ],
  ]);
  close();
  warn.mockRestore();
});

test.each([
  [401, 'anonymous'],
  [403, 'authenticated'],
  [500, 'authenticated'],
])('an answer %i to an endpoint of another class leaves the session %s', async (code, became) => {
  mockServer({ '*': () => json({}, code) });
  const { session, openStore, status } = setup();
  await session.login('ada');
  const { controller, close } = openStore();
  await fetchThrough(controller, foreign);
  await settle();
  expect(status()).toBe(became);
  if (became === 'anonymous') expect(session.getSnapshot().reason).toBe('expired');
  close();
});

test('a 401 to a public endpoint, which its session has checked, ends nothing', async () => {
  const server = mockServer({ '*': () => json({}, 401) });
  const { session, openStore, status } = setup();
  await session.login('ada');
  const { controller, close } = openStore();
  const open = new (authEndpoint(session))({ urlPrefix, path: '/open', public: true });
  await fetchThrough(controller, open);
  await settle();
  expect(server.seen).toHaveLength(1);
  expect(status()).toBe('authenticated');
  close();
});

test('a late 401 to a store whose identity has left does not end the session of the next user', async () => {
  const answers = createGate();
  const release = answers.hold();
  const server = mockServer({ '*': async () => (await answers.pass(), json({}, 401)) });
  const { session, openStore, status } = setup();
  await session.login('ada');
  const { controller, close } = openStore();
  // A change: data-client sends it at once.
  const late = fetchThrough(controller, foreign.extend({ method: 'POST' }), {});
  await settle();
  expect(server.seen).toHaveLength(1);
  await session.login('grace');
  release();
  await late;
  await settle();
  expect(status()).toBe('authenticated');
  close();
});

test('the store is emptied once when a user signs in from nobody, and by nothing else', async () => {
  const { session, openStore } = setup();
  const { reset, close } = openStore();
  expect(reset).not.toHaveBeenCalled();
  await session.login('ada');
  expect(reset).toHaveBeenCalledTimes(1);
  await session.login('ada');
  expect(reset).toHaveBeenCalledTimes(1);
  // From here on, the store goes as a whole, with its provider.
  await session.login('grace');
  await session.logout();
  await session.login('ada');
  expect(reset).toHaveBeenCalledTimes(1);
  close();
});

test('a store that is gone is not emptied any more', async () => {
  const { session, openStore } = setup();
  const { reset, close } = openStore();
  close();
  await session.login('ada');
  expect(reset).not.toHaveBeenCalled();
});

test('a sign-in between the render and the start of the managers empties the store', async () => {
  const { session } = setup();
  const managers: Manager[] = storeManagers(sessionCore(session));
  const controller = new Controller();
  const reset = vi.spyOn(controller, 'resetEntireStore').mockResolvedValue(undefined);
  for (const manager of managers) middlewareOf(manager)(controller);
  await session.login('ada');
  for (const manager of managers) manager.init?.(__INTERNAL__.initialState);
  expect(reset).toHaveBeenCalledTimes(1);
  managers.forEach(manager => manager.cleanup());
});

test.each([
  [401, 'article', 'anonymous'],
  // As Django REST framework answers without credentials. It ends no session.
  [403, 'draft', 'authenticated'],
])(
  'a %s to an endpoint of the kit that has no session warns once, with the endpoint and both remedies',
  async (code, path, after) => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    mockServer({ '*': () => json({}, code) });
    const plain = resource({ urlPrefix, path: `/${path}/:id`, schema: Article });
    const { session, openStore, status } = setup();
    await session.login('ada');
    const { controller, close } = openStore();
    await fetchThrough(controller, plain.get, { id: '1' });
    await fetchThrough(controller, plain.get, { id: '2' });
    expect(status()).toBe(after);
    expect(warn.mock.calls).toEqual([
      [
        `data-client-auth: GET /${path}/:id (Article.get) was answered with ${code}. Its endpoint has no session, so it was sent without credentials. Read it by the hook of hookifyResource(resource), for example useSuspense(Articles.useGet(), params), or mark the endpoint \`public: true\`.`,
      ],
    ]);
    close();
    warn.mockRestore();
  },
);

test('a 401 to a public endpoint without a session leaves the session, and warns of nothing', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  mockServer({ '*': () => json({}, 401) });
  const open = resource({ urlPrefix, path: '/news/:id', schema: Article, public: true });
  const { session, openStore, status } = setup();
  await session.login('ada');
  const { controller, close } = openStore();
  await fetchThrough(controller, open.get, { id: '1' });
  expect(status()).toBe('authenticated');
  expect(warn).not.toHaveBeenCalled();
  close();
  warn.mockRestore();
});
