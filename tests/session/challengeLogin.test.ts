import { expect, test } from 'vitest';
import { IdentityChangedError, RestEndpoint } from '../../src/entries/core.js';
import { stepUp, type AuthChallenge } from '../../src/entries/step-up.js';
import { json } from './support/answers.js';
import { API } from './support/article.js';
import { settle } from './support/manualClock.js';
import { deferred, errorOf } from './support/promises.js';
import { setupCookieSession } from './support/setupCookieSession.js';
import { setupTokenSession } from './support/setupTokenSession.js';
import { challengesOf } from './support/stepUpServer.js';
import { calls, lateLogout } from './support/limits.js';

// A login that is left while it waits for its second factor, or while the code is on the wire.

const challenge = stepUp({
  answer: new RestEndpoint({ urlPrefix: API, path: '/mfa', method: 'POST' }) as never,
  readLoginResult: (result?: { next?: string }): AuthChallenge | undefined =>
    result?.next === undefined ? undefined : { kind: 'mfa' },
});

/** A server of cookies. Ada's login wants a code, Grace's does not; the right code sets Ada's cookie. */
async function setupCookie(person?: string) {
  const held = deferred();
  const made = setupCookieSession(
    { tabs: false, extensions: [challenge] },
    {
      'POST /mfa': async seen => {
        await held.promise;
        if ((JSON.parse(seen.body) as { code: string }).code !== '1') return json({ message: 'Wrong.' }, 422);
        made.jar.person = 'ada';
        return json({ id: 'ada' });
      },
    },
  );
  const signIn = made.fake.routes['POST /login']!;
  made.fake.routes['POST /login'] = seen =>
    (JSON.parse(seen.body) as { username: string }).username === 'ada' ? json({ next: 'code' }) : signIn(seen);
  made.jar.person = person;
  made.session.subscribe(() => {});
  await made.session.ready();
  const adas = errorOf(made.session.login({ name: 'ada' }));
  await settle();
  return {
    ...made,
    ...challengesOf(made.session),
    held,
    adas,
    user: () => made.session.getSnapshot().user?.id,
    paths: () => made.fake.seen.map(({ path }) => path),
  };
}

/** The same, and the code is on the wire. */
async function setupCode(person?: string, code = '1') {
  const made = await setupCookie(person);
  const answered = errorOf(made.open().answer({ code }));
  await settle();
  made.fake.clear();
  return { ...made, answered };
}

test('a next login is sent when the code has been answered, so the cookie is the next user’s', async () => {
  const { session, held, adas, as, jar, user, paths, ArticleResource } = await setupCode();
  const graces = session.login({ name: 'grace' });
  expect(await adas).toBeInstanceOf(IdentityChangedError);
  await settle();
  expect(paths()).toEqual([]);
  held.resolve();
  await graces;
  await ArticleResource.get({ id: '1' });
  expect([user(), jar.person, as.map(({ person }) => person)]).toEqual(['grace', 'grace', ['grace']]);
});

test('a sign-out while the code is on the wire ends the session that the code creates', async () => {
  const { session, held, jar, status, fake } = await setupCode();
  const logout = session.logout();
  await settle();
  held.resolve();
  await logout;
  await settle();
  expect([status(), jar.person, calls(fake.seen)]).toEqual(['anonymous', undefined, lateLogout]);
});

test('with a token too', async () => {
  const held = deferred();
  const { session, server, auth } = setupTokenSession(
    { extensions: [challenge] },
    { 'POST /login': () => json({ next: 'code' }) },
  );
  server.routes['POST /mfa'] = async () => (await held.promise, json(auth.signIn('ada')));
  const login = errorOf(session.login({ name: 'ada' }));
  await settle();
  void challengesOf(session).open().answer({ code: '1' });
  await settle();
  const logout = session.logout();
  held.resolve();
  await Promise.all([login, logout]);
  await settle();
  expect(server.seen.map(({ path }) => path)).toEqual(['/login', '/mfa', '/logout']);
});

test('cancelled while the code is on the wire: the login rejects at once, and then the page shows whose cookie it is', async () => {
  const { session, open, isOpen, held, adas, answered, as, user, ArticleResource } = await setupCode('grace');
  open().cancel();
  expect([await adas, await answered].map(({ name }) => name)).toEqual(Array(2).fill('ChallengeCancelledError'));
  expect([isOpen(), user(), session.getSnapshot().error?.name]).toEqual([false, 'grace', 'ChallengeCancelledError']);
  const graces = errorOf(ArticleResource.get({ id: '1' }));
  await settle();
  held.resolve();
  expect(await graces).toBeInstanceOf(IdentityChangedError);
  await settle();
  await ArticleResource.get({ id: '1' });
  expect([user(), as.map(({ person }) => person)]).toEqual(['ada', ['ada']]);
});

test('cancelled and called again while the code is on the wire: the second login asks for its own code', async () => {
  const { session, open, held, adas, user, paths } = await setupCode();
  open().cancel();
  await adas;
  const second = session.login({ name: 'ada' });
  held.resolve();
  await settle();
  await open().answer({ code: '1' });
  await second;
  expect([user(), paths()]).toEqual(['ada', ['/login', '/mfa']]);
});

test('cancelled after a first factor that has set the cookie: no request goes as another user than the page shows', async () => {
  const { session, fake, jar, open, as, user, ArticleResource } = await setupCookie('grace');
  open().cancel();
  await settle();
  fake.routes['POST /login'] = () => ((jar.person = 'ada'), json({ next: 'code' }));
  const login = session.login({ name: 'ada' });
  await settle();
  open().cancel();
  expect(await login).toMatchObject({ id: 'ada' });
  await ArticleResource.get({ id: '1' });
  expect([user(), as.map(({ person }) => person)]).toEqual(['ada', ['ada']]);
});
