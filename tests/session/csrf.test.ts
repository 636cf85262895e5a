import { expect, test } from 'vitest';
import { csrfToken } from '../../src/mechanisms/csrfToken.js';
import { cookieWorld } from './support/cookieWorld.js';
import { errorOf, isPending, json } from './support/fakeServer.js';
import { manualClock, settle } from './support/manualClock.js';

const ada = { name: 'ada' };
const SECOND = 1_000;
const KB = 1024;

/** A 403 whose body is these pieces, and after them `end`. Counts what is read of it. */
function slowRefusal(pieces: Iterable<string>, end: 'close' | 'hang' | 'break') {
  const source = pieces[Symbol.iterator]();
  const seen = { bytes: 0, cancelled: false };
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const { value, done } = source.next();
        if (!done) {
          const bytes = new TextEncoder().encode(value);
          seen.bytes += bytes.byteLength;
          controller.enqueue(bytes);
        } else if (end === 'close') controller.close();
        else if (end === 'break') controller.error(new TypeError('network error'));
        else return new Promise(() => {});
        return undefined;
      },
      cancel: () => void (seen.cancelled = true),
    },
    { highWaterMark: 0 },
  );
  return { seen, response: new Response(body, { status: 403 }) };
}

function* endless(piece: string) {
  for (;;) yield piece;
}

function token(options = {}) {
  const clock = manualClock();
  const csrf = csrfToken({ cookie: 'csrftoken', ...options }, clock, 10 * SECOND);
  if (!csrf) throw new Error('No CSRF token.');
  return { clock, isRefused: csrf.isRefused };
}

test('a refusal whose body never ends is decided at the timeout: it is no CSRF refusal', async () => {
  const { clock, isRefused } = token();
  const { response } = slowRefusal(['{"detail":'], 'hang');
  const decided = isRefused(response);
  await settle();
  await clock.advance(10 * SECOND - 1);
  expect(await isPending(decided)).toBe(true);
  await clock.advance(1);
  expect(await decided).toBe(false);
  expect(clock.pending).toBe(0);
});

test('a mutation refused with a body that never ends rejects with that refusal at the timeout, and its body is still to be read', async () => {
  const { session, fake, clock, status, ArticleResource } = cookieWorld({}, { 'PUT /article/1': () => slowRefusal(['{"detail":"not '], 'hang').response });
  await session.login(ada);
  const error = errorOf(ArticleResource.update({ id: '1' }, { title: 'a' }));
  await settle();
  await clock.advance(10 * SECOND);
  const { response } = (await error) as Error & { response: Response };
  expect([response.status, response.bodyUsed]).toEqual([403, false]);
  const reader = response.body?.getReader();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('{"detail":"not ');
  expect(fake.count('PUT')).toBe(1);
  expect(status()).toBe('authenticated');
});

test('at most 64 KB of a refusal are read, and what it says after them does not count', async () => {
  const { seen, response } = slowRefusal(endless('x'.repeat(KB)), 'hang');
  expect(await token().isRefused(response)).toBe(false);
  // A copied stream reads one piece ahead.
  expect(seen.bytes).toBeLessThanOrEqual(65 * KB);
  const late = slowRefusal(['x'.repeat(64 * KB - 3), 'CSRF verification failed'], 'close').response;
  expect(await token().isRefused(late)).toBe(false);
});

test('the copy that is read is given up, so that cancelling the response ends the download', async () => {
  const { seen, response } = slowRefusal(endless('x'.repeat(KB)), 'hang');
  await token().isRefused(response);
  await response.body?.cancel();
  expect(seen.cancelled).toBe(true);
});

test('a refusal cut in the middle of a character, or in many pieces, is read as one text', async () => {
  const body = new TextEncoder().encode('{"detail":"CSRF Failed: é"}');
  const byBytes = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const byte of body) controller.enqueue(Uint8Array.of(byte));
      controller.close();
    },
  });
  const response = new Response(byBytes, { status: 403 });
  expect(await token().isRefused(response)).toBe(true);
  expect(await response.json()).toEqual({ detail: 'CSRF Failed: é' });
});

test('a body that breaks off, is empty or was read already is no CSRF refusal, and no error', async () => {
  const read = json({ detail: 'CSRF Failed: CSRF token missing.' }, 403);
  await read.text();
  const foreign = { status: 403, data: 'CSRF Failed: CSRF token missing.' } as unknown as Response;
  for (const response of [slowRefusal(['{"detail":'], 'break').response, new Response(null, { status: 403 }), read, foreign]) expect(await token().isRefused(response)).toBe(false);
});

test('isRefused gets a copy and the timeout; its own error surfaces', async () => {
  const { isRefused } = token({ isRefused: async (response: Response) => (await response.text()) === 'stale' });
  const response = new Response('stale', { status: 403 });
  expect(await isRefused(response)).toBe(true);
  expect(await response.text()).toBe('stale');
  const foreign = { status: 403, data: 'stale' } as unknown as Response;
  expect(await token({ isRefused: (given: unknown) => given === foreign }).isRefused(foreign)).toBe(true);
  const { clock, isRefused: hanging } = token({ isRefused: () => new Promise(() => {}) });
  const decided = hanging(response);
  await clock.advance(10 * SECOND);
  expect(await decided).toBe(false);
  const mistake = new TypeError('no such field');
  await expect(token({ isRefused: () => Promise.reject(mistake) }).isRefused(response)).rejects.toBe(mistake);
});
