import type { Page } from 'playwright';
import { describe, expect } from 'vitest';
import type { ApiServer } from './support/apiServer.js';
import { says, signIn, test } from './support/test.js';

const REDIRECTS = [301, 302, 303, 307, 308];

const SESSIONS: { name: string; search: Record<string, string>; paths: Record<'login' | 'logout' | 'refresh' | 'restore', string> }[] = [
  {
    name: 'a token',
    search: { session: 'token', restore: '' },
    paths: { login: '/token/login', logout: '/token/logout', refresh: '/token/refresh', restore: '/restore' },
  },
  ...['same-origin', 'include'].map(credentials => ({
    name: `a cookie with ${credentials}`,
    search: { session: 'cookie', csrf: '', credentials },
    paths: { login: '/cookie/login', logout: '/cookie/logout', refresh: '/cookie/csrf', restore: '/cookie/whoami' },
  })),
];

const auth = (page: Page, name: 'login' | 'logout' | 'refresh') =>
  page.evaluate(name => window.app.auth(name, ...(name === 'login' ? [{ username: 'ada', password: 'secret-password' }] : [])), name);

/** Calls while the path redirects to the other server. Returns the outcome and how often the path was asked for. */
async function redirected(page: Page, trusted: ApiServer, other: ApiServer, path: string, status: number, name: 'login' | 'logout' | 'refresh') {
  trusted.redirect(path, status, other.url);
  trusted.requests.length = 0;
  const outcome = await auth(page, name);
  trusted.redirect(path, status);
  return [outcome, trusted.requests.filter(request => request.path === path).length];
}

describe.each(SESSIONS)('$name', ({ search, paths }) => {
  test.for(REDIRECTS)('an auth call that is answered with %i reaches no other origin', async (status, { startServer, open }) => {
    const [trusted, other] = [await startServer(), await startServer()];
    const page = await open(trusted, search);
    await says(page, 'anonymous');
    const call = (path: string, name: 'login' | 'logout' | 'refresh') => redirected(page, trusted, other, path, status, name);

    // Signed out, `refresh` checks again who is signed in.
    expect(await call(paths.restore, 'refresh')).toEqual(['RefreshUnavailableError', 1]);
    expect(await call(paths.login, 'login')).toEqual(['RedirectRefusedError', 1]);
    await says(page, 'anonymous');
    await signIn(page, 'ada');
    expect(await call(paths.refresh, 'refresh')).toEqual(['RefreshUnavailableError', 1]);
    await says(page, 'authenticated ada');
    expect(await call(paths.logout, 'logout')).toEqual(['RedirectRefusedError', 1]);
    await says(page, 'anonymous signed-out');

    expect(other.requests).toEqual([]);
    expect(other.preflights).toEqual([]);
  });

  test('an auth call whose address is not trusted is not sent', async ({ startServer, open }) => {
    const [trusted, other] = [await startServer(), await startServer()];
    const page = await open(trusted, { ...search, api: other.url, origin: trusted.url });
    await says(page, 'anonymous');
    expect(await auth(page, 'refresh')).toBe('RefreshUnavailableError');
    expect(await auth(page, 'login')).toBe('UntrustedOriginError');
    expect(other.requests).toEqual([]);
    expect(other.preflights).toEqual([]);
  });
});
