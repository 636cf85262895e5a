import { afterEach, describe, expect, test } from 'vitest';
import { sessionCore } from '../../src/endpoints/sessionCore.js';
import { authEndpoint, resource } from '../../src/entries/core.js';
import { lock, type LockOptions } from '../../src/entries/lock.js';
import { createCookieSession, RestEndpoint, type Session, SessionExpiredError } from '../../src/index.js';
import { createContextSession } from '../../src/mechanisms/context.js';
import { json, never } from './support/answers.js';
import { API, Article, tokenOf } from './support/article.js';
import { drainMs } from './support/limits.js';
import { manualClock, settle } from './support/manualClock.js';
import { mockServer, type Seen } from './support/mockServer.js';
import { deferred, errorOf, isPending, outcomeOf } from './support/promises.js';
import { setupCookieSession } from './support/setupCookieSession.js';
import { setupTabs } from './support/setupTabs.js';
import { setupTokenSession } from './support/setupTokenSession.js';

const MINUTE = 60_000;

afterEach(() => void Reflect.deleteProperty(globalThis, 'localStorage'));

/** Ada's session, which locks, after the server has refused a PATCH of hers and her refresh token. */
async function setupLocked(options: Partial<LockOptions> = {}) {
  const setup = setupTokenSession();
  const { session, server, clock, ArticleResource, expire } = setup;
  const detach = lock({ clock, ...options }).attach(sessionCore(session));
  await session.login({ name: 'ada' });
  const { epoch, user } = session.getSnapshot();
  const generation = sessionCore(session).getStoreGeneration();
  expire();
  const refreshRoute = server.routes['POST /refresh']!;
  server.routes['POST /refresh'] = () => json({}, 401);
  const patch = ArticleResource.partialUpdate({ id: '1' }, { title: 'x' });
  patch.catch(() => {});
  await settle();
  server.routes['POST /refresh'] = refreshRoute;
  server.clear();
  return { ...setup, detach, epoch, user, generation, patch, core: sessionCore(session) };
}

test('a refusal locks: the user and the epoch stay, the credential is gone, and the request waits', async () => {
  const { session, core, epoch, user, generation, server } = await setupLocked();
  expect(session.getSnapshot()).toMatchObject({ status: 'locked', reason: 'expired', epoch, user });
  expect(core.getCredential()).toBeUndefined();
  expect(core.getSubject()).toBe('ada');
  expect(core.getStoreGeneration()).toBe(generation);
  expect(server.seen).toEqual([]);
});

test('the same user signs in: the refused request is sent once more, and a later one once, with the new token', async () => {
  const { session, server, patch, epoch, ArticleResource, generation, core } = await setupLocked();
  const read = ArticleResource.get({ id: '2' });
  const fetched = session.fetch('http://api.test/article/3').catch((error: Error) => error);
  const token = session.getToken();
  await settle();
  expect(server.seen).toEqual([]);
  await session.login({ name: 'ada' });
  await Promise.all([patch, read, fetched]);
  expect(session.getSnapshot()).toMatchObject({ status: 'authenticated', reason: undefined, epoch });
  expect(core.getStoreGeneration()).toBe(generation);
  expect(server.count('/login')).toBe(1);
  expect(server.count('PATCH /article/1')).toBe(1);
  expect(server.count('GET /article/2')).toBe(1);
  expect(tokenOf(server.to('/article')[0]!)).toBe(await token);
});

test.each([
  ['another user signs in', 'authenticated', undefined],
  ['the user signs out', 'anonymous', 'signed-out'],
  ['the time is over', 'anonymous', 'expired'],
  ['the provider is unmounted', 'anonymous', 'expired'],
] as const)('%s: the identity ends, and the requests that waited reject', async (act, status, reason) => {
  const { session, core, server, clock, patch, epoch, generation, detach } = await setupLocked({ lockFor: MINUTE });
  const rejected = errorOf(patch);
  if (act === 'another user signs in') await session.login({ name: 'bob' });
  if (act === 'the user signs out') await session.logout();
  if (act === 'the time is over') {
    await clock.advance(MINUTE - 1);
    expect(session.getSnapshot().status).toBe('locked');
    await clock.advance(1);
  }
  if (act === 'the provider is unmounted') detach();
  await settle();
  expect(session.getSnapshot()).toMatchObject({ status, reason, epoch: epoch + 1 });
  expect(core.getStoreGeneration()).toBe(generation + 1);
  expect(await rejected).toHaveProperty('name', 'AbortError');
  expect(server.count('/article')).toBe(0);
  // The server has ended the session already.
  expect(server.count('/logout')).toBe(0);
});

test('a lock that is made again at each render keeps its time', async () => {
  const { session, core, clock, detach } = await setupLocked({ lockFor: MINUTE });
  await clock.advance(MINUTE / 2);
  detach();
  lock({ lockFor: MINUTE, clock }).attach(core);
  await clock.advance(MINUTE / 2);
  expect(session.getSnapshot().status).toBe('anonymous');
});

test('a system clock that is set back by an hour does not make it last an hour longer', async () => {
  const { session, clock } = await setupLocked({ lockFor: MINUTE });
  await clock.advance(5_000);
  clock.setBack(60 * MINUTE);
  for (let seconds = 0; seconds <= 65; seconds += 5) await clock.advance(5_000);
  expect(session.getSnapshot().status).toBe('anonymous');
});

test('a lock that is attached twice, as in StrictMode, and detached twice, locks no longer', async () => {
  const { session, clock } = setupTokenSession();
  const detach = [1, 2].map(() => lock({ clock }).attach(sessionCore(session)));
  detach.forEach(end => end());
  await session.login({ name: 'ada' });
  sessionCore(session).expire();
  expect(session.getSnapshot()).toMatchObject({ status: 'anonymous', reason: 'expired' });
});

test('refresh() that is refused rejects, reload() waits for the user', async () => {
  const { session, detach, server } = await setupLocked();
  await session.login({ name: 'ada' });
  server.routes['POST /refresh'] = () => json({}, 401);
  expect(await errorOf(session.refresh())).toBeInstanceOf(SessionExpiredError);
  expect(session.getSnapshot().status).toBe('locked');
  const reloaded = errorOf(session.reload());
  detach();
  expect(await reloaded).toBeInstanceOf(SessionExpiredError);
});

describe('two tabs with one storage', () => {
  async function openLockedTabs() {
    const setup = setupTabs();
    const [first, second] = await setup.openTwo();
    for (const tab of [first, second]) tab.lockOnExpiry();
    setup.expire();
    const refreshRoute = setup.server.routes['POST /refresh']!;
    setup.server.routes['POST /refresh'] = () => json({}, 401);
    const waiting = [first.get(), second.get('2')];
    for (const request of waiting) request.catch(() => {});
    await setup.browser.pass(1_000);
    setup.server.routes['POST /refresh'] = refreshRoute;
    return { ...setup, first, second, waiting };
  }

  test('a tab that has not heard of the expiry in the other locks at its own refresh, which it does not send', async () => {
    const setup = setupTabs();
    const [first, second] = await setup.openTwo();
    for (const tab of [first, second]) tab.lockOnExpiry();
    setup.expire();
    setup.server.routes['POST /refresh'] = () => json({}, 401);
    setup.browser.holdMessages();
    first.get().catch(() => {});
    await setup.browser.pass(1_000);
    expect([first.now().status, second.now().status]).toEqual(['locked', 'authenticated']);
    second.get().catch(() => {});
    await setup.browser.pass(1_000);
    expect(second.now()).toMatchObject({ status: 'locked', user: { id: 'ada' } });
    expect(setup.server.count('/refresh')).toBe(1);
  });

  test.each(['logout', 'login as bob'])('%s in one tab ends the other one', async act => {
    const { first, second, browser, waiting } = await openLockedTabs();
    const rejected = errorOf(waiting[1]!);
    await (act === 'logout' ? first.logout() : first.login('bob'));
    await browser.pass(500);
    expect(second.now()).toMatchObject(
      act === 'logout'
        ? { status: 'anonymous', reason: 'elsewhere' }
        : { status: 'authenticated', user: { id: 'bob' } },
    );
    expect(await rejected).toHaveProperty('name', 'AbortError');
  });
});

/** Two tabs with Ada's cookie, each with a lock. */
async function openCookieTabs() {
  const setup = setupTabs();
  let person: string | undefined;
  const whoami = { answer: async () => json(person === undefined ? null : { id: person }) };
  Object.assign(setup.server.routes, {
    'POST /login': (seen: { body: string }) =>
      json({ id: (person = (JSON.parse(seen.body) as { name: string }).name) }),
    'POST /logout': () => json({ signedOut: (person = undefined) }),
    'GET /whoami': () => whoami.answer(),
  });
  const own = (path: string, method: string) => new RestEndpoint({ urlPrefix: API, path, method }) as never;
  const open = () => {
    const tab = setup.browser.openTab();
    const session: Session<{ id: string }, [{ name: string }]> = createCookieSession({
      server: true,
      login: own('/login', 'POST'),
      logout: own('/logout', 'POST'),
      whoami: own('/whoami', 'GET'),
      clock: tab.clock,
    });
    tab.run(() => session.subscribe(() => {}));
    lock({ clock: tab.clock }).attach(sessionCore(session));
    return { tab, session };
  };
  const [first, second] = [open(), open()];
  await setup.browser.pass(100);
  const signedIn = first.tab.run(() => first.session.login({ name: 'ada' }));
  await setup.browser.pass(500);
  await signedIn;
  return { ...setup, first, second, answerWhoami: (answer: () => Promise<Response>) => void (whoami.answer = answer) };
}

describe('a cookie session', () => {
  async function setupCookie() {
    const setup = setupCookieSession({ tabs: false, trustedOrigins: [API] });
    const { session, clock, fake } = setup;
    lock({ clock }).attach(sessionCore(session));
    session.subscribe(() => {});
    await settle();
    await session.login({ name: 'ada' });
    fake.clear();
    return setup;
  }

  async function setupLockedCookie() {
    const setup = await setupCookie();
    const { jar, ArticleResource } = setup;
    jar.person = undefined;
    const patch = ArticleResource.partialUpdate({ id: '1' }, { title: 'x' });
    patch.catch(() => {});
    await settle();
    setup.fake.clear();
    setup.as.length = 0;
    return { ...setup, patch };
  }

  test('is unlocked by the same user, and the PATCH is sent once more with her cookie', async () => {
    const { session, patch, as, status } = await setupLockedCookie();
    expect(status()).toBe('locked');
    await session.login({ name: 'ada' });
    await patch;
    expect(as).toEqual([{ path: '/article/1', method: 'PATCH', person: 'ada' }]);
  });

  test('where the CSRF cookie is gone, the PATCH that waited is sent once, with a new token', async () => {
    const { patch, as, jar, fake, focus, clock } = await setupLockedCookie();
    jar.csrf = undefined;
    jar.person = 'ada';
    await clock.advance(6_000);
    focus();
    await patch;
    expect(as).toEqual([{ path: '/article/1', method: 'PATCH', person: 'ada' }]);
    expect(fake.count('/csrf')).toBe(1);
  });

  test.each(['before', 'after'])(
    'a sign-out in another tab is an end, also when its message comes %s the answer of a check',
    async order => {
      const { first, second, browser, answerWhoami } = await openCookieTabs();
      const answer = deferred<Response>();
      answerWhoami(() => answer.promise);
      void second.tab.run(() => sessionCore(second.session).recheck());
      await settle();
      if (order === 'after') {
        answer.resolve(json(null));
        await settle();
        expect(second.session.getSnapshot().status).toBe('locked');
      }
      const signedOut = first.tab.run(() => first.session.logout());
      await browser.pass(drainMs + 500);
      await signedOut;
      answer.resolve(json(null));
      await settle();
      expect(second.session.getSnapshot()).toMatchObject({ status: 'anonymous', reason: 'elsewhere' });
    },
  );

  test.each([
    ['ada', 'locked'],
    // The message names nobody: the screen stays hidden until the server answers.
    ['bob', 'locked'],
  ])('while the server does not answer, a login as %s in another tab leaves this one %s', async (name, status) => {
    const { first, second, browser, answerWhoami } = await openCookieTabs();
    answerWhoami(async () => json(null));
    await second.tab.run(() => sessionCore(second.session).recheck());
    expect(second.session.getSnapshot().status).toBe('locked');
    answerWhoami(never);
    const signedIn = first.tab.run(() => first.session.login({ name }));
    await browser.pass(500);
    await signedIn;
    expect(second.session.getSnapshot().status).toBe(status);
  });

  test('a login calls off what hangs on the wire after its limit, and nothing that waits for the user', async () => {
    const setup = await setupCookie();
    const { session, fake, jar, as, clock, ArticleResource, status, focus } = setup;
    const { signal } = new AbortController();
    const ways = (id: string) => [
      ArticleResource.get({ id }),
      ArticleResource.get.extend({ signal })({ id: `${id}1` }),
      session.fetch(`${API}/article/${id}2`),
      session.fetch(`${API}/article/${id}3`, { signal }),
    ];
    const data = fake.routes['*']!;
    fake.routes['*'] = never;
    const deaf = ArticleResource.get.extend({ fetchResponse: never } as never);
    // The user is the same, so what was aborted is sent once more; what hears no abort hangs.
    const hanging = ways('8');
    deaf({ id: '7' }).catch(() => {});
    await settle();
    fake.routes['*'] = data;
    jar.person = undefined;
    const patch = ArticleResource.partialUpdate({ id: '1' }, { title: 'x' });
    await settle();
    expect(status()).toBe('locked');
    const whoami = fake.routes['GET /whoami']!;
    fake.routes['GET /whoami'] = never;
    await clock.advance(6_000);
    focus();
    const waiting = [patch, ...ways('9'), session.reload()];
    await settle();
    as.length = 0;
    fake.routes['GET /whoami'] = whoami;
    const login = session.login({ name: 'ada' });
    await settle();
    await clock.advance(drainMs - 1);
    expect(fake.count('/login')).toBe(0);
    await clock.advance(1);
    await clock.advance(100);
    await login;
    expect(status()).toBe('authenticated');
    await Promise.all([...hanging, ...waiting]);
    expect(as.map(({ method, path, person }) => `${method} ${path} ${person}`).sort()).toEqual([
      ...[...['8', '81', '82', '83'], '9', '91', '92', '93'].map(id => `GET /article/${id} ada`),
      'PATCH /article/1 ada',
    ]);
  });
});

// The same user signs in again while something of the sign-in before is still on its way. The identity does not change, so nothing aborts that.

/** Ada's page, whose refresh never ends, and a change that waits for it. */
async function setupHangingRefresh(locks: boolean) {
  const setup = setupTokenSession();
  const { session, server, clock, ArticleResource, expire } = setup;
  if (locks) lock({ clock }).attach(sessionCore(session));
  session.subscribe(() => {});
  await session.login({ name: 'ada' });
  expire();
  server.routes['POST /refresh'] = () => never();
  const waiting = ArticleResource.partialUpdate({ id: '1' }, { title: 'x' });
  waiting.catch(() => {});
  await settle();
  return { ...setup, waiting, sent: () => server.seen.map(seen => `${seen.path} ${tokenOf(seen)}`) };
}

describe('a refresh that hangs', () => {
  test.each([
    ['the session has locked', true],
    ['it has not', false],
  ])('holds up nothing of the next sign-in: %s', async (_, locks) => {
    const { session, server, waiting, ArticleResource, sent } = await setupHangingRefresh(locks);
    if (locks) sessionCore(session).expire();
    await session.login({ name: 'ada' });
    server.clear();
    await Promise.all([waiting, ArticleResource.get({ id: '2' })]);
    expect(sent().sort()).toEqual(['/article/1 ada-2', '/article/2 ada-2']);
  });

  test('does not reject what waits for the user while the session is locked', async () => {
    const { session, clock, waiting, status } = await setupHangingRefresh(true);
    sessionCore(session).expire();
    await settle();
    await clock.advance(10_000);
    expect([status(), await isPending(waiting)]).toEqual(['locked', true]);
    await session.login({ name: 'ada' });
    expect(await outcomeOf(waiting)).toBe('done');
  });
});

describe('a check that was sent before the sign-in', () => {
  test.each(['nobody', 'grace'])('decides nothing when it finds %s after it', async person => {
    const found = deferred<object | null>();
    let checks = 0;
    const { session, clock, auth, ArticleResource, server } = setupTokenSession({
      restore: () => (checks++ === 0 ? Promise.resolve(null) : found.promise),
    });
    lock({ clock }).attach(sessionCore(session));
    session.subscribe(() => {});
    await session.ready();
    await session.login({ name: 'ada' });
    sessionCore(session).expire();
    session.refresh().catch(() => {});
    await settle();
    await session.login({ name: 'ada' });
    found.resolve(person === 'nobody' ? null : { ...auth.signIn(person), user: { id: person } });
    await settle();
    server.clear();
    await ArticleResource.get({ id: '1' });
    expect([session.getSnapshot().user?.id, server.seen.map(tokenOf)]).toEqual(['ada', ['ada-2']]);
  });
});

describe('an SDK', () => {
  const jwt = (sub: string, count: number) => `h.${btoa(JSON.stringify({ sub, count }))}.s`;

  function setupSdk(
    getToken: (options: { forceRefresh: boolean }) => Promise<string>,
    route: (seen: Seen) => Response,
  ) {
    const clock = manualClock();
    const server = mockServer({ '*': route });
    const { session } = createContextSession({ clock }, { subject: 'ada', getToken });
    const { get } = resource({
      urlPrefix: API,
      path: '/article/:id',
      schema: Article,
      Endpoint: authEndpoint(session as never),
    });
    session.subscribe(() => {});
    return { clock, server, session, get };
  }

  test.each([
    ['the session has locked', true],
    ['it has not', false],
  ])('that refuses a token it was asked for before the sign-in ends nothing: %s', async (_, locks) => {
    const held = deferred<string>();
    let give = () => held.promise;
    const { clock, session, get } = setupSdk(
      () => give(),
      () => json({ id: '1' }),
    );
    if (locks) lock({ clock }).attach(session);
    const waiting = outcomeOf(get({ id: '1' }));
    await settle();
    if (locks) session.expire();
    give = () => Promise.resolve(jwt('ada', 2));
    await session.login();
    held.reject(Object.assign(new Error('Login required'), { error: 'login_required' }));
    expect(await waiting).toBe('done');
    expect(session.getSnapshot().status).toBe('authenticated');
  });

  test('that gives the token of the next user after a sign-out signs nobody in', async () => {
    const held = deferred<string>();
    let give = () => Promise.resolve(jwt('ada', 1));
    const { session, get } = setupSdk(
      () => give(),
      () => json({ id: '1' }),
    );
    await session.ready();
    give = () => held.promise;
    const waiting = outcomeOf(get({ id: '1' }));
    await settle();
    await session.logout();
    held.resolve(jwt('grace', 1));
    await settle();
    expect([await waiting, session.getSnapshot().status]).toEqual(['AbortError', 'anonymous']);
  });
});
