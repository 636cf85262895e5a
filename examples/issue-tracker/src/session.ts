import { createCookieSession, createTokenSession, RestEndpoint } from 'data-client-auth';
import { createAccounts } from 'data-client-auth/accounts';
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

function tokenSession(isActing: boolean) {
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
    // “Keep me signed in” chooses. A reload ends the view as another user.
    storage: isActing ? 'memory' : { remembered: 'local', otherwise: 'session', key: 'issue-tracker' },
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

/** The user's own account, and while a maintainer views the app as another user, that one's: see `ViewAs` in Layout.tsx. */
export const accounts = createAccounts({
  session: ({ isActing }) => (isCookieVariant ? cookieSession() : tokenSession(isActing)),
  storageKey: false,
});
/** The user's own. */
export const { session } = accounts.getSnapshot().shown;

const viewAsUser = new RestEndpoint({ path: '/api/view-as', method: 'POST', body: {} as { readonly user: string } });
const viewAsSelf = new RestEndpoint({ path: '/api/view-as', method: 'DELETE' });
export const viewAs = (user: string) => accounts.actAs(viewAsUser, { user });
/** With tokens nothing is sent: the maintainer still has her own. */
export const stopViewing = () => accounts.stopActing(viewAsSelf);
