import { expect, test, vi } from 'vitest';
import { sessionCore } from '../../src/endpoints/sessionCore.js';
import { authEndpoint, createTokenSession, Entity, resource } from '../../src/index.js';
import { createGate } from '../../src/testing/createGate.js';
import { json } from '../session/support/answers.js';
import { mockServer } from '../session/support/mockServer.js';
import { renderStore } from './support/openStore.js';

class Article extends Entity {
  id = '';
}

/** Ada's store, as React has rendered it. The server holds its answers until they are released. */
async function setup(status = 200) {
  const answers = createGate();
  const release = answers.hold();
  const server = mockServer({ '*': async () => (await answers.pass(), json({ id: '1' }, status)) });
  const session = createTokenSession({
    server: true,
    login: async (name: string) => ({ accessToken: `${name}-1`, user: { id: name } }),
  });
  await session.login('ada');
  const articles = resource({
    urlPrefix: 'https://api.example.com',
    path: '/article/:id',
    schema: Article,
    Endpoint: authEndpoint(session),
  });
  const store = renderStore(sessionCore(session));
  const read = () =>
    store.controller.fetch(articles.get, { id: '1' }).then(
      ({ id }) => id,
      (error: { status?: number }) => error.status,
    );
  /** Resolves when the server has answered, and the answer is read. */
  const answered = async () => {
    await release.reached;
    release();
    await vi.waitFor(() => expect(answers.held).toBe(0));
    await new Promise(resolve => setTimeout(resolve));
  };
  return { session, server, articles, store, read, answered };
}

test.each([
  [200, '1'],
  [404, 404],
])(
  'an answer %i that arrives before a store is mounted is set in that store, and is that of both renders',
  async (status, outcome) => {
    const { server, store, read, answered } = await setup(status);
    const first = read();
    await answered();
    expect(store.reduced()).toEqual([]);
    store.connect();
    const second = read();
    store.mount();
    expect(await Promise.all([first, second])).toEqual([outcome, outcome]);
    expect(store.reduced().filter(type => type.startsWith('rdc/set'))).toHaveLength(1);
    expect(server.seen).toHaveLength(1);
  },
);

test('an answer that arrives while the store is hidden is set when it is shown again', async () => {
  const { server, store, read, answered } = await setup();
  store.mount();
  const result = read();
  // data-client compares the times of a request and of the unmount, in milliseconds.
  await new Promise(resolve => setTimeout(resolve, 5));
  store.unmount();
  await answered();
  expect(store.reduced()).toEqual([]);
  store.mount();
  expect(await result).toBe('1');
  expect(server.seen).toHaveLength(1);
});

test('a read that starts while the store is hidden is sent, and its answer set when it is shown', async () => {
  const { server, store, read, answered } = await setup();
  store.mount();
  store.unmount();
  const result = read();
  await answered();
  expect(store.reduced()).toEqual([]);
  store.mount();
  expect(await result).toBe('1');
  expect(server.seen).toHaveLength(1);
});

test('what is held when the identity leaves settles, and is set nowhere', async () => {
  const { session, articles, store, read, answered } = await setup();
  const { controller } = store;
  const result = read();
  const set = controller.setResponse(articles.get, { id: '1' }, { id: '1' });
  await answered();
  await session.logout();
  store.mount();
  expect(await result).toBeUndefined();
  await set;
  expect(store.reduced()).toEqual([]);
});

test.each(['rdc/invalidateall', 'rdc/reset'])(
  'an answer that is held comes before a later %s, or is dropped by it',
  async type => {
    const { store, read, answered } = await setup();
    store.mount();
    void read();
    store.unmount();
    await answered();
    void store.dispatch({ type });
    store.mount();
    // 'rdc/set', or 'rdc/setresponse' of newer versions.
    const answer = expect.stringMatching(/^rdc\/set/);
    expect(store.reduced()).toEqual(type === 'rdc/reset' ? [type] : [answer, type]);
  },
);
