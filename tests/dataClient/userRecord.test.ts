import { __INTERNAL__, Controller } from '@data-client/react';
import { expect, test, vi } from 'vitest';
import { createSdkSession, Entity, resource } from '../../src/index.js';
import { UserRecord } from '../../src/dataClient/UserRecord.js';
import { systemClock } from '../../src/clock.js';
import { sessionCore } from '../../src/endpoints/sessionCore.js';
import { json } from '../session/support/answers.js';
import { settle } from '../session/support/manualClock.js';
import { deferred } from '../session/support/promises.js';
import { setupCookieSession } from '../session/support/setupCookieSession.js';

class User extends Entity {
  id = '';
  name = '';
}

const UserResource = resource({ path: '/user/:id', schema: User });
const record: object = { user: User };

/** A store without React, and the user of a cookie session in it. */
function setupStore(answer: Promise<Response>) {
  const setup = setupCookieSession(
    // The store compares times, and has the system's clock.
    { tabs: false, clock: systemClock, initial: { id: 'ada', name: 'Ada' } as { id: string }, ...record },
    { 'GET /whoami': () => answer },
  );
  setup.jar.person = 'ada';
  const user = new UserRecord(sessionCore(setup.session));
  let state = user.initialState;
  const controller = new Controller({ dispatch: async action => void (state = reduce(state, action)) });
  const reduce = __INTERNAL__.createReducer(controller);
  user.mount();
  return {
    ...setup,
    user,
    controller,
    /** The name in the place of the session's user, and in the resource of users. */
    names: () => [
      (controller.getResponse(user.endpoint, undefined, state).data as User | undefined)?.name,
      controller.getResponse(UserResource.get, { id: 'ada' }, state).data?.name,
    ],
    rename: (name: string) =>
      controller.resolve(UserResource.get, {
        args: [{ id: 'ada' }],
        response: { id: 'ada', name },
        fetchedAt: Date.now(),
      }),
  };
}

/** Waits until what was started has gone as far as it can, and the system's clock has gone on. */
async function nextMillisecond(): Promise<void> {
  const start = Date.now();
  do await settle();
  while (Date.now() <= start);
}

test('an answer is set in the record that other endpoints read', async () => {
  const { session, user, controller, names } = setupStore(Promise.resolve(json({ id: 'ada', name: 'Ada King' })));
  expect(names()).toEqual(['Ada', 'Ada']);
  await session.reload();
  user.update(controller);
  expect(names()).toEqual(['Ada King', 'Ada King']);
});

test('an equal answer takes back what another device has taken back', async () => {
  const { session, user, controller, names, rename } = setupStore(Promise.resolve(json({ id: 'ada', name: 'Ada' })));
  void rename('Ada King');
  expect(names()).toEqual(['Ada King', 'Ada King']);
  await nextMillisecond();
  await session.reload();
  user.update(controller);
  expect(names()).toEqual(['Ada', 'Ada']);
});

test('an answer does not undo a change that was made after its request', async () => {
  const answer = deferred<Response>();
  const { session, fake, user, controller, names, rename } = setupStore(answer.promise);
  const reloaded = session.reload();
  await vi.waitFor(() => expect(fake.count('GET /whoami')).toBe(1));
  await nextMillisecond();
  void rename('Ada King');
  await nextMillisecond();
  answer.resolve(json({ id: 'ada', name: 'Ada' }));
  await reloaded;
  user.update(controller);
  expect(names()).toEqual(['Ada King', 'Ada King']);
});

test('where no answer has described the user, it is the record with the subject as its key', () => {
  const session = createSdkSession({ getToken: async () => 'ada-1', subject: () => 'ada', server: true, user: User });
  const { endpoint, subject, initialState } = new UserRecord(sessionCore(session));
  const nameIn = (controller: Controller, state = initialState) =>
    (controller.getResponse(endpoint, subject, state).data as User | undefined)?.name;
  let state = initialState;
  const controller = new Controller({ dispatch: async action => void (state = reduce(state, action)) });
  const reduce = __INTERNAL__.createReducer(controller);
  expect(nameIn(controller)).toBeUndefined();
  void controller.resolve(UserResource.get, {
    args: [{ id: 'ada' }],
    response: { id: 'ada', name: 'Ada' },
    fetchedAt: Date.now(),
  });
  expect(nameIn(controller, state)).toBe('Ada');
});
