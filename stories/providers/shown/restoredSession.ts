import { createTokenSession, RestEndpoint } from '../../../src/index.js';
import { api } from '../../support/articles.js';

const refresh = new RestEndpoint({
  urlPrefix: api,
  path: '/refresh',
  method: 'POST',
  body: undefined,
  requestInit: { credentials: 'include' },
});

export const session = createTokenSession({
  login: new RestEndpoint({ urlPrefix: api, path: '/login', method: 'POST' }),
  restore: () => refresh(),
  refresh: () => refresh(),
  trustedOrigins: [api],
});
