import { describe, expect, test } from 'vitest';
import {
  createSdkSession,
  createSession,
  Entity,
  IdentityChangedError,
  RefreshUnavailableError,
  RestEndpoint,
  SessionExpiredError,
  SignedOutError,
} from '../../src/index.js';
import { lock } from '../../src/entries/lock.js';
import { sessionCore } from '../../src/endpoints/sessionCore.js';
import { json } from './support/answers.js';
import { API, tokenOf } from './support/article.js';
import { settle } from './support/manualClock.js';
import { mockServer, toRequest, type Route } from './support/mockServer.js';
import { deferred, errorOf } from './support/promises.js';
import { setupCookieSession } from './support/setupCookieSession.js';
import { setupTokenSession } from './support/setupTokenSession.js';

class User extends Entity {
  id = '';
  name = '';
  role = 'none';

  get title() {
    return `Countess ${this.name}`;
  }
}

const profile = new RestEndpoint({ urlPrefix: API, path: '/me' });
const record: object = { user: User };
const named = (name: string) => json({ id: 'ada', name });

/** A token session of Ada's, whose `/me` gives the answers one by one. */
async function setupAda(answers: readonly Route[], options: object = record) {
  let count = 0;
  const setup = setupTokenSession({ profile, ...options }, { 'GET /me': seen => answers[count++]!(seen) });
  await setup.session.login({ name: 'ada' });
  const me = () => setup.server.seen.filter(({ path }) => path === '/me').map(tokenOf);
  return { ...setup, me };
}

/** A cookie session of Ada's, whose `whoami` gives these answers after the first one. */
async function setupCookie(answers: readonly Route[], options: object = record) {
  let count = 0;
  const whoami: Route = seen => (count++ === 0 ? named('Ada') : answers[count - 2]!(seen));
  const setup = setupCookieSession({ tabs: false, ...options }, { 'GET /whoami': whoami });
  setup.jar.person = 'ada';
  setup.session.subscribe(() => {});
  await setup.session.ready();
  return setup;
}

describe('with `profile`', () => {
  test('two calls at once are one request with the token, and both get the new user', async () => {
    const { session, me } = await setupAda([() => named('Ada King'), () => named('Ada')]);
    const [one, two] = await Promise.all([session.reload(), session.reload()]);
    expect(one).toBe(two);
    expect(one).toMatchObject({ id: 'ada', name: 'Ada King' });
    expect(session.getSnapshot().user).toBe(one);
    expect(me()).toEqual(['ada-1']);
    expect(await session.reload()).toMatchObject({ name: 'Ada' });
    expect(me()).toEqual(['ada-1', 'ada-1']);
  });

  test('a request that locks the session waits for its user, beyond the time limit', async () => {
    const authorized: Route = seen => setup.auth.authorize(toRequest(seen)) ?? named('Ada King');
    const setup = await setupAda([authorized, authorized, authorized], { ...record, refresh: undefined });
    const { session, clock, expire } = setup;
    lock({ clock }).attach(sessionCore(session));
    expire();
    const reloaded = session.reload();
    await settle();
    await clock.advance(1_000);
    expect(session.getSnapshot().status).toBe('locked');
    await clock.advance(11_000);
    await session.login({ name: 'ada' });
    expect(await reloaded).toMatchObject({ name: 'Ada King' });
  });

  test('ends with the identity, and the answer to the old one changes nothing', async () => {
    const answer = deferred<object>();
    // A function of the app: nothing else ends its wait.
    const { session } = await setupAda([], { ...record, profile: () => answer.promise });
    const pending = errorOf(session.reload());
    await settle();
    await session.login({ name: 'grace' });
    expect(await pending).toBeInstanceOf(IdentityChangedError);
    answer.resolve({ name: 'Ada King' });
    await settle();
    expect(session.getSnapshot().user).toMatchObject({ id: 'grace' });
  });

  test('the end of the last identity’s question does not end the wait for that of the next one', async () => {
    const answer = deferred<Response>();
    const { session, me } = await setupAda([() => new Promise(() => {}), () => answer.promise]);
    const pending = errorOf(session.reload());
    await settle();
    const reloaded: Promise<unknown>[] = [];
    // At once, before the wait for the last identity has ended.
    session.subscribe(() => {
      if (session.getSnapshot().user?.id === 'grace' && reloaded.length === 0) reloaded.push(session.reload());
    });
    await session.login({ name: 'grace' });
    expect(await pending).toBeInstanceOf(IdentityChangedError);
    await settle();
    reloaded.push(session.reload());
    answer.resolve(json({ id: 'grace', name: 'Grace' }));
    await Promise.all(reloaded);
    expect(me()).toEqual(['ada-1', 'grace-1']);
  });

  test('another user in the answer ends the session as expired', async () => {
    const { session } = await setupAda([() => json({ id: 'grace', name: 'Grace' })]);
    expect(await errorOf(session.reload())).toBeInstanceOf(SessionExpiredError);
    expect(session.getSnapshot()).toMatchObject({ status: 'anonymous', reason: 'expired', user: undefined });
  });

  test('a failure is the caller’s, and the session continues', async () => {
    const { session } = await setupAda([() => json({}, 500), () => json(null), () => named('Ada King')]);
    expect(await errorOf(session.reload())).toMatchObject({ status: 500 });
    expect((await errorOf(session.reload())).message).toBe(
      'profile() answered without a user. Let it answer an object, or `{ user }`.',
    );
    expect(session.getSnapshot()).toMatchObject({ status: 'authenticated', error: undefined });
    expect(await session.reload()).toMatchObject({ name: 'Ada King' });
  });

  test('a refresh under way keeps its token when the answer arrives in between', async () => {
    const refreshed = deferred();
    const answer = deferred<Response>();
    const setup = setupTokenSession(
      { profile, ...record },
      {
        'GET /me': () => answer.promise,
        'POST /refresh': async seen => (await refreshed.promise, setup.refreshRoute(seen)),
      },
    );
    await setup.session.login({ name: 'ada' });
    const reloaded = setup.session.reload();
    await settle();
    const refresh = setup.session.refresh();
    await settle();
    answer.resolve(named('Ada King'));
    await settle();
    refreshed.resolve();
    await Promise.all([refresh, reloaded]);
    expect(await setup.session.getToken()).toBe('ada-2');
    expect(setup.session.getSnapshot().user).toMatchObject({ name: 'Ada King' });
  });

  test('waits for the check at the start', async () => {
    const checked = deferred<undefined>();
    const session = createSession<string, { name: string }>(
      {
        attach: ({ init }) => init,
        restore: async () => (await checked.promise, { credential: 'ada-1', subject: 'ada' }),
        profile: async () => ({ name: 'Ada' }),
      },
      { server: true },
    );
    const reloaded = session.reload();
    expect(session.getSnapshot().status).toBe('restoring');
    checked.resolve(undefined);
    expect(await reloaded).toEqual({ name: 'Ada' });
  });

  test('the stored sign-in has the user of the last answer', async () => {
    let stored = '';
    const storage = {
      get: () => stored,
      set: (text: string) => void (stored = text),
      remove: () => void (stored = ''),
    };
    const { session } = await setupAda([() => named('Ada King')], { ...record, storage, tabs: false });
    await session.reload();
    await settle();
    expect(JSON.parse(stored)).toMatchObject({ subject: 'ada', user: { id: 'ada', name: 'Ada King' } });
  });

  test('under an SDK the user is undefined until an answer describes them, and a new token keeps them', async () => {
    mockServer({ 'GET /me': () => named('Ada King') });
    let token = 'one';
    let changed = () => {};
    const session = createSdkSession({
      getToken: async () => token,
      subject: () => 'ada',
      subscribe: listener => ((changed = listener), () => {}),
      server: true,
      user: User,
      profile,
    });
    session.subscribe(() => {});
    expect(session.getSnapshot()).toMatchObject({ status: 'authenticated', user: undefined });
    const user = await session.reload();
    expect(user).toBeInstanceOf(User);
    expect(user.title).toBe('Countess Ada King');
    token = 'two';
    changed();
    await session.refresh();
    await settle();
    expect(session.getSnapshot().user).toBe(user);
  });

  test('without an option `user` the SDK’s subject stays beside the fields of the answer', async () => {
    mockServer({ 'GET /me': () => named('Ada King') });
    const session = createSdkSession({ getToken: async () => 'one', subject: () => 'ada', server: true, profile });
    expect(session.getSnapshot().user).toEqual({ subject: 'ada' });
    expect(await session.reload()).toEqual({ id: 'ada', name: 'Ada King', subject: 'ada' });
  });
});

describe('with `whoami`', () => {
  test('joins the check at the start', async () => {
    const setup = setupCookieSession({ tabs: false, ...record }, { 'GET /whoami': () => named('Ada') });
    expect(await setup.session.reload()).toMatchObject({ name: 'Ada' });
    expect(setup.whoamis()).toBe(1);
  });

  test('another user in the answer is signed in instead, and no user ends the session', async () => {
    const { session } = await setupCookie([() => json({ id: 'grace' }), () => json(null)]);
    expect(await errorOf(session.reload())).toBeInstanceOf(IdentityChangedError);
    expect(session.getSnapshot()).toMatchObject({ status: 'authenticated', user: { id: 'grace' } });
    await settle();
    expect(await errorOf(session.reload())).toBeInstanceOf(IdentityChangedError);
    expect(session.getSnapshot()).toMatchObject({ status: 'anonymous', reason: 'expired' });
  });

  test('a server that cannot be reached signs no user out', async () => {
    const { session } = await setupCookie([() => json({}, 503)]);
    expect(await errorOf(session.reload())).toBeInstanceOf(RefreshUnavailableError);
    expect(session.getSnapshot()).toMatchObject({ status: 'authenticated', error: undefined });
  });

  test('without the option `user`, an equal answer changes no snapshot', async () => {
    const { session } = await setupCookie([() => named('Ada')], {});
    const before = session.getSnapshot();
    await session.reload();
    expect(session.getSnapshot()).toBe(before);
  });
});

test('while no user is signed in, it sends nothing', async () => {
  const { session, server } = setupTokenSession({ profile });
  expect((await errorOf(session.reload())).message).toBe(
    'No user is signed in, so there is no user to load. Sign in, then load the user again.',
  );
  expect(server.seen).toEqual([]);
});

test('after a sign-out, a cookie session asks no server who is signed in', async () => {
  const { session, fake } = setupCookieSession({ tabs: false });
  await session.login({ name: 'ada' });
  await session.logout();
  fake.clear();
  expect(await errorOf(session.reload())).toBeInstanceOf(SignedOutError);
  expect(fake.seen).toEqual([]);
});

test('a session without such an endpoint says which option it needs', async () => {
  const session = createSession({
    login: async () => ({ credential: 'key', subject: 'ada' }),
    attach: ({ init }) => init,
  });
  await errorOf(session.login());
  expect((await errorOf(session.reload())).message).toBe(
    'This session has no endpoint that describes its user: give it the option `profile`.',
  );
});

test('the snapshot, the login and a refresh have instances of the class, with its defaults', async () => {
  const { session, server } = setupTokenSession(record, {
    'POST /refresh': () => json({ accessToken: 'ada-2', user: { id: 'ada', name: 'Ada King' } }),
  });
  const user: unknown = await session.login({ name: 'ada' });
  expect(user).toBeInstanceOf(User);
  expect(session.getSnapshot().user).toBe(user);
  expect(user).toMatchObject({ title: 'Countess ada', role: 'none' });
  await session.refresh();
  expect(session.getSnapshot().user).toMatchObject({ title: 'Countess Ada King' });
  expect(server.count('POST /refresh')).toBe(1);
});

test('without the option `user`, the user of a refresh changes no snapshot', async () => {
  const { session } = setupTokenSession(
    {},
    { 'POST /refresh': () => json({ accessToken: 'ada-2', user: { id: 'ada', name: 'Ada King' } }) },
  );
  await session.login({ name: 'ada' });
  const before = session.getSnapshot();
  await session.refresh();
  expect(session.getSnapshot()).toBe(before);
});
