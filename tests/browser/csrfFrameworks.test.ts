import type { Page } from 'playwright';
import { describe, expect, vi } from 'vitest';
import { CSRF_REFUSALS, OTHER_REFUSALS } from '../session/support/frameworkRefusals.js';
import type { Answer, ApiServerOptions } from './support/apiServer.js';
import { openApp, press, says, signIn, test } from './support/test.js';
import { call, linesOf, linesTo } from './support/wire.js';

const PATCH = { method: 'PATCH', address: '/article/1' } as const;

/** Each framework's answer, as the server sends it, and the address that it answers at. */
const serverAnswers = (table: typeof CSRF_REFUSALS) =>
  Promise.all(
    table.map(async ([name, response], index): Promise<{ name: string; path: string; answer: Answer }> => {
      const type = response.headers.get('content-type') ?? 'text/plain';
      const text = await response.clone().text();
      const body: unknown = type === 'application/json' ? JSON.parse(text) : text;
      return {
        name,
        path: `/article/${index}`,
        answer: { status: response.status, headers: { 'Content-Type': type }, body },
      };
    }),
  );

/** The mutations of these addresses, in one tick; resolves with the status that each was refused with, or 200. */
const mutateAll = (page: Page, rows: readonly { path: string }[]) =>
  page.evaluate(
    async paths => {
      const outcomes = await Promise.all(paths.map(address => window.app.read({ method: 'PATCH', address })));
      return outcomes.map(outcome => Number(/^refused with (\d+)$/.exec(outcome)?.[1] ?? 200));
    },
    rows.map(({ path }) => path),
  );

test('a mutation whose CSRF token a framework refuses is sent once more after one fetch of the token, and one that it refuses for another reason is not (scenario 40)', async ({
  context,
  startServer,
}) => {
  const answers: NonNullable<ApiServerOptions['answers']> = {};
  const server = await startServer({ answers });
  const page = await openApp(context, server, { session: 'cookie', csrf: 'fetch' });
  await signIn(page, 'ada');
  /** What became of each mutation, and how often it was sent. */
  const outcomesOf = async (rows: Awaited<ReturnType<typeof serverAnswers>>) => {
    server.requests.length = 0;
    const statuses = await mutateAll(page, rows);
    return rows.map(({ name, path }, index) => ({
      name,
      status: statuses[index],
      sent: server.requests.filter(request => request.path === path).length,
    }));
  };

  const refusedTokens = await serverAnswers(CSRF_REFUSALS);
  for (const { path, answer } of refusedTokens)
    answers[`PATCH ${path}`] = usual => (usual.status === 403 ? answer : usual);
  server.expireCsrf();
  expect(await outcomesOf(refusedTokens)).toEqual(refusedTokens.map(({ name }) => ({ name, status: 200, sent: 2 })));
  expect(linesTo(server, '/cookie/')).toEqual(['GET /cookie/csrf as ada', 'GET /cookie/whoami as ada']);

  const others = await serverAnswers(OTHER_REFUSALS);
  for (const { path, answer } of others) answers[`PATCH ${path}`] = () => answer;
  expect(await outcomesOf(others)).toEqual(
    others.map(({ name, answer }) => ({ name, status: answer.status, sent: 1 })),
  );
  expect(linesTo(server, '/cookie/')).toEqual([]);
  await says(page, 'authenticated ada');
});

/** Django's `ensure_csrf_cookie` behind `whoami`: the answer sets the cookie, and its status says that no user is signed in. */
describe.each([401, 403])('the fetch of the CSRF token answers %i and sets the cookie', status => {
  const answers: NonNullable<ApiServerOptions['answers']> = {
    'GET /cookie/csrf': usual => ({
      ...usual,
      status,
      body: { detail: 'Authentication credentials were not provided.' },
    }),
    'POST /cookie/login': (usual, { headers }) =>
      headers['x-csrftoken']?.toString().startsWith('secret-csrf-')
        ? usual
        : { status: 403, body: { detail: 'CSRF Failed: CSRF token missing.' } },
  };
  const setToken = (page: Page, token: string) =>
    page.evaluate(text => void (document.cookie = `csrftoken=${text}; Path=/`), token);

  test('a login is sent with it: after the fetch without a token, and once more after a refused token', async ({
    context,
    startServer,
  }) => {
    const server = await startServer({ answers });
    const page = await openApp(context, server, { session: 'cookie', csrf: 'fetch' });
    await says(page, 'anonymous');
    server.requests.length = 0;
    await signIn(page, 'ada');
    expect(linesOf(server)).toEqual([
      'GET /cookie/csrf as nobody',
      'POST /cookie/login as nobody',
      'GET /article as ada',
    ]);
    await press(page, 'Sign out');
    await says(page, 'anonymous signed-out');
    await vi.waitFor(() => expect(linesOf(server).at(-1)).toBe('POST /cookie/logout as ada'));
    await setToken(page, 'of-yesterday');
    server.requests.length = 0;
    await signIn(page, 'ada');
    expect(linesOf(server)).toEqual([
      'POST /cookie/login as nobody',
      'GET /cookie/csrf as nobody',
      'POST /cookie/login as nobody',
      'GET /article as ada',
    ]);
    server.expireCsrf();
    server.requests.length = 0;
    expect(await call(page, PATCH)).toBe('answered');
    expect(linesOf(server)).toEqual([
      'PATCH /article/1 as ada',
      'GET /cookie/csrf as ada',
      'GET /cookie/whoami as ada',
      'PATCH /article/1 as ada',
    ]);
    await says(page, 'authenticated ada');
  });
});
