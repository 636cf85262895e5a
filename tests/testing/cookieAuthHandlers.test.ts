import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { cookieAuthHandlers, type CookieAuthOptions, type MockCookieServer } from '../../src/testing/index.js';
import { people } from './people.js';
import { send } from './send.js';

const url = 'https://app.example.com';
const msw = setupServer();
let server: MockCookieServer;

beforeAll(() => msw.listen({ onUnhandledRequest: 'error' }));
beforeEach(() => start());
afterEach(() => {
  server.reset();
  msw.resetHandlers();
  vi.unstubAllGlobals();
});
afterAll(() => msw.close());

function start(options: Partial<CookieAuthOptions> = {}) {
  server = cookieAuthHandlers({ url, people, ...options });
  msw.use(
    ...server.handlers,
    http.all(`${url}/data`, arrived => server.authorize(arrived) ?? HttpResponse.json({})),
  );
}
type Cookies = Record<string, string>;
const cookieHeader = (cookies: Cookies) =>
  Object.entries(cookies)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ');
const call = (method: string, path: string, cookies: Cookies = {}, headers: Cookies = {}, body?: unknown) =>
  send(method, `${url}${path}`, { headers: { ...headers, Cookie: cookieHeader(cookies) }, body });
const credentials = { username: 'ada', password: 'lovelace' };

test('a login sets the session cookie, whoami reads it, a logout expires it', async () => {
  expect((await call('GET', '/whoami')).status).toBe(401);
  const login = await call('POST', '/login', {}, {}, credentials);
  expect(login).toMatchObject({ status: 200, body: { id: 'ada', name: 'Ada Lovelace' } });
  expect(login.headers.getSetCookie()).toEqual(['session=ada-1; Path=/; SameSite=Lax']);
  const cookies = { session: 'ada-1' };
  expect(await call('GET', '/whoami', cookies)).toMatchObject({
    status: 200,
    body: { id: 'ada', name: 'Ada Lovelace' },
  });
  const logout = await call('POST', '/logout', cookies);
  expect(logout.status).toBe(204);
  expect(logout.headers.getSetCookie()).toEqual(['session=; Path=/; Max-Age=0']);
  expect((await call('GET', '/whoami', cookies)).status).toBe(401);
  expect((await call('POST', '/logout', cookies)).status).toBe(401);
  expect(server.counts).toEqual({ logins: 1, logouts: 1, unauthorized: 3, refusedCsrf: 0, csrfTokens: 0 });
});

test('msw keeps no copy of the cookies in a jar of its own', async () => {
  await call('POST', '/login', {}, {}, credentials);
  expect((await call('GET', '/whoami')).status).toBe(401);
});

test('a login is refused like everywhere: 401, 422, 400', async () => {
  expect((await call('POST', '/login', {}, {}, { ...credentials, password: 'x' })).status).toBe(401);
  expect((await call('POST', '/login', {}, {}, {})).status).toBe(422);
  expect((await call('POST', '/login', {}, {}, 'x')).status).toBe(400);
  expect(server.counts.logins).toBe(0);
});

test('a login over an old session ends the old one', async () => {
  const old = server.signIn('grace');
  await call('POST', '/login', old, {}, credentials);
  expect((await call('GET', '/whoami', old)).status).toBe(401);
});

test('whoami names the role of the user, where there is one, and never the password', async () => {
  const whoami = (user: string) => call('GET', '/whoami', server.signIn(user)).then(({ body }) => body as unknown);
  expect(await whoami('grace')).toEqual({ id: 'grace', name: 'Grace Hopper', role: 'editor' });
  expect(await whoami('ada')).toEqual({ id: 'ada', name: 'Ada Lovelace' });
});

test('expire forgets all sessions', async () => {
  const cookies = server.signIn('ada');
  expect((await call('GET', '/data', cookies)).status).toBe(200);
  server.expire();
  expect((await call('GET', '/data', cookies)).status).toBe(401);
});

test('the credentials mode decides whether cookies count', () => {
  const cookies = server.signIn('ada');
  const person = (target: string, mode: RequestCredentials) =>
    server.personOf({ request: new Request(target, { credentials: mode }), cookies })?.id;
  vi.stubGlobal('location', { origin: url, href: `${url}/` });
  expect(person(`${url}/data`, 'omit')).toBeUndefined();
  expect(person(`${url}/data`, 'same-origin')).toBe('ada');
  expect(person(`${url}/data`, 'include')).toBe('ada');
  expect(person('https://api.example.com/data', 'omit')).toBeUndefined();
  expect(person('https://api.example.com/data', 'same-origin')).toBeUndefined();
  expect(person('https://api.example.com/data', 'include')).toBe('ada');
});

test('unsafe methods need the CSRF header, safe ones do not', async () => {
  start({ csrf: {} });
  const cookies = server.signIn('ada');
  expect(cookies).toEqual({ session: 'ada-1', csrftoken: 'csrf-1' });
  const right = { 'X-CSRFToken': 'csrf-1' };
  for (const method of ['GET', 'HEAD', 'OPTIONS']) expect((await call(method, '/data', cookies)).status).toBe(200);
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
    expect(await call(method, '/data', cookies)).toMatchObject({
      status: 403,
      body: { detail: 'CSRF Failed: CSRF token missing or incorrect.' },
    });
    expect((await call(method, '/data', cookies, right)).status).toBe(200);
  }
  expect((await call('POST', '/data', cookies, { 'X-CSRFToken': 'csrf-2' })).status).toBe(403);
  expect((await call('POST', '/data', cookies, { 'X-CSRFToken': '' })).status).toBe(403);
  expect((await call('POST', '/data', { session: 'ada-1' }, right)).status).toBe(403);
  expect((await call('POST', '/data', { ...cookies, csrftoken: 'made-up' }, { 'X-CSRFToken': 'made-up' })).status).toBe(
    403,
  );
  expect((await call('POST', '/data', { csrftoken: 'csrf-1' }, right)).status).toBe(401);
  expect((await call('POST', '/logout', cookies)).status).toBe(403);
  expect(server.counts.refusedCsrf).toBe(9);
});

test('a login needs the CSRF header too, and makes a new token', async () => {
  start({ csrf: { cookie: 'XSRF-TOKEN', header: 'X-XSRF-TOKEN' } });
  expect((await call('POST', '/login', {}, {}, credentials)).status).toBe(403);
  const csrf = await call('GET', '/csrf');
  expect(csrf.headers.getSetCookie()).toEqual(['XSRF-TOKEN=csrf-1; Path=/; SameSite=Lax']);
  const login = await call('POST', '/login', { 'XSRF-TOKEN': 'csrf-1' }, { 'X-XSRF-TOKEN': 'csrf-1' }, credentials);
  expect(login.headers.getSetCookie()).toEqual([
    'session=ada-1; Path=/; SameSite=Lax',
    'XSRF-TOKEN=csrf-2; Path=/; SameSite=Lax',
  ]);
  expect(server.cookieNames).toEqual(['session', 'XSRF-TOKEN']);
});

test('paths may be exempt from CSRF', async () => {
  start({ csrf: { exempt: ['/login'] } });
  expect((await call('POST', '/login', {}, {}, credentials)).status).toBe(200);
});

test('a CSRF token expires until it is fetched again, a session does not', async () => {
  start({ csrf: {} });
  const cookies = server.signIn('ada');
  const post = (token: string) => call('POST', '/data', { ...cookies, csrftoken: token }, { 'X-CSRFToken': token });
  server.expireCsrf();
  expect((await post('csrf-1')).status).toBe(403);
  expect((await call('GET', '/csrf', cookies)).headers.getSetCookie()[0]).toMatch(/^csrftoken=csrf-2;/);
  expect((await post('csrf-2')).status).toBe(200);
  server.rotateCsrf();
  expect((await post('csrf-2')).status).toBe(403);
  expect((await post('csrf-3')).status).toBe(200);
});

test('without `rotateOnLogin` the CSRF token stays at a login and a logout', async () => {
  start({ csrf: { rotateOnLogin: false } });
  expect(server.signIn('grace')).toEqual({ session: 'grace-1', csrftoken: 'csrf-1' });
  const csrf = { 'X-CSRFToken': 'csrf-1' };
  const login = await call('POST', '/login', { csrftoken: 'csrf-1' }, csrf, credentials);
  expect(login.headers.getSetCookie()).toEqual(['session=ada-1; Path=/; SameSite=Lax']);
  const cookies = { session: 'ada-1', csrftoken: 'csrf-1' };
  expect((await call('POST', '/data', cookies, csrf)).status).toBe(200);
  const logout = await call('POST', '/logout', cookies, csrf);
  expect(logout.headers.getSetCookie()).toEqual(['session=; Path=/; Max-Age=0']);
  expect(server.signIn('ada')).toEqual({ session: 'ada-2' });
});

test('a CSRF token with characters that no cookie can have is percent-encoded', async () => {
  start({ csrf: {} });
  const session = server.signIn('ada');
  server.expireCsrf('a;"é"');
  const [line] = (await call('GET', '/csrf')).headers.getSetCookie();
  expect(line).toBe('csrftoken=a%3B%22%C3%A9%22; Path=/; SameSite=Lax');
  const cookies = { ...session, csrftoken: 'a%3B%22%C3%A9%22' };
  expect((await call('POST', '/data', cookies, { 'X-CSRFToken': 'a;"é"' })).status).toBe(200);
  server.rotateCsrf('b');
  expect((await call('POST', '/data', { ...session, csrftoken: 'b' }, { 'X-CSRFToken': 'b' })).status).toBe(200);
});

test('unavailable fails whoami and csrf', async () => {
  server.unavailable();
  expect((await call('GET', '/whoami')).status).toBe(503);
  expect((await call('GET', '/csrf')).status).toBe(503);
  server.unavailable('network');
  await expect(call('GET', '/whoami')).rejects.toThrow();
  server.unavailable(false);
  expect((await call('GET', '/whoami')).status).toBe(401);
});

test('holds answers, checked on arrival, with their cookies', async () => {
  const cookies = server.signIn('ada');
  const release = server.hold();
  const answer = call('GET', '/whoami', cookies);
  await vi.waitFor(() => expect(server.held).toBe(1));
  server.expire();
  release();
  expect((await answer).status).toBe(200);
});

test('on a page the cookies are those of the document', async () => {
  const written: string[] = [];
  vi.stubGlobal('document', {
    get cookie() {
      return '';
    },
    set cookie(line: string) {
      written.push(line);
    },
  });
  start({ csrf: {} });
  server.signIn('ada');
  server.rotateCsrf();
  server.expireCsrf();
  server.reset();
  expect(written).toEqual([
    'session=ada-1; Path=/; SameSite=Lax',
    'csrftoken=csrf-1; Path=/; SameSite=Lax',
    'csrftoken=csrf-2; Path=/; SameSite=Lax',
    'session=; Path=/; Max-Age=0',
    'csrftoken=; Path=/; Max-Age=0',
  ]);
});

test('reset starts again at 1 and knows nobody', async () => {
  const cookies = server.signIn('ada');
  server.reset();
  expect((await call('GET', '/whoami', cookies)).status).toBe(401);
  expect(server.signIn('ada')).toEqual({ session: 'ada-1' });
  expect(server.counts.unauthorized).toBe(1);
});

test('an unknown person is a sentence', () => {
  expect(() => server.signIn('eve')).toThrow(
    'No mock person has the id "eve": add it to `people` of cookieAuthHandlers.',
  );
});
