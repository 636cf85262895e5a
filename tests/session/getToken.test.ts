import { expect, test } from 'vitest';
import { sessionCore } from '../../src/endpoints/sessionCore.js';
import { IdentityChangedError, RefreshUnavailableError, SessionExpiredError, SignedOutError } from '../../src/index.js';
import { lock } from '../../src/entries/lock.js';
import { json, networkError } from './support/answers.js';
import { settle } from './support/manualClock.js';
import { deferred, errorOf } from './support/promises.js';
import { setupTokenSession } from './support/setupTokenSession.js';

const ada = { name: 'ada' };
const MINUTE_MS = 60_000;

/** Ada is signed in with a token that lives ten minutes, and is due for a refresh after nine. */
async function signedIn(refresh: () => Response | Promise<Response>) {
  const setup = setupTokenSession(
    {},
    {
      'POST /login': () => json({ accessToken: 'ada-1', refreshToken: 'r', expiresIn: 600, user: { id: 'ada' } }),
      'POST /refresh': refresh,
    },
  );
  await setup.session.login(ada);
  setup.server.clear();
  return setup;
}
const fresh = () => json({ accessToken: 'ada-2', expiresIn: 600 });

test('a token that is not due for a refresh costs no request', async () => {
  const { session, server } = await signedIn(fresh);
  expect(await session.getToken()).toBe('ada-1');
  expect(server.seen).toEqual([]);
});

test.each([9, 11])('after %i minutes, one refresh for all callers', async minutes => {
  const { session, server, clock } = await signedIn(fresh);
  await clock.advance(minutes * MINUTE_MS);
  expect(await Promise.all([session.getToken(), session.getToken()])).toEqual(['ada-2', 'ada-2']);
  expect(server.seen.map(({ path }) => path)).toEqual(['/refresh']);
});

test('where the refresh fails, the token that has not expired, and an error for one that has', async () => {
  const { session, clock } = await signedIn(networkError);
  await clock.advance(9 * MINUTE_MS);
  expect(await session.getToken()).toBe('ada-1');
  await clock.advance(2 * MINUTE_MS);
  expect(await errorOf(session.getToken())).toBeInstanceOf(RefreshUnavailableError);
});

test('where the server refuses the refresh, the error says that the session has expired', async () => {
  const { session, clock } = await signedIn(() => json({}, 401));
  await clock.advance(9 * MINUTE_MS);
  expect(await errorOf(session.getToken())).toBeInstanceOf(SessionExpiredError);
});

test('where the refused refresh locks the session, it waits until the user has signed in again', async () => {
  const { session, clock, server } = await signedIn(() => json({}, 401));
  const detach = lock({ clock }).attach(sessionCore(session));
  await clock.advance(11 * MINUTE_MS);
  const token = session.getToken();
  await settle();
  expect(session.getSnapshot().status).toBe('locked');
  server.routes['POST /login'] = () => json({ accessToken: 'ada-3', user: { id: 'ada' } });
  await session.login(ada);
  expect(await token).toBe('ada-3');
  detach();
});

test('it waits for the check for an existing session, and rejects when no user is signed in', async () => {
  const answer = deferred<unknown>();
  const { session } = setupTokenSession({ restore: () => answer.promise });
  const restored = session.getToken();
  answer.resolve({ accessToken: 'ada-7', user: { id: 'ada' } });
  expect(await restored).toBe('ada-7');
  await session.logout();
  const error = await errorOf(session.getToken());
  expect(error).toBeInstanceOf(SignedOutError);
  expect(error.message).toBe('No user is signed in, so there is no token. Sign in, then ask for the token again.');
});

test('another user’s sign-in during the refresh: no token of either user', async () => {
  const answer = deferred<Response>();
  const { session, clock, issue } = await signedIn(() => answer.promise);
  await clock.advance(9 * MINUTE_MS);
  const token = errorOf(session.getToken());
  await settle();
  await session.enter(issue('grace'));
  answer.resolve(fresh());
  expect(await token).toBeInstanceOf(IdentityChangedError);
});
