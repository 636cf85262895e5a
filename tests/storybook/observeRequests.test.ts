import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest';
import { observeRequests, type ObservedRequest } from '../../src/session/observeRequests.js';
import { SECRETS, setup } from './setup.js';

const msw = setupServer();
beforeAll(() => msw.listen({ onUnhandledRequest: 'error' }));
afterEach(() => msw.resetHandlers());
afterAll(() => msw.close());

function observe() {
  const observed: ObservedRequest[] = [];
  onTestFinished(observeRequests(request => void observed.push(request)));
  return observed;
}

const line = ({ method, url, attempt, cause, session }: ObservedRequest) =>
  `${method} ${new URL(url).pathname} ${attempt} ${cause} ${session?.status ?? 'no session'}`;

test('tells of each request before it is sent: which attempt, why, and how the session stands', async () => {
  const { server, getArticle, getPublic, getPlain } = setup(msw);
  const observed = observe();
  await getArticle({ id: '1' });
  server.expire();
  await getArticle({ id: '2' });
  await getPublic();
  await getPlain();
  expect(observed.map(line)).toEqual([
    'GET /article/1 1 first send authenticated',
    'GET /article/2 1 first send authenticated',
    'POST /refresh 1 refresh authenticated',
    'GET /article/2 2 replay authenticated',
    'GET /public 1 public authenticated',
    'GET /public 1 first send no session',
  ]);
});

test('tells nothing that a request carries', async () => {
  const { server, getArticle } = setup(msw);
  const observed = observe();
  await getArticle({ id: '1' });
  server.expire();
  await getArticle({ id: '1' });
  expect(observed.map(request => Object.keys(request).sort())).toEqual(
    observed.map(() => ['attempt', 'cause', 'method', 'session', 'signal', 'url']),
  );
  expect(JSON.stringify(observed)).not.toMatch(SECRETS);
});

test('tells how the session stands now, without starting it', async () => {
  const { session, getArticle } = setup(msw);
  const observed = observe();
  await getArticle({ id: '1' });
  await session.logout();
  expect(observed[0]?.session?.getStatus()).toEqual({ status: 'anonymous', reason: 'signed-out' });
  expect(observed[0]?.session?.status).toBe('authenticated');
});

test('a listener that throws, or has ended, changes no request', async () => {
  const { getArticle } = setup(msw);
  const thrown: unknown[] = [];
  const uncaught = (error: unknown) => void thrown.push(error);
  process.once('uncaughtException', uncaught);
  onTestFinished(() => void process.off('uncaughtException', uncaught));
  const ended = observe();
  observeRequests(request => void ended.push(request))();
  const stop = observeRequests(() => {
    throw new Error('a listener’s own mistake');
  });
  await expect(getArticle({ id: '1' })).resolves.toEqual({});
  stop();
  expect(ended).toHaveLength(1);
  expect(thrown).toEqual([new Error('a listener’s own mistake')]);
});
