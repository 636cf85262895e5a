import { createTokenSession, RestEndpoint } from 'data-client-auth';
import type { AuthParameters } from 'data-client-auth/storybook/preview';
import 'data-client-auth/styles.css';
import { api } from '../src/articles';
import { articles, journal, server, worker } from './mocks';

const session = () =>
  createTokenSession({
    login: new RestEndpoint({ urlPrefix: api, path: '/login', method: 'POST' }),
    refresh: new RestEndpoint({ urlPrefix: api, path: '/refresh', method: 'POST' }),
    header: 'Authorization',
    trustedOrigins: [api],
  });

const auth: AuthParameters = { session, server, people: { ada: 'Ada', grace: 'Grace' }, worker };

export default {
  parameters: { auth, requests: { journal } },
  beforeAll: async () => {
    await worker.start({ quiet: true, serviceWorker: { url: './mockServiceWorker.js' } });
  },
  beforeEach: () => {
    worker.resetHandlers();
    articles.reset();
    journal.clear();
  },
};
