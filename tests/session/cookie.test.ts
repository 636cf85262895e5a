import { expect, test } from 'vitest';
import { RefreshUnavailableError } from '../../src/entries/core.js';
import { InvalidCredentialError } from '../../src/errors.js';
import { setupCookieSession, csrfOf } from './support/setupCookieSession.js';
import { json } from './support/answers.js';
import { userOf } from './support/people.js';
import { deferred, errorOf, outcomes } from './support/promises.js';
import { settle } from './support/manualClock.js';
import { callLimitMs } from './support/limits.js';

const ada = { name: 'ada' };

test('requests carry the cookie while somebody is signed in, and none while nobody is', async () => {
  const { session, fake, ArticleResource } = setupCookieSession();
  await errorOf(ArticleResource.get({ id: '1' }));
  await session.login(ada);
  await ArticleResource.get({ id: '1' });
  await session.logout();
  await errorOf(ArticleResource.get({ id: '1' }));
  expect(fake.to('/article').map(({ credentials }) => credentials)).toEqual(['omit', 'include', 'omit']);
});

test('each mutation carries the CSRF token of its moment; safe methods carry none', async () => {
  const { session, fake, rotate, ArticleResource } = setupCookieSession();
  await session.login(ada);
  await ArticleResource.update({ id: '1' }, { title: 'a' });
  rotate('c2; "é"');
  await ArticleResource.delete({ id: '1' }).catch(() => {});
  rotate('c3');
  await ArticleResource.partialUpdate({ id: '1' }, { title: 'b' });
  await ArticleResource.get({ id: '1' });
  await ArticleResource.get.extend({ method: 'HEAD', body: undefined } as never)({ id: '1' });
  await ArticleResource.get.extend({ method: 'OPTIONS', body: undefined } as never)({ id: '1' });
  expect(fake.to('/article').map(seen => `${seen.method} ${csrfOf(seen)}`)).toEqual([
    'PUT c1',
    'DELETE c2; "é"',
    'PATCH c3',
    'GET null',
    'HEAD null',
    'OPTIONS null',
  ]);
});

test('ten mutations refused for a stale CSRF token cost one fetch and ten replays with the same bodies (scenario 13)', async () => {
  const { session, fake, rotate, ArticleResource } = setupCookieSession();
  await session.login(ada);
  rotate('c2', false);
  const bodies = Array.from({ length: 10 }, (_, n) => ({ title: `ü${n}` }));
  expect((await outcomes(bodies.map((body, id) => ArticleResource.update({ id: String(id) }, body)))).resolved).toBe(
    10,
  );
  expect(fake.count('/csrf')).toBe(1);
  expect(fake.count('PUT')).toBe(20);
  bodies.forEach((body, id) =>
    expect(fake.to(`PUT /article/${id}`).map(seen => `${csrfOf(seen)} ${seen.body}`)).toEqual([
      `c1 ${JSON.stringify(body)}`,
      `c2 ${JSON.stringify(body)}`,
    ]),
  );
});

test('an ordinary 403 is not retried and signs nobody out; its body is still to be read', async () => {
  const { session, fake, status, ArticleResource } = setupCookieSession(
    {},
    { 'PUT /article/1': () => json({ detail: 'not yours' }, 403) },
  );
  await session.login(ada);
  const error = await errorOf(ArticleResource.update({ id: '1' }, { title: 'a' }));
  expect(await (error as Error & { response: Response }).response.json()).toEqual({ detail: 'not yours' });
  expect(fake.count('PUT')).toBe(1);
  expect(fake.count('/csrf')).toBe(0);
  expect(status()).toBe('authenticated');
});

test('a missing CSRF cookie is fetched once for many mutations, and never sent as an empty header', async () => {
  const { session, fake, jar, ArticleResource } = setupCookieSession();
  await session.login(ada);
  for (const missing of [undefined, '']) {
    jar.csrf = missing;
    await Promise.all(Array.from({ length: 5 }, (_, id) => ArticleResource.update({ id: String(id) }, { title: 'a' })));
  }
  expect(fake.count('/csrf')).toBe(2);
  expect(fake.to('PUT').map(csrfOf)).toEqual(Array.from({ length: 10 }, () => 'c1'));
});

test('a CSRF token is fetched before a login that needs it, and carried by the login itself', async () => {
  const { session, fake, jar } = setupCookieSession();
  jar.csrf = undefined;
  await session.login(ada);
  expect(fake.seen.map(seen => `${seen.method} ${seen.path} ${csrfOf(seen)}`)).toEqual([
    'GET /csrf null',
    'POST /login c1',
  ]);
});

test('a CSRF fetch that fails is unavailable, whatever its status, and keeps the session', async () => {
  const { session, rotate, status, ArticleResource } = setupCookieSession({}, { 'GET /csrf': () => json({}, 401) });
  await session.login(ada);
  rotate('c2', false);
  expect((await errorOf(ArticleResource.update({ id: '1' }, { title: 'a' }))).name).toBe('RefreshUnavailableError');
  expect(status()).toBe('authenticated');
});

test('a CSRF token that no header can carry is an InvalidCredentialError that does not quote it', async () => {
  const { session, fake } = setupCookieSession({ csrf: { read: () => 'sec\r\nret' } });
  await errorOf(session.login(ada));
  expect(fake.count('/login')).toBe(0);
  const { session: other, ArticleResource: Other, jar } = setupCookieSession();
  await other.login(ada);
  jar.csrf = 'sec\r\nret';
  const error = await errorOf(Other.update({ id: '1' }, { title: 'a' }));
  expect(error).toBeInstanceOf(InvalidCredentialError);
  expect(error.message + error.stack).not.toContain('sec');
});

test.each([null, '{}', '"ok"'])('a login whose answer %s tells nobody is followed by whoami', async body => {
  const { session, jar, fake } = setupCookieSession();
  fake.routes['POST /login'] = () => {
    jar.person = 'ada';
    return new Response(body, { status: body === null ? 204 : 200, headers: { 'content-type': 'application/json' } });
  };
  expect(await session.login(ada)).toEqual(userOf('ada'));
  expect(fake.count('/whoami')).toBe(1);
});

test('a login that exchanged the cookie, but for whom nobody can say, ends the session of before', async () => {
  const { session, status, jar, fake, as, ArticleResource } = setupCookieSession();
  await session.login(ada);
  fake.routes['POST /login'] = () => {
    jar.person = 'bob';
    return new Response(null, { status: 204 });
  };
  fake.routes['GET /whoami'] = () => json({}, 503);
  expect(await errorOf(session.login({ name: 'bob' }))).toMatchObject({ status: 503 });
  await errorOf(ArticleResource.delete({ id: '5' }));
  return expect([status(), as]).toEqual(['authenticated', []]);
});

test('a logout during a login reaches the server after it', async () => {
  const answered = deferred();
  const { session, jar, fake, status } = setupCookieSession();
  session.subscribe(() => {});
  await settle();
  fake.routes['POST /login'] = async () => {
    await answered.promise;
    jar.person = 'ada';
    return json({ id: 'ada' });
  };
  const login = errorOf(session.login(ada));
  await settle();
  const logout = session.logout();
  await login;
  answered.resolve();
  await logout;
  expect(fake.to('POST').map(({ path }) => path)).toEqual(['/login', '/logout']);
  expect(jar.person).toBeUndefined();
  expect(status()).toBe('anonymous');
});

test('after a login that whoami does not confirm, the message names the cookie’s attributes', async () => {
  const { session } = setupCookieSession(
    {},
    { 'POST /login': () => new Response(null, { status: 204 }), 'GET /whoami': () => json(null) },
  );
  expect((await errorOf(session.login(ada))).message).toMatch(
    /^The login succeeded, but whoami\(\) then found no user signed in\. Check that the browser keeps the cookie: its SameSite/,
  );
});

test.each([null, {}, [], { user: null }, { authenticated: false }])(
  'whoami answers %o: nobody is signed in, and that is no error',
  async answer => {
    const { session, ArticleResource } = setupCookieSession({}, { 'GET /whoami': () => json(answer) });
    await errorOf(ArticleResource.get({ id: '1' }));
    expect(session.getSnapshot()).toMatchObject({ status: 'anonymous', error: undefined });
  },
);

test('whoami tells somebody but not whom: an error says how to tell', async () => {
  const { session, ArticleResource } = setupCookieSession({}, { 'GET /whoami': () => json({ name: 'Ada' }) });
  await errorOf(ArticleResource.get({ id: '1' }));
  expect(session.getSnapshot().error).toBeInstanceOf(InvalidCredentialError);
  expect(session.getSnapshot().error?.message).toContain("read it with the session's `getSubject` option");
});

test('a whoami at an untrusted address is a mistake that is told, and no word of a server', async () => {
  const { session } = setupCookieSession({ trustedOrigins: ['https://elsewhere.example.com'] });
  session.subscribe(() => {});
  await settle();
  expect(session.getSnapshot()).toMatchObject({
    status: 'anonymous',
    error: { cause: { name: 'UntrustedOriginError' } },
  });
});

test('asking who is signed in while a sign-out is under way waits for it, and brings nobody back', async () => {
  const slow = deferred();
  const { session, fake, jar, status } = setupCookieSession();
  await session.login(ada);
  fake.routes['POST /logout'] = async () => {
    await slow.promise;
    jar.person = undefined;
    return new Response(null, { status: 204 });
  };
  const logout = session.logout();
  const refresh = session.refresh().catch(() => {});
  await settle();
  expect(status()).toBe('anonymous');
  slow.resolve();
  await Promise.all([logout, refresh]);
  expect(status()).toBe('anonymous');
});

test('a login that had to wait for its turn has all of the timeout from then on, and the next one waits for it', async () => {
  const { session, fake, clock } = setupCookieSession({}, { 'POST /login': () => new Promise(() => {}) });
  const logins = [errorOf(session.login(ada))];
  await settle();
  logins.push(errorOf(session.login({ name: 'bob' })));
  await settle();
  expect(fake.count('/login')).toBe(1);
  await clock.advance(callLimitMs);
  expect(fake.count('/login')).toBe(2);
  logins.push(errorOf(session.login({ name: 'cy' })));
  await settle();
  await clock.advance(callLimitMs - 1);
  expect(fake.count('/login')).toBe(2);
  await clock.advance(1);
  expect(fake.count('/login')).toBe(3);
  session.dispose();
  await Promise.all(logins);
});

test('while a login takes longer than requests wait for it, they are unavailable and not sent: the cookie may be anybody’s', async () => {
  const { session, fake, as, clock, status, jar, ArticleResource } = setupCookieSession();
  await session.login(ada);
  fake.routes['POST /login'] = () => {
    jar.person = 'bob';
    return new Promise(() => {});
  };
  const login = errorOf(session.login({ name: 'bob' }));
  await settle();
  const requests = outcomes([ArticleResource.get({ id: '1' }), ArticleResource.delete({ id: '5' })]);
  await settle();
  await clock.advance(10_000);
  expect((await requests).reasons.map(reason => (reason as Error).name)).toEqual([
    'RefreshUnavailableError',
    'RefreshUnavailableError',
  ]);
  const refused = errorOf(ArticleResource.get({ id: '2' }));
  await settle();
  await clock.advance(10_000);
  const later = await refused;
  expect(later).toBeInstanceOf(RefreshUnavailableError);
  expect(as).toEqual([]);
  expect(status()).toBe('authenticated');
  session.dispose();
  await login;
});
