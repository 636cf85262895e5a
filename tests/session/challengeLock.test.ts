import { expect, test } from 'vitest';
import { RestEndpoint, SessionExpiredError } from '../../src/index.js';
import { lock } from '../../src/entries/lock.js';
import { stepUp, type AuthChallenge } from '../../src/entries/step-up.js';
import { sessionCore } from '../../src/endpoints/sessionCore.js';
import { json } from './support/answers.js';
import { API, tokenOf } from './support/article.js';
import { settle } from './support/manualClock.js';
import { toRequest } from './support/mockServer.js';
import { deferred, errorOf, isPending } from './support/promises.js';
import { setupTokenSession } from './support/setupTokenSession.js';
import { challengesOf, NEEDS_SCOPE, refusal, stepUpRoutes } from './support/stepUpServer.js';

// Requests wait for two things at once: the answer to a challenge, and the user of a locked session.

/** Ada's session, which locks. One deletion of hers waits for a code. */
async function setupWaiting() {
  const send = new RestEndpoint({ urlPrefix: API, path: '/step-up', method: 'POST' });
  const mfa = new RestEndpoint({ urlPrefix: API, path: '/mfa', method: 'POST' });
  const setup = setupTokenSession({
    extensions: [
      stepUp({
        answer: (values, { isLogin }) =>
          (isLogin ? mfa(values) : send.extend({ session: setup.session })(values)) as Promise<unknown>,
        readLoginResult: (result: { needsCode?: true }): AuthChallenge | undefined =>
          result.needsCode && { kind: 'mfa' },
      }),
    ],
  });
  const { session, server, clock } = setup;
  lock({ clock }).attach(sessionCore(session));
  Object.assign(server.routes, stepUpRoutes(setup.dataRoute, seen => setup.auth.authorize(toRequest(seen))).routes);
  await session.login({ name: 'ada' });
  const deletion = setup.ArticleResource.delete({ id: '1' });
  deletion.catch(() => {});
  await settle();
  server.clear();
  return {
    ...setup,
    ...challengesOf(session),
    deletion,
    expireSession: () => sessionCore(session).expire(),
    sent: () => server.seen.map(seen => `${seen.method} ${seen.path} ${tokenOf(seen)}`),
  };
}

test('an answer under way when the session locks says so; after the login, the next answer sends what waits', async () => {
  const { session, server, open, isOpen, deletion, expireSession, sent, status } = await setupWaiting();
  const [reply, route] = [deferred(), server.routes['POST /step-up']!];
  server.routes['POST /step-up'] = async seen => (await reply.promise, route(seen));
  const answered = errorOf(open().answer({ code: '123456' }));
  await settle();
  expireSession();
  expect([status(), isOpen()]).toEqual(['locked', false]);
  reply.resolve();
  expect(await answered).toBeInstanceOf(SessionExpiredError);
  await session.login({ name: 'ada' });
  expect(open().error).toBeInstanceOf(SessionExpiredError);
  server.routes['POST /step-up'] = route;
  await open().answer({ code: '123456' });
  await deletion;
  expect(sent()).toEqual(['POST /step-up ada-1', 'POST /login null', 'POST /step-up ada-2', 'DELETE /article/1 ada-2']);
});

test('an answer whose refresh locks the session is not sent again without a token', async () => {
  const { server, open, status, expire, sent } = await setupWaiting();
  expire();
  server.routes['POST /refresh'] = () => json({}, 401);
  server.routes['POST /step-up'] = () => refusal(401, 'Bearer error="invalid_token"');
  expect(await errorOf(open().answer({ code: '123456' }))).toBeInstanceOf(SessionExpiredError);
  expect(status()).toBe('locked');
  expect(sent()).toEqual(['POST /step-up ada-1', 'POST /refresh null']);
});

test('a refusal that asks for more, and arrives while locked, waits for the user and is sent again', async () => {
  const { session, server, ArticleResource, expireSession, sent } = await setupWaiting();
  const held = deferred();
  const answers = [() => refusal(403, NEEDS_SCOPE), () => json({ id: '2' })];
  server.routes['PATCH /article/2'] = async () => (await held.promise, answers.shift()!());
  const patch = ArticleResource.partialUpdate({ id: '2' }, { title: 'x' });
  await settle();
  expireSession();
  held.resolve();
  await settle();
  expect(await isPending(patch)).toBe(true);
  await session.login({ name: 'ada' });
  await patch;
  expect(sent()).toEqual(['PATCH /article/2 ada-1', 'POST /login null', 'PATCH /article/2 ada-2']);
});

test('the second factor of a login that is under way when the session locks signs in', async () => {
  const { session, server, auth, open, deletion, expireSession, status } = await setupWaiting();
  open().cancel();
  await errorOf(deletion);
  server.routes['POST /login'] = () => json({ needsCode: true });
  const held = deferred();
  server.routes['POST /mfa'] = async () => (await held.promise, json(auth.signIn('ada')));
  const login = session.login({ name: 'ada' });
  await settle();
  const answered = open().answer({ code: '1' });
  await settle();
  expireSession();
  expect(status()).toBe('locked');
  held.resolve();
  await answered;
  await login;
  expect(status()).toBe('authenticated');
});
