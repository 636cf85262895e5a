import { createCookieSession, RestEndpoint } from '../../../src/index.js';

/** A session of the browser's cookie, with `csrf-csrf`'s double-submit cookie. */
export function cookieSession() {
  return createCookieSession({
    login: new RestEndpoint({ path: '/auth/login', method: 'POST' }) as never,
    logout: new RestEndpoint({ path: '/auth/logout', method: 'POST', body: undefined }) as never,
    whoami: new RestEndpoint({ path: '/auth/whoami' }) as never,
    csrf: { cookie: 'csrf', header: 'X-CSRF-Token', fetch: new RestEndpoint({ path: '/auth/csrf' }) as never },
  });
}
