import { createTokenSession, RestEndpoint } from '../../../src/index.js';
import { api } from '../../support/articles.js';

export const session = createTokenSession({
  login: new RestEndpoint({ urlPrefix: api, path: '/login', method: 'POST' }),
  refresh: new RestEndpoint({ urlPrefix: api, path: '/refresh', method: 'POST' }),
  storage: 'session', // for this tab; 'local' for all tabs, or a store of your own
  storageKey: 'my-app',
  trustedOrigins: [api],
});
