import { expect, test, vi } from 'vitest';
import { sessionCore } from '../../src/endpoints/sessionCore.js';
import {
  authEndpoint,
  createSession,
  RefreshUnavailableError,
  SessionExpiredError,
  type Mechanism,
} from '../../src/entries/core.js';
import { InvalidCredentialError } from '../../src/errors.js';
import { json } from './support/answers.js';
import { mockServer, type Route } from './support/mockServer.js';
import { deferred, errorOf } from './support/promises.js';
import { settle } from './support/manualClock.js';
import { API, tokenOf } from './support/article.js';
import { setupTokenSession } from './support/setupTokenSession.js';

const ada = { name: 'ada' };

interface User {
  id: string;
}

/** A session with a credential that is sent as it is, and the server that sees it. */
function ownSession(more: Partial<Mechanism<string, User>>, answer: Route = () => json({})) {
  const server = mockServer({ '*': answer });
  const session = createSession<string, User>(
    {
      login: async () => ({ credential: 'c1', subject: 'ada', user: { id: 'ada' } }),
      attach: ({ init }, credential) => ({ ...init, headers: { 'X-Credential': credential ?? 'none' } }),
      ...more,
    },
    { server: true },
  );
  const get = new (authEndpoint(session))({ urlPrefix: API, path: '/article' }) as unknown as () => Promise<unknown>;
  return { session, get, sent: () => server.seen.map(({ headers }) => headers.get('x-credential')) };
}

test('a credential that is read while a refresh replaces it does not bring the old one back', async () => {
  const read = deferred<string>();
  let isHeld = true;
  const { session, get, sent } = ownSession({
    read: credential => (isHeld ? ((isHeld = false), read.promise) : credential),
    refresh: async current => ({ ...current, credential: 'c2' }),
  });
  await session.login();
  const request = get();
  await settle();
  await session.refresh();
  read.resolve('c1, read again');
  await request;
  await get();
  expect(sent()).toEqual(['c2', 'c2']);
});

test.each([
  ['another user: the session ends', 'ada', 'grace', 'anonymous'],
  ['the same user', 'ada', 'ada', 'authenticated'],
  ['no user: it is the user’s of before', 'ada', undefined, 'authenticated'],
  ['a user, where the sign-in named none', undefined, 'ada', 'authenticated'],
])('a refresh that names %s', async (_name, before, after, status) => {
  const { session, get, sent } = ownSession({
    login: async () => ({ credential: 'c1', subject: before, user: { id: 'ada' } }),
    refresh: async () => ({ credential: 'c2', subject: after }),
  });
  await session.login();
  const { user, epoch } = session.getSnapshot();
  const error = await session.refresh().then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(session.getSnapshot().status).toBe(status);
  if (status === 'anonymous') {
    expect(error).toBeInstanceOf(SessionExpiredError);
    expect(session.getSnapshot().reason).toBe('expired');
    return;
  }
  expect(error).toBeUndefined();
  await get();
  expect(sent()).toEqual(['c2']);
  expect(session.getSnapshot()).toMatchObject({ user, epoch });
  expect(sessionCore(session).getSubject()).toBe('ada');
});

test('a refusal while no user is signed in is the caller’s, and no credential is refreshed or classified', async () => {
  const classify = vi.fn(() => 'unauthorized' as const);
  const refresh = vi.fn();
  const { session, get } = ownSession({ classify, refresh }, () => json({}, 401));
  expect(await errorOf(get())).toMatchObject({ name: 'NetworkError', status: 401 });
  expect(classify).not.toHaveBeenCalled();
  expect(refresh).not.toHaveBeenCalled();
  expect(session.getSnapshot()).toMatchObject({ status: 'anonymous', reason: undefined, error: undefined });
});

test.each([500, 404, 403])(
  'an answer %i is not sent again, also where the token was replaced in the meantime',
  async status => {
    const { session, server, ArticleResource } = setupTokenSession();
    await session.login(ada);
    const answered = deferred();
    server.routes['*'] = async () => {
      await answered.promise;
      return json({}, status);
    };
    const request = errorOf(ArticleResource.partialUpdate({ id: '1' }, { title: 'Mine' }));
    await settle();
    await session.refresh();
    answered.resolve();
    expect(await request).toMatchObject({ status });
    expect(server.count('PATCH /article')).toBe(1);
  },
);

test('a second refusal, of a token that was replaced in the meantime, ends no session', async () => {
  const { session, server, ArticleResource } = setupTokenSession();
  await session.login(ada);
  const answered = deferred();
  server.routes['*'] = async seen => {
    if (tokenOf(seen) === 'ada-2') await answered.promise;
    return tokenOf(seen) === 'ada-3' ? json({ id: '1' }) : json({}, 401);
  };
  const request = ArticleResource.get({ id: '1' }).then(
    () => 200,
    (error: { status: number }) => error.status,
  );
  await settle();
  expect(server.to('/article').map(tokenOf)).toEqual(['ada-1', 'ada-2']);
  await session.refresh();
  answered.resolve();
  expect(await request).toBe(200);
  expect(session.getSnapshot().status).toBe('authenticated');
});

test('a 401 that an endpoint of another class got while it was checked who is signed in ends nothing', async () => {
  const found = deferred();
  const { session } = setupTokenSession({
    restore: async () => {
      await found.promise;
      return { accessToken: 'ada-1', user: { id: 'ada' } };
    },
  });
  session.subscribe(() => {});
  await settle();
  sessionCore(session).expire();
  found.resolve();
  await settle();
  expect(session.getSnapshot()).toMatchObject({ status: 'authenticated', user: { id: 'ada' } });
});

test.each([
  [new InvalidCredentialError('No header can carry it.'), InvalidCredentialError],
  [new Error('The SDK is offline.'), RefreshUnavailableError],
])('where `read` fails with %s, nothing is sent, and the user stays signed in', async (failure, expected) => {
  let isBroken = false;
  const read = () => {
    if (isBroken) throw failure;
    return 'c1';
  };
  const { session, get, sent } = ownSession({ read });
  await session.login();
  isBroken = true;
  expect(await errorOf(get())).toBeInstanceOf(expected);
  expect(sent()).toEqual([]);
  expect(session.getSnapshot().status).toBe('authenticated');
});
