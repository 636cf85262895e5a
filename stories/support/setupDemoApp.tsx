// The issue tracker of `examples/`, on a mock server with the issues and the rules of its real one.
import { http, HttpResponse } from 'msw';
import { useEffect, useState } from 'react';
import { createMemoryRouter } from 'react-router';
import {
  initialIssues,
  issueErrors,
  listIssues,
  withDefaults,
  type IssueRow,
} from '../../examples/issue-tracker/server/issueStore.js';
import { answerQuestions, DENIED_REASON, isAllowed } from '../../examples/issue-tracker/server/permissions.js';
import { App } from '../../examples/issue-tracker/src/App.js';
import { DEMO_USERS, type User } from '../../examples/issue-tracker/src/demoUsers.js';
import { routes } from '../../examples/issue-tracker/src/routes.js';
import { accounts, session } from '../../examples/issue-tracker/src/session.js';
import type { PermissionQuestion } from '../../src/entries/permissions.js';
import { requestLines, resourceHandlers, tokenAuthHandlers } from '../../src/testing/index.js';
import type { StartContext } from './StoryStart.js';

const server = tokenAuthHandlers({ url: '/api', people: DEMO_USERS, header: 'Authorization' });

const issues = resourceHandlers({ get: { path: '/api/issues/:id' }, getList: { path: '/api/issues' } }, initialIssues, {
  auth: server,
  owner: ({ confidential, author }) => (confidential ? author : undefined),
  validate: issueErrors,
  stamp: withDefaults,
});

const comments = resourceHandlers(
  { get: { path: '/api/issues/:issue/comments/:id' }, getList: { path: '/api/issues/:issue/comments' } },
  [{ id: '1', issue: '136', author: 'grace', text: 'The tiles are white at night.' }],
  { auth: server, stamp: (row, author) => ({ ...row, author }) },
);

/** The pages that hear of new comments. */
const streams = new Set<ReadableStreamDefaultController<Uint8Array>>();

/** Another user has written a comment, or this one. */
function tellOfComment() {
  for (const stream of streams) {
    try {
      stream.enqueue(new TextEncoder().encode('data: {}\n\n'));
    } catch {
      streams.delete(stream);
    }
  }
}

/** True after “Delete all closed issues”. */
let isCleanedUp = false;
/** The users who have typed their password again. */
const steppedUp = new Set<string>();

/** The bytes of the attachments, in their order. */
const files: { issue: string; name: string; bytes: ArrayBuffer }[] = [];
/** An issue as the server answers it after an upload. */
const withFiles = (issue: IssueRow) => ({
  ...issue,
  attachments: files.flatMap(({ issue: of, name }, id) => (of === issue.id ? [{ id: `${id}`, name }] : [])),
});

const rows = () => issues.rows().filter(({ state }) => !isCleanedUp || state !== 'closed');
const userOf = (request: Request) => server.personOf(request) as User | undefined;
const noContent = () => new HttpResponse(null, { status: 204 });

/** Refuses an action that the user may not do. With undefined, msw goes on to the handlers of the issues. */
const refuseOthers = (action: string) => (incoming: { request: Request; params: { id?: unknown } }) => {
  const user = userOf(incoming.request);
  const isFine =
    !user ||
    isAllowed(
      user,
      action,
      rows().find(({ id }) => id === incoming.params.id),
    );
  return isFine ? undefined : HttpResponse.json({ message: DENIED_REASON }, { status: 403 });
};

const handlers = [
  http.get('/api/issues', ({ request }) => {
    const { searchParams } = new URL(request.url);
    const list = () => listIssues(rows(), searchParams, userOf(request)?.id);
    return server.authorize(request) ?? HttpResponse.json(list());
  }),
  http.patch('/api/issues/:id', refuseOthers('update')),
  http.delete('/api/issues/:id', refuseOthers('delete')),
  http.get('/api/issues/:id', ({ request, params }) => {
    const issue = rows().find(({ id }) => id === params.id);
    const hasFiles = issue && withFiles(issue).attachments.length > 0;
    return hasFiles ? (server.authorize(request) ?? HttpResponse.json(withFiles(issue))) : undefined;
  }),
  http.post('/api/issues/:id/attachments', async incoming => {
    const { request, params } = incoming;
    const refusal = server.authorize(request) ?? refuseOthers('update')(incoming);
    if (refusal) return refusal;
    const name = new URL(request.url).searchParams.get('name')!;
    files.push({ issue: String(params.id), name, bytes: await request.arrayBuffer() });
    return HttpResponse.json(withFiles(rows().find(({ id }) => id === params.id)!), { status: 201 });
  }),
  http.get('/api/issues/:id/attachments/:file', ({ request, params }) => {
    const { name, bytes } = files[Number(params.file)]!;
    const headers = {
      'Content-Disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
      'Content-Type': name.endsWith('.svg') ? 'image/svg+xml' : 'application/octet-stream',
    };
    return server.authorize(request) ?? new HttpResponse(bytes, { headers });
  }),
  http.post('/api/permissions', async ({ request }) => {
    const refusal = server.authorize(request);
    const { questions } = (await request.json()) as { questions: readonly PermissionQuestion[] };
    return refusal ?? HttpResponse.json(answerQuestions(questions, rows(), userOf(request)));
  }),
  http.delete('/api/closed-issues', incoming => {
    const refusal = server.authorize(incoming) ?? refuseOthers('deleteClosed')(incoming);
    if (refusal) return refusal;
    const headers = { 'WWW-Authenticate': 'Bearer error="insufficient_user_authentication", max_age="300"' };
    if (!steppedUp.has(userOf(incoming.request)!.id)) return HttpResponse.json({}, { status: 401, headers });
    isCleanedUp = true;
    return noContent();
  }),
  http.post('/api/view-as', async ({ request }) => {
    const { user } = (await request.json()) as { user: string };
    if (userOf(request)?.role !== 'maintainer')
      return server.authorize(request) ?? HttpResponse.json({}, { status: 403 });
    return HttpResponse.json(server.signIn(user));
  }),
  http.post('/api/step-up', async ({ request }) => {
    const refusal = server.authorize(request);
    if (refusal) return refusal;
    const { id, password } = server.personOf(request)!;
    const body = (await request.json()) as { password?: unknown };
    if (body.password !== password) return HttpResponse.json({ message: 'The password is wrong.' }, { status: 422 });
    steppedUp.add(id);
    return HttpResponse.json(server.signIn(id));
  }),
  http.post('/api/expire-token', ({ request }) => {
    const refusal = server.authorize(request);
    server.expire();
    return refusal ?? noContent();
  }),
  http.post('/api/expire', ({ request }) => {
    const user = userOf(request);
    const refusal = server.authorize(request);
    if (user) server.revoke(user.id);
    return refusal ?? noContent();
  }),
  http.get('/api/live', ({ request }) => {
    const body = new ReadableStream<Uint8Array>({ start: stream => void streams.add(stream) });
    return server.authorize(request) ?? new HttpResponse(body, { headers: { 'Content-Type': 'text/event-stream' } });
  }),
  ...server.handlers,
  ...issues.handlers,
  http.post('/api/issues/:issue/comments', () => void setTimeout(tellOfComment)),
  ...comments.handlers,
];

/** Builds the lines of the app's requests. */
export const sent = requestLines({
  prefix: '/api',
  as: (user, token) => ({ Authorization: `Bearer ${user}-${token}` }),
});

/** The permission questions about the first page of issues, for a user who is no maintainer. */
export function questionsAbout(state: string, user: string) {
  const { results } = listIssues(initialIssues, new URLSearchParams({ state }), user);
  const about = (id: string) => ['update', 'delete'].map(action => ({ action, on: { type: 'Issue', id } }));
  return { questions: results.flatMap(({ id }) => about(id)) };
}

/** What an earlier visit has left: its tokens, which this server does not know, and the time of its last activity. */
const LEFTOVERS = ['issue-tracker', 'data-client-auth:issue-tracker:activity'];

/** A story's `beforeEach`: a fresh server; the user signs in with a request, as in the app. Without an id, no user is signed in. */
export const start = (personId?: string) => async (context: StartContext) => {
  if (context.auth.isRerender) return;
  // The last story may have ended while one user viewed the app as another one.
  const left = accounts.getSnapshot().accounts;
  for (const account of left) account.session.dispose();
  accounts.show(left[0]!.id);
  // The frames of a docs page keep their storage.
  for (const storage of [localStorage, sessionStorage]) for (const key of LEFTOVERS) storage.removeItem(key);
  server.reset();
  issues.reset();
  comments.reset();
  streams.clear();
  isCleanedUp = false;
  steppedUp.clear();
  files.length = 0;
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
