// In a file of its own, because a page says each sentence once.
import { createCookieSession, RestEndpoint } from '../../src/index.js';
import { json } from '../session/support/answers.js';
import { mockServer, type Route } from '../session/support/mockServer.js';
import { testMistakes } from './support/mistakes.js';

const urlPrefix = 'https://api.example.com';
const post = (path: string) => new RestEndpoint({ urlPrefix, path, method: 'POST', body: undefined });

/** A cookie session whose server has these routes. */
function cookieSession(routes: Record<string, Route>, options: object = {}) {
  mockServer(routes);
  const whoami = new RestEndpoint({ urlPrefix, path: '/whoami' });
  return createCookieSession({ server: true, login: post('/login'), whoami, ...options });
}

testMistakes([
  {
    mistake: 'the login with a cookie has another address',
    make: () => cookieSession({ 'POST /login': () => json({}, 404), 'GET /whoami': () => json(null, 401) }).login(),
    where: 'console.warn',
    says: 'login() was answered with 404, so no user is signed in. Check its address: `urlPrefix`, `path` and the proxy of the dev server. For a wrong name or password, let the server answer 401.',
  },
  {
    mistake: 'the logout with a cookie has another address',
    make: async () => {
      const routes = { 'POST /login': () => json({ id: 'ada' }), 'POST /logout': () => json({}, 404) };
      const session = cookieSession(routes, { logout: post('/logout') });
      await session.login();
      await session.logout();
    },
    where: 'console.warn',
    says: 'logout() was answered with 404, so the server may not have ended the session. Check its address: `urlPrefix`, `path` and the proxy of the dev server. While no user is signed in, let the server answer 401.',
  },
  {
    mistake: 'a login with a cookie without `method`, which is a GET',
    make: () => {
      const routes = { 'GET /login': () => json({ id: 'ada' }) };
      const login = new RestEndpoint({ urlPrefix, path: '/login' });
      return cookieSession(routes, { login }).login({ password: 'secret' });
    },
    where: 'console.warn',
    says: "login() sends `password` in the address of a GET, which servers and proxies write into their logs. Give the endpoint `method: 'POST'`.",
  },
]);
