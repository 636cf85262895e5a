import {
  CookieAuthProvider,
  createCookieSession,
  createTokenSession,
  RestEndpoint,
  TokenAuthProvider,
} from 'data-client-auth';
import { stepUp } from 'data-client-auth/step-up';
import type { Credentials, User } from './demoUsers';

interface TokenResponse {
  accessToken: string;
  refreshToken: string;
  /** In seconds. */
  expiresIn: number;
  user: User;
}

/** The server asks for the password again before it deletes many issues; `<Challenge>` in App.tsx passes the question on. */
const challenge = stepUp({
  answer: new RestEndpoint({ path: '/api/step-up', method: 'POST', body: {} as { password: string } }),
});

function tokenSession() {
  const revoke = new RestEndpoint({
    path: '/api/logout',
    method: 'POST',
    body: {} as { refreshToken: string | undefined },
  });
  return createTokenSession({
    login: new RestEndpoint({
      path: '/api/login',
      method: 'POST',
      body: {} as Credentials,
      process: (tokens: TokenResponse) => tokens,
    }),
    refresh: new RestEndpoint({ path: '/api/refresh', method: 'POST' }),
    logout: ({ refreshToken }) => revoke({ refreshToken }),
    header: 'Authorization',
    extensions: [challenge],
    // “Keep me signed in” chooses.
    storage: { remembered: 'local', otherwise: 'session' },
    storageKey: 'issue-tracker',
  });
}

function cookieSession() {
  return createCookieSession({
    login: new RestEndpoint({ path: '/api/login', method: 'POST', body: {} as Credentials }),
    logout: new RestEndpoint({ path: '/api/logout', method: 'POST', body: undefined }),
    whoami: new RestEndpoint({ path: '/api/whoami', process: (user: User) => user }),
    csrf: { cookie: 'csrf', header: 'X-CSRF-Token', fetch: new RestEndpoint({ path: '/api/csrf' }) },
    extensions: [challenge],
  });
}

// Your app needs one of the two. All other files are the same for both.
export const isCookieVariant = import.meta.env.MODE === 'cookie';
export const session = isCookieVariant ? cookieSession() : tokenSession();
export const AuthProvider = isCookieVariant ? CookieAuthProvider : TokenAuthProvider;
