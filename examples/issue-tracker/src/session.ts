import {
  CookieAuthProvider,
  createCookieSession,
  createTokenSession,
  RestEndpoint,
  TokenAuthProvider,
} from 'data-client-auth';
import type { Credentials, User } from './demoUsers';

interface TokenResponse {
  accessToken: string;
  refreshToken: string;
  /** In seconds. */
  expiresIn: number;
  user: User;
}

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
  });
}

// Your app needs one of the two. All other files are the same for both.
const isCookieVariant = import.meta.env.MODE === 'cookie';
export const session = isCookieVariant ? cookieSession() : tokenSession();
export const AuthProvider = isCookieVariant ? CookieAuthProvider : TokenAuthProvider;

/** For the demo's button: the server refuses the current credential from now on. */
export const expireCredential = new RestEndpoint({ path: '/api/expire', method: 'POST', body: undefined });
