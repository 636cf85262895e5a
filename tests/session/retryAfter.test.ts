import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RefreshUnavailableError } from '../../src/index.js';
import { retryAt } from '../../src/session/retryAfter.js';
import { errorOf } from './support/fakeServer.js';
import { tokenWorld } from './support/tokenWorld.js';

const NOW = Date.UTC(2030, 0, 1);
const refusal = (status: number, headers: Record<string, string>) => ({ response: new Response(null, { status, headers }) });

test('a wait is what the server asked for, in seconds or as a date by its own clock, and at most a minute', () => {
  fc.assert(
    fc.property(fc.integer({ min: -100, max: 200 }), fc.constantFrom(429, 503), fc.integer({ min: -3600, max: 3600 }), (seconds, status, clockError) => {
      const serverNow = NOW + clockError * 1000;
      const date = (at: number) => new Date(at).toUTCString();
      const expected = NOW + Math.min(Math.max(seconds, 0), 60) * 1000;
      expect(retryAt(refusal(status, { 'Retry-After': String(seconds) }), NOW)).toBe(expected);
      expect(retryAt(refusal(status, { 'Retry-After': date(serverNow + seconds * 1000), Date: date(serverNow) }), NOW)).toBe(expected);
      expect(retryAt(refusal(status, { 'Retry-After': date(NOW + seconds * 1000) }), NOW)).toBe(expected);
    }),
  );
});

test('there is no wait without a date or seconds, with another status, and for an error without a response', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme-ascii' }).filter(text => !/\d/.test(text)), text => {
      expect(retryAt(refusal(503, { 'Retry-After': text }), NOW)).toBe(NOW);
    }),
  );
  expect(retryAt(refusal(500, { 'Retry-After': '5' }), NOW)).toBe(NOW);
  for (const error of [undefined, null, 'no', new TypeError('fetch failed'), { response: {} }, { response: 5 }]) expect(retryAt(error, NOW)).toBe(NOW);
});

test.each([429, 503])('no refresh is sent before the time that a %i named', async status => {
  let isDown = true;
  const { session, server, clock, expire, burst, refreshRoute } = tokenWorld(
    {},
    { 'POST /refresh': seen => (isDown ? new Response(null, { status, headers: { 'Retry-After': '30' } }) : refreshRoute(seen)) },
  );
  await session.login({ name: 'ada' });
  expire();
  for (const refreshes of [1, 1, 1]) {
    const reasons = await Promise.all(burst(3).map(errorOf));
    for (const reason of reasons) expect(reason).toBeInstanceOf(RefreshUnavailableError);
    expect((await errorOf(session.refresh())).cause).toMatchObject({ status });
    expect(server.to('/refresh')).toHaveLength(refreshes);
    await clock.advance(9_999);
  }
  isDown = false;
  await clock.advance(3);
  await Promise.all(burst(3));
  expect(server.to('/refresh')).toHaveLength(2);
  expect(session.getSnapshot().status).toBe('authenticated');
});

test('the next user waits for nothing that the server asked of the one before', async () => {
  const { session, server, expire } = tokenWorld({}, { 'POST /refresh': () => new Response(null, { status: 503, headers: { 'Retry-After': '30' } }) });
  for (const name of ['ada', 'grace']) {
    await session.login({ name });
    expire();
    await errorOf(session.refresh());
  }
  expect(server.to('/refresh')).toHaveLength(2);
});
