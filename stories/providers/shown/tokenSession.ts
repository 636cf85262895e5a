import { createTokenSession, RestEndpoint } from '../../../src/index.js';
import { api } from '../../support/articles.js';

export const session = createTokenSession({
  login: new RestEndpoint({
    urlPrefix: api,
    path: '/login',
    method: 'POST',
    body: {} as { username: string; password: string },
    process: (answer): { accessToken: string; refreshToken: string; user: { id: string; name: string } } => answer,
  }),
  refresh: new RestEndpoint({ urlPrefix: api, path: '/refresh', method: 'POST' }),
  logout: new RestEndpoint({ urlPrefix: api, path: '/logout', method: 'POST', body: undefined }),
  trustedOrigins: [api],
});
