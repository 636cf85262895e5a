import { expect, test } from 'vitest';
import {
  authEndpoint,
  IdentityChangedError,
  RefreshUnavailableError,
  resource,
  SessionExpiredError,
} from '../../src/entries/core.js';
import { InvalidCredentialError } from '../../src/errors.js';
import type { ContextCredential } from '../../src/mechanisms/context.js';
import { createContextSession } from '../../src/mechanisms/context.js';
import type { GetToken } from '../../src/mechanisms/SdkSessionOptions.js';
import { json } from './support/answers.js';
import { mockServer, type Route } from './support/mockServer.js';
import { deferred, errorOf, outcomes } from './support/promises.js';
import { manualClock, settle, until } from './support/manualClock.js';
import { API, Article, tokenOf } from './support/article.js';

const jwt = (sub: string, n = 1) => `h.${btoa(JSON.stringify({ sub, n }))}.s`;

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

test('an SDK that gives another token at each call and is refused with all of them: the session ends', async () => {
  let n = 0;
  const { get, now, server, clock } = setupContext({ subject: 'ada', getToken: async () => `t${++n}` }, () =>
    json({}, 401),
  );
  for (let request = 0; request < 3 && now().status === 'authenticated'; request++)
    await until(clock, outcomes([get()]));
  expect(now()).toMatchObject({ status: 'anonymous', reason: 'expired' });
  expect(server.seen.length).toBeLessThanOrEqual(3);
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
