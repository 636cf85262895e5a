import { createCookieSession, RestEndpoint } from '../../../src/index.js';
import { stepUp } from '../../../src/entries/step-up.js';

const sendPassword = new RestEndpoint({ path: '/auth/step-up', method: 'POST' }) as never as (
  values: object,
) => Promise<unknown>;
const sendCode = new RestEndpoint({ path: '/auth/login/code', method: 'POST' }) as never as (
  values: object,
) => Promise<unknown>;

/** The password before a deletion, and a code at the login. */
const challenge = stepUp({
  answer: (values: object, { isLogin }) => (isLogin ? sendCode(values) : sendPassword(values)),
  readLoginResult: ({ next }: { next?: string }) => (next === 'code' ? { kind: next } : undefined),
});

/** A session of the browser's cookie, with `csrf-csrf`'s double-submit cookie. */
export function cookieSession() {
  return createCookieSession({
    login: new RestEndpoint({ path: '/auth/login', method: 'POST' }) as never,
    logout: new RestEndpoint({ path: '/auth/logout', method: 'POST', body: undefined }) as never,
    whoami: new RestEndpoint({ path: '/auth/whoami' }) as never,
    csrf: { cookie: 'csrf', header: 'X-CSRF-Token', fetch: new RestEndpoint({ path: '/auth/csrf' }) as never },
    extensions: [challenge],
  });
}
