import { expect, test } from 'vitest';
import { gate, json } from './support/fakeServer.js';
import { settle } from './support/manualClock.js';
import { tokenOf, tokenWorld } from './support/tokenWorld.js';

const MINUTE = 60_000;

/** Tokens that live so many seconds; a JWT tells its end by the server's clock. */
function livingFor(seconds: number, more: object = {}) {
  let n = 0;
  const world = tokenWorld({}, {});
  const issue = () => json({ ...world.issue('ada'), expiresIn: seconds, ...more, n: n++ });
  world.server.routes['POST /login'] = issue;
  world.server.routes['POST /refresh'] = issue;
  return world;
}

test('a token is renewed before it is sent once less than a minute is left, by one refresh for all', async () => {
  const { session, server, clock, burst } = livingFor(600);
  await session.login({ name: 'ada' });
  await clock.advance(9 * MINUTE - 1);
  await burst(1)[0];
  expect(server.count('/refresh')).toBe(0);
  await clock.advance(1);
  await Promise.all(burst(20));
  expect(server.count('/refresh')).toBe(1);
  expect(server.count('/article')).toBe(21);
  expect(clock.pending).toBe(0);
});

test('a token that lives shorter than two minutes is used for half its life', async () => {
  const { session, server, clock, burst } = livingFor(60);
  await session.login({ name: 'ada' });
  await clock.advance(29_999);
  await burst(1)[0];
  expect(server.count('/refresh')).toBe(0);
  await clock.advance(1);
  await burst(1)[0];
  expect(server.count('/refresh')).toBe(1);
});

test('after an hour of sleep the first request refreshes before it is sent', async () => {
  const { session, server, clock, burst, expire } = livingFor(600);
  await session.login({ name: 'ada' });
  await clock.advance(60 * MINUTE);
  expire();
  await Promise.all(burst(5));
  expect(server.count('/refresh')).toBe(1);
  expect(server.to('/article').map(tokenOf)).toEqual(Array.from({ length: 5 }, () => 'ada-2'));
});

test.each([10 * MINUTE, -10 * MINUTE])('a clock that is wrong by %i ms wastes at most one 401 per expiry, and makes no loop', async skew => {
  const { session, server, clock, burst, expire, issue } = tokenWorld();
  const answer = () => json({ ...issue('ada'), expiresAt: clock.now() - skew + 5 * MINUTE });
  server.routes['POST /login'] = answer;
  server.routes['POST /refresh'] = answer;
  await session.login({ name: 'ada' });
  for (let round = 0; round < 3; round++) {
    await burst(1)[0];
    await burst(1)[0];
    await clock.advance(5 * MINUTE);
    expire();
  }
  expect(server.count('/refresh')).toBe(2);
  expect(server.count('/article')).toBeLessThanOrEqual(6 + 2);
});

test.each([0, -5, Number.NaN, 'soon'])('a refresh that answers a token with %s seconds left makes no loop', async expiresIn => {
  const { session, server, clock, burst } = livingFor(600);
  await session.login({ name: 'ada' });
  await clock.advance(10 * MINUTE);
  const { issue } = { issue: server.routes['POST /refresh']! };
  server.routes['POST /refresh'] = async seen => json({ ...((await (await issue(seen)).json()) as object), expiresIn });
  await Promise.all(burst(3));
  await burst(1)[0];
  await clock.advance(60 * MINUTE);
  await burst(1)[0];
  expect(server.count('/refresh')).toBe(1);
});

test('the expiry is read from a JWT, unless the answer tells it', async () => {
  for (const told of [{}, { expiresIn: 3600 }]) {
    const { session, server, clock, burst } = tokenWorld();
    const jwt = (minutes: number) => `h.${btoa(JSON.stringify({ sub: 'ada', exp: clock.now() / 1000 + minutes * 60 }))}.s`;
    server.routes['POST /login'] = () => json({ accessToken: jwt(10), refreshToken: 'r', ...told });
    server.routes['POST /refresh'] = () => json({ accessToken: jwt(10), refreshToken: 'r' });
    server.routes['*'] = () => json({ id: '0' });
    await session.login({ name: 'ada' });
    await clock.advance(9 * MINUTE);
    await burst(1)[0];
    expect(server.count('/refresh')).toBe('expiresIn' in told ? 0 : 1);
  }
});

test('a due refresh that is unavailable rejects, and the next request tries again', async () => {
  const { session, server, clock, burst } = livingFor(600);
  const issue = server.routes['POST /refresh']!;
  await session.login({ name: 'ada' });
  await clock.advance(10 * MINUTE);
  server.routes['POST /refresh'] = () => json({}, 503);
  await expect(burst(1)[0]).rejects.toMatchObject({ name: 'RefreshUnavailableError' });
  server.routes['POST /refresh'] = issue;
  await burst(1)[0];
  expect(server.count('/refresh')).toBe(2);
  expect(server.count('/article')).toBe(1);
});

test('a request that waits for a due refresh is sent as nobody else after a switch', async () => {
  const { session, server, clock, ArticleResource, issue } = livingFor(600);
  const held = gate();
  await session.login({ name: 'ada' });
  await clock.advance(10 * MINUTE);
  server.routes['POST /refresh'] = () => held.promise.then(() => json(issue('ada')));
  server.routes['POST /login'] = () => json(issue('bob'));
  const remove = ArticleResource.delete({ id: '1' });
  const error = expect(remove).rejects.toMatchObject({ name: 'AbortError' });
  await session.login({ name: 'bob' });
  await error;
  held.open();
  await settle();
  expect(server.count('DELETE')).toBe(0);
});
