import { describe, expect, test } from 'vitest';
import { createSession, createTokenSession, LogoutUnconfirmedError } from '../../src/entries/core.js';
import { sessionCore } from '../../src/endpoints/sessionCore.js';
import { setupCookieSession } from './support/setupCookieSession.js';
import { json, networkError } from './support/answers.js';
import { deferred, errorOf } from './support/promises.js';
import { refreshCookieServer } from './support/refreshCookie.js';
import { manualClock, settle } from './support/manualClock.js';
import { tokenOf } from './support/article.js';
import { setupTokenSession } from './support/setupTokenSession.js';
import { expectNoTokenStored } from './support/storedTokens.js';

const [ada, grace] = [{ name: 'ada' }, { name: 'grace' }];

/** One browser with a refresh cookie. `load` loads the page: a new session over the same browser and server. */
function setupRefreshCookie() {
  const clock = manualClock();
  const made = refreshCookieServer();
  const load = () =>
    createTokenSession<[{ name: string }], { accessToken: string; user: { id: string } }>({ ...made.options(), clock });
  return { ...made, clock, load };
}

test.each([
  ['shorter than', 3_000],
  ['exactly as long as', 10_000],
  ['longer than', 25_000],
])('a sign-out during a login that takes %s it waits ends the session that the login creates', async (_name, ms) => {
  for (const before of [undefined, 'ada']) {
    const { clock, server, sessions, signIn, nameIn, loggedOut, load } = setupRefreshCookie();
    const session = load();
    session.subscribe(() => {});
    await settle();
    if (before) await session.login({ name: before });
    server.routes['POST /login'] = async seen => {
      await new Promise<void>(resolve => void clock.setTimeout(resolve, ms));
      return signIn(nameIn(seen));
    };
    const login = errorOf(session.login(grace));
    await settle();
    const logout = session.logout();
    expect((await login).name).toBe('AbortError');
    expect(session.getSnapshot().status).toBe('anonymous');
    for (let passed = 0; passed < 40_000; passed += 1_000) await clock.advance(1_000);
    await logout;
    expect(loggedOut).toContain(`grace-${before ? 2 : 1}`);
    expect([...sessions.values()]).not.toContain('grace');
    expect(session.getSnapshot()).toMatchObject({ status: 'anonymous', error: undefined });

    const reloaded = load();
    reloaded.subscribe(() => {});
    await settle();
    expect(reloaded.getSnapshot().status).toBe('anonymous');
  }
});

test.each([
  ['a 500', () => json({}, 500)],
  ['no connection', networkError],
])(
  'a sign-out that does not reach the server says so, and is sent again with the same token: %s',
  async (_name, failure) => {
    const { session, server, status } = setupTokenSession({}, { 'POST /logout': failure });
    await session.login(ada);
    const error = await errorOf(session.logout());
    expect(status()).toBe('anonymous');
    expect(session.getSnapshot()).toMatchObject({ reason: 'signed-out', user: undefined });
    expect(session.getSnapshot().error).toBeInstanceOf(LogoutUnconfirmedError);
    expect(session.getSnapshot().error).toMatchObject({ cause: error });

    await errorOf(session.logout());
    expect(session.getSnapshot().error).toBeInstanceOf(LogoutUnconfirmedError);
    server.routes['POST /logout'] = () => new Response(null, { status: 204 });
    await session.logout();
    expect(server.to('/logout').map(tokenOf)).toEqual(['ada-1', 'ada-1', 'ada-1']);
    expect(session.getSnapshot()).toMatchObject({ status: 'anonymous', reason: 'signed-out', error: undefined });

    await session.logout();
    expect(server.count('/logout')).toBe(3);
  },
);

test('a sign-out before the session has looked for a user reaches the server: the cookie may be a user’s', async () => {
  const { session, fake, jar, whoamis } = setupCookieSession({ tabs: false });
  jar.person = 'ada';
  await session.logout();
  expect({ logouts: fake.count('/logout'), person: jar.person, whoamis: whoamis() }).toEqual({
    logouts: 1,
    person: undefined,
    whoamis: 1,
  });
});

test('a button may call logout and wait for nothing: no unhandled rejection, and its event is not sent', async () => {
  const event = { type: 'click', preventDefault: () => undefined };
  const args: unknown[][] = [];
  const { session } = setupTokenSession({
    logout: async (_tokens, ...rest: unknown[]) => {
      args.push(rest);
      throw new Error('The server is down.');
    },
  });
  const buttons: ((event: unknown) => unknown)[] = [() => session.logout(), session.logout];
  for (const onClick of buttons) {
    await session.login(ada);
    onClick(event);
    // `support/setup.ts` fails the test for an unhandled rejection.
    await settle();
    expect(session.getSnapshot()).toMatchObject({ status: 'anonymous', unconfirmed: 'logout' });
    expect(session.getSnapshot().error).toBeInstanceOf(LogoutUnconfirmedError);
  }
  expect(args).toEqual([[], []]);
  await session.login(ada);
  expect(await errorOf(session.logout())).toMatchObject({ message: 'The server is down.' });
});

test('a login after a sign-out that failed clears it', async () => {
  const { session, server, auth, ArticleResource } = setupTokenSession({}, { 'POST /logout': networkError });
  await session.login(ada);
  await errorOf(session.logout());
  await session.login(grace);
  expect(session.getSnapshot()).toMatchObject({ status: 'authenticated', user: { id: 'grace' }, error: undefined });
  await errorOf(session.logout());
  expect(server.to('/logout').map(tokenOf)).toEqual(['ada-1', 'grace-1']);

  // Ada's sign-out is never sent after Grace's session has expired.
  await session.login(grace);
  auth.revoke('grace');
  await errorOf(ArticleResource.get({ id: '1' }));
  await session.logout();
  expect(session.getSnapshot()).toMatchObject({ status: 'anonymous', reason: 'expired' });
  expect(server.count('/logout')).toBe(2);
});

test('a login that fails after a sign-out that failed leaves the sign-out to be sent again', async () => {
  const { session, server } = setupTokenSession({}, { 'POST /logout': networkError });
  await session.login(ada);
  await errorOf(session.logout());
  server.routes['POST /login'] = () => json({}, 401);
  await errorOf(session.login(grace));
  await errorOf(session.logout());
  expect(server.to('/logout').map(tokenOf)).toEqual(['ada-1', 'ada-1']);
});

test('a late login that cannot be ended on the server makes the sign-out unconfirmed', async () => {
  const { session, server, clock, issue } = setupTokenSession();
  await session.login(ada);
  const answered = deferred();
  server.routes['POST /login'] = async () => {
    await answered.promise;
    return json(issue('grace'));
  };
  const login = errorOf(session.login(grace));
  await settle();
  const logout = session.logout();
  await clock.advance(10_000);
  await Promise.all([login, logout]);
  expect(session.getSnapshot()).toMatchObject({ status: 'anonymous', error: undefined });
  server.routes['POST /logout'] = networkError;
  answered.resolve();
  await settle();
  expect(server.to('/logout').map(tokenOf)).toEqual(['ada-1', 'grace-1']);
  expect(session.getSnapshot()).toMatchObject({ status: 'anonymous', unconfirmed: 'logout' });
  expect(session.getSnapshot().error).toBeInstanceOf(LogoutUnconfirmedError);
});

test('where no server is told of a logout, a late login leaves no error', async () => {
  const answered = deferred();
  const session = createSession(
    {
      login: async () => (await answered.promise, { credential: 1, subject: 'ada' }),
      attach: ({ init }) => init,
    },
    { server: true },
  );
  const login = errorOf(session.login());
  await settle();
  await session.logout();
  answered.resolve();
  await login;
  await settle();
  expect(session.getSnapshot()).toMatchObject({ status: 'anonymous', error: undefined, unconfirmed: undefined });
});

describe('a sign-out before the page knows who is signed in', () => {
  /** Ada has signed in, and loads the page again. */
  async function setupReload() {
    const made = setupRefreshCookie();
    await made.load().login(ada);
    made.server.clear();
    return { ...made, session: made.load() };
  }

  test('no check is under way: ends the session of the refresh cookie on the server', async () => {
    const { session, sessions, loggedOut } = await setupReload();
    const signedOut = session.logout();
    expect(session.getSnapshot()).toMatchObject({ status: 'anonymous', reason: 'signed-out' });
    await signedOut;
    expect([...sessions]).toEqual([]);
    expect(loggedOut).toEqual(['ada-1']);
    expect(session.getSnapshot()).toMatchObject({ status: 'anonymous', unconfirmed: undefined });
  });

  test.each(['the first check', 'a check after one that failed'])(
    'during %s: ends the session that it finds, and does not ask a second time',
    async which => {
      const { session, server, sessions, loggedOut } = await setupReload();
      const held = deferred();
      const restore = server.routes['POST /restore']!;
      if (which !== 'the first check') {
        server.routes['POST /restore'] = networkError;
        await session.ready();
        expect(session.getSnapshot().status).toBe('anonymous');
        server.clear();
      }
      server.routes['POST /restore'] = seen => held.promise.then(() => restore(seen));
      void session.refresh().catch(() => {});
      await settle();
      const signedOut = session.logout();
      expect(session.getSnapshot().status).toBe('anonymous');
      await settle();
      held.resolve();
      await signedOut;
      expect([...sessions]).toEqual([]);
      expect(loggedOut).toEqual(['ada-1']);
      expect(server.count('/restore')).toBe(1);
      expect(session.getSnapshot()).toMatchObject({ status: 'anonymous', user: undefined });
    },
  );

  test.each(['at once', 'during the check'])(
    'the server cannot be reached %s: the logout is unconfirmed, and the next one ends the session',
    async when => {
      const { session, server, sessions, loggedOut } = await setupReload();
      const restore = server.routes['POST /restore']!;
      const held = deferred();
      server.routes['POST /restore'] = () => held.promise.then(networkError);
      if (when === 'during the check') session.subscribe(() => {});
      await settle();
      const signedOut = errorOf(session.logout());
      await settle();
      held.resolve();
      await signedOut;
      expect(session.getSnapshot()).toMatchObject({ status: 'anonymous', unconfirmed: 'logout' });
      expect(session.getSnapshot().error).toBeInstanceOf(LogoutUnconfirmedError);
      server.routes['POST /restore'] = restore;
      await session.logout();
      expect([...sessions]).toEqual([]);
      expect(loggedOut).toEqual(['ada-1']);
      expect(session.getSnapshot()).toMatchObject({ status: 'anonymous', unconfirmed: undefined, error: undefined });
    },
  );

  test('after a check whose answer is old: ends the session that is there now', async () => {
    const { session, load, loggedOut } = await setupReload();
    await session.ready();
    session.dispose();
    await load().login(grace);
    await session.logout();
    expect(loggedOut).toEqual(['grace-2']);
  });

  test('the server finds no session: there is nothing to end', async () => {
    const { session, sessions, loggedOut } = await setupReload();
    sessions.clear();
    await session.logout();
    expect(loggedOut).toEqual([]);
    expect(session.getSnapshot()).toMatchObject({ status: 'anonymous', unconfirmed: undefined });
  });

  test('a login after it waits until the old session has ended, and is not ended', async () => {
    const { session, server, sessions, loggedOut } = await setupReload();
    const held = deferred();
    const restore = server.routes['POST /restore']!;
    server.routes['POST /restore'] = seen => held.promise.then(() => restore(seen));
    const signedOut = session.logout();
    const login = session.login(grace);
    await settle();
    expect(server.count('/login')).toBe(0);
    held.resolve();
    await Promise.all([signedOut, login]);
    expect([...sessions.values()]).toEqual(['grace']);
    expect(loggedOut).toEqual(['ada-1']);
    expect(session.getSnapshot().user).toEqual({ id: 'grace' });
  });

  test('the tokens that the check finds are never stored', async () => {
    const stored: string[] = [];
    const place = { get: () => null, set: (text: string) => void stored.push(text), remove: () => {} };
    const { session, server, issue } = setupTokenSession({ storage: place, restore: async () => issue('ada') });
    await session.logout();
    expect(server.seen.map(tokenOf)).toEqual(['ada-1']);
    expect(stored).toEqual([]);
  });

  test.each([
    ['synchronous', 0],
    ['slow', 0],
    ['synchronous', -24 * 60 * 60_000],
  ])('ends the session of tokens in a %s storage (the clock is set by %i ms)', async (speed, ms) => {
    const storage = { text: null as string | null };
    const slowly = async <T>(act: () => T) => (await settle(), act());
    const place = {
      get: () => (speed === 'slow' ? slowly(() => storage.text) : storage.text),
      set: (text: string) => void (storage.text = text),
      remove: () => (speed === 'slow' ? slowly(() => void (storage.text = null)) : void (storage.text = null)),
    };
    const { session, server, clock } = setupTokenSession({ storage: place });
    await session.login(ada);
    await settle();
    session.dispose();
    await clock.advance(ms);
    server.clear();
    expect(session.getSnapshot().status).toBe('restoring');
    await session.logout();
    expect(server.seen.map(({ path }) => path)).toEqual(['/logout']);
    expect(tokenOf(server.seen[0]!)).toBe('ada-1');
    expectNoTokenStored(storage.text);
  });
});

test('a sign-out that the server was not told of because the session was disposed of first rejects', async () => {
  const { session, fake } = setupCookieSession({ tabs: false });
  await settle();
  const claim = deferred<boolean>();
  for (const signOut of [() => session.logout(), () => sessionCore(session).signOut('idle', () => claim.promise)]) {
    await session.login(ada);
    fake.clear();
    const error = errorOf(signOut());
    session.dispose();
    claim.resolve(true);
    expect((await error).message).toBe('The session was disposed of, so this request was aborted.');
    expect(fake.seen).toEqual([]);
  }
});
