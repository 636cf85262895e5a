import { setupServer } from 'msw/node';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { authEndpoint, createTokenSession, Entity, resource, RestEndpoint } from '../../src/index.js';
import { createRequestJournal, journalMatchers, tokenAuthHandlers, resourceHandlers } from '../../src/testing/index.js';
import type { JournalMatchers } from '../../src/testing/index.js';

declare module 'vitest' {
  // eslint-disable-next-line @typescript-eslint/no-unused-vars -- the name and the parameter are Vitest's own
  interface Matchers<T> extends JournalMatchers<Promise<void>> {}
}
expect.extend(journalMatchers);

class Article extends Entity {
  id = '';
  title = '';
}

const api = 'https://api.example.com';
const auth = tokenAuthHandlers({
  url: api,
  header: 'Authorization', // as the session has it
  people: [{ id: 'ada', name: 'Ada Lovelace', password: 'lovelace' }],
});
const articles = resourceHandlers(
  resource({ urlPrefix: api, path: '/article/:id', schema: Article }),
  [{ id: '1', title: 'On signing in' }],
  { auth },
);
const server = setupServer(...auth.handlers, ...articles.handlers);
const journal = createRequestJournal(server, { origin: 'https://app.example.com' });

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
beforeEach(() => {
  server.resetHandlers();
  auth.reset();
  articles.reset();
  journal.clear();
});
afterAll(() => server.close());

test('an expired token costs one refresh', async () => {
  const session = createTokenSession({
    server: true, // no window: one session for each test
    login: new RestEndpoint({ urlPrefix: api, path: '/login', method: 'POST' }),
    refresh: new RestEndpoint({ urlPrefix: api, path: '/refresh', method: 'POST' }),
    header: 'Authorization',
    trustedOrigins: [api],
  });
  const Articles = resource({
    urlPrefix: api,
    path: '/article/:id',
    schema: Article,
    Endpoint: authEndpoint(session),
  });
  await session.login({ username: 'ada', password: 'lovelace' });
  auth.expire();

  expect(await Articles.get({ id: '1' })).toMatchObject({ title: 'On signing in' });
  await expect(journal).toHaveSent([
    'POST https://api.example.com/login  same-origin  {"username":"ada","password":"lovelace"}',
    'GET https://api.example.com/article/1  same-origin  authorization: Bearer ada-1',
    'POST https://api.example.com/refresh  same-origin  {"refreshToken":"ada-refresh-1"}',
    'GET https://api.example.com/article/1  same-origin  authorization: Bearer ada-2',
  ]);
});
