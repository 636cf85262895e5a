import { CookieAuthProvider, createCookieSession, RestEndpoint } from 'data-client-auth';
import { Page } from './Page';

const session = createCookieSession({
  whoami: new RestEndpoint({ path: '/api/whoami', process: (value): { id: string; name: string } | null => value }),
  login: new RestEndpoint({ path: '/api/login', method: 'POST', body: {} as { username: string; password: string } }),
  logout: new RestEndpoint({ path: '/api/logout', method: 'POST', body: undefined }),
  csrf: { cookie: 'csrftoken', header: 'X-CSRFToken' },
  tabs: false,
});

export const WithCookie = () => (
  <CookieAuthProvider session={session}>
    <Page />
  </CookieAuthProvider>
);
