import { expect, onTestFinished, test, vi } from 'vitest';
import {
  authEndpoint,
  createCookieSession,
  createSdkSession,
  createTokenSession,
  Entity,
  resource,
  RestEndpoint,
} from '../../src/index.js';
import { json, networkError } from '../session/support/answers.js';
import { hastyClock } from '../session/support/manualClock.js';
import { mockServer, type Route } from '../session/support/mockServer.js';
import { testMistakes } from './support/mistakes.js';
import { login } from './support/render.js';

const urlPrefix = 'https://api.example.com';
const page = () => new Response('<!doctype html>', { headers: { 'Content-Type': 'text/html' } });
const server = true;

class Article extends Entity {
  id = '';
}

const post = (path: string) => new RestEndpoint({ urlPrefix, path, method: 'POST', body: undefined });

/** A token session whose server answers the login so. */
function tokenSession(answer: unknown, options: object = {}) {
  return createTokenSession({ server, clock: hastyClock, login: async () => answer, ...options });
}

/** A session of an SDK whose token is this. */
function sdkSession(token: string | null, options: object = {}) {
  return createSdkSession({ server, getToken: async () => token, subject: () => 'ada', ...options });
}

/** A cookie session whose server has these routes. */
function cookieSession(routes: Record<string, Route>, options: object = {}) {
  mockServer({ 'POST /login': () => json({}), 'GET /whoami': () => json(null, 401), ...routes });
  return createCookieSession({
    server,
    clock: hastyClock,
    login: new RestEndpoint({ urlPrefix, path: '/login', method: 'POST', body: undefined }),
    whoami: new RestEndpoint({ urlPrefix, path: '/whoami' }),
    ...options,
  });
}

const articlesOf = (session: Parameters<typeof authEndpoint>[0]) =>
  resource({ urlPrefix, path: '/article/:id', schema: Article, Endpoint: authEndpoint(session) });

const jwt = (claims: object) => `h.${btoa(JSON.stringify(claims))}.s`;

// How a session is made.
testMistakes([
  {
    mistake: 'createTokenSession() without options',
    make: () => createTokenSession(undefined as never),
    where: 'thrown',
    says: "createTokenSession() needs a function `login`. Write it as createTokenSession({ login: new RestEndpoint({ path: '/login', method: 'POST' }) }).",
  },
  {
    mistake: 'createCookieSession() without whoami',
    make: () => createCookieSession({ login } as never),
    where: 'thrown',
    says: "createCookieSession() needs a function `whoami`. Write it as createCookieSession({ login: new RestEndpoint({ path: '/login', method: 'POST' }), whoami: new RestEndpoint({ path: '/whoami' }) }).",
  },
  {
    mistake: 'createSdkSession() with a token in place of a function',
    make: () => createSdkSession({ getToken: 'ada-1', subject: () => 'ada' } as never),
    where: 'thrown',
    says: 'createSdkSession() needs a function `getToken`. Write it as createSdkSession({ getToken: () => sdk.getToken(), subject: () => sdk.user?.id ?? null }).',
  },
  {
    mistake: 'an origin without a scheme',
    make: () => createTokenSession({ login, trustedOrigins: ['localhost:4000'] }),
    where: 'thrown',
    says: `trustedOrigins: "localhost:4000" is not an origin. Write it as 'https://api.example.com'.`,
  },
  {
    mistake: 'all origins',
    make: () => createTokenSession({ login, trustedOrigins: ['*'] }),
    where: 'thrown',
    says: `trustedOrigins: "*" is not an origin. Write it as 'https://api.example.com'.`,
  },
  {
    mistake: 'a session of a module that signs in on a server, or in a test without a window',
    make: () => createTokenSession({ login }).login(),
    where: 'thrown',
    says: 'This session was not made for a server: its sign-in would be shared by all visitors. Make one session per request, inside the request handler, with the option `server: true`. A unit test without a `window` needs `server: true` too.',
  },
  {
    mistake: 'an `initial` that does not name the user',
    make: () => createCookieSession({ server, login, whoami: login, initial: { name: 'Ada' } as never }),
    where: 'thrown',
    says: "`initial` does not name its user. Give it the result of whoami(): an object with `id`, `sub` or `subject`, or one that the session's `getSubject` option can read; null means signed out.",
  },
]);

// What the server answers to a login with a token.
testMistakes([
  {
    mistake: 'the token has another name',
    make: () => tokenSession({ token: 'ada-1', user: { id: 'ada' } }).login(),
    where: 'thrown',
    says: "The server answered an object with the keys `token`, `user`, where an object with the string `accessToken` (or `access_token`) was expected. If the token has another name, read it with the session's `parseTokens` option.",
  },
  {
    mistake: 'the server refuses a wrong password with 200',
    make: () => tokenSession({ success: false, message: 'Wrong password.' }).login(),
    where: 'thrown',
    says: "The server answered an object with the keys `success`, `message` with a success status, and no token. Let it refuse with 401; a login may also answer 400 or 422, and users then read its message. Or read the answer in your function: throw new Error() with the server's sentence in `login`, throw a SessionExpiredError in `refresh`, and return null in `restore`.",
  },
  {
    mistake: 'the same, with the sentence in `error`',
    make: () => tokenSession({ error: 'Wrong password.' }).login(),
    where: 'thrown',
    says: 'The server answered an object with the key `error` with a success status, and no token.',
  },
  {
    mistake: 'the token has another name, in an envelope that says that all is well',
    make: () => tokenSession({ success: true, error: null, token: 'ada-1' }).login(),
    where: 'thrown',
    says: "The server answered an object with the keys `success`, `error`, `token`, where an object with the string `accessToken` (or `access_token`) was expected. If the token has another name, read it with the session's `parseTokens` option.",
  },
  {
    mistake: 'the token has another name, and the code 0 means success',
    make: () => tokenSession({ error: 0, data: { token: 'ada-1' } }).login(),
    where: 'thrown',
    says: 'The server answered an object with the keys `error`, `data`, where an object with the string `accessToken`',
  },
  {
    mistake: 'a line break at the end of the token',
    make: () => tokenSession({ accessToken: 'ada-1\n' }).login(),
    where: 'thrown',
    says: 'The access token contains a control character or a character outside Latin-1, or starts or ends with a space, so no request can carry it. Give the access token as the server issued it.',
  },
  {
    mistake: 'the server reads another header',
    make: async () => {
      mockServer({ '*': () => json({}, 401) });
      const session = tokenSession(await login());
      await session.login();
      await articlesOf(session).get({ id: '1' });
    },
    where: 'console.warn',
    says: "the server refused (401) the token of a new sign-in at once. It was sent as `Access-Token: <token>`. If the server reads another header, name it in the session's `header`; most servers read header: 'Authorization'.",
  },
  {
    mistake: 'the server reads another word before the token, or no header of that name',
    make: async () => {
      mockServer({ '*': () => json({}, 401) });
      const session = tokenSession(await login(), { header: 'Authorization' });
      await session.login();
      await articlesOf(session).get({ id: '1' });
    },
    where: 'console.warn',
    says: "the server refused (401) the token of a new sign-in at once. It was sent as `Authorization: Bearer <token>`. If the server reads another word before the token, or another header, name it in the session's `header`: 'Authorization: token'; otherwise check that the token is for this API.",
  },
  {
    mistake: 'a token that begins with the word that the session writes before it',
    make: async () => {
      mockServer({ '*': () => json({}, 401) });
      const session = tokenSession({ accessToken: 'Bearer ada-1' }, { header: 'Authorization' });
      await session.login();
      await articlesOf(session).get({ id: '1' });
    },
    where: 'console.warn',
    says: "the server refused (401) the token of a new sign-in at once. It was sent as `Authorization: Bearer <token>`. The token itself begins with “Bearer”, so the word was sent twice. Leave it out of the token, or set `header: 'Authorization:'`.",
  },
  {
    mistake: 'a time of expiry in seconds',
    make: () => tokenSession({ accessToken: 'ada-1', expiresAt: Date.now() / 1000 + 3600 }).login(),
    where: 'console.warn',
    says: "The `expiresAt` of the tokens is not a time in milliseconds since 1970, so no token is refreshed before it expires. Read it with the session's `parseTokens` option: multiply seconds by 1000, and read a text by Date.parse().",
  },
  {
    mistake: 'a lifetime in milliseconds',
    make: () => tokenSession({ accessToken: 'ada-1', expires_in: 3_600_000 }).login(),
    where: 'console.warn',
    says: "The `expiresIn` (or `expires_in`) of the tokens is 3600000, which seems to be in milliseconds. The session reads seconds, so no token is refreshed before it expires. Let the server answer seconds, or divide by 1000 in the session's `parseTokens` option.",
  },
  {
    mistake: 'a lifetime in milliseconds, of a JWT that says it too',
    make: () => tokenSession({ accessToken: jwt({ sub: 'ada', iat: 1e9, exp: 1e9 + 90 }), expiresIn: 90_000 }).login(),
    where: 'console.warn',
    says: 'The `expiresIn` (or `expires_in`) of the tokens is 90000, which seems to be in milliseconds.',
  },
  {
    mistake: 'a refresh token by another name than the session reads',
    make: async () => {
      mockServer({ '*': () => json({ refresh: ['This field is required.'] }, 400) });
      const session = tokenSession({ accessToken: 'ada-1', refresh: 'ada' }, { refresh: post('/refresh') });
      await session.login();
      await session.refresh();
    },
    where: 'console.warn',
    says: "refresh() was answered with 400, and the session has no refresh token to send: the login answered none by the name `refreshToken` (or `refresh_token`). If it has another name, read it with the session's `parseTokens` option.",
  },
  {
    mistake: 'a token that has expired, in a session without a refresh',
    make: async () => {
      mockServer({ '*': () => json({}, 401) });
      const session = tokenSession(await login());
      await session.login();
      await articlesOf(session).get({ id: '1' });
    },
    where: 'thrown',
    says: 'The session has expired: the server refused its credentials. Sign in again, then start the request again.',
  },
  {
    mistake: 'the login has another address',
    make: () => {
      mockServer({ '*': () => json({}, 404) });
      return createTokenSession({ server, login: post('/login') }).login();
    },
    where: 'console.warn',
    says: 'login() was answered with 404, so no user is signed in. Check its address: `urlPrefix`, `path` and the proxy of the dev server. For a wrong name or password, let the server answer 401.',
  },
  {
    mistake: 'the logout has another address',
    make: async () => {
      mockServer({ '*': () => json({}, 404) });
      const session = tokenSession(await login(), { logout: post('/logout') });
      await session.login();
      await session.logout();
    },
    where: 'console.warn',
    says: 'logout() was answered with 404, so the server may not have ended the session. Check its address: `urlPrefix`, `path` and the proxy of the dev server. While no user is signed in, let the server answer 401.',
  },
  {
    mistake: 'a login without `method`, which is a GET',
    make: () => {
      mockServer({ 'GET /login': () => json({ accessToken: 'ada-1' }) });
      const searchParams = {} as { username: string; password: string };
      const login = new RestEndpoint({ urlPrefix, path: '/login', searchParams });
      return createTokenSession({ server, login }).login({ username: 'ada', password: 'secret' });
    },
    where: 'console.warn',
    says: "login() sends `password` in the address of a GET, which servers and proxies write into their logs. Give the endpoint `method: 'POST'`.",
  },
  {
    mistake: 'a refresh without `method`, which is a GET',
    make: async () => {
      mockServer({ 'GET /refresh': () => json({ accessToken: 'ada-2' }) });
      const refresh = new RestEndpoint({ urlPrefix, path: '/refresh' });
      const session = tokenSession({ accessToken: 'ada-1', refreshToken: 'ada' }, { refresh });
      await session.login();
      await session.refresh();
    },
    where: 'console.warn',
    says: "refresh() sends `refreshToken` in the address of a GET, which servers and proxies write into their logs. Give the endpoint `method: 'POST'`.",
  },
  {
    mistake: 'the dev server answers the login with its page',
    make: () => {
      mockServer({ '*': page });
      return createTokenSession({ server, login: post('/login') }).login();
    },
    where: 'thrown',
    says: 'The server answered a page and not JSON, so another server than the API seems to have answered. Check the address: `urlPrefix`, `path` and the proxy of the dev server.',
  },
  {
    mistake: 'the dev server answers the refresh with its page',
    make: async () => {
      mockServer({ '*': page });
      const session = tokenSession(await login(), { refresh: post('/refresh') });
      await session.login();
      await session.refresh();
    },
    where: 'console.warn',
    says: 'refresh() was answered with a page, so the session has no new credential. Check its address: `urlPrefix`, `path` and the proxy of the dev server. If the credential is no longer valid, let the server answer 401.',
  },
  {
    mistake: 'a login by fetch() that does not read its response',
    make: () => tokenSession(json({ accessToken: 'ada-1' })).login(),
    where: 'thrown',
    says: 'The session got a Response, and not what it contains. Return `await response.json()`, and throw the response if it is not `ok`.',
  },
  {
    mistake: 'the refresh has another address',
    make: async () => {
      mockServer({ '*': () => json({}, 404) });
      const refresh = new RestEndpoint({ urlPrefix, path: '/refresh', method: 'POST' });
      const session = tokenSession(await login(), { refresh });
      await session.login();
      await session.refresh();
    },
    where: 'console.warn',
    says: 'refresh() was answered with 404, so the session has no new credential. Check its address: `urlPrefix`, `path` and the proxy of the dev server. If the credential is no longer valid, let the server answer 401.',
  },
  {
    mistake: 'a refresh that the server cannot answer',
    make: async () => {
      mockServer({ '*': () => json({}, 500) });
      const refresh = new RestEndpoint({ urlPrefix, path: '/refresh', method: 'POST' });
      const session = tokenSession(await login(), { refresh });
      await session.login();
      await session.refresh();
    },
    where: 'console.warn',
    says: 'refresh() was answered with 500. That is an outage, not a refusal: the user stays signed in, and requests that need a new credential fail until a later refresh succeeds. See the log of the server; if it means that the credential is no longer valid, let it answer 401.',
  },
  {
    mistake: 'an option that is spelled in another way',
    make: () => createTokenSession({ login, refersh: login } as never),
    where: 'console.warn',
    says: 'createTokenSession() has no option `refersh`, so it is ignored. Did you mean `refresh`?',
  },
  {
    mistake: 'an option of another library',
    make: () => cookieSession({}, { onUnauthorized: login }),
    where: 'console.warn',
    says: 'createCookieSession() has no option `onUnauthorized`, so it is ignored. It has: ',
  },
  {
    mistake: 'a cookie as the storage of tokens',
    make: () => createTokenSession({ login, storage: 'cookie' as never }),
    where: 'thrown',
    says: "`storage` is \"cookie\". It may be 'memory', 'session', 'local' or an object with get(), set() and remove().",
  },
  {
    mistake: 'refresh() of a session without a refresh',
    make: async () => {
      const session = tokenSession(await login());
      await session.login();
      await session.refresh();
    },
    where: 'thrown',
    says: 'This session cannot refresh its credential: give it a `refresh` option.',
  },
  {
    mistake: 'a refresh by cookie whose answer does not name the user',
    make: async () => {
      const session = tokenSession(await login(), { refresh: async () => ({ accessToken: 'ada-2' }) });
      await session.login();
      await session.refresh();
    },
    where: 'error.cause',
    says: "The refresh went with a cookie, which may be another user's by now, and its answer does not name the user. Let it name the user as the login does (`subject`, `user`, or a JWT with `sub`), or read it with the session's `parseTokens` option.",
  },
  {
    mistake: 'reload() without `profile`',
    make: async () => {
      const session = tokenSession(await login());
      await session.login();
      await session.reload();
    },
    where: 'thrown',
    says: 'This session has no endpoint that describes its user: give it the option `profile`.',
  },
  {
    mistake: 'a `profile` that answers nothing',
    make: async () => {
      const session = tokenSession({ accessToken: 'a' }, { profile: async () => undefined });
      await session.login();
      await session.reload();
    },
    where: 'thrown',
    says: 'profile() answered without a user. Let it answer an object, or `{ user }`.',
  },
]);

// What the server answers to a login with a cookie.
testMistakes([
  {
    mistake: 'the browser does not keep the cookie: SameSite, Secure, another origin without `credentials`',
    make: () => cookieSession({}).login(),
    where: 'thrown',
    says: 'The login succeeded, but whoami() then found no user signed in. Check that the browser keeps the cookie: its SameSite, Secure, Domain and Path, and the `credentials` option when the API is on another origin.',
  },
  {
    mistake: 'the same, where the login names the user',
    make: async () => {
      const routes = { 'POST /login': () => json({ id: 'ada' }), '*': () => json({}, 401) };
      const session = cookieSession(routes);
      await session.login();
      await articlesOf(session).get({ id: '1' });
    },
    where: 'console.warn',
    says: "the server refused (401) the cookie of a new sign-in at once. Check that the browser keeps the cookie: its SameSite, Secure, Domain and Path, and `credentials: 'include'` when the API is on another origin.",
  },
  {
    mistake: 'whoami answers without an id',
    make: () => cookieSession({ 'GET /whoami': () => json({ name: 'Ada' }) }).login(),
    where: 'thrown',
    says: "whoami() answered without telling who is signed in. Let it answer an object with `id`, `sub` or `subject`, or read it with the session's `getSubject` option; null or a 401 means signed out.",
  },
  {
    mistake: 'whoami answers without an id, while nothing calls it but the check for an existing session',
    make: async () => cookieSession({ 'GET /whoami': () => json({ data: null }) }).refresh(),
    where: 'console.warn',
    says: 'The session could not check who is signed in. whoami() answered without telling who is signed in.',
  },
  {
    mistake: 'whoami has another address',
    make: () => cookieSession({ 'GET /whoami': () => json({}, 404) }).refresh(),
    where: 'console.warn',
    says: 'whoami() was answered with 404, so the session does not know who is signed in. Check its address: `urlPrefix`, `path` and the proxy of the dev server. While no user is signed in, let the server answer null or 401.',
  },
  {
    mistake: 'a whoami by fetch() that does not read its response',
    make: () => createCookieSession({ server, login, whoami: async () => json({ id: 'ada' }) as unknown }).refresh(),
    where: 'thrown',
    says: 'The session got a Response, and not what it contains. Return `await response.json()`, and throw the response if it is not `ok`.',
  },
  {
    mistake: 'the dev server answers whoami with its page',
    make: () => cookieSession({ 'GET /whoami': page }).refresh(),
    where: 'console.warn',
    says: 'whoami() was answered with a text, so the session does not know who is signed in. Check its address: `urlPrefix`, `path` and the proxy of the dev server. While no user is signed in, let the server answer null or 401.',
  },
  {
    mistake: 'the server wants a CSRF token, and the session has no `csrf`',
    make: async () => {
      const refused = () => json({ detail: 'CSRF Failed: CSRF token missing.' }, 403);
      const session = cookieSession({ 'POST /login': () => json({ id: 'ada' }), '*': refused });
      await session.login();
      await articlesOf(session).partialUpdate({ id: '1' }, {});
    },
    where: 'console.warn',
    says: "The server refused a request because it had no CSRF token, and the session has no option `csrf`. Name the cookie and the header of your framework: createCookieSession({ …, csrf: { cookie: 'csrftoken', header: 'X-CSRFToken' } }) for Django, 'XSRF-TOKEN' and 'X-XSRF-TOKEN' for Laravel and Spring.",
  },
  {
    mistake: 'a CSRF cookie of another name',
    make: async () => {
      vi.stubGlobal('document', { cookie: 'csrf_token=a; theme=dark' });
      onTestFinished(() => void vi.unstubAllGlobals());
      const refused = () => json({ detail: 'CSRF Failed: CSRF token missing.' }, 403);
      const session = cookieSession(
        { 'POST /login': () => json({ id: 'ada' }), '*': refused },
        { csrf: { cookie: 'csrftoken', header: 'X-CSRFToken' } },
      );
      await session.login();
      await articlesOf(session).partialUpdate({ id: '1' }, {});
    },
    where: 'console.warn',
    says: "The server refused a request because of its CSRF token, and the page has no cookie `csrftoken` to read it from. It has `csrf_token`, `theme`. Check `csrf.cookie`; the cookie must not be HttpOnly, and must be of the page's own host or a parent domain.",
  },
  {
    mistake: 'logout() while the server is down',
    make: async () => {
      const session = cookieSession(
        { 'POST /login': () => json({ id: 'ada' }), 'POST /logout': networkError },
        { logout: new RestEndpoint({ urlPrefix, path: '/logout', method: 'POST', body: undefined }) },
      );
      await session.login();
      await session.logout().catch(() => {});
      return session;
    },
    where: 'session.error',
    says: 'You are signed out on this page, but the server has not confirmed it, so the session may go on there. Call logout() again when the server can be reached.',
  },
]);

// What an SDK gives.
testMistakes([
  {
    mistake: 'an SDK whose tokens are no JWTs, without a subject',
    make: () => sdkSession('opaque', { subject: undefined }).refresh(),
    where: 'thrown',
    says: 'createSdkSession() needs a function `subject`. Write it as createSdkSession({ getToken: () => sdk.getToken(), subject: () => sdk.user?.id ?? null }).',
  },
  {
    mistake: 'an SDK that gives no token although a user is signed in',
    make: () => articlesOf(sdkSession(null)).get({ id: '1' }),
    where: 'error.cause',
    says: 'getToken gave no token while `subject` names a user, so the request was not sent. To sign the user out, pass `subject={null}`.',
  },
  {
    mistake: 'a subject that is not the user of the token',
    make: async () => {
      let user = 'ada';
      let changed = () => {};
      mockServer({ '*': () => json({ id: '1' }) });
      const subscribe = (listener: () => void) => {
        changed = listener;
        return () => {};
      };
      vi.stubGlobal('window', globalThis);
      const { get } = articlesOf(
        createSdkSession({ getToken: async () => jwt({ sub: 'ada' }), subject: () => user, subscribe }),
      );
      await get({ id: '1' });
      user = 'grace';
      changed();
      await get({ id: '1' });
    },
    where: 'error.cause',
    says: 'The SDK gave a token that belongs to another user than `subject` names, so the request was not sent. If this continues, pass the user id of the SDK as `subject` to ContextTokenProvider: one id for each user.',
  },
  {
    mistake: 'a getToken that throws',
    make: () =>
      articlesOf(sdkSession(null, { getToken: () => Promise.reject(new Error('The SDK is not ready.')) })).get({
        id: '1',
      }),
    where: 'thrown',
    says: 'The server that issues the credentials could not be reached. This signs no user out: try again when the network is back.',
  },
]);

const DAY_S = 86_400;

test.each([60, 300, 900, 3_600, DAY_S, 7 * DAY_S, 30 * DAY_S, 60 * DAY_S, 90 * DAY_S, 180 * DAY_S, 365 * DAY_S])(
  'a lifetime of %d seconds is no mistake',
  async expiresIn => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    await tokenSession({ accessToken: 'ada-1', expiresIn }).login();
    await tokenSession({ accessToken: jwt({ sub: 'ada', iat: 1e9, exp: 1e9 + expiresIn }), expiresIn }).login();
    expect(warn).not.toHaveBeenCalled();
    warn.mockRestore();
  },
);

// The numbers are others than above: a warning is written once.
test.each([
  ['a JWT that lives for 2000 hours', 7_200_000, 7_200_000],
  ['the lifetime of a refresh token, with a JWT of 15 minutes', 900, 7 * DAY_S],
  ['the lifetime of a refresh token, with a JWT of an hour', 3_600, 30 * DAY_S],
  ['a lifetime of 100 years', undefined, 36_500 * DAY_S],
])('%s is no mistake', async (_, jwtSeconds, expiresIn) => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  onTestFinished(() => warn.mockRestore());
  const exp = jwtSeconds && 1e9 + jwtSeconds;
  await tokenSession({ accessToken: exp ? jwt({ sub: 'ada', iat: 1e9, exp }) : 'ada-1', expiresIn }).login();
  expect(warn).not.toHaveBeenCalled();
});
