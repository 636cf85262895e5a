// What callers of a session get, counted at the server: what the second edition of the core got wrong.
import { describe, expect, test, vi } from 'vitest';
import { RefreshUnavailableError, RestEndpoint, SessionExpiredError } from '../../src/entries/core.js';
import { UntrustedOriginError } from '../../src/errors.js';
import type { RefreshArgument } from '../../src/mechanisms/tokenResponse.js';
import { sessionCore } from '../../src/endpoints/sessionCore.js';
import { json, never } from './support/answers.js';
import { API } from './support/article.js';
import { settle } from './support/manualClock.js';
import { tokenOf } from './support/article.js';
import { deferred, errorOf, isPending, outcomes } from './support/promises.js';
import { setupTokenSession } from './support/setupTokenSession.js';

const ada = { name: 'ada' };
const url = `${API}/me`;
const trusted = { trustedOrigins: [API] };

describe('scenario 47: the session inside its own callbacks', () => {
  test('session.fetch before the first await of refresh is the refresh’s own, and the new tokens count', async () => {
    const app = setupTokenSession({
      ...trusted,
      refresh: async () => {
        await app.session.fetch(url);
        return app.issue('ada');
      },
    });
    app.server.routes['/me'] = () => json({ id: 'ada' });
    await app.session.login(ada);
    app.expire();
    expect((await outcomes(app.burst(3))).resolved).toBe(3);
    expect(app.server.count('/me')).toBe(1);
    expect(app.status()).toBe('authenticated');
  });

  test('an endpoint without a session carries the token of the logout that calls it, to trusted origins only', async () => {
    const end = (urlPrefix: string) => new RestEndpoint({ urlPrefix, path: '/end', method: 'POST', body: undefined });
    let logout = end(API);
    const app = setupTokenSession({ ...trusted, logout: () => logout() });
    const tokens: (string | null)[] = [];
    app.server.routes['/end'] = request => {
      tokens.push(request.headers.get('Access-Token'));
      return json(null);
    };
    await app.session.login(ada);
    const token = sessionCore(app.session).getCredential() as { accessToken: string };
    await app.session.logout();
    expect(tokens).toEqual([token.accessToken]);
    await app.session.login(ada);
    logout = end('https://elsewhere.example');
    expect(await errorOf(app.session.logout())).toBeInstanceOf(UntrustedOriginError);
    expect(tokens).toHaveLength(1);
  });

  test.each<[string, (app: ReturnType<typeof setupTokenSession>) => Promise<unknown>]>([
    ['session.fetch', app => app.session.fetch(url)],
    ['session.refresh', app => app.session.refresh()],
    ['session.getToken', app => app.session.getToken()],
  ])('%s after an await of refresh settles within the timeout, and nobody is signed out', async (_name, call) => {
    const app = setupTokenSession({
      ...trusted,
      refresh: async () => {
        await Promise.resolve();
        await call(app);
        return app.issue('ada');
      },
    });
    await app.session.login(ada);
    app.expire();
    const all = outcomes(app.burst(3));
    await settle();
    await app.clock.advance(10_000);
    expect((await all).reasons.every(reason => reason instanceof RefreshUnavailableError)).toBe(true);
    expect(app.status()).toBe('authenticated');
    expect(app.session.getSnapshot().user).toMatchObject({ id: 'ada' });
  });
});

describe('scenario 48: another organization of the same user', () => {
  const jwt = (claims: object) => `x.${btoa(JSON.stringify(claims)).replaceAll('=', '')}.x`;

  test('is another identity: a new store, no password, and nothing of before is sent', async () => {
    const tokens = (org_id: string, n: number) => ({
      accessToken: jwt({ sub: 'ada', org_id, n }),
      refreshToken: `r${n}`,
    });
    const app = setupTokenSession(
      { refresh: async () => tokens('globex', 2) },
      { 'POST /login': () => json(tokens('acme', 1)) },
    );
    const held = deferred();
    app.server.routes['*'] = seen =>
      tokenOf(seen) === tokens('acme', 1).accessToken ? json({}, 401) : json({ id: '1', title: 'x' });
    app.server.routes['PATCH /article/1'] = () => held.promise.then(() => json({}, 401));
    await app.session.login(ada);
    const before = app.session.getSnapshot();
    const edit = errorOf(app.ArticleResource.partialUpdate({ id: '1' }, { title: 'Acme' }));
    await settle();
    held.resolve();
    expect((await edit).name).toBe('AbortError');
    expect(app.session.getSnapshot()).toMatchObject({ status: 'authenticated', epoch: before.epoch + 1 });
    expect(app.server.count('/article/1')).toBe(1);
    await app.ArticleResource.get({ id: '1' });
    expect(app.server.count('/login')).toBe(1);
  });
});

describe('scenario 49: a fresh credential that one machine does not know yet', () => {
  test('the user stays signed in, with one extra try', async () => {
    let refused = 2;
    const app = setupTokenSession({}, { '*': () => (refused-- > 0 ? json({}, 401) : json({ id: '1', title: 'x' })) });
    await app.session.login(ada);
    const read = app.ArticleResource.get({ id: '1' });
    await settle();
    await app.clock.advance(1_000);
    await expect(read).resolves.toMatchObject({ id: '1' });
    expect([app.server.count('/article'), app.server.count('/refresh'), app.status()]).toEqual([3, 1, 'authenticated']);
  });

  test('200 requests that stay refused: one late try for all, one refresh, one end', async () => {
    const app = setupTokenSession({}, { '*': () => json({}, 401) });
    await app.session.login(ada);
    const all = outcomes(app.burst(200));
    await settle();
    await settle();
    await app.clock.advance(1_000);
    const { reasons } = await all;
    expect([app.server.count('/article'), app.server.count('/refresh')]).toEqual([401, 1]);
    expect(new Set(reasons).size).toBe(1);
    expect(app.session.getSnapshot()).toMatchObject({ status: 'anonymous', reason: 'expired' });
  });
});

describe('scenario 55: the end is one thing', () => {
  test.each([1, 5, 20, 200])(
    '%i calls that are refused at the end get one SessionExpiredError with its response',
    async count => {
      const app = setupTokenSession(trusted, { 'POST /refresh': () => json({}, 401) });
      await app.session.login(ada);
      app.expire();
      const calls = Array.from({ length: count }, (_, id) =>
        id % 2 ? app.session.fetch(`${API}/${id}`) : app.ArticleResource.get({ id: String(id) }),
      );
      const { reasons, resolved } = await outcomes(calls);
      expect(resolved).toBe(0);
      expect(new Set(reasons).size).toBe(1);
      expect(reasons[0]).toBeInstanceOf(SessionExpiredError);
      expect((reasons[0] as { response?: Response }).response?.status).toBe(401);
    },
  );
});

describe('scenario 44: a writer that gets no answer', () => {
  test('a refresh has a limit: then the next call may try again', async () => {
    const signals: AbortSignal[] = [];
    const app = setupTokenSession({
      refresh: ({ signal }: RefreshArgument) => {
        signals.push(signal);
        return signals.length === 1 ? new Promise<never>(() => {}) : Promise.resolve(app.issue('ada') as never);
      },
    });
    await app.session.login(ada);
    app.expire();
    const first = outcomes(app.burst(5));
    await settle();
    await app.clock.advance(10_000);
    expect((await first).reasons.every(reason => reason instanceof RefreshUnavailableError)).toBe(true);
    await app.clock.advance(20_000);
    expect(signals[0]!.aborted).toBe(true);
    expect((await outcomes(app.burst(5))).resolved).toBe(5);
    expect([signals.length, app.status()]).toEqual([2, 'authenticated']);
  });

  test('a login whose request is never answered ends after its limit, and the next one works', async () => {
    const app = setupTokenSession({}, { 'POST /login': never });
    const login = errorOf(app.session.login(ada));
    await settle();
    await app.clock.advance(29_999);
    expect(await isPending(login)).toBe(true);
    await app.clock.advance(1);
    expect((await login).name).toBe('TimeoutError');
    app.server.routes['POST /login'] = app.refreshRoute;
    await app.session.login(ada);
    expect(app.status()).toBe('authenticated');
  });
});

describe('scenario 57: a gateway refuses without CORS headers', () => {
  test('one refresh, then the answers', async () => {
    vi.stubGlobal('location', { href: 'https://page.test/', origin: 'https://page.test' });
    const app = setupTokenSession({ parseTokens: ({ accessToken, refreshToken }) => ({ accessToken, refreshToken }) });
    const seen: (string | null)[] = [];
    app.server.routes['*'] = request => {
      seen.push(tokenOf(request));
      return seen.at(-1) === 'ada-1' ? Response.error() : json({ id: '1', title: 'x' });
    };
    await app.session.login(ada);
    expect((await outcomes(app.burst(3))).resolved).toBe(3);
    expect(app.server.count('/refresh')).toBe(1);
    vi.unstubAllGlobals();
  });
});

describe('scenario 58: a server that refuses an expired token with 403', () => {
  const options = {
    ...trusted,
    isRefused: async (response: Response) =>
      response.status === 403 && ((await response.json()) as { code: string }).code === 'token_expired',
  };
  const answering = (code: string) => {
    const app = setupTokenSession(options);
    app.server.routes['/me'] = seen => (tokenOf(seen) === 'ada-1' ? json({ code }, 403) : json({ of: tokenOf(seen) }));
    return app;
  };

  test('`isRefused`: one refresh for all, and the answers', async () => {
    const app = answering('token_expired');
    await app.session.login(ada);
    const responses = await Promise.all([1, 2, 3].map(() => app.session.fetch(url)));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(app.server.count('/refresh')).toBe(1);
  });

  test('another 403 is the caller’s, whose body can be read', async () => {
    const app = answering('not_yours');
    await app.session.login(ada);
    const response = await app.session.fetch(url);
    expect([response.status, await response.json()]).toEqual([403, { code: 'not_yours' }]);
    expect(app.server.count('/refresh')).toBe(0);
    expect(app.status()).toBe('authenticated');
  });
});

describe('scenario 58: a server that sends the next token with an answer', () => {
  const options = {
    ...trusted,
    readToken: (response: Response) => response.headers.get('X-Next-Token'),
  };
  const jwt = (claims: object) => `x.${btoa(JSON.stringify(claims)).replaceAll('=', '')}.x`;
  const next = (token: string) => Response.json({ id: '1', title: 'x' }, { headers: { 'X-Next-Token': token } });

  async function signedIn(more: object = {}) {
    const app = setupTokenSession({ ...options, ...more });
    await app.session.login(ada);
    const tokens = () => app.server.to('/article').map(tokenOf);
    return { ...app, tokens, get: () => app.ArticleResource.get({ id: '1' }) };
  }

  test('`readToken`: the next request carries it, and nothing is refreshed or rendered again', async () => {
    const { server, session, tokens, get } = await signedIn();
    const before = session.getSnapshot();
    let count = 1;
    server.routes['*'] = () => next(`ada-${++count}`);
    await get();
    await settle();
    await session.fetch(`${API}/article/2`);
    await settle();
    await get();
    expect([tokens(), server.count('/refresh')]).toEqual([['ada-1', 'ada-2', 'ada-3'], 0]);
    expect(session.getSnapshot()).toBe(before);
    await settle();
    await session.logout();
    expect(server.to('/logout').map(tokenOf)).toEqual(['ada-4']);
  });

  test('of twenty answers at once the first counts, and an answer to an older token says nothing', async () => {
    const { server, tokens, get, burst } = await signedIn();
    let count = 1;
    const late = deferred();
    server.routes['GET /article/1'] = () => late.promise.then(() => next('late'));
    server.routes['*'] = () => next(`ada-${++count}`);
    const slow = get();
    await Promise.all(
      burst(20)
        .filter((_, id) => id !== 1)
        .map(async one => one.catch(() => {})),
    );
    await settle();
    late.resolve();
    await slow;
    await settle();
    server.clear();
    await get();
    expect(tokens()).toEqual(['ada-2']);
  });

  test('during a refresh the token of the refresh counts', async () => {
    const { server, tokens, get, session } = await signedIn();
    const [read, refreshed] = [deferred(), deferred()];
    const refresh = server.routes['POST /refresh']!;
    server.routes['POST /refresh'] = seen => refreshed.promise.then(() => refresh(seen));
    server.routes['*'] = () => read.promise.then(() => next('of-the-answer'));
    const reading = get();
    await settle();
    const refreshing = session.refresh();
    await settle();
    read.resolve();
    await reading;
    await settle();
    refreshed.resolve();
    await refreshing;
    await settle();
    server.clear();
    await get();
    expect(tokens()).toEqual(['ada-2']);
  });

  test.each([
    ['another user', { sub: 'grace' }],
    ['another organization of the user', { sub: 'ada', org: 'globex' }],
  ])('a token of %s is not taken over', async (_name, claims) => {
    const own = jwt({ sub: 'ada', org: 'acme' });
    const { server, session, tokens, get, status } = await signedIn({ login: async () => ({ accessToken: own }) });
    server.routes['*'] = () => next(jwt(claims));
    await get();
    await settle();
    await get();
    expect([tokens(), status()]).toEqual([[own, own], 'authenticated']);
    expect(session.getSnapshot().epoch).toBe(1);
  });

  test('an answer to the user before is not taken over', async () => {
    const { server, session, tokens, get } = await signedIn();
    const held = deferred();
    server.routes['*'] = () => held.promise.then(() => next('adas-next'));
    const read = errorOf(get());
    await settle();
    await session.login({ name: 'grace' });
    held.resolve();
    expect((await read).name).toBe('AbortError');
    await settle();
    server.clear();
    await get();
    expect(tokens()).toEqual(['grace-1']);
  });
});
