import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { tokenAuthHandlers, type MockTokenServer, type TokenAuthOptions } from '../../src/testing/index.js';
import { people } from './people.js';
import { send } from './send.js';

const url = 'https://api.example.com';
const msw = setupServer();
let server: MockTokenServer;

beforeAll(() => msw.listen({ onUnhandledRequest: 'error' }));
beforeEach(() => start());
afterEach(() => {
  server.reset();
  msw.resetHandlers();
  vi.useRealTimers();
});
afterAll(() => msw.close());

function start(options: Partial<TokenAuthOptions> = {}) {
  server = tokenAuthHandlers({ url, people, ...options });
  msw.use(
    ...server.handlers,
    http.get(`${url}/data`, ({ request }) => server.authorize(request) ?? HttpResponse.json({})),
  );
}
const login = (username = 'ada', password = 'lovelace') =>
  send('POST', `${url}/login`, { body: { username, password } });
const refresh = (refreshToken: unknown) => send('POST', `${url}/refresh`, { body: { refreshToken } });
const data = async (token: string, header = 'Access-Token') =>
  (await send('GET', `${url}/data`, { headers: { [header]: token } })).status;
const until = (condition: () => boolean) => vi.waitFor(() => expect(condition()).toBe(true));

describe('login', () => {
  test('gives readable tokens with running numbers for each person', async () => {
    expect(await login()).toMatchObject({
      status: 200,
      body: { accessToken: 'ada-1', refreshToken: 'ada-refresh-1', user: { id: 'ada', name: 'Ada Lovelace' } },
    });
    expect((await login()).body.accessToken).toBe('ada-2');
    expect((await login('grace', 'hopper')).body.accessToken).toBe('grace-1');
    expect(server.counts.logins).toBe(3);
  });

  test('names the role of the user, where there is one, and never the password', async () => {
    const { user } = server.signIn('grace');
    expect(user).toEqual({ id: 'grace', name: 'Grace Hopper', role: 'editor' });
    expect(server.signIn('ada').user).toEqual({ id: 'ada', name: 'Ada Lovelace' });
  });

  test('refuses a wrong name or password alike', async () => {
    const wrongPassword = await login('ada', 'x');
    expect(wrongPassword).toMatchObject({ status: 401, body: { message: 'Wrong name or password.' } });
    expect((await login('nobody', 'x')).body).toEqual(wrongPassword.body);
    expect(server.counts.logins).toBe(0);
  });

  test('names the missing fields, and refuses what is no JSON object', async () => {
    expect(await send('POST', `${url}/login`, { body: { username: '' } })).toMatchObject({
      status: 422,
      body: { errors: { username: ['This field is required.'], password: ['This field is required.'] } },
    });
    for (const body of ['not json', '[]', 'null']) {
      expect((await send('POST', `${url}/login`, { body })).status).toBe(400);
    }
  });
});

describe('access tokens', () => {
  test('are checked: none, unknown, a refresh token, with a scheme, and the right one', async () => {
    server.signIn('ada');
    expect((await send('GET', `${url}/data`)).status).toBe(401);
    for (const token of ['ada-2', 'ada-refresh-1', 'Bearer ada-1', 'undefined']) expect(await data(token)).toBe(401);
    expect(server.counts.unauthorized).toBe(5);
    expect(await data('ada-1')).toBe(200);
    expect(server.counts.unauthorized).toBe(5);
  });

  test('need their scheme and their header where the server has one', async () => {
    start({ header: 'Authorization' });
    server.signIn('ada');
    expect(await data('Bearer ada-1', 'Authorization')).toBe(200);
    expect(await data('bearer ada-1', 'Authorization')).toBe(200);
    for (const value of ['ada-1', 'Basic ada-1', 'Bearer', 'Bearer ada-1 x']) {
      expect(await data(value, 'Authorization')).toBe(401);
    }
    expect(await data('Bearer ada-1')).toBe(401);
  });

  test('need the scheme Bearer in the header Authorization, as a session sends it, unless the server has another one', async () => {
    start({ header: 'authorization' });
    server.signIn('ada');
    expect(await data('Bearer ada-1', 'Authorization')).toBe(200);
    expect(await data('ada-1', 'Authorization')).toBe(401);
    start({ header: 'Authorization:' });
    server.signIn('ada');
    expect(await data('ada-1', 'Authorization')).toBe(200);
    expect(await data('Bearer ada-1', 'Authorization')).toBe(401);
  });

  test('tell the person, and count nothing by it', () => {
    const { accessToken } = server.signIn('grace');
    const request = new Request(url, { headers: { 'Access-Token': accessToken } });
    expect(server.personOf(request)?.role).toBe('editor');
    expect(server.personOf({ request })?.id).toBe('grace');
    expect(server.personOf(new Request(url))).toBeUndefined();
    expect(server.counts).toEqual({ logins: 0, refreshes: 0, refusedRefreshes: 0, logouts: 0, unauthorized: 0 });
  });

  test('expire by the clock, and the answer says when', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    start({ expiresIn: 60 });
    expect((await login()).body.expiresIn).toBe(60);
    vi.advanceTimersByTime(59_999);
    expect(await data('ada-1')).toBe(200);
    vi.advanceTimersByTime(1);
    expect(await data('ada-1')).toBe(401);
  });

  test('can be JWTs with sub, exp and jti', async () => {
    start({ jwt: true, expiresIn: 60 });
    const { accessToken } = server.signIn('grace');
    expect(accessToken).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
    const claims = JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString());
    expect(claims).toMatchObject({ sub: 'grace', name: 'Grace Hopper', jti: 'grace-1' });
    expect(claims.exp - claims.iat).toBe(60);
    expect(await data(accessToken)).toBe(200);
  });
});

describe('refresh', () => {
  test('gives a new pair, and only the newest access token is good', async () => {
    server.signIn('ada');
    expect(await refresh('ada-refresh-1')).toMatchObject({
      status: 200,
      body: { accessToken: 'ada-2', refreshToken: 'ada-refresh-2' },
    });
    expect(await data('ada-1')).toBe(401);
    expect(await data('ada-2')).toBe(200);
    expect(server.counts).toMatchObject({ refreshes: 1, refusedRefreshes: 0 });
  });

  test('a second use of a refresh token ends the whole family, and no other login', async () => {
    server.signIn('ada');
    const other = server.signIn('ada');
    const second = (await refresh('ada-refresh-1')).body;
    expect((await refresh('ada-refresh-1')).status).toBe(401);
    expect(await data(second.accessToken)).toBe(401);
    expect((await refresh(second.refreshToken)).status).toBe(401);
    expect(await data(other.accessToken)).toBe(200);
    expect(server.counts).toMatchObject({ refreshes: 1, refusedRefreshes: 2 });
  });

  test('may allow many uses', async () => {
    start({ oneUseRefresh: false });
    server.signIn('ada');
    expect((await refresh('ada-refresh-1')).body.refreshToken).toBe('ada-refresh-1');
    expect((await refresh('ada-refresh-1')).body.accessToken).toBe('ada-3');
  });

  test('refuses unknown tokens with 401 and none with 400', async () => {
    expect((await refresh('ada-refresh-1')).status).toBe(401);
    expect((await refresh(undefined)).status).toBe(400);
    expect((await send('POST', `${url}/refresh`, { body: 'null' })).status).toBe(400);
  });
});

describe('logout', () => {
  test('needs a credential or a refresh token, and ends the login', async () => {
    expect((await send('POST', `${url}/logout`)).status).toBe(401);
    const first = server.signIn('ada');
    expect((await send('POST', `${url}/logout`, { headers: { 'Access-Token': first.accessToken } })).status).toBe(204);
    expect(await data(first.accessToken)).toBe(401);
    expect((await refresh(first.refreshToken)).status).toBe(401);
    const second = server.signIn('ada');
    server.expire();
    const logout = () => send('POST', `${url}/logout`, { body: { refreshToken: second.refreshToken } });
    expect((await logout()).status).toBe(204);
    expect((await logout()).status).toBe(401);
    expect(server.counts.logouts).toBe(2);
  });
});

describe('controls', () => {
  test('expire leaves refreshes working', async () => {
    const { accessToken, refreshToken } = server.signIn('ada');
    server.expire();
    expect(await data(accessToken)).toBe(401);
    expect((await refresh(refreshToken)).status).toBe(200);
  });

  test('revoke ends one person and no other', async () => {
    const ada = server.signIn('ada');
    const grace = server.signIn('grace');
    server.revoke('ada');
    expect(await data(ada.accessToken)).toBe(401);
    expect((await refresh(ada.refreshToken)).status).toBe(401);
    expect(await data(grace.accessToken)).toBe(200);
  });

  test('refuseEverything refuses resources while refreshes succeed', async () => {
    const { accessToken, refreshToken } = server.signIn('ada');
    server.refuseEverything();
    expect(await data(accessToken)).toBe(401);
    const next = await refresh(refreshToken);
    expect(next.status).toBe(200);
    expect(await data(next.body.accessToken)).toBe(401);
    server.refuseEverything(false);
    expect(await data(next.body.accessToken)).toBe(200);
  });

  test('unavailable fails refreshes without spending the token', async () => {
    const { refreshToken } = server.signIn('ada');
    server.unavailable();
    expect((await refresh(refreshToken)).status).toBe(503);
    server.unavailable(502);
    expect((await refresh(refreshToken)).status).toBe(502);
    server.unavailable('network');
    await expect(refresh(refreshToken)).rejects.toThrow();
    server.unavailable(false);
    expect((await refresh(refreshToken)).status).toBe(200);
  });

  test('holdRefresh checks on arrival and answers when released', async () => {
    const { accessToken, refreshToken } = server.signIn('ada');
    const release = server.holdRefresh();
    const answer = refresh(refreshToken);
    await until(() => server.held === 1);
    expect(server.counts.refreshes).toBe(1);
    expect(await data(accessToken)).toBe(401);
    release();
    expect((await answer).body.accessToken).toBe('ada-2');
    expect(server.held).toBe(0);
    expect((await refresh('ada-refresh-2')).status).toBe(200);
  });

  test('a held answer can be lost after the token was spent', async () => {
    const { refreshToken } = server.signIn('ada');
    const release = server.holdRefresh();
    const answer = refresh(refreshToken);
    await until(() => server.held === 1);
    release('lost');
    await expect(answer).rejects.toThrow();
    expect((await refresh(refreshToken)).status).toBe(401);
  });

  test('delay delays', async () => {
    start({ delay: 30 });
    const before = performance.now();
    await login();
    expect(performance.now() - before).toBeGreaterThanOrEqual(28);
  });

  test('reset goes back to the beginning', async () => {
    const { accessToken, refreshToken } = server.signIn('ada');
    server.unavailable();
    server.refuseEverything();
    await data(accessToken);
    server.reset();
    expect(await data(accessToken)).toBe(401);
    expect((await refresh(refreshToken)).status).toBe(401);
    expect(server.signIn('ada').accessToken).toBe('ada-1');
    expect(await data('ada-1')).toBe(200);
    expect(server.counts).toMatchObject({ unauthorized: 1, refusedRefreshes: 1 });
  });
});
