// What is sent as whom, by code that outlives a sign-in and by an SDK that is ahead of its event.
import { describe, expect, test, vi } from 'vitest';
import { authEndpoint, createSdkSession, IdentityChangedError, resource } from '../../src/entries/core.js';
import { sessionCore } from '../../src/endpoints/sessionCore.js';
import { json } from './support/answers.js';
import { API, Article, tokenOf } from './support/article.js';
import { mockServer } from './support/mockServer.js';
import { errorOf, outcomeOf } from './support/promises.js';
import { setupTokenSession } from './support/setupTokenSession.js';

test.each([
  ['signs out, and Grace in', (app: ReturnType<typeof setupTokenSession>) => app.session.logout()],
  ['is replaced by Grace', async () => {}],
])('scenario 59: Ada %s: a loop outside React sends nothing as the next user', async (_name, leave) => {
  const app = setupTokenSession({ trustedOrigins: [API] }, { 'PATCH /article/1': () => json({}, 503) });
  await app.session.login({ name: 'ada' });
  const signal = sessionCore(app.session).getIdentitySignal();
  const save = app.ArticleResource.partialUpdate.extend({ signal });
  const tryAgain = async () => [
    (await errorOf(save({ id: '1' }, { title: 'Ada’s' }))).name,
    await outcomeOf(app.session.fetch(`${API}/mail`, { method: 'POST', signal })),
  ];
  expect(await tryAgain()).toEqual(['NetworkError', 'done']);
  // A refresh is no other identity.
  await app.session.refresh();
  expect(await tryAgain()).toEqual(['NetworkError', 'done']);
  await leave(app);
  await app.session.login({ name: 'grace' });
  expect(await tryAgain()).toEqual(['AbortError', 'AbortError']);
  expect(app.server.to('PATCH').map(tokenOf)).toEqual(['ada-1', 'ada-2']);
  expect(app.server.to('POST /mail').map(tokenOf)).toEqual(['ada-1', 'ada-2']);
  expect(sessionCore(app.session).getIdentitySignal().aborted).toBe(false);
});

test('a loop that starts before the first check is of the user whom it finds', async () => {
  const app = setupTokenSession({ restore: async () => app.issue('ada') });
  const signal = sessionCore(app.session).getIdentitySignal();
  await app.session.ready();
  await app.ArticleResource.get.extend({ signal })({ id: '1' });
  expect(app.server.to('GET').map(tokenOf)).toEqual(['ada-1']);
});

const jwt = (sub: string, n: number) => `h.${btoa(JSON.stringify({ sub, n }))}.s`;

/** An SDK that tells late, or never, that it has another user. */
async function setupSdk(subOf: (user: string) => string, isLate: boolean) {
  // Node has no window, so a test says that it shares the session with no one.
  vi.stubGlobal('window', globalThis);
  const server = mockServer({ '*': () => json({ id: '1', title: 'x' }) });
  let user: string | null = 'ada';
  let issued = 0;
  const session = createSdkSession({
    getToken: async () => (user === null ? null : jwt(subOf(user), ++issued)),
    subject: () => (isLate ? Promise.resolve(user) : user),
  });
  await session.ready();
  const { get } = resource({ urlPrefix: API, path: '/article/:id', schema: Article, Endpoint: authEndpoint(session) });
  return { server, session, get, become: (next: string | null) => void (user = next) };
}

describe.each([
  ['the subject', (user: string) => user],
  ['another text than the subject', (user: string) => `auth0|${user}`],
])('the `sub` of an SDK’s tokens is %s', (_name, subOf) => {
  test.each([
    ['at once', false],
    ['by a promise', true],
  ])('its first token is another user’s, and `subject` says so %s: it is not sent for Ada', async (_how, isLate) => {
    const { server, session, get, become } = await setupSdk(subOf, isLate);
    become('grace');
    expect(await errorOf(get({ id: '1' }))).toBeInstanceOf(IdentityChangedError);
    expect(server.seen).toEqual([]);
    expect(session.getSnapshot()).toMatchObject({ status: 'authenticated', user: { subject: 'grace' } });
    await get({ id: '1' });
    expect(server.seen).toHaveLength(1);
  });
});
