import type { Page } from 'playwright';
import { describe, expect } from 'vitest';
import { says, signIn, test } from './support/test.js';

const REDIRECTS = [301, 302, 303, 307, 308];

interface Redirected {
  /** What of the session makes the call. */
  method: 'login' | 'logout' | 'refresh';
  startsAs: 'anonymous' | 'authenticated ada';
  error: string;
  /** What the page says afterwards. */
  says: string;
}

const CALLS = {
  // Signed out, `refresh` checks again who is signed in.
  restore: { method: 'refresh', startsAs: 'anonymous', error: 'RefreshUnavailableError', says: 'anonymous' },
  login: { method: 'login', startsAs: 'anonymous', error: 'RedirectRefusedError', says: 'anonymous' },
  refresh: {
    method: 'refresh',
    startsAs: 'authenticated ada',
    error: 'RefreshUnavailableError',
    says: 'authenticated ada',
  },
  logout: {
    method: 'logout',
    startsAs: 'authenticated ada',
    error: 'RedirectRefusedError',
    says: 'anonymous signed-out',
  },
} satisfies Record<string, Redirected>;

const cookiePaths = { restore: '/cookie/whoami', login: '/cookie/login', logout: '/cookie/logout' };

const SESSIONS: { name: string; search: Record<string, string>; paths: { [name in keyof typeof CALLS]?: string } }[] = [
  {
    name: 'a token',
    search: { session: 'token', restore: '' },
    paths: { restore: '/restore', login: '/token/login', refresh: '/token/refresh', logout: '/token/logout' },
  },
  ...['same-origin', 'include'].map(credentials => ({
    name: `a cookie with ${credentials}`,
    search: { session: 'cookie', csrf: '', credentials },
    // What a cookie session refreshes is its CSRF token.
    paths: { ...cookiePaths, refresh: '/cookie/csrf' },
  })),
  // No header of theirs is a reason to follow no redirect.
  { name: 'a cookie without CSRF', search: { session: 'cookie', csrf: 'off' }, paths: cookiePaths },
];

const auth = (page: Page, name: Redirected['method']) =>
  page.evaluate(
    name => window.app.auth(name, ...(name === 'login' ? [{ username: 'ada', password: 'secret-password' }] : [])),
    name,
  );

const ROWS = SESSIONS.flatMap(({ name, search, paths }) =>
  (Object.entries(paths) as [keyof typeof CALLS, string][]).map(([call, path]) => ({
    name,
    call,
    search,
    path,
    ...CALLS[call],
  })),
);

test.for(ROWS)(
  '$name: a $call that is redirected reaches no other origin',
  async ({ search, path, method, startsAs, error, ...after }, { startServer, open }) => {
    const [trusted, other] = [await startServer(), await startServer()];
    const page = await open(trusted, search);
    await says(page, 'anonymous');
    for (const status of REDIRECTS) {
      if ((await page.locator('#who').textContent()) !== startsAs && startsAs !== 'anonymous')
        await signIn(page, 'ada');
      trusted.redirect(path, status, other.url);
      trusted.requests.length = 0;
      const outcome = await auth(page, method);
      trusted.redirect(path, status);
      expect({ status, outcome, sent: trusted.requests.filter(request => request.path === path).length }).toEqual({
        status,
        outcome: error,
        sent: 1,
      });
      expect({ status, elsewhere: [...other.preflights, ...other.requests.map(arrived => arrived.path)] }).toEqual({
        status,
        elsewhere: [],
      });
      await says(page, after.says);
    }
  },
);

describe.each(SESSIONS)('$name', ({ search }) => {
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
