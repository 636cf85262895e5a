import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  createCookieSession,
  IdentityChangedError,
  RefreshUnavailableError,
  RestEndpoint,
  SignedOutError,
  type Session,
  type SessionStatus,
} from '../../src/entries/core.js';
import { json, never } from './support/answers.js';
import { deferred, errorOf, outcomes } from './support/promises.js';
import { OLD, type BrowserOptions } from './support/fakeBrowser.js';
import { settle } from './support/manualClock.js';
import { ADDRESS, setupTabs } from './support/setupTabs.js';
import { userOf } from './support/people.js';
import { API, tokenOf } from './support/article.js';
import { expectNoTokenStored } from './support/storedTokens.js';

const KEY = 'data-client-auth';
const TOKEN = /(ada|bob)-(refresh-)?\d/;

afterEach(() => void Reflect.deleteProperty(globalThis, 'localStorage'));

/** What the storage keeps of a session, as an object; undefined when it keeps nothing. */
const keptIn = (browser: { stored: (key: string) => string | null }) => {
  const text = browser.stored(KEY);
  return text === null ? undefined : (JSON.parse(text) as { subject: string; credential: { accessToken: string } });
};

describe('two tabs of a browser', () => {
  test.each([0, 40, 110])(
    'ten expired requests in each, %i ms apart, cost one refresh that is not refused',
    async apart => {
      const setup = setupTabs();
      const [first, second] = await setup.openTwo();
      setup.expire();
      const ours = outcomes(first.burst(10));
      await setup.browser.pass(apart);
      const theirs = outcomes(second.burst(10));
      await setup.browser.pass(1_000);
      expect((await ours).resolved + (await theirs).resolved).toBe(20);
      expect(setup.server.count('/refresh')).toBe(1);
      expect(setup.refused()).toBe(0);
      expect(first.seen).toEqual(['restoring nobody', 'anonymous nobody', 'authenticated ada']);
      expect(second.seen).toEqual(['restoring nobody', 'authenticated ada']);
      // What a tab shows the others after its turn.
      await setup.browser.pass(1_000);
      expect(setup.browser.holds()).toBe(0);
      expect(setup.browser.stored(`${ADDRESS}:lock`)).toBeNull();
      expect(setup.browser.clock.pending).toBe(0);
    },
  );

  test.each([
    ['is closed', 'close', 500],
    ['crashes', 'vanish', 10_500],
  ] as const)(
    'when the one that refreshes %s, the other goes on within a bounded time, by one more refresh',
    async (_how, end, withinMs) => {
      const setup = setupTabs();
      const [first, second] = await setup.openTwo();
      setup.expire();
      setup.server.routes['POST /refresh'] = never;
      void outcomes([first.get()]);
      await setup.browser.pass(500);
      expect(setup.server.count('/refresh')).toBe(1);
      setup.server.routes['POST /refresh'] = setup.refreshRoute;
      first.tab[end]();

      const theirs = outcomes(second.burst(10));
      await setup.browser.pass(withinMs);
      const { resolved, reasons } = await theirs;
      expect(resolved + reasons.filter(reason => reason instanceof RefreshUnavailableError).length).toBe(10);
      const more = second.get();
      await setup.browser.pass(500);
      await expect(more).resolves.toMatchObject({ title: 'of ada' });
      expect(setup.server.count('/refresh')).toBe(2);
      expect(setup.refused()).toBe(0);
      expect(second.now()).toMatchObject({ status: 'authenticated', epoch: 0 });
    },
  );

  test.each([
    ['are sent a third time, after one refresh', false],
    ['are not sent a fourth time', true],
  ])('requests whose second token is of the other tab, and is refused too, %s', async (_what, isRefusedForGood) => {
    const setup = setupTabs();
    const [first, second] = await setup.openTwo();
    const data = setup.server.routes['*']!;
    const [refused, held] = [deferred(), deferred()];
    setup.server.routes['*'] = seen => refused.promise.then(() => data(seen));
    const reads = outcomes(first.burst(2));
    await setup.browser.until(second.refresh());
    await setup.browser.pass(200);
    setup.expire();
    const answer = isRefusedForGood ? () => json({}, 401) : data;
    // The last refusal of the old token arrives after the refresh.
    setup.server.routes['*'] = async seen => {
      if (seen.path === '/article/1' && tokenOf(seen) === 'ada-2') await held.promise;
      return answer(seen);
    };
    refused.resolve();
    await setup.browser.pass(1_000);
    held.resolve();
    await setup.browser.pass(1_000);
    expect((await reads).resolved).toBe(isRefusedForGood ? 0 : 2);
    const tokensOf = (id: number) => setup.server.seen.filter(({ path }) => path === `/article/${id}`).map(tokenOf);
    // A young token is tried once more.
    const late = isRefusedForGood ? ['ada-3'] : [];
    expect(tokensOf(0)).toEqual(['ada-1', 'ada-2', 'ada-3', ...late]);
    // By then, the session has ended.
    expect(tokensOf(1)).toEqual(['ada-1', 'ada-2', 'ada-3']);
    expect(setup.server.count('/refresh')).toBe(2);
    const ended = { status: 'anonymous', reason: 'expired' };
    expect(first.now()).toMatchObject(isRefusedForGood ? ended : { status: 'authenticated' });
  });

  test('a refresh in one is no message, shows nothing new in the other, and spares it a 401', async () => {
    const setup = setupTabs();
    const [first, second] = await setup.openTwo();
    const before = second.now();
    setup.expire();
    const request = first.get();
    await setup.browser.pass(500);
    await request;
    expect(setup.browser.messages).toHaveLength(0);
    expect(second.now()).toBe(before);
    setup.server.clear();
    await second.get();
    expect(setup.server.seen.map(tokenOf)).toEqual(['ada-2']);
  });

  test('a sign-out in one is no message, leaves nobody in the other and no token, and the other makes no call', async () => {
    const setup = setupTabs();
    const [first, second] = await setup.openTwo();
    const held = deferred();
    setup.server.routes['*'] = () => held.promise.then(() => json({ id: '1' }));
    const request = errorOf(second.get());
    await settle();
    await first.logout();
    await setup.browser.pass(500);
    expect(await request).toBeInstanceOf(SignedOutError);
    expect(second.now()).toMatchObject({ status: 'anonymous', reason: 'elsewhere', user: undefined });
    expect(first.now()).toMatchObject({ status: 'anonymous', reason: 'signed-out' });
    expect(setup.browser.messages).toHaveLength(0);
    expect(setup.server.seen.map(({ path }) => path)).toEqual(['/article/1', '/logout']);
    expectNoTokenStored(setup.browser.stored(KEY));
    held.resolve();
  });

  test('an end by the server’s refusal in one ends the other', async () => {
    const setup = setupTabs();
    const [first, second] = await setup.openTwo();
    setup.server.routes['POST /refresh'] = () => json({}, 401);
    setup.expire();
    const ours = errorOf(first.get());
    await setup.browser.pass(500);
    await ours;
    expect(first.now().reason).toBe('expired');
    expect(second.now().reason).toBe('expired');
    expect(setup.browser.messages).toHaveLength(0);
    expectNoTokenStored(setup.browser.stored(KEY));
  });

  test('a refusal while both refresh is an expiry in both', async () => {
    const setup = setupTabs({ lagMs: 0 });
    const [first, second] = await setup.openTwo();
    setup.server.routes['POST /refresh'] = () => json({}, 401);
    setup.expire();
    // The second tab reads the storage before the message of the first one comes.
    setup.browser.holdMessages();
    const outcomes = Promise.all([errorOf(first.get()), errorOf(second.get())]);
    await setup.browser.pass(500);
    await outcomes;
    await setup.browser.deliverAll();
    await setup.browser.pass(500);
    expect([first.now().reason, second.now().reason]).toEqual(['expired', 'expired']);
    expect(setup.server.seen.filter(({ path }) => path === '/refresh')).toHaveLength(1);
  });

  test('when another person signs in, the other tab drops what it has and goes on as that person, who is never asked for', async () => {
    const setup = setupTabs();
    const [first, second] = await setup.openTwo();
    const held = deferred();
    setup.server.routes['*'] = () => held.promise.then(() => json({ id: '1' }));
    const request = errorOf(second.get());
    await settle();
    await first.login('bob');
    await setup.browser.pass(500);
    held.resolve();
    expect(await request).toBeInstanceOf(IdentityChangedError);
    expect(second.seen).toEqual(['restoring nobody', 'authenticated ada', 'authenticated bob']);
    expect(setup.browser.messages).toHaveLength(0);
    setup.server.clear();
    await second.get();
    expect(setup.server.seen.map(tokenOf)).toEqual(['bob-1']);
  });

  test('the same person once more is no message and shows nothing new in the other, whose next request carries the new token', async () => {
    const setup = setupTabs();
    const [first, second] = await setup.openTwo();
    const before = second.now();
    await first.login('ada');
    await setup.browser.pass(500);
    expect(setup.browser.messages).toHaveLength(0);
    expect(second.now()).toBe(before);
    setup.server.clear();
    await second.get();
    expect(setup.server.seen.map(tokenOf)).toEqual(['ada-2']);
  });

  test('somebody who signs in is signed in everywhere', async () => {
    const setup = setupTabs();
    const [first, second] = [setup.open(), setup.open()];
    first.mount();
    second.mount();
    await setup.browser.pass(100);
    await first.login('ada');
    await setup.browser.pass(500);
    expect(second.seen).toEqual(['restoring nobody', 'anonymous nobody', 'authenticated ada']);
    expect(setup.browser.messages).toHaveLength(0);
  });

  test('a sign-out in this tab during its refresh leaves no token in the storage', async () => {
    const setup = setupTabs();
    const [first, second] = await setup.openTwo();
    const held = setup.holdRefresh();
    const refresh = errorOf(first.refresh());
    await setup.browser.pass(300);
    expect(setup.server.count('/refresh')).toBe(1);
    const signedOut = first.logout();
    await setup.browser.pass(100);
    held.resolve();
    await setup.browser.pass(500);
    await signedOut;
    expect(await refresh).toBeInstanceOf(SignedOutError);
    expectNoTokenStored(setup.browser.stored(KEY));
    expect(second.now().status).toBe('anonymous');
    expect(setup.browser.messages).toHaveLength(0);
  });

  test.each(['the news of it come at once', 'the news of it come late', 'nobody listens'])(
    'a sign-out in the other tab during a refresh leaves no token in the storage: %s',
    async how => {
      const setup = setupTabs();
      const first = setup.open();
      const stop = first.mount();
      await setup.browser.pass(10);
      await first.login('ada');
      await setup.browser.pass(200);
      const second = setup.open();
      second.mount();
      await setup.browser.pass(10);
      const held = setup.holdRefresh();
      const refresh = first.refresh().catch((error: unknown) => error);
      await setup.browser.pass(300);
      if (how === 'nobody listens') stop();
      if (!how.endsWith('at once')) setup.browser.holdMessages();
      await second.logout();
      await setup.browser.pass(100);
      held.resolve();
      await setup.browser.pass(200);
      await setup.browser.deliverAll();
      await setup.browser.pass(200);
      await refresh;
      expectNoTokenStored(setup.browser.stored(KEY));
      expect(first.now().status).toBe('anonymous');
    },
  );

  test('a switch in the other tab during a refresh is not undone by its answer, even when the news of it come late', async () => {
    const setup = setupTabs();
    const [first, second] = await setup.openTwo();
    const held = setup.holdRefresh();
    const refresh = first.refresh().catch((error: unknown) => error);
    await setup.browser.pass(300);
    setup.browser.holdMessages();
    await second.login('bob');
    await setup.browser.pass(100);
    held.resolve();
    await setup.browser.pass(200);
    await setup.browser.deliverAll();
    await setup.browser.pass(200);
    await refresh;
    expect(keptIn(setup.browser)).toMatchObject({ subject: 'bob', credential: { accessToken: 'bob-1' } });
    expect(first.now().user).toEqual(userOf('bob'));
    expect(second.now().user).toEqual(userOf('bob'));
  });

  test('a login of the same person in the other tab during a refresh is not undone by its answer', async () => {
    const held = deferred();
    const setup = setupTabs();
    const [first, second] = await setup.openTwo();
    setup.server.routes['POST /refresh'] = () =>
      held.promise.then(() => json({ accessToken: 'ada-0', refreshToken: 'r', user: { id: 'ada' } }));
    const refresh = first.refresh();
    await setup.browser.pass(300);
    await second.login('ada');
    await setup.browser.pass(200);
    held.resolve();
    await setup.browser.pass(200);
    await refresh;
    expect(keptIn(setup.browser)?.credential.accessToken).toBe('ada-2');
    await first.get();
    expect(tokenOf(setup.server.seen.at(-1)!)).toBe('ada-2');
  });

  test('tokens that tell nobody are shared as well, and no message holds one', async () => {
    const setup = setupTabs();
    let n = 0;
    const opaque = () => json({ accessToken: `secret-${++n}`, refreshToken: `secret-r-${n}` });
    Object.assign(setup.server.routes, {
      'POST /login': opaque,
      'POST /refresh': opaque,
      '*': (seen: Parameters<typeof tokenOf>[0]) =>
        tokenOf(seen) === `secret-${n}` ? json({ id: '1' }) : json({}, 401),
    });
    const [first, second] = [setup.open(), setup.open()];
    first.mount();
    second.mount();
    await setup.browser.pass(100);
    await first.login('ada');
    await setup.browser.pass(200);
    const before = second.now();
    expect(before.status).toBe('authenticated');
    const refresh = first.refresh();
    await setup.browser.pass(500);
    await refresh;
    expect(second.now()).toBe(before);
    await second.get();
    expect(setup.server.seen.filter(({ path }) => path === '/refresh')).toHaveLength(1);
    await first.login('ada');
    await setup.browser.pass(500);
    expect(second.now().epoch).toBeGreaterThan(before.epoch);
    expect(setup.browser.messages).toHaveLength(0);
  });

  test('news while a login is under way: the login is later, and wins in both', async () => {
    const held = deferred();
    const setup = setupTabs();
    const [first, second] = await setup.openTwo();
    setup.server.routes['POST /login'] = async seen => {
      await held.promise;
      return json(setup.issue((JSON.parse(seen.body) as { username: string }).username));
    };
    const login = second.login('bob');
    await settle();
    await first.logout();
    await setup.browser.pass(200);
    expect(second.now().status).toBe('anonymous');
    held.resolve();
    await login;
    await setup.browser.pass(500);
    expect(second.now().user).toEqual(userOf('bob'));
    expect(first.now().user).toEqual(userOf('bob'));
    expect(keptIn(setup.browser)?.subject).toBe('bob');
  });

  test('after dispose() no news are heard, and nothing listens; who mounts it again hears them', async () => {
    const setup = setupTabs();
    const first = setup.open();
    const second = setup.open();
    const unmount = first.mount();
    second.mount();
    await setup.browser.pass(10);
    first.dispose();
    await second.login('bob');
    await setup.browser.pass(500);
    expect(first.seen).not.toContain('authenticated bob');
    expect(first.tab.listening).toBe(0);
    unmount();
    first.mount();
    await setup.browser.pass(10);
    expect(first.now().user).toEqual(userOf('bob'));
    await second.logout();
    await setup.browser.pass(500);
    expect(first.now().status).toBe('anonymous');
  });

  test('a tab listens while somebody subscribes, by one channel for all, and leaves nothing behind', async () => {
    const setup = setupTabs();
    const { tab, mount, login, logout } = setup.open();
    expect(tab.listening).toBe(0);
    const stops = [mount(), mount(), mount()];
    expect(tab.listening).toBe(1);
    await login('ada');
    await setup.browser.pass(500);
    stops[0]!();
    stops[0]!();
    stops[1]!();
    expect(tab.listening).toBe(1);
    stops[2]!();
    expect(tab.listening).toBe(0);
    await logout();
    await setup.browser.pass(500);
    expect(tab.listening).toBe(0);
    expect(setup.browser.messages).toHaveLength(0);
    expect(setup.browser.clock.pending).toBe(0);
    mount()();
    expect(tab.listening).toBe(0);
  });

  test('a tab in which nobody subscribes hears nothing, and yet never undoes a sign-out', async () => {
    const setup = setupTabs();
    const first = setup.open();
    await first.login('ada');
    await setup.browser.pass(200);
    const second = setup.open();
    second.mount();
    await setup.browser.pass(10);
    await second.logout();
    await setup.browser.pass(100);
    setup.expire();
    const request = errorOf(first.get());
    await setup.browser.pass(500);
    expect(await request).toBeInstanceOf(SignedOutError);
    expect(setup.server.count('/refresh')).toBe(0);
    expect(first.now()).toMatchObject({ status: 'anonymous', reason: 'elsewhere' });
  });

  test('a subscriber that throws keeps nobody from the news', async () => {
    const thrown: unknown[] = [];
    const others = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException');
    process.on('uncaughtException', error => thrown.push(error));
    const setup = setupTabs();
    const [first, second] = await setup.openTwo();
    second.tab.run(() =>
      second.session.subscribe(() => {
        throw new Error('of the app');
      }),
    );
    await first.logout();
    await setup.browser.pass(200);
    await first.login('bob');
    await setup.browser.pass(200);
    process.removeAllListeners('uncaughtException');
    others.forEach(listener => process.on('uncaughtException', listener));
    expect(second.now().user).toEqual(userOf('bob'));
    expect(new Set(thrown.map(error => (error as Error).message))).toEqual(new Set(['of the app']));
  });

  test('`tabs: false` is a tab for itself: no news, no channel', async () => {
    const setup = setupTabs({}, { tabs: false });
    const [first, second] = await setup.openTwo();
    expect(first.tab.listening + second.tab.listening).toBe(0);
    await first.login('bob');
    await first.logout();
    await setup.browser.pass(500);
    expect(second.now().user).toEqual(userOf('ada'));
    expect(setup.browser.messages).toEqual([]);
    expect(setup.browser.clock.pending).toBe(0);
  });

  test.each(['session', 'memory'] as const)('tokens kept in %s are no other tab’s business', async storage => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const setup = setupTabs({}, { storage });
    const first = setup.open();
    first.mount();
    await first.login('ada');
    await first.logout();
    await setup.browser.pass(500);
    // The frames of a tab share its session storage.
    expect(first.tab.listening).toBe(storage === 'session' ? 1 : 0);
    expect(setup.browser.messages).toEqual([]);
    expect(setup.browser.written()).toEqual([]);
    warn.mockRestore();
  });

  test('two storage keys are two sign-ins', async () => {
    const setup = setupTabs();
    const left = setup.open();
    const right = setup.open({ storageKey: 'right' });
    left.mount();
    right.mount();
    await setup.browser.pass(10);
    await left.login('ada');
    await setup.browser.pass(500);
    expect(right.now().status).toBe('anonymous');
  });

  /** The first tab has refreshed, and the second one has not got the message of it. */
  async function refreshUnheard() {
    const setup = setupTabs();
    const [first, second] = await setup.openTwo();
    setup.browser.holdMessages();
    const refreshed = first.refresh();
    await setup.browser.pass(500);
    await refreshed;
    return { setup, second };
  }

  test('a sign-out in a tab that has not heard of the other one’s refresh removes the new tokens', async () => {
    const { setup, second } = await refreshUnheard();
    expect(keptIn(setup.browser)?.credential.accessToken).toBe('ada-2');
    await second.logout();
    await setup.browser.pass(500);
    expectNoTokenStored(setup.browser.stored(KEY));
    expect(second.now().status).toBe('anonymous');
  });

  test('a sign-out in a tab that has not heard of the other one’s login keeps that login, and follows it', async () => {
    const setup = setupTabs();
    const [first, second] = await setup.openTwo();
    setup.browser.holdMessages();
    await second.login('bob');
    await setup.browser.pass(500);
    second.tab.close();
    const written = setup.browser.written().length;
    await first.logout();
    await setup.browser.pass(500);
    expect(setup.browser.written().slice(written)).not.toContain(`${KEY}=null`);
    expect(keptIn(setup.browser)?.subject).toBe('bob');
    expect(first.now().user?.id).toBe('bob');
  });

  test('tabs that open at once ask for who is signed in one after the other, for a refresh cookie may be good once', async () => {
    let inFlight = 0;
    let most = 0;
    const setup = setupTabs();
    const restore = async () => {
      most = Math.max(most, ++inFlight);
      await settle();
      inFlight--;
      return setup.issue('ada');
    };
    const more = { storage: 'memory' as const, tabs: 'app', restore };
    const [first, second] = [setup.open(more), setup.open(more)];
    first.mount();
    second.mount();
    await setup.browser.pass(1_000);
    expect([first.now().status, second.now().status]).toEqual(['authenticated', 'authenticated']);
    expect(most).toBe(1);
  });

  test('tabs that open at once and share a storage ask once: the second finds what the first has stored', async () => {
    let asked = 0;
    const setup = setupTabs();
    const restore = async () => {
      asked++;
      await settle();
      return setup.issue('ada');
    };
    const [first, second] = [setup.open({ restore }), setup.open({ restore })];
    first.mount();
    second.mount();
    await setup.browser.pass(1_000);
    expect([first.now().status, second.now().status]).toEqual(['authenticated', 'authenticated']);
    expect(asked).toBe(1);
  });

  test.each([
    ['that the storage shows by then', 'bob', 100],
    ['whose write no other tab sees yet', 'bob', 10],
    ['that has ended by then', undefined, 10],
  ])('a login of another tab while a check is under way wins, %s', async (_, name, afterMs) => {
    const setup = setupTabs();
    const first = setup.open();
    first.mount();
    await setup.browser.pass(10);
    const answer = deferred<ReturnType<typeof setup.issue>>();
    const second = setup.open({ restore: () => answer.promise });
    second.mount();
    await setup.browser.pass(300);
    setup.browser.holdMessages();
    await first.login('bob');
    if (!name) await first.logout();
    await setup.browser.pass(afterMs);
    answer.resolve(setup.issue('ada'));
    await setup.browser.deliverAll();
    await setup.browser.pass(1_000);
    expect([first.now().user?.id, second.now().user?.id]).toEqual([name, name]);
    expect(keptIn(setup.browser)?.subject).toBe(name);
    if (afterMs === 100) expect([...second.seen, setup.browser.written()].join()).not.toContain('ada');
  });

  test('a tab that has not heard of the other one’s refresh takes its tokens from the storage, and sends no refresh', async () => {
    const { setup, second } = await refreshUnheard();
    const late = second.refresh();
    await setup.browser.pass(500);
    await late;
    expect(setup.server.count('/refresh')).toBe(1);
    await second.get();
    expect(tokenOf(setup.server.seen.at(-1)!)).toBe('ada-2');
  });

  test('a refresh that keeps the access token and gives another refresh token is taken over by the other tab', async () => {
    const setup = setupTabs();
    const [first, second] = await setup.openTwo();
    let n = 1;
    setup.server.routes['POST /refresh'] = seen => {
      const { refreshToken } = JSON.parse(seen.body) as { refreshToken: string };
      return refreshToken === `ada-refresh-${n}`
        ? json({ accessToken: 'ada-1', refreshToken: `ada-refresh-${++n}` })
        : json({}, 401);
    };
    for (const { refresh } of [first, second, first]) {
      const refreshed = refresh();
      await setup.browser.pass(1_000);
      await refreshed;
    }
    expect(n).toBe(4);
    expect(first.now().status).toBe('authenticated');
    expect(second.now().status).toBe('authenticated');
  });

  test.each(['logout', 'bob'])('who mounts again learns what happened elsewhere during that: %s', async what => {
    const setup = setupTabs();
    const [first] = await setup.openTwo();
    const third = setup.open();
    const unmount = third.mount();
    await setup.browser.pass(10);
    unmount();
    await (what === 'logout' ? first.logout() : first.login(what));
    await setup.browser.pass(500);
    expect(third.now().user).toEqual(userOf('ada'));
    third.mount();
    await setup.browser.pass(500);
    expect(third.now().user).toEqual(what === 'logout' ? undefined : userOf(what));
  });

  test('cookie sessions share who signs in and out', async () => {
    const setup = setupTabs();
    let person: string | undefined;
    Object.assign(setup.server.routes, {
      'POST /login': (seen: { body: string }) =>
        json({ id: (person = (JSON.parse(seen.body) as { name: string }).name) }),
      'POST /logout': () => ((person = undefined), new Response(null, { status: 204 })),
      'GET /whoami': () => json(person === undefined ? null : { id: person }),
    });
    const own = (path: string, method: string) => new RestEndpoint({ urlPrefix: API, path, method }) as never;
    const openCookie = () => {
      const tab = setup.browser.openTab();
      const session: Session<{ id: string }, [{ name: string }]> = createCookieSession({
        server: true,
        login: own('/login', 'POST'),
        logout: own('/logout', 'POST'),
        whoami: own('/whoami', 'GET'),
        clock: tab.clock,
      });
      tab.run(() => session.subscribe(() => {}));
      return { tab, session };
    };
    const [first, second] = [openCookie(), openCookie()];
    await setup.browser.pass(100);
    const pass = async (act: () => Promise<unknown>) => {
      setup.server.clear();
      const done = first.tab.run(act);
      await setup.browser.pass(500);
      await done;
    };
    await pass(() => first.session.login({ name: 'ada' }));
    expect(second.session.getSnapshot().user).toEqual({ id: 'ada' });
    expect(setup.server.seen.map(({ path }) => path)).toEqual(['/login', '/whoami']);
    const before = second.session.getSnapshot();
    await pass(() => first.session.login({ name: 'ada' }));
    expect(second.session.getSnapshot()).toBe(before);
    await pass(() => first.session.login({ name: 'bob' }));
    expect(second.session.getSnapshot().user).toEqual({ id: 'bob' });
    await pass(() => first.session.logout());
    expect(setup.server.seen.map(({ path }) => path)).toEqual(['/logout']);
    expect(second.session.getSnapshot()).toMatchObject({ status: 'anonymous', reason: 'elsewhere' });
    // A login is two messages.
    expect(setup.browser.messages).toHaveLength(7);
  });

  test('a store of the app’s own, which answers later, is shared like localStorage', async () => {
    const setup = setupTabs();
    const kept: { text: string | null } = { text: null };
    const later = <T>(act: () => T) =>
      new Promise<T>(resolve => setup.browser.clock.setTimeout(() => resolve(act()), 20));
    const storage = {
      get: () => later(() => kept.text),
      set: (text: string) => later(() => void (kept.text = text)),
      remove: () => later(() => void (kept.text = null)),
    };
    const [first, second] = [setup.open({ storage }), setup.open({ storage })];
    first.mount();
    second.mount();
    await setup.browser.pass(100);
    await setup.browser.until(first.login('ada'));
    await setup.browser.pass(500);
    expect(second.now().user).toEqual(userOf('ada'));
    setup.expire();
    setup.server.clear();
    const requests = outcomes([...first.burst(10), ...second.burst(10)]);
    await setup.browser.pass(1_000);
    expect((await requests).resolved).toBe(20);
    expect(setup.server.count('/refresh')).toBe(1);
    await second.logout();
    await setup.browser.pass(500);
    expect(first.now().status).toBe('anonymous');
    expectNoTokenStored(kept.text);
  });
});

test('a sign-out elsewhere is heard where the app’s own store never answers again', async () => {
  const kept: { text: string | null; hangs: boolean } = { text: null, hangs: false };
  const storage = {
    get: () => (kept.hangs ? new Promise<string>(() => {}) : kept.text),
    set: (text: string) => void (kept.text = text),
    remove: () => void (kept.text = null),
  };
  const setup = setupTabs({}, { storage });
  const [first, second] = await setup.openTwo();
  kept.hangs = true;
  await first.logout();
  await setup.browser.pass(11_000);
  expect(second.now().status).toBe('anonymous');
});

test.each([
  ['signs in', undefined],
  ['switches users', 'bob'],
])(
  'a session that is disposed of while its login is being stored posts it: the other tab %s',
  async (_name, before) => {
    const setup = setupTabs();
    let text: string | null = null;
    const later = () => new Promise<void>(resolve => setup.browser.clock.setTimeout(resolve, 100));
    const storage = {
      get: () => later().then(() => text),
      set: (next: string) => later().then(() => void (text = next)),
      remove: () => later().then(() => void (text = null)),
    };
    const [first, second] = [setup.open({ storage }), setup.open({ storage })];
    for (const tab of [first, second]) tab.mount();
    await setup.browser.pass(500);
    if (before) await setup.browser.until(first.login(before));
    await setup.browser.pass(500);
    await setup.browser.until(first.login('ada'));
    setup.browser.messages.length = 0;
    first.dispose();
    await setup.browser.pass(1_000);
    expect(text).toContain('"subject":"ada"');
    expect(second.now().user).toEqual(userOf('ada'));
    expect(setup.browser.messages).toHaveLength(0);
    expect(setup.browser.clock.pending).toBe(0);
  },
);

test('cookie sessions of two APIs on one page share no news: a sign-out of one changes nothing in the other', async () => {
  const { browser } = setupTabs();
  const { clock, run } = browser.openTab();
  const open = (side: string) => {
    const session = createCookieSession({
      server: true,
      login: async () => ({ id: side }),
      logout: async () => {},
      whoami: async () => ({ id: side }),
      trustedOrigins: [`https://${side}.example.com`],
      clock,
    });
    run(() => session.subscribe(() => {}));
    return session;
  };
  const [left, right] = [open('left'), open('right')];
  await browser.pass(100);
  expect(left.getSnapshot().user).toEqual({ id: 'left' });
  const before = right.getSnapshot();
  await run(() => left.logout());
  await browser.pass(500);
  expect(browser.messages).toHaveLength(1);
  expect(right.getSnapshot()).toBe(before);
});

test('with Web Locks, a refresh that takes longer than the timeout is one call for all tabs: their requests are unavailable, and later ones answered', async () => {
  const setup = setupTabs();
  const [first, second] = await setup.openTwo();
  const held = setup.holdRefresh();
  setup.expire();
  for (let round = 0; round < 2; round++) {
    const requests = outcomes([...first.burst(5), ...second.burst(5)]);
    await setup.browser.pass(10_100);
    expect((await requests).reasons.map(reason => (reason as Error).name)).toEqual(
      Array.from({ length: 10 }, () => 'RefreshUnavailableError'),
    );
  }
  const requests = outcomes([...first.burst(5), ...second.burst(5)]);
  await setup.browser.pass(1_000);
  held.resolve();
  await setup.browser.pass(500);
  expect((await requests).resolved).toBe(10);
  expect(setup.server.count('/refresh')).toBe(1);
  await setup.browser.pass(1_000);
  expect(setup.browser.holds()).toBe(0);
});

describe.each([
  ['denied, with Web Locks', { storage: 'denied' }],
  ['denied, without', { ...OLD, storage: 'denied' }],
  ['there and throws, with Web Locks', { storage: 'throws' }],
  ['there and throws, without', { ...OLD, storage: 'throws' }],
  ['denied, with channels and Web Locks, as in Firefox', { storage: 'denied', channels: 'denied', locks: 'refused' }],
] satisfies [string, BrowserOptions][])('where localStorage is %s', (_name, options) => {
  test('the session works in memory, by one warning', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const setup = setupTabs(options);
    const first = setup.open();
    first.mount();
    await setup.browser.pass(10);
    await first.login('ada');
    setup.expire();
    const requests = outcomes(first.burst(10));
    await setup.browser.pass(1_000);
    expect((await requests).resolved).toBe(10);
    expect(setup.server.count('/refresh')).toBe(1);
    await first.logout();
    expect(first.now()).toMatchObject({ status: 'anonymous', reason: 'signed-out' });
    expect(warn).toHaveBeenCalledTimes(1);
    expect(warn.mock.calls.join()).not.toMatch(TOKEN);
    warn.mockRestore();
  });
});

/** A store that is sound until told otherwise. */
function fragile() {
  const kept: { text: string | null; fails: string } = { text: null, fails: '' };
  const verb = <T>(name: string, act: () => T) => {
    if (kept.fails.includes(name)) throw new Error('broken');
    return act();
  };
  return Object.assign(kept, {
    get: () => verb('get', () => kept.text),
    set: (text: string) => verb('set', () => void (kept.text = text)),
    remove: () => verb('remove', () => void (kept.text = null)),
  });
}

type Setup = ReturnType<typeof setupTabs>;

const refuseRefresh = async ({ server }: Setup, tab: ReturnType<Setup['open']>) => {
  await tab.login('ada');
  server.routes['POST /refresh'] = () => json({}, 401);
  tab.refresh().catch(() => {});
};

/** What has happened in a tab before its provider is unmounted, and its status then. */
const ends: [string, (tab: ReturnType<Setup['open']>, setup: Setup) => Promise<unknown>, SessionStatus][] = [
  ['no user was signed in', async () => {}, 'anonymous'],
  ['the user signed out here', tab => tab.login('ada').then(tab.logout), 'anonymous'],
  ['the session expired here', (tab, setup) => refuseRefresh(setup, tab), 'anonymous'],
  ['the page is locked', (tab, setup) => (tab.lockOnExpiry(), refuseRefresh(setup, tab)), 'locked'],
];

test.each(ends)(
  'a provider that is mounted again follows a login that another tab made in the meantime: %s',
  async (_before, end, status) => {
    const setup = setupTabs();
    const { browser, server, refreshRoute } = setup;
    const first = setup.open();
    let unmount = first.mount();
    await browser.pass(100);
    await end(first, setup);
    await browser.pass(200);
    expect(first.now().status).toBe(status);
    unmount();
    unmount = first.mount();
    await browser.pass(200);
    expect(first.now().status).toBe(status);
    unmount();
    server.routes['POST /refresh'] = refreshRoute;
    const second = setup.open();
    second.mount();
    await browser.pass(10);
    await second.login('bob');
    await browser.pass(200);
    first.mount();
    await browser.pass(200);
    expect(first.now()).toMatchObject({ status: 'authenticated', user: { id: 'bob' } });
    server.clear();
    await browser.until(first.get());
    expect(server.seen.map(tokenOf)).toEqual(['bob-1']);
  },
);

describe('a storage that fails later on', () => {
  const setup = async (fails: string) => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    const storage = fragile();
    const made = setupTabs({}, { storage });
    const first = made.open();
    first.mount();
    await made.browser.pass(10);
    await first.login('ada');
    await made.browser.pass(200);
    // A page that has found the tokens, and has not written any.
    const second = made.open();
    second.mount();
    await made.browser.pass(10);
    if (fails === 'corrupt') storage.text = '{"cred';
    else storage.fails = fails;
    return { ...made, storage, first, second };
  };
  afterEach(() => void vi.restoreAllMocks());

  test.each(['get', 'set', 'get set'])(
    '(%s): a session that has found its tokens in it goes on in memory at a refresh',
    async fails => {
      const { browser, expire, second, first } = await setup(fails);
      first.dispose();
      expire();
      const requests = outcomes(second.burst(3));
      await browser.pass(500);
      expect((await requests).resolved).toBe(3);
      expire();
      const more = outcomes(second.burst(3));
      await browser.pass(500);
      expect((await more).resolved).toBe(3);
      expect(second.seen).toEqual(['restoring nobody', 'authenticated ada']);
      expect(console.warn).toHaveBeenCalledTimes(1);
    },
  );

  test('(set): a refresh that cannot be stored signs the other tab out: its refresh token was used', async () => {
    const { browser, expire, first, second } = await setup('set');
    expire();
    await browser.until(first.get());
    await browser.pass(500);
    expect(first.now().status).toBe('authenticated');
    expect(second.now()).toMatchObject({ status: 'anonymous', reason: 'elsewhere', user: undefined });
  });

  // A storage that failed is given up, and the text of another program is a removal: the other tabs end, or go on in
  // memory, each for itself. See docs/limits.md.
  test('the text of another program signs out, and is replaced by the next login', async () => {
    const { browser, second, storage } = await setup('corrupt');
    await browser.until(second.refresh()).catch(() => {});
    expect(second.now()).toMatchObject({ status: 'anonymous', reason: 'elsewhere' });
    await browser.until(second.login('bob'));
    expect(JSON.parse(storage.text!)).toMatchObject({ subject: 'bob' });
  });
});

describe.each([80, 300])(
  'a browser whose tabs hear of a sign-in %i ms before their storage has it, as WebKit',
  lagMs => {
    async function openTwo() {
      const { browser, open } = setupTabs({ lagMs });
      const [first, second] = [open(), open()];
      first.mount();
      second.mount();
      await browser.pass(100);
      return { browser, first, second };
    }

    test('follow it', async () => {
      const { browser, first, second } = await openTwo();
      await first.login('ada');
      await browser.pass(1_000);
      expect(second.seen).toEqual(['restoring nobody', 'anonymous nobody', 'authenticated ada']);
      await first.login('bob');
      await browser.pass(1_000);
      expect(second.now().user).toEqual(userOf('bob'));
      expect(browser.clock.pending).toBe(0);
    });

    test('follow it after a check that was under way', async () => {
      const setup = setupTabs({ lagMs });
      const first = setup.open();
      first.mount();
      await setup.browser.pass(100);
      const login = first.login('ada');
      const second = setup.open();
      second.mount();
      await login;
      await setup.browser.pass(1_000);
      expect(second.now().user).toEqual(userOf('ada'));
    });

    test('do not stay with one that has ended by then', async () => {
      const { browser, first, second } = await openTwo();
      await first.login('ada');
      await browser.pass(70);
      await first.logout();
      await browser.pass(2_000);
      expect(second.now().status).toBe('anonymous');
      expect(browser.clock.pending).toBe(0);
    });
  },
);
