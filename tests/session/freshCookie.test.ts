import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { json } from './support/answers.js';
import { errorOf } from './support/promises.js';
import { setupCookieSession } from './support/setupCookieSession.js';

const ada = { name: 'ada' };
const warn = vi.fn<(text: string) => void>();
const named = { 'POST /login': () => json({ id: 'ada' }) };

beforeEach(() => {
  warn.mockClear();
  vi.spyOn(console, 'warn').mockImplementation(warn);
});
afterEach(() => vi.restoreAllMocks());

test('a cookie that expires later, or after an accepted request, costs no warning', async () => {
  let status = 200;
  const { session, clock, ArticleResource } = setupCookieSession({}, { ...named, '*': () => json({}, status) });
  const get = () => ArticleResource.get({ id: '1' });
  await session.login(ada);
  await get();
  status = 401;
  await errorOf(get());

  await session.login(ada);
  await clock.advance(10_000);
  await errorOf(get());
  expect(warn).not.toHaveBeenCalled();
});

test('a cookie that the first request does not carry costs one', async () => {
  const { session, ArticleResource } = setupCookieSession({}, { ...named, '*': () => json({}, 401) });
  for (let login = 0; login < 2; login++) {
    await session.login(ada);
    await Promise.all(['1', '2'].map(id => errorOf(ArticleResource.get({ id }))));
  }
  expect(warn.mock.calls).toEqual([
    [expect.stringContaining('the server refused (401) the cookie of a new sign-in at once.')],
  ]);
});
