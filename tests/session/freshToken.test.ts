import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { json } from './support/answers.js';
import { until } from './support/manualClock.js';
import { errorOf } from './support/promises.js';
import { setupTokenSession } from './support/setupTokenSession.js';

const ada = { name: 'ada' };
const refused = () => json({}, 401);
const warn = vi.fn<(text: string) => void>();

beforeEach(() => {
  warn.mockClear();
  vi.spyOn(console, 'warn').mockImplementation(warn);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

const ANOTHER_HEADER =
  "If the server reads another header, name it in the session's options `header` and `scheme`; most servers read header: 'Authorization'.";
const ANOTHER_WORD =
  "If the server reads another word before the token, or another header, name it in the session's options `scheme` and `header`; otherwise check that the token is for this API.";

const sentence = (place: string, remedy = ANOTHER_HEADER) =>
  `data-client-auth: the server refused (401) the token of a new sign-in at once. It was sent as \`${place}\`. ${remedy}`;

test.each([
  [{}, sentence('Access-Token: <token>')],
  [{ header: 'authorization' }, sentence('authorization: Bearer <token>', ANOTHER_WORD)],
  [{ header: 'Authorization', scheme: 'token' }, sentence('Authorization: token <token>', ANOTHER_WORD)],
])('the token of a login that is refused at once costs one warning with the header: %o', async (options, text) => {
  const { session, burst, clock } = setupTokenSession(options, { '*': refused });
  await session.login(ada);
  await until(clock, Promise.allSettled(burst(3)));
  expect(warn.mock.calls).toEqual([[text]]);

  await session.login(ada);
  await until(clock, Promise.allSettled(burst(1)));
  expect(warn).toHaveBeenCalledTimes(1);
});

test('a refused refresh before the first request says nothing about the header', async () => {
  const { session } = setupTokenSession({}, { 'POST /refresh': refused });
  await session.login(ada);
  await errorOf(session.refresh());
  expect(warn).not.toHaveBeenCalled();
});

test('no warning where the server has accepted a request of the sign-in', async () => {
  let answers = 0;
  const { session, ArticleResource, clock } = setupTokenSession(
    {},
    { '*': () => (answers++ ? refused() : json({ id: '0' })) },
  );
  await session.login(ada);
  await ArticleResource.get({ id: '0' });
  await until(clock, Promise.allSettled([ArticleResource.get({ id: '1' })]));
  expect(session.getSnapshot().status).toBe('anonymous');
  expect(warn).not.toHaveBeenCalled();
});

test('no warning where the refreshed token is accepted: the server reads the header', async () => {
  const { session, burst, expire } = setupTokenSession();
  await session.login(ada);
  expire();
  await Promise.all(burst(3));
  expect(warn).not.toHaveBeenCalled();
});

test('no warning for a token that has had the time to expire', async () => {
  const { session, burst, clock } = setupTokenSession({}, { '*': refused });
  await session.login(ada);
  await clock.advance(10_000);
  await until(clock, Promise.allSettled(burst(1)));
  expect(warn).not.toHaveBeenCalled();
});

test('no warning in production', async () => {
  vi.stubEnv('NODE_ENV', 'production');
  vi.resetModules();
  const { setupTokenSession } = await import('./support/setupTokenSession.js');
  const { session, burst, clock } = setupTokenSession({}, { '*': refused });
  await session.login(ada);
  await until(clock, Promise.allSettled(burst(1)));
  expect(warn).not.toHaveBeenCalled();
});
