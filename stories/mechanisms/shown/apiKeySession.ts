import { attachHeader, createSession, RestEndpoint } from '../../../src/index.js';
import { api } from '../../support/articles.js';

const whoami = (apiKey: string) => {
  const headers = { 'X-API-Key': apiKey };
  const endpoint = new RestEndpoint({
    urlPrefix: api,
    path: '/whoami',
    requestInit: { headers },
    process: (value): { id: string; name: string } => value,
  });
  return endpoint();
};

export const session = createSession({
  trustedOrigins: [api],
  async login(apiKey: string) {
    const user = await whoami(apiKey);
    return { credential: apiKey, user, subject: user.id };
  },
  attach: ({ init }, apiKey) => (apiKey === undefined ? init : attachHeader(init, 'X-API-Key', apiKey)),
});
