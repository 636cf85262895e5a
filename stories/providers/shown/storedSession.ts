import { createTokenSession, RestEndpoint } from '../../../src/index.js';
import { api } from '../../support/articles.js';

export const session = createTokenSession({
  login: new RestEndpoint({ urlPrefix: api, path: '/login', method: 'POST' }),
  refresh: new RestEndpoint({ urlPrefix: api, path: '/refresh', method: 'POST' }),
  storage: { in: 'session', key: 'my-app' }, // for this tab; 'local' for all tabs, or a store of your own
  trustedOrigins: [api],
});
