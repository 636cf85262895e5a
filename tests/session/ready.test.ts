import { expect, test } from 'vitest';
import { RefreshUnavailableError } from '../../src/entries/core.js';
import { json, networkError } from './support/answers.js';
import { settle } from './support/manualClock.js';
import { deferred } from './support/promises.js';
import { setupCookieSession } from './support/setupCookieSession.js';
import { setupTokenSession } from './support/setupTokenSession.js';

test('ready() starts the check that no one has started, and resolves when it is known who is signed in', async () => {
  const answer = deferred<Response>();
  const { session, fake } = setupCookieSession({ tabs: false }, { 'GET /whoami': () => answer.promise });
  let isReady = false;
  const ready = Promise.all([session.ready(), session.ready()]).then(() => (isReady = true));
  await settle();
  expect([isReady, session.getSnapshot().status]).toEqual([false, 'restoring']);
  answer.resolve(json({ id: 'ada' }));
  await ready;
  expect(session.getSnapshot()).toMatchObject({ status: 'authenticated', user: { id: 'ada' } });
  await session.ready();
  expect(fake.seen.map(({ path }) => path)).toEqual(['/whoami']);
});

test('ready() never rejects: a check that fails leaves the user signed out, with the error', async () => {
  const { session } = setupCookieSession({ tabs: false }, { 'GET /whoami': networkError });
  await session.ready();
  expect(session.getSnapshot()).toMatchObject({ status: 'anonymous', unconfirmed: 'restore' });
  expect(session.getSnapshot().error).toBeInstanceOf(RefreshUnavailableError);
});

test('ready() resolves at once where there is nothing to check', async () => {
  const { session, server } = setupTokenSession();
  await session.ready();
  expect(session.getSnapshot().status).toBe('anonymous');
  expect(server.seen).toEqual([]);
});

test('ready() resolves with the login that overtakes the check', async () => {
  const answer = deferred<unknown>();
  const { session } = setupTokenSession({ restore: () => answer.promise });
  const ready = session.ready();
  await session.login({ name: 'ada' });
  answer.resolve(null);
  await ready;
  expect(session.getSnapshot()).toMatchObject({ status: 'authenticated', user: { id: 'ada' } });
});
