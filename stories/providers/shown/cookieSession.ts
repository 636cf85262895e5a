import { createCookieSession, RestEndpoint } from '../../../src/index.js';

export const session = createCookieSession({
  whoami: new RestEndpoint({ path: '/api/whoami', process: (answer): { id: string; name: string } => answer }),
  login: new RestEndpoint({
    path: '/api/login',
    method: 'POST',
    body: {} as { username: string; password: string },
  }),
  logout: new RestEndpoint({ path: '/api/logout', method: 'POST', body: undefined }),
  csrf: { cookie: 'csrftoken', header: 'X-CSRFToken', fetch: new RestEndpoint({ path: '/api/csrf' }) },
});
