// The issue tracker of `examples/`, on a mock server with the issues of its real one.
import { http, HttpResponse } from 'msw';
import { useEffect, useState } from 'react';
import { createMemoryRouter } from 'react-router';
import {
  initialIssues,
  issueErrors,
  listIssues,
  withDefaults,
} from '../../examples/issue-tracker/server/issueStore.js';
import { App } from '../../examples/issue-tracker/src/App.js';
import { DEMO_USERS } from '../../examples/issue-tracker/src/demoUsers.js';
import { routes } from '../../examples/issue-tracker/src/routes.js';
import { session } from '../../examples/issue-tracker/src/session.js';
import { requestLines, resourceHandlers, tokenAuthHandlers } from '../../src/testing/index.js';
import type { StartContext } from './StoryStart.js';

const server = tokenAuthHandlers({ url: '/api', people: DEMO_USERS, header: 'Authorization', scheme: 'Bearer' });

const issues = resourceHandlers({ get: { path: '/api/issues/:id' }, getList: { path: '/api/issues' } }, initialIssues, {
  auth: server,
  owner: ({ confidential, author }) => (confidential ? author : undefined),
  validate: issueErrors,
  stamp: withDefaults,
});

const handlers = [
  http.get('/api/issues', ({ request }) => {
    const { searchParams } = new URL(request.url);
    const list = () => listIssues(issues.rows(), searchParams, server.personOf(request)?.id);
    return server.authorize(request) ?? HttpResponse.json(list());
  }),
  http.post('/api/expire', ({ request }) => {
    const refusal = server.authorize(request);
    server.expireAccessTokens();
    return refusal ?? new HttpResponse(null, { status: 204 });
  }),
  ...server.handlers,
  ...issues.handlers,
];

/** Builds the lines of the app's requests. */
export const sent = requestLines({
  prefix: '/api',
  as: (user, token) => ({ Authorization: `Bearer ${user}-${token}` }),
});

/** A story's `beforeEach`: a fresh server; the user signs in with a request, as in the app. Without an id, no user is signed in. */
export const start = (personId?: string) => async (context: StartContext) => {
  if (context.auth.isRerender) return;
  session.dispose();
  // The frames of a docs page keep their storage, and this server does not know the tokens of the last one.
  localStorage.removeItem('issue-tracker');
  server.reset();
  issues.reset();
  context.msw.use(...handlers);
  context.auth.setServer(server);
  const startsAs = context.auth.personFor(personId);
  const user = DEMO_USERS.find(({ id }) => id === startsAs);
  if (user) await session.login({ username: user.id, password: user.password });
};

/** The app at its front page. An app creates its router once, outside React; a story creates one for each visit. */
export function DemoApp() {
  const [router] = useState(() => createMemoryRouter(routes));
  useEffect(() => () => router.dispose(), [router]);
  return <App router={router} />;
}
