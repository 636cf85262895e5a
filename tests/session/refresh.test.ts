import { expect, test } from 'vitest';
import { RefreshUnavailableError, SessionExpiredError, SignedOutError, type Session } from '../../src/entries/core.js';
import type { RefreshArgument } from '../../src/mechanisms/tokenResponse.js';
import { json, networkError, never } from './support/answers.js';
import { deferred, errorOf, outcomes } from './support/promises.js';
import { settle, until } from './support/manualClock.js';
import { tokenOf } from './support/article.js';
import { setupTokenSession } from './support/setupTokenSession.js';

test('401s that trickle in, some after the refresh, cost one refresh (scenario 1)', async () => {
  const late = deferred();
  const { session, server, burst, expire, dataRoute } = setupTokenSession();
  server.routes['*'] = async seen => {
    const answer = await dataRoute(seen);
    if (answer.status === 401 && Number(seen.path.split('/').pop()) % 2) await late.promise;
    return answer;
  };
  await session.login({ name: 'ada' });
  expire();

  const requests = burst(20);
  await settle();
  expect(server.count('/refresh')).toBe(1);
  late.resolve();
  expect((await outcomes(requests)).resolved).toBe(20);
  expect(server.count('/refresh')).toBe(1);
  expect(server.count('/article')).toBe(40);
});

test('a late 401 for the old token is replayed once with the new one; one for the new token refreshes again (scenario 2)', async () => {
  const late = deferred();
  const { session, server, ArticleResource, expire, dataRoute } = setupTokenSession();
  server.routes['GET /article/y'] = async seen => {
    const answer = await dataRoute(seen);
    if (answer.status === 401) await late.promise;
    return answer;
  };
  await session.login({ name: 'ada' });
  expire();
  const y = ArticleResource.get({ id: 'y' });
  await ArticleResource.get({ id: 'x' });
  expect(server.count('/refresh')).toBe(1);
  late.resolve();
  await y;
  expect(server.count('/refresh')).toBe(1);
  expect(server.to('/article/y').map(tokenOf)).toEqual(['ada-1', 'ada-2']);

  expire();
  await ArticleResource.get({ id: 'y' });
  expect(server.count('/refresh')).toBe(2);
});

test('a 401 that persists after a refresh ends the session once, after two tries of each request (scenario 3)', async () => {
  const { session, server, burst, status, clock } = setupTokenSession();
  server.routes['*'] = () => json({}, 401);
  await session.login({ name: 'ada' });
  const ends: string[] = [];
  session.subscribe(() => ends.push(`${status()} ${session.getSnapshot().reason}`));

  const { resolved, reasons } = await until(clock, outcomes(burst(20)));
  expect(resolved).toBe(0);
  expect(reasons.every(reason => reason instanceof SessionExpiredError)).toBe(true);
  // One of them tries once more, a second later.
  expect(server.count('/article')).toBeLessThanOrEqual(41);
  expect(server.count('/refresh')).toBe(1);
  expect(ends).toEqual(['anonymous expired']);
});

test.each([400, 401, 403])(
  'a refresh refused with %i rejects all who wait with one SessionExpiredError, and replays none (scenario 4)',
  async refusal => {
    const { session, server, burst, expire, status } = setupTokenSession(
      {},
      { 'POST /refresh': () => json({}, refusal) },
    );
    await session.login({ name: 'ada' });
    expire();
    let notices = 0;
    session.subscribe(() => notices++);

    const { resolved, reasons } = await outcomes(burst(20));
    expect(resolved).toBe(0);
    expect(new Set(reasons).size).toBe(1);
    expect(reasons[0]).toBeInstanceOf(SessionExpiredError);
    expect((reasons[0] as Error).message).toBe(
      'The session has expired: the server refused its credentials. Sign in again, then start the request again.',
    );
    expect(server.count('/article')).toBe(20);
    expect(server.count('/refresh')).toBe(1);
    expect(notices).toBe(1);
    expect(status()).toBe('anonymous');

    await session.login({ name: 'ada' });
    await expect(burst(1)[0]).resolves.toMatchObject({ title: 'of ada' });
  },
);

test.each([
  ['a 503', () => json({}, 503)],
  ['a network error', networkError],
  ['an answer without a token', () => json({})],
  ['an answer that is HTML', () => new Response('<!doctype html>')],
])(
  'a refresh that meets %s keeps the session, and the next request recovers with one more (scenario 5)',
  async (_name, outage) => {
    const { session, server, burst, expire, status, refreshRoute } = setupTokenSession({}, { 'POST /refresh': outage });
    await session.login({ name: 'ada' });
    expire();

    const { reasons } = await outcomes(burst(20));
    expect(reasons).toHaveLength(20);
    expect(reasons.every(reason => reason instanceof RefreshUnavailableError && reason.status === 503)).toBe(true);
    expect(server.count('/refresh')).toBe(1);
    expect(status()).toBe('authenticated');

    server.routes['POST /refresh'] = refreshRoute;
    await burst(1)[0];
    expect(server.count('/refresh')).toBe(2);
  },
);

test('requests join a refresh that takes longer than the timeout: it is one call, until its limit (scenario 31)', async () => {
  const held = deferred();
  const { session, server, burst, expire, clock, refreshRoute } = setupTokenSession();
  server.routes['POST /refresh'] = seen => held.promise.then(() => refreshRoute(seen));
  await session.login({ name: 'ada' });
  expire();
  for (let round = 0; round < 2; round++) {
    const requests = outcomes(burst(8));
    await settle();
    await clock.advance(10_000);
    expect((await requests).reasons.map(reason => (reason as Error).name)).toEqual(
      Array.from({ length: 8 }, () => 'RefreshUnavailableError'),
    );
  }
  const requests = outcomes(burst(8));
  await settle();
  held.resolve();
  expect((await requests).resolved).toBe(8);
  expect(server.count('/refresh')).toBe(1);
});

test.each([
  ['the user signs out', (session: Session<unknown, [{ name: string }]>) => session.logout()],
  ['another one signs in', (session: Session<unknown, [{ name: string }]>) => session.login({ name: 'bob' })],
  ['the session is disposed of', async (session: Session<unknown, [{ name: string }]>) => session.dispose()],
])(
  'a refresh is called off when %s, and not by the timeout: an endpoint’s request, and the signal that a function gets',
  async (name, end) => {
    const given: RefreshArgument[] = [];
    const waitForRefresh = async ({ session, burst, expire, clock }: ReturnType<typeof setupTokenSession>) => {
      await session.login({ name: 'ada' });
      expire();
      void outcomes(burst(1));
      await settle();
      await clock.advance(10_000);
    };
    const byFunction = setupTokenSession({ refresh: tokens => (given.push(tokens), new Promise(() => {})) });
    await waitForRefresh(byFunction);
    const byEndpoint = setupTokenSession({}, { 'POST /refresh': never });
    await waitForRefresh(byEndpoint);
    const signals = () => [given[0]!.signal, byEndpoint.server.to('/refresh')[0]!.signal].map(({ aborted }) => aborted);
    expect(signals()).toEqual([false, false]);
    for (const { session } of [byFunction, byEndpoint]) void end(session).catch(() => {});
    await settle();
    // A logout waits for what the refresh brings, and carries it.
    if (name === 'the user signs out') return;
    expect(signals()).toEqual([true, true]);
    expect(Object.keys(given[0]!)).toEqual(['refreshToken']);
    expect(byEndpoint.server.to('/refresh').map(({ body }) => body)).toEqual(['{"refreshToken":"ada-refresh-1"}']);
  },
);

test('a login that ends while a refresh reads the storage: the refresh token of before is not sent', async () => {
  const slow = deferred();
  const storage = { text: null as string | null, isSlow: false };
  const { session, server, expire } = setupTokenSession({
    tabs: false,
    storage: {
      // What was stored when the read began.
      get: () => {
        const { text } = storage;
        return storage.isSlow ? slow.promise.then(() => text) : text;
      },
      set: text => void (storage.text = text),
      remove: () => void (storage.text = null),
    },
  });
  await session.login({ name: 'ada' });
  expire();
  storage.isSlow = true;
  const refreshed = session.refresh();
  await settle();
  storage.isSlow = false;
  const login = session.login({ name: 'ada' });
  await settle();
  slow.resolve();
  await login;
  await refreshed;
  expect(server.count('/refresh')).toBe(0);
  expect(session.getSnapshot()).toMatchObject({ status: 'authenticated', user: { id: 'ada' } });
});

test('a sign-out during a refresh drops its tokens, and what waits rejects with SignedOutError (scenario 7)', async () => {
  const held = deferred();
  const { session, server, burst, expire, status, clock, issue } = setupTokenSession();
  server.routes['POST /refresh'] = () => held.promise.then(() => json(issue('ada')));
  await session.login({ name: 'ada' });
  expire();
  const waiting = outcomes(burst(5));
  await settle();
  const signedOut = session.logout();
  const { reasons } = await waiting;
  expect(new Set(reasons).size).toBe(1);
  expect(reasons[0]).toBeInstanceOf(SignedOutError);
  held.resolve();
  await signedOut;
  await settle();
  expect(clock.pending).toBe(0);
  expect(status()).toBe('anonymous');
  expect(server.count('/article')).toBe(5);
  await errorOf(burst(1)[0] as Promise<unknown>);
  expect(tokenOf(server.seen.at(-1)!)).toBeNull();
});

test('a refresh answer with the tokens of another person ends the session', async () => {
  const { session, burst, expire, status, issue } = setupTokenSession(
    {},
    { 'POST /refresh': () => json(issue('bob')) },
  );
  await session.login({ name: 'ada' });
  expire();
  expect((await outcomes(burst(3))).reasons.every(reason => reason instanceof SessionExpiredError)).toBe(true);
  expect(status()).toBe('anonymous');
});

test('a refresh answer that tells less than the login is of the same person', async () => {
  const jwt = (sub: string, n: number) => `h.${btoa(JSON.stringify({ sub, n }))}.s`;
  const { session, server, burst, status } = setupTokenSession(
    { getSubject: answer => answer.user.id.toUpperCase() },
    {
      'POST /login': () => json({ accessToken: jwt('auth|1', 1), refreshToken: 'r', user: { id: 'ada' } }),
      'POST /refresh': () => json({ accessToken: jwt('auth|1', 2) }),
    },
  );
  server.routes['*'] = seen => (tokenOf(seen) === jwt('auth|1', 2) ? json({ id: '0' }) : json({}, 401));
  await session.login({ name: 'ada' });
  expect((await outcomes(burst(3))).resolved).toBe(3);
  server.routes['POST /refresh'] = () => json({ accessToken: jwt('auth|2', 3) });
  await errorOf(session.refresh());
  expect(status()).toBe('anonymous');
});

test('a refresh that is overtaken by a login of the same person neither replaces its tokens nor ends it', async () => {
  for (const late of [() => json({ accessToken: 'stale' }), () => json({}, 401), () => json({}, 503)]) {
    const held = deferred();
    const { session, server, burst, expire, status } = setupTokenSession();
    server.routes['POST /refresh'] = () => held.promise.then(late);
    await session.login({ name: 'ada' });
    expire();
    const [waiting] = burst(1) as [Promise<unknown>];
    const refreshed = session.refresh();
    await settle();
    await session.login({ name: 'ada' });
    held.resolve();
    await waiting;
    await refreshed;
    expect(status()).toBe('authenticated');
    expect(tokenOf(server.seen.at(-1)!)).toBe('ada-2');
  }
});

test('a refresh changes neither the snapshot nor tells any subscriber', async () => {
  const { session, expire, burst, server } = setupTokenSession();
  await session.login({ name: 'ada' });
  const before = session.getSnapshot();
  let told = 0;
  session.subscribe(() => told++);
  expire();
  await burst(1)[0];
  await session.refresh();
  expect(server.count('/refresh')).toBe(2);
  expect(session.getSnapshot()).toBe(before);
  expect(told).toBe(0);
});

test('without a refresh option a 401 ends the session, and refresh() says what is missing', async () => {
  const { session, server, burst, expire, status, clock } = setupTokenSession({ refresh: undefined });
  await session.login({ name: 'ada' });
  expect((await errorOf(session.refresh())).message).toBe(
    'This session cannot refresh its credential: give it a `refresh` option.',
  );
  expire();
  const { reasons } = await until(clock, outcomes(burst(20)));
  expect(reasons.every(reason => reason instanceof SessionExpiredError)).toBe(true);
  expect(server.count('/article')).toBe(21);
  expect(status()).toBe('anonymous');
});

test('a refresh function that throws at once is unavailable', async () => {
  const { session, burst, expire, status } = setupTokenSession({
    refresh: () => {
      throw new Error('broken');
    },
  });
  await session.login({ name: 'ada' });
  expire();
  expect((await outcomes(burst(2))).reasons.every(reason => reason instanceof RefreshUnavailableError)).toBe(true);
  expect(status()).toBe('authenticated');
});
