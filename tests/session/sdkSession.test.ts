import { describe, expect, test, vi } from 'vitest';
import {
  authEndpoint,
  createSdkSession,
  IdentityChangedError,
  RefreshUnavailableError,
  resource,
  SignedOutError,
  type SdkSessionOptions,
} from '../../src/entries/core.js';
import { sessionCore } from '../../src/endpoints/sessionCore.js';
import { json } from './support/answers.js';
import { API, Article, tokenOf } from './support/article.js';
import { manualClock, settle, until } from './support/manualClock.js';
import { mockServer, type Route } from './support/mockServer.js';
import { deferred, errorOf } from './support/promises.js';

const jwt = (sub: string, n = 1) => `h.${btoa(JSON.stringify({ sub, n }))}.s`;

/** An SDK with events, as Clerk and MSAL have them: `user` is undefined while it loads. */
function mockSdk(user?: string | null) {
  const listeners = new Set<() => void>();
  return {
    user,
    renewals: 1,
    listeners,
    getToken: vi.fn<(options: { forceRefresh: boolean }) => Promise<string | null>>(),
    signIn(next: string | null) {
      this.user = next;
      for (const listener of listeners) listener();
    },
  };
}

function setup(
  user?: string | null,
  options: Partial<SdkSessionOptions> = {},
  data: Route = seen => json({ id: '1', title: tokenOf(seen) }),
) {
  const clock = manualClock();
  const server = mockServer({ '*': data });
  const sdk = mockSdk(user);
  sdk.getToken.mockImplementation(async ({ forceRefresh }) => {
    if (forceRefresh) sdk.renewals++;
    return sdk.user ? jwt(sdk.user, sdk.renewals) : null;
  });
  // Node has no window, so a test says that it shares the session with no one.
  vi.stubGlobal('window', globalThis);
  const session = createSdkSession({
    getToken: sdk.getToken,
    subject: () => sdk.user,
    subscribe: listener => {
      sdk.listeners.add(listener);
      return () => sdk.listeners.delete(listener);
    },
    clock,
    ...options,
  });
  const ArticleResource = resource({
    urlPrefix: API,
    path: '/article/:id',
    schema: Article,
    Endpoint: authEndpoint(session),
  });
  const get = (id = '1') => ArticleResource.get({ id });
  return { clock, server, sdk, session, get, status: () => session.getSnapshot().status };
}

test('a loader reads with the token of the SDK, and ten requests at the same time ask for it once', async () => {
  const { session, sdk, server, get } = setup('ada');
  expect(session.getSnapshot()).toMatchObject({ status: 'authenticated', user: { subject: 'ada' } });
  await session.ready();
  await Promise.all(Array.from({ length: 10 }, (_, index) => get(`${index}`)));
  expect(server.seen.map(tokenOf)).toEqual(Array.from({ length: 10 }, () => jwt('ada')));
  expect(sdk.getToken.mock.calls).toEqual([[{ forceRefresh: false }]]);
  await get();
  expect(sdk.getToken).toHaveBeenCalledTimes(2);
});

test('while the SDK loads, the status is restoring and requests wait; they keep their identity', async () => {
  const { session, sdk, get, status } = setup(undefined);
  expect(status()).toBe('restoring');
  const [ready, answer] = [session.ready(), get()];
  await settle();
  expect([status(), sdk.getToken.mock.calls.length]).toEqual(['restoring', 0]);
  sdk.signIn('ada');
  await ready;
  expect(await answer).toMatchObject({ title: jwt('ada') });
  expect(session.getSnapshot()).toMatchObject({ status: 'authenticated', epoch: 0 });
});

test('an SDK that never loads leaves the user signed out after 10 seconds, and signs in when it does', async () => {
  const { session, sdk, clock, status } = setup(undefined);
  const ready = session.ready();
  await settle();
  await clock.advance(10_000);
  await ready;
  expect(session.getSnapshot()).toMatchObject({ status: 'anonymous', unconfirmed: 'restore' });
  expect(session.getSnapshot().error).toBeInstanceOf(RefreshUnavailableError);
  sdk.signIn('ada');
  expect(status()).toBe('authenticated');
});

test.each([
  ['says who is signed in, and then reports it', (say: () => void, report: () => void) => [say, report]],
  ['reports it, and then says who it is', (say: () => void, report: () => void) => [report, say]],
])('one whose answer is a promise and comes after 10 seconds signs its user in: it %s', async (_, inOrder) => {
  const loaded = deferred();
  const { session, sdk, clock } = setup('ada', { subject: () => loaded.promise.then(() => 'ada') });
  session.subscribe(() => {});
  await settle();
  await clock.advance(10_000);
  expect(session.getSnapshot()).toMatchObject({ status: 'anonymous', unconfirmed: 'restore' });
  for (const act of inOrder(loaded.resolve, () => sdk.signIn('ada'))) {
    act();
    await settle();
  }
  expect(session.getSnapshot()).toMatchObject({ status: 'authenticated', user: { subject: 'ada' } });
});

test.each([
  ['', (hangs: boolean) => (hangs ? new Promise<string>(() => {}) : Promise.resolve(jwt('ada')))],
  [
    ', of a token whose owner is not known',
    (hangs: boolean, isFresh: boolean) =>
      hangs && isFresh ? new Promise<string>(() => {}) : Promise.resolve(jwt('auth0|1')),
  ],
])('after the system clock was set back, no request joins a call of the SDK that hangs%s', async (_, answer) => {
  const { session, sdk, clock, get } = setup('ada');
  await session.ready();
  let hangs = true;
  sdk.getToken.mockImplementation(({ forceRefresh }) => answer(hangs, forceRefresh));
  const refused = errorOf(get());
  await settle();
  clock.setBack(3_600_000);
  await clock.advance(10_000);
  expect(await refused).toBeInstanceOf(RefreshUnavailableError);
  hangs = false;
  const outcome = get().then(({ title }) => title, String);
  await settle();
  await clock.advance(10_000);
  expect(await outcome).toMatch(/^h\./);
});

test('an SDK without a user: signed out from the start, without a check', () => {
  const { status, sdk } = setup(null);
  expect(status()).toBe('anonymous');
  expect(sdk.getToken).not.toHaveBeenCalled();
});

test('a switch in the SDK is a switch of the identity at once: nothing of the first user is delivered or sent', async () => {
  const late = deferred<Response>();
  const { session, sdk, server, get } = setup('ada', {}, seen =>
    seen.path.endsWith('late') ? late.promise : json({ id: '1', title: tokenOf(seen) }),
  );
  session.subscribe(() => {});
  const pending = errorOf(get('late'));
  await settle();
  sdk.signIn('grace');
  expect(session.getSnapshot()).toMatchObject({ status: 'authenticated', user: { subject: 'grace' }, epoch: 1 });
  expect(sessionCore(session).getStoreGeneration()).toBe(1);
  late.resolve(json({ id: 'late', title: 'of ada' }));
  expect(await pending).toBeInstanceOf(IdentityChangedError);
  expect(await get()).toMatchObject({ title: jwt('grace') });
  expect(server.seen.map(tokenOf)).toEqual([jwt('ada'), jwt('grace')]);
  sdk.signIn(null);
  expect(session.getSnapshot()).toMatchObject({ status: 'anonymous', reason: 'elsewhere' });
});

test('an event without a change, and a new token, change no snapshot', async () => {
  const { session, sdk, get } = setup('ada');
  const before = session.getSnapshot();
  sdk.signIn('ada');
  sdk.renewals++;
  await get();
  sdk.user = undefined;
  sdk.signIn(undefined as never);
  expect(session.getSnapshot()).toBe(before);
});

test('an SDK whose answer is a promise, without events, as Auth0 has it', async () => {
  const { session, get, sdk, status } = setup('ada', { subject: async () => 'ada', subscribe: undefined });
  expect(status()).toBe('restoring');
  await Promise.all([session.ready(), get()]);
  expect(session.getSnapshot()).toMatchObject({ status: 'authenticated', user: { subject: 'ada' } });
  expect(sdk.getToken).toHaveBeenCalledTimes(1);
});

test('of two slow answers, the one to the latest event counts', async () => {
  const answers = [deferred<string>(), deferred<string>()];
  let asked = 0;
  const { session, sdk } = setup('ada', {
    subject: () => (asked === 0 ? (asked++, 'ada') : answers[asked++ - 1]!.promise),
  });
  sdk.signIn('bob');
  sdk.signIn('grace');
  answers[1]!.resolve('grace');
  await settle();
  answers[0]!.resolve('bob');
  await settle();
  expect(session.getSnapshot().user).toEqual({ subject: 'grace' });
});

test('getToken is for sockets: the token of now, by the SDK, and never one of another user', async () => {
  const { session, sdk } = setup('ada');
  expect(await session.getToken()).toBe(jwt('ada'));
  sdk.renewals++;
  expect(await session.getToken()).toBe(jwt('ada', 2));
  const slow = deferred<string | null>();
  sdk.getToken.mockImplementationOnce(() => slow.promise);
  const pending = errorOf(session.getToken());
  await settle();
  sdk.signIn('grace');
  slow.resolve(jwt('ada', 2));
  expect(await pending).toBeInstanceOf(IdentityChangedError);
  sdk.signIn(null);
  expect(await errorOf(session.getToken())).toBeInstanceOf(SignedOutError);
});

test('after an expiry, login() takes over the same user, who has signed in with the SDK again', async () => {
  let accepted = false;
  const { session, sdk, get, clock } = setup('ada', {}, () => (accepted ? json({ id: '1' }) : json({}, 401)));
  await until(clock, errorOf(get()));
  expect(session.getSnapshot()).toMatchObject({ status: 'anonymous', reason: 'expired' });
  sdk.signIn('ada');
  expect(session.getSnapshot().status).toBe('anonymous');
  accepted = true;
  await session.login();
  expect(session.getSnapshot()).toMatchObject({ status: 'authenticated', user: { subject: 'ada' } });
  sdk.signIn(null);
  await expect(session.login()).rejects.toThrow();
  expect(session.getSnapshot().status).toBe('anonymous');
});

test('dispose() ends the subscription to the SDK; the next use starts it again', async () => {
  const { session, sdk, status } = setup('ada');
  expect(sdk.listeners.size).toBe(1);
  session.dispose();
  expect([sdk.listeners.size, status()]).toEqual([0, 'restoring']);
  await session.ready();
  expect([sdk.listeners.size, status()]).toEqual([1, 'authenticated']);
  sdk.signIn('grace');
  expect(session.getSnapshot().user).toEqual({ subject: 'grace' });
});

test('on a server, a user of the SDK is never given to a session of a module', async () => {
  const getToken = async () => jwt('ada');
  const sentence = /was not made for a server/;
  expect(() => createSdkSession({ getToken, subject: () => 'ada' })).toThrow(sentence);
  const later = createSdkSession({ getToken, subject: async () => 'ada' });
  await later.ready();
  expect(later.getSnapshot().status).toBe('anonymous');
  const subscribe = vi.fn();
  const own = createSdkSession({ getToken, subject: () => 'ada', subscribe, server: true });
  expect(own.getSnapshot().status).toBe('authenticated');
  expect(subscribe).not.toHaveBeenCalled();
  expect(createSdkSession({ getToken, subject: () => null }).getSnapshot().status).toBe('anonymous');
});

test('a missing getToken is named with the line to write', () => {
  expect(() => createSdkSession({} as never)).toThrow(/^createSdkSession\(\) needs (a function|functions) `getToken`/);
  expect(() => createSdkSession({ getToken: async () => 't' })).toThrow('needs a function `subject`');
});

describe('a login while the SDK has another user', () => {
  const held = async () => {
    const made = setup('ada');
    await made.session.ready();
    await made.get();
    made.server.clear();
    const { sdk } = made;
    const fresh = deferred<string>();
    sdk.getToken.mockImplementation(async ({ forceRefresh }) =>
      !sdk.user ? null : forceRefresh ? fresh.promise : jwt(sdk.user, 5),
    );
    return { ...made, fresh, userNow: () => made.session.getSnapshot().user?.subject };
  };

  test('until the session has switched, no request of the user before carries a token of the next one', async () => {
    const { session, sdk, server, get, fresh, userNow } = await held();
    sdk.user = 'grace';
    const login = session.login();
    await settle();
    const read = get().catch((error: unknown) => error);
    await settle();
    expect([userNow(), server.seen]).toEqual(['ada', []]);
    fresh.resolve(jwt('grace', 6));
    await login;
    expect(userNow()).toBe('grace');
    expect(await read).toBeInstanceOf(IdentityChangedError);
    expect(await get()).toMatchObject({ title: jwt('grace', 5) });
  });
});

describe('an event of the SDK during the first check', () => {
  test.each([
    ['ada', null],
    ['grace', 'ada'],
  ])('its answer (%s) wins over the older answer (%s), which comes later', async (newer, older) => {
    const answers: ReturnType<typeof deferred<string | null>>[] = [];
    const { session, sdk } = setup(undefined, {
      subject: () => {
        const answer = deferred<string | null>();
        answers.push(answer);
        return answer.promise;
      },
    });
    const ready = session.ready();
    await settle();
    sdk.signIn('changed');
    answers.at(-1)!.resolve(newer);
    await settle();
    answers[0]!.resolve(older);
    await ready;
    await settle();
    expect(session.getSnapshot()).toMatchObject({ status: 'authenticated', user: { subject: newer } });
  });

  test.each([
    ['after it has started', true],
    ['before it has started', false],
  ])('a switch at any moment of the check is not lost, where the SDK has loaded %s', async (_, isStarted) => {
    for (let turns = 0; turns < 25; turns++) {
      const { session, sdk } = setup(undefined);
      if (isStarted) void session.ready();
      await settle();
      sdk.signIn('ada');
      if (!isStarted) session.subscribe(() => {});
      for (let turn = 0; turn < turns; turn++) await Promise.resolve();
      sdk.signIn('grace');
      await settle();
      expect([turns, session.getSnapshot().user?.subject]).toEqual([turns, 'grace']);
    }
  });
});
