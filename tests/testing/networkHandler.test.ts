import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { networkHandler } from '../../src/testing/index.js';

const api = 'https://api.example.com';
const msw = setupServer(http.all(`${api}/*`, () => HttpResponse.json({})));
beforeAll(() => msw.listen({ onUnhandledRequest: 'error' }));
beforeEach(() => msw.resetHandlers());
afterEach(() => vi.useRealTimers());
afterAll(() => msw.close());

const statusOf = async (path: string) => (await fetch(`${api}${path}`)).status;

test('offline, every request fails, until the signal is aborted', async () => {
  const { signal, abort } = abortable();
  msw.use(networkHandler('offline', { signal }));
  await expect(statusOf('/article')).rejects.toThrow();
  abort();
  expect(await statusOf('/article')).toBe(200);
});

test('slow, an answer takes 1.5 seconds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  msw.use(networkHandler('slow'));
  let status: number | undefined;
  const asked = statusOf('/article').then(answer => (status = answer));
  while (vi.getTimerCount() === 0) await new Promise(setImmediate);
  await vi.advanceTimersByTimeAsync(1_499);
  expect(status).toBeUndefined();
  await vi.advanceTimersByTimeAsync(1);
  expect(await asked).toBe(200);
});

test('expired, the first request that is no auth call expires the credentials, once', async () => {
  const expire = vi.fn();
  msw.use(networkHandler('expired', { expire }));
  for (const path of ['/login', '/refresh', '/whoami', '/csrf', '/logout']) await statusOf(path);
  expect(expire).toHaveBeenCalledTimes(0);
  await statusOf('/article');
  await statusOf('/article');
  expect(expire).toHaveBeenCalledTimes(1);
});

function abortable() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}
