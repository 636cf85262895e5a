import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { sessionCore } from '../../src/endpoints/sessionCore.js';
import {
  authEndpoint,
  createSdkSession,
  IdentityChangedError,
  RefreshUnavailableError,
  resource,
  type SdkSessionOptions,
  SessionExpiredError,
  SignedOutError,
} from '../../src/entries/core.js';
import { InvalidCredentialError } from '../../src/errors.js';
import { type ContextCredential, createContextSession } from '../../src/mechanisms/context.js';
import type { GetToken } from '../../src/mechanisms/SdkSessionOptions.js';
import { json } from './support/answers.js';
import { API, Article, tokenOf } from './support/article.js';
import { manualClock, settle, until } from './support/manualClock.js';
import { mockServer, type Route } from './support/mockServer.js';
import { deferred, errorOf, outcomes } from './support/promises.js';
import { type Answer, setupSdkSession } from './support/setupSdkSession.js';

// Fewer where each mutant is tested.
const RUNS = Number(process.env.PROPERTY_RUNS ?? 1_000);
const USERS = ['ada', 'grace', 'cy'];

const user = fc.constantFrom(...USERS, null);
const answer = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Answer>('token') },
  { weight: 2, arbitrary: fc.constantFrom<Answer>('null', 'offline') },
);
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ type: fc.constant('component' as const), user }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('sdk' as const), user }) },
  { weight: 6, arbitrary: fc.record({ type: fc.constant('request' as const) }) },
  { weight: 9, arbitrary: fc.record({ type: fc.constant('answer' as const), which: fc.nat(5), answer }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('expiry' as const) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('wait' as const), ms: fc.constantFrom(1, 5_000, 10_000) }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;
const steps = fc.array(fc.tuple(step, fc.boolean()), { minLength: 3, maxLength: 40, size: 'max' });

/**
 * Runs the steps after the users of `agreed` were signed in with an SDK and a component that agreed. Where a `sub` has
 * another form than the subject, only that tells whose it is; where both are one, the first such token tells it for
 * all.
 */
async function play(
  setup: ReturnType<typeof setupSdkSession>,
  agreed: readonly string[],
  played: readonly (readonly [Step, boolean])[],
) {
  for (const name of agreed) expect(await setup.agree(name)).toBe('answered');
  let settled = 0;
  let started = 0;
  for (const [next, atOnce] of played) {
    if (next.type === 'component') setup.become(next.user);
    if (next.type === 'sdk') setup.sdk.user = next.user;
    if (next.type === 'answer') setup.answer(next.which, next.answer);
    if (next.type === 'wait') await setup.clock.advance(next.ms);
    // Not between the fresh token and the second try: two refusals end a session, rightly.
    if (next.type === 'expiry' && setup.pending() === 0) setup.expireTokens();
    if (next.type === 'request') {
      started++;
      const done = () => void settled++;
      setup.request().then(done, done);
    }
    if (!atOnce) await settle();
    expect(setup.wrong).toEqual([]);
  }
  await setup.drain();
  expect(settled).toBe(started);
}

test.each([
  { form: 'the subject itself', subOf: (name: string) => name, agreed: ['ada'] },
  { form: 'another form than the subject', subOf: (name: string) => `auth0|${name}`, agreed: ['ada', 'grace'] },
])(
  `an SDK ahead of its subject, or behind it, lends no token, and locks no user out, where \`sub\` is $form (${RUNS} runs)`,
  { timeout: 120_000 },
  async ({ subOf, agreed }) => {
    await fc.assert(
      fc.asyncProperty(steps, fc.boolean(), fc.constantFrom(...USERS), async (played, keepsOldCache, last) => {
        const setup = setupSdkSession({ subOf, keepsOldCache });
        await play(setup, agreed, played);
        expect(await setup.agree(last)).toBe('answered');
        expect(setup.session.getSnapshot()).toMatchObject({ status: 'authenticated', user: { subject: last } });
        expect(setup.wrong).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  },
);

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

function setupContext(first: ContextCredential, data: Route = seen => json({ id: '1', title: tokenOf(seen) })) {
  const clock = manualClock();
  const server = mockServer({ '*': data });
  const { session, update, close } = createContextSession({ clock }, first);
  const { get, delete: remove } = resource({
    urlPrefix: API,
    path: '/article/:id',
    schema: Article,
    Endpoint: authEndpoint(session as never),
  });
  let told = 0;
  session.subscribe(() => told++);
  return {
    clock,
    server,
    session,
    update,
    close,
    get: () => get({ id: '1' }),
    remove: () => remove({ id: '1' }),
    told: () => told,
    now: () => session.getSnapshot(),
  };
}

test('another subject is another identity; null is nobody', async () => {
  const { session, update, get, now } = setupContext({ token: 't1', subject: 'ada' });
  const request = errorOf(get());
  update({ token: 't2', subject: 'bob' });
  expect(await request).toBeInstanceOf(IdentityChangedError);
  expect(now()).toMatchObject({ status: 'authenticated', epoch: 1, user: { subject: 'bob' } });
  update({ token: 't2', subject: null });
  expect(now()).toMatchObject({ status: 'anonymous', reason: 'elsewhere', epoch: 2 });
  expect(session.getCredential()).toBeUndefined();
});

test('the subject of a JWT tells people apart; an opaque token without a subject is somebody else each time', async () => {
  const jwts = setupContext({ token: jwt('ada') });
  jwts.update({ token: jwt('ada', 2) });
  expect(jwts.now().epoch).toBe(0);
  jwts.update({ token: jwt('bob') });
  expect(jwts.now().epoch).toBe(1);
  const opaque = setupContext({ token: 'o1' });
  opaque.update({ token: 'o2' });
  expect(opaque.now().epoch).toBe(1);
});

test.each([
  {},
  { token: null },
  { token: '' },
  { token: 't', subject: null },
  { subject: null, getToken: async () => 't' },
] as ContextCredential[])('%o is nobody', async first => {
  const { now, get, server } = setupContext(first);
  expect(now()).toMatchObject({ status: 'anonymous', reason: undefined });
  await get();
  expect(tokenOf(server.seen[0]!)).toBeNull();
});

test('a token that is no text is an InvalidCredentialError before any request', async () => {
  for (const token of [5, {}, 'a\r\nb']) {
    const { get, server } = setupContext({ token: token as string, subject: 'ada' });
    expect(await errorOf(get())).toBeInstanceOf(InvalidCredentialError);
    expect(server.seen).toHaveLength(0);
  }
});

test('a new getToken at every render changes nothing, and the newest is asked', async () => {
  const { update, get, now, told } = setupContext({ subject: 'ada', getToken: async () => 'old' });
  const before = now();
  for (let n = 0; n < 50; n++) update({ subject: 'ada', getToken: async () => `new-${n}` });
  expect(now()).toBe(before);
  expect(told()).toBe(0);
  await expect(get()).resolves.toMatchObject({ title: 'new-49' });
});

test('getToken that gives null while `subject` names a user is “not now”: nothing is sent, nobody is signed out, and the next request asks again', async () => {
  let token: string | null | undefined;
  const { get, now, told, server } = setupContext({ subject: 'ada', getToken: async () => token });
  for (token of [null, undefined, '']) {
    const error = await errorOf(get());
    expect(error).toBeInstanceOf(RefreshUnavailableError);
    expect(error.cause).toMatchObject({
      message:
        'getToken gave no token while `subject` names a user, so the request was not sent. To sign the user out, pass `subject={null}`.',
    });
  }
  expect(now()).toMatchObject({ status: 'authenticated', user: { subject: 'ada' } });
  expect(told()).toBe(0);
  expect(server.seen).toHaveLength(0);
  token = 't';
  await expect(get()).resolves.toMatchObject({ title: 't' });
});

test('getToken without a `subject` is named as a mistake, and its token is never sent', async () => {
  const { update, get, now, server } = setupContext({ getToken: async () => jwt('ada') });
  await settle();
  expect(now()).toMatchObject({ status: 'anonymous', unconfirmed: 'restore' });
  expect(now().error).toBeInstanceOf(InvalidCredentialError);
  expect(now().error?.message).toContain('Pass ContextTokenProvider the `subject`');
  await get();
  expect(server.seen.map(tokenOf)).toEqual([null]);
  update({ subject: 'ada', getToken: async () => jwt('ada') });
  await get();
  expect(server.seen.map(tokenOf)).toEqual([null, jwt('ada')]);
});

test('a DELETE that waits for getToken is not sent when the subject changes (scenario 9)', async () => {
  const held = deferred();
  const { update, remove, server } = setupContext({ subject: 'ada', getToken: () => held.promise.then(() => 'a') });
  const error = errorOf(remove());
  await settle();
  update({ subject: 'bob', getToken: async () => 'b' });
  held.resolve();
  expect(await error).toBeInstanceOf(IdentityChangedError);
  await settle();
  expect(server.seen).toHaveLength(0);
});

test.each([
  { error: 'login_required' },
  { error: 'invalid_grant' },
  { error: 'invalid_token' },
  { error: 'consent_required' },
  { error: 'interaction_required' },
  { error: 'missing_refresh_token' },
  // MSAL
  { errorCode: 'invalid_grant' },
  { errorCode: 'no_tokens_found' },
  { errorCode: 'refresh_token_expired' },
  // Clerk
  { clerkError: true, status: 404, errors: [{ code: 'resource_not_found', message: 'Session not found' }] },
])('an SDK that answers %o ends the session, at send time as well as at a refresh', async code => {
  for (const failing of [true, false]) {
    const { get, now } = setupContext(
      {
        subject: 'ada',
        getToken: async ({ forceRefresh }) =>
          forceRefresh === failing ? Promise.reject(Object.assign(new Error('Sign in.'), code)) : 't',
      },
      () => json({}, 401),
    );
    expect(await errorOf(get())).toBeInstanceOf(SessionExpiredError);
    expect(now()).toMatchObject({ status: 'anonymous', reason: 'expired' });
  }
});

test('an SDK that is offline or hangs is unavailable, and keeps the session', async () => {
  for (const getToken of [() => Promise.reject(new TypeError('offline')), () => new Promise<string>(() => {})]) {
    const { get, now, clock, server } = setupContext({ subject: 'ada', getToken });
    const error = errorOf(get());
    await settle();
    await clock.advance(10_000);
    expect((await error).name).toBe('RefreshUnavailableError');
    expect(now().status).toBe('authenticated');
    expect(server.seen).toHaveLength(0);
    expect(clock.pending).toBe(0);
  }
});

test.each([
  null,
  undefined,
  'offline',
  5,
  { status: 404 },
  // Clerk's errors of other calls, and another server's with such a code.
  { clerkError: true, status: 404 },
  { clerkError: true, status: 429, errors: [{ code: 'too_many_requests' }] },
  { clerkError: true, status: 404, errors: [{ code: 'resource_not_found', message: 'JWT template not found' }] },
  { clerkError: true, status: 404, errors: [{ code: 'resource_not_found' }] },
  { status: 404, errors: [{ code: 'resource_not_found' }] },
] as unknown[])('an SDK that rejects with %o is unavailable, and the error tells why', async cause => {
  const { get, now } = setupContext({
    subject: 'ada',
    getToken: () =>
      Promise.resolve().then(() => {
        throw cause;
      }),
  });
  expect(await errorOf(get())).toMatchObject({ name: 'RefreshUnavailableError', cause });
  expect(now().status).toBe('authenticated');
});

test('a token that is refused ends the session until a new one comes', async () => {
  const { get, update, now } = setupContext({ token: 't1', subject: 'ada' }, seen =>
    tokenOf(seen) === 't1' ? json({}, 401) : json({ id: '1' }),
  );
  expect((await outcomes([get(), get()])).reasons.every(reason => reason instanceof SessionExpiredError)).toBe(true);
  expect(now()).toMatchObject({ status: 'anonymous', reason: 'expired' });
  update({ token: 't1', subject: 'ada' });
  expect(now().status).toBe('anonymous');
  update({ token: 't2', subject: 'ada' });
  expect(now()).toMatchObject({ status: 'authenticated', reason: undefined });
  await get();
});

test('its sign-in is the SDK’s: login() and enter() say so', async () => {
  const { session, now } = setupContext({ token: null });
  const enter = session.enter;
  for (const error of [await errorOf(session.login()), await errorOf(enter({ credential: { token: 't' } }))])
    expect(error.message).toBe('This session has no login of its own: sign in with the SDK that gives it its token.');
  expect(now().status).toBe('anonymous');
});

test('after an expiry the same person comes back by login, which asks the SDK for a fresh token', async () => {
  const asked: boolean[] = [];
  let signedIn = false;
  const getToken = async ({ forceRefresh }: { forceRefresh: boolean }) => (
    asked.push(forceRefresh),
    signedIn ? 't2' : 't1'
  );
  const { session, get, now, clock } = setupContext({ subject: 'ada', getToken }, seen =>
    json({ id: '1', title: tokenOf(seen) }, tokenOf(seen) === 't2' ? 200 : 401),
  );
  expect(await until(clock, errorOf(get()))).toBeInstanceOf(SessionExpiredError);
  expect(now()).toMatchObject({ status: 'anonymous', reason: 'expired' });
  signedIn = true;
  await session.login();
  expect(now()).toMatchObject({ status: 'authenticated', user: { subject: 'ada' } });
  await expect(get()).resolves.toMatchObject({ title: 't2' });
  expect(asked.filter(Boolean)).toHaveLength(2);
});

test('a component that is gone leaves nobody signed in and calls off what was under way; a new mount signs in again', async () => {
  const { close, update, get, server, now } = setupContext({ subject: 'ada', token: 't1' });
  const request = errorOf(get());
  close();
  expect(await request).toBeInstanceOf(IdentityChangedError);
  expect(now()).toMatchObject({ status: 'anonymous', user: undefined });
  update({ subject: 'ada', token: 't1' });
  await get();
  expect(server.seen.map(tokenOf)).toEqual(['t1']);
});

/** An SDK whose cache has one user's token, and whose fresh tokens are of another user. */
function sdk(cached: string, fresh = cached) {
  const asked: boolean[] = [];
  const given = { cached, fresh };
  const getToken: GetToken = async options => (
    asked.push(options.forceRefresh),
    options.forceRefresh ? given.fresh : given.cached
  );
  return { given, getToken, freshAsks: () => asked.filter(Boolean).length };
}

const OTHER_USERS_TOKEN =
  'The SDK gave a token that belongs to another user than `subject` names, so the request was not sent. If this continues, pass the user id of the SDK as `subject` to ContextTokenProvider: one id for each user.';

test('an SDK that is behind after a change of subject lends no token, and locks no user out: Ada, Grace, Ada (scenario 28)', async () => {
  for (const prefix of ['', 'auth0|']) {
    const subs = { ada: jwt(`${prefix}ada`), grace: jwt(`${prefix}grace`) };
    const { getToken, given } = sdk(subs.ada);
    const { update, get, server, now } = setupContext({ subject: 'ada', getToken });
    await get();
    for (const [who, before] of [
      ['grace', 'ada'],
      ['ada', 'grace'],
      ['grace', 'ada'],
    ] as const) {
      update({ subject: who, getToken });
      given.cached = given.fresh = subs[before];
      expect(await errorOf(get())).toMatchObject({
        name: 'RefreshUnavailableError',
        cause: { message: OTHER_USERS_TOKEN },
      });
      expect(now()).toMatchObject({ status: 'authenticated', user: { subject: who } });
      given.cached = given.fresh = subs[who];
      await expect(get()).resolves.toMatchObject({ title: subs[who] });
    }
    expect(server.seen.map(tokenOf)).toEqual([subs.ada, subs.grace, subs.ada, subs.grace]);
  }
});

test('a first token with another `sub` than the subject is asked for once more, past the cache, and once for many requests', async () => {
  const { getToken, given, freshAsks } = sdk(jwt('grace'), jwt('ada'));
  const { get, server } = setupContext({ subject: 'ada', getToken });
  expect((await outcomes(Array.from({ length: 20 }, get))).resolved).toBe(20);
  expect(freshAsks()).toBe(1);
  expect(new Set(server.seen.map(tokenOf))).toEqual(new Set([jwt('ada')]));
  given.cached = jwt('ada', 2);
  await get();
  expect(freshAsks()).toBe(1);
});

test('a `sub` of another form than the subject costs one fresh token at the start, and none later', async () => {
  const { getToken, freshAsks } = sdk(jwt('auth0|5'), jwt('auth0|5', 2));
  const { get, server } = setupContext({ subject: 'ada', getToken });
  await outcomes([get(), get()]);
  await get();
  expect(freshAsks()).toBe(1);
  expect(server.seen.map(tokenOf)).toEqual([jwt('auth0|5', 2), jwt('auth0|5', 2), jwt('auth0|5')]);
});

test('an opaque token that the user before has sent is not sent for the next one; a fresh one would tell no more, so none is asked for', async () => {
  const { getToken, given, freshAsks } = sdk('a1');
  const { get, update, server } = setupContext({ subject: 'ada', getToken });
  await get();
  update({ subject: 'grace', getToken });
  expect(await errorOf(get())).toMatchObject({ cause: { message: OTHER_USERS_TOKEN } });
  given.cached = 'g1';
  await get();
  update({ subject: 'ada', getToken });
  expect(await errorOf(get())).toBeInstanceOf(RefreshUnavailableError);
  given.cached = 'a1';
  await get();
  expect(server.seen.map(tokenOf)).toEqual(['a1', 'g1', 'a1']);
  expect(freshAsks()).toBe(0);
});

test('a `token` that comes before its subject, or after it, is not sent for the other user', async () => {
  for (const tokens of [
    { ada: jwt('ada'), grace: jwt('grace') },
    { ada: jwt('auth0|1'), grace: jwt('auth0|2') },
  ]) {
    const { session, get, update, server } = setupContext({ subject: 'ada', token: tokens.ada });
    update({ subject: 'ada', token: tokens.grace });
    expect(session.getCredential()).toEqual({ token: undefined });
    expect(await errorOf(get())).toMatchObject({
      name: 'RefreshUnavailableError',
      cause: { message: OTHER_USERS_TOKEN },
    });
    update({ subject: 'grace', token: tokens.grace });
    await get();
    update({ subject: 'ada', token: tokens.grace });
    await errorOf(get());
    update({ subject: 'ada', token: tokens.ada });
    await get();
    expect(server.seen.map(tokenOf)).toEqual([tokens.grace, tokens.ada]);
  }
});

test('a fresh token that the SDK is asked for in doubt, and never gives, is asked for again: by the next user at once, by the same one after the timeout', async () => {
  let hangs = true;
  let freshAsks = 0;
  let sub = 'auth0|ada';
  const getToken: GetToken = ({ forceRefresh }) => {
    if (forceRefresh) freshAsks++;
    return forceRefresh && hangs ? new Promise(() => {}) : Promise.resolve(jwt(sub));
  };
  const { get, update, clock } = setupContext({ subject: 'ada', getToken });
  const waiting = [errorOf(get()), errorOf(get())];
  await settle();
  await clock.advance(9_999);
  waiting.push(errorOf(get()));
  await settle();
  expect(freshAsks).toBe(1);
  await clock.advance(1);
  expect(await waiting[0]).toBeInstanceOf(RefreshUnavailableError);
  void errorOf(get());
  await settle();
  expect(freshAsks).toBe(2);
  sub = 'auth0|grace';
  hangs = false;
  update({ subject: 'grace', getToken });
  await get();
  expect(freshAsks).toBe(3);
});
