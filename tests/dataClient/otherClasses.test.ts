import { Controller, LogoutManager } from '@data-client/react';
import { Endpoint } from '@data-client/rest';
import { expect, test } from 'vitest';
import { sessionCore } from '../../src/endpoints/sessionCore.js';
import { createTokenSession } from '../../src/index.js';
import { storeManagers } from '../../src/dataClient/storeManagers.js';
import { middlewareOf } from './support/middlewareOf.js';

/** A session with somebody in it, and what its store does when a request of another class is refused with a status. */
async function storeOf(person: string) {
  const session = createTokenSession({
    server: true,
    login: async (id: string) => ({ accessToken: `${id}-1`, user: { id } }),
  });
  await session.login(person);
  const manager = storeManagers(sessionCore(session)).find(one => one instanceof LogoutManager)!;
  const watch = middlewareOf(manager);
  const controller: Controller = new Controller({ dispatch: action => watch(controller)(async () => {})(action) });
  const old = new Endpoint(async () => null, { name: 'old' });
  const refused = (status: number) =>
    controller.resolve(old, {
      args: [],
      response: Object.assign(new Error('Refused'), { status }),
      fetchedAt: 0,
      error: true,
    });
  return { session, refused };
}

test('a 401 of an endpoint that is not the kit’s ends the session; another refusal does not', async () => {
  const { session, refused } = await storeOf('ada');
  await refused(403);
  expect(session.getSnapshot()).toMatchObject({ status: 'authenticated' });
  await refused(401);
  expect(session.getSnapshot()).toMatchObject({ status: 'anonymous', reason: 'expired' });
});

test('it ends nobody else’s: not that of the person who is signed in when it comes', async () => {
  const { session, refused } = await storeOf('ada');
  await session.login('bob');
  await refused(401);
  expect(session.getSnapshot()).toMatchObject({ status: 'authenticated', user: { id: 'bob' } });
});
