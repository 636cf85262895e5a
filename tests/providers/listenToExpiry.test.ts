import { expect, test, vi } from 'vitest';
import { authEndpoint, Entity, resource } from '../../src/index.js';
import { createContextSession } from '../../src/mechanisms/context.js';
import { listenToExpiry } from '../../src/providers/listenToExpiry.js';
import { json } from '../session/support/answers.js';
import { mockServer } from '../session/support/mockServer.js';
import { errorOf } from '../session/support/promises.js';
import { hastyClock, settle } from '../session/support/manualClock.js';

class Article extends Entity {
  id = '';
}

/** A server that accepts `good`, and a session whose token is given as a value, or by an SDK. */
function setup(
  credential: Parameters<typeof createContextSession>[1],
  callback = vi.fn<() => void | Promise<unknown>>(),
) {
  mockServer({ '*': seen => json({ id: '1' }, seen.headers.get('access-token') === 'good' ? 200 : 401) });
  const { session, update } = createContextSession({ clock: hastyClock }, credential);
  const { get } = resource({
    urlPrefix: 'https://api.example.com',
    path: '/article/:id',
    schema: Article,
    Endpoint: authEndpoint(session as never),
  });
  return { session, update, callback, stop: listenToExpiry(session, callback), get: () => get({ id: '1' }) };
}

test('each expiry calls back once; a sign-out, and a failed sign-in after the expiry, do not', async () => {
  const { session, update, callback, get, stop } = setup({ subject: 'ada', token: 'bad' });
  await errorOf(get());
  expect(callback).toHaveBeenCalledTimes(1);
  await errorOf(session.login());
  update({ subject: 'ada', getToken: () => Promise.reject(new Error('The window was closed.')) });
  await session.logout();
  expect(callback).toHaveBeenCalledTimes(1);
  update({ subject: 'ada', token: 'bad again' });
  await errorOf(get());
  expect(callback).toHaveBeenCalledTimes(2);
  await errorOf(session.login());
  expect(callback).toHaveBeenCalledTimes(2);
  stop();
  update({ subject: 'ada', token: 'bad once more' });
  await errorOf(get());
  expect(callback).toHaveBeenCalledTimes(2);
});

test('what a session that has expired says of a sign-in that fails is no other expiry, for earlier and later listeners', async () => {
  let isOpen = true;
  const getToken = async () => {
    if (isOpen) return 'bad';
    throw new Error('The window was closed.');
  };
  const { session, callback, get } = setup({ subject: 'ada', getToken });
  await errorOf(get());
  const later = vi.fn();
  listenToExpiry(session, later);
  const listener = vi.fn();
  session.subscribe(listener);
  isOpen = false;
  await errorOf((session as { login(): Promise<unknown> }).login());
  expect(listener).toHaveBeenCalled();
  expect(session.getSnapshot()).toMatchObject({ reason: 'expired', error: { message: 'The window was closed.' } });
  expect(callback).toHaveBeenCalledTimes(1);
  expect(later).not.toHaveBeenCalled();
});

test('the user is signed in again once the promise of the callback resolves, and not when it rejects', async () => {
  for (const fails of [false, true]) {
    let token = 'bad';
    const callback = vi.fn(async () => {
      token = 'good';
      if (fails) throw new Error('The window was closed.');
    });
    const { session, get } = setup({ subject: 'ada', getToken: async () => token }, callback);
    await errorOf(get());
    await settle();
    expect(session.getSnapshot().status).toBe(fails ? 'anonymous' : 'authenticated');
    expect(callback).toHaveBeenCalledTimes(1);
  }
});
