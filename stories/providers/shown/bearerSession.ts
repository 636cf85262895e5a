import { createTokenSession, RestEndpoint } from '../../../src/index.js';
import { api } from '../../support/articles.js';

export const session = createTokenSession({
  login: new RestEndpoint({ urlPrefix: api, path: '/login', method: 'POST' }),
  header: 'Authorization', // sends “Authorization: Bearer …”; 'Authorization: token' has another word
  trustedOrigins: [api],
});
