import { describe, expect, onTestFinished, test } from 'vitest';
import {
  authEndpoint,
  createSession,
  IdentityChangedError,
  OtherUserResponseError,
  RefreshUnavailableError,
} from '../../src/entries/core.js';
import { sessionCore } from '../../src/endpoints/sessionCore.js';
import { lock } from '../../src/lock/lock.js';
import { json, networkError } from './support/answers.js';
import { mockServer } from './support/mockServer.js';
import { errorOf } from './support/promises.js';
import { settle } from './support/manualClock.js';
import { API } from './support/article.js';
import { pageGate } from './support/pageGate.js';

/** A session of one cookie, whose server names the user of each answer in a header. */
async function setup(answerTo: () => Response | Promise<Response>) {
  let cookie = 'ada';
  let checks = 0;
  let isDown = false;
  const server = mockServer({ '*': answerTo });
  const session = createSession(
    {
      gate: pageGate(),
      login: async () => ({ credential: 'cookie', subject: 'ada', user: { id: 'ada' } }),
      async restore() {
        checks++;
        if (isDown) throw new TypeError('Failed to fetch');
        if (cookie === '') return undefined;
        return { credential: 'cookie', subject: cookie, user: { id: cookie } };
      },
      attach: ({ init }) => init,
      subjectOf: response => response.headers.get('x-user') ?? undefined,
    },
    { server: true },
  );
  await session.login();
  const call = (method: 'GET' | 'POST') =>
    new (authEndpoint(session))({ urlPrefix: API, path: '/article', method }) as unknown as () => Promise<unknown>;
  return {
    session,
    server,
    get: call('GET'),
    post: call('POST'),
    checks: () => checks,
    setCookie: (name: string) => (cookie = name),
    failChecks: () => (isDown = true),
  };
}

const answerFor = (user: string, status: number) =>
  new Response('{}', { status, headers: { 'x-user': user, 'content-type': 'application/json' } });

test.each([200, 404, 500])(
  'an answer %i for another user is dropped, and it is checked who is signed in',
  async status => {
    const { session, get, checks, setCookie } = await setup(() => answerFor('grace', status));
    setCookie('grace');
    expect(await errorOf(get())).toBeInstanceOf(IdentityChangedError);
    await settle();
    expect(checks()).toBe(1);
    expect(session.getSnapshot()).toMatchObject({ status: 'authenticated', user: { id: 'grace' } });
  },
);

test.each([200, 404, 500])(
  'an answer %i for another user, while the user has not changed, is an error that a screen can show',
  async status => {
    const { session, get, checks } = await setup(() => answerFor('grace', status));
    const before = session.getSnapshot();
    const error = await errorOf(get());
    expect(error).toBeInstanceOf(OtherUserResponseError);
    expect(error).toHaveProperty('status', 502);
    expect(checks()).toBe(1);
    expect(session.getSnapshot()).toBe(before);
  },
);

test('an answer for another user, while it cannot be checked who is signed in, is an error that a screen can show', async () => {
  const { get, failChecks } = await setup(() => answerFor('grace', 200));
  failChecks();
  expect(await errorOf(get())).toBeInstanceOf(RefreshUnavailableError);
});

describe('an answer for another user, while the check finds no user and the session locks', () => {
  async function setupLocked() {
    let user = 'grace';
    const made = await setup(() => answerFor(user, 200));
    const unlock = lock().attach(sessionCore(made.session));
    onTestFinished(unlock);
    made.setCookie('');
    const signIn = async () => {
      user = 'ada';
      made.setCookie('ada');
      await made.session.login();
    };
    return { ...made, signIn };
  }

  test('is an error, and the screen stays locked', async () => {
    const { session, server, get, signIn } = await setupLocked();
    expect(await errorOf(get())).toBeInstanceOf(OtherUserResponseError);
    expect(session.getSnapshot().status).toBe('locked');
    await signIn();
    expect(await get()).toEqual({});
    expect(server.seen).toHaveLength(2);
  });

  test('is an error where the request has changed something: it is not sent twice', async () => {
    const { server, post, signIn } = await setupLocked();
    expect(await errorOf(post())).toBeInstanceOf(OtherUserResponseError);
    await signIn();
    expect(server.seen).toHaveLength(1);
  });
});

test.each([200, 404, 500])(
  'an answer %i for the same user, or one that names none, is the caller’s, without a check',
  async status => {
    const answers = [answerFor('ada', status), json({}, status)];
    const { session, get, checks } = await setup(() => answers.shift()!);
    for (let sent = 0; sent < 2; sent++) {
      const became = await get().then(
        () => 200,
        (error: { status?: number }) => error.status,
      );
      expect(became).toBe(status);
    }
    expect(checks()).toBe(0);
    expect(session.getSnapshot()).toMatchObject({ status: 'authenticated', user: { id: 'ada' } });
  },
);

test('where no answer comes, the caller gets the network’s error', async () => {
  const { get, checks } = await setup(networkError);
  expect(await errorOf(get())).toMatchObject({ name: 'TypeError', message: 'Failed to fetch' });
  expect(checks()).toBe(0);
});

test('while no user is signed in, an answer for any user is the caller’s', async () => {
  const server = mockServer({ '*': () => answerFor('grace', 200) });
  const session = createSession({ attach: ({ init }) => init, subjectOf: () => 'grace' }, { server: true });
  await (new (authEndpoint(session))({ urlPrefix: API, path: '/article' }) as unknown as () => Promise<unknown>)();
  expect(server.seen).toHaveLength(1);
});
