import type { Controller } from '@data-client/react';
import { expect, test, vi } from 'vitest';
import { createTokenSession } from '../../src/index.js';
import { sessionCore } from '../../src/endpoints/sessionCore.js';
import { SignInManager } from '../../src/dataClient/SignInManager.js';

/** The manager of a store that is made now, and how often it has emptied that store. */
function setup() {
  const session = createTokenSession<[string], { accessToken: string; user: { id: string } }>({
    login: async id => ({ accessToken: `${id}-1`, user: { id } }),
    server: true,
  });
  const resetEntireStore = vi.fn(async () => {});
  const manager = new SignInManager(sessionCore(session));
  manager.middleware({ resetEntireStore } as unknown as Controller);
  return { session, manager, resets: () => resetEntireStore.mock.calls.length };
}

test('a sign-in of a signed-out user empties the store, once', async () => {
  const { session, manager, resets } = setup();
  manager.init();
  await session.login('ada');
  expect(resets()).toBe(1);
  await session.login('ada');
  expect(resets()).toBe(1);
});

test('a sign-in between the render of the store and its mount is not missed', async () => {
  const { session, manager, resets } = setup();
  await session.login('ada');
  manager.init();
  expect(resets()).toBe(1);
});

test('when an identity is left, its store goes as a whole: it is not emptied under what is still on the screen', async () => {
  const { session, manager, resets } = setup();
  await session.login('ada');
  manager.init();
  await session.login('grace');
  await session.logout();
  await session.login('ada');
  expect(resets()).toBe(1);
});

test('a store that is gone is emptied no more', async () => {
  const { session, manager, resets } = setup();
  manager.init();
  manager.cleanup();
  await session.login('ada');
  expect(resets()).toBe(0);
});
