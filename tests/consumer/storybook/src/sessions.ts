import { createCookieSession, createTokenSession, RestEndpoint } from 'data-client-auth';

const post = (path: string) => new RestEndpoint({ path, method: 'POST' });

/** Stores its tokens, and shares them with other tabs. */
export const tokenSession = () =>
  createTokenSession({
    login: post('/api/login'),
    refresh: { call: post('/api/refresh'), auto: true },
    logout: new RestEndpoint({ path: '/api/logout', method: 'POST', body: undefined }),
    storage: 'local',
  });

export const cookieSession = () =>
  createCookieSession({
    login: post('/cookie/login'),
    logout: post('/cookie/logout'),
    whoami: new RestEndpoint({ path: '/cookie/whoami' }),
    csrf: { cookie: 'csrftoken', header: 'X-CSRFToken' },
  });
