import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { sessionCore } from '../../src/endpoints/sessionCore.js';
import {
  authEndpoint,
  createCookieSession,
  createSession,
  IdentityChangedError,
  type Mechanism,
  RefreshUnavailableError,
  RestEndpoint,
} from '../../src/entries/core.js';
import { lock } from '../../src/entries/lock.js';
import { InvalidCredentialError } from '../../src/errors.js';
import { createSdkSession, Entity, SessionExpiredError, SignedOutError } from '../../src/index.js';
import { startCookieSession } from '../../src/mechanisms/cookie.js';
import { json } from './support/answers.js';
import { API, tokenOf } from './support/article.js';
import { callLimitMs } from './support/limits.js';
import { settle } from './support/manualClock.js';
import { mockServer, type Route, toRequest } from './support/mockServer.js';
import { pageGate } from './support/pageGate.js';
import { userOf } from './support/people.js';
import { deferred, errorOf, outcomes } from './support/promises.js';
import { csrfOf, setupCookieSession } from './support/setupCookieSession.js';
import { setupTokenSession } from './support/setupTokenSession.js';

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

test('a token session that is mounted again checks for no existing session', async () => {
  const restore = vi.fn(async () => ({ accessToken: 'ada-1', user: { id: 'ada' } }));
  const { session } = setupTokenSession({ restore: restore }, { '*': () => json({ id: '1' }) });
  for (let mounted = 0; mounted < 3; mounted++) {
    const stop = session.subscribe(() => {});
    await settle();
    stop();
  }
  expect(session.getSnapshot().status).toBe('authenticated');
  expect(restore).toHaveBeenCalledTimes(1);
});

test('a cookie session that cannot check sends its requests all the same, mounted or not', async () => {
  const server = mockServer({ '*': () => json({ id: '1' }) });
  const session = createSession(
    {
      gate: pageGate(),
      login: async () => ({ credential: 'cookie', subject: 'ada' }),
      attach: ({ init }) => init,
    },
    { server: true },
  );
  const stop = session.subscribe(() => {});
  await session.login();
  stop();
  await (new (authEndpoint(session))({ urlPrefix: API, path: '/article' }) as unknown as () => Promise<unknown>)();
  expect(server.seen).toHaveLength(1);
  expect(session.getSnapshot().status).toBe('authenticated');
});

test('a check that finds the same user with other data shows the new data, in the same epoch', async () => {
  const { session, fake, clock, focus } = setupCookieSession({ tabs: false });
  session.subscribe(() => {});
  await settle();
  await session.login(ada);
  const { epoch, user } = session.getSnapshot();
  for (const answer of [userOf('ada'), { ...userOf('ada'), team: 'compilers' }]) {
    fake.routes['GET /whoami'] = () => json(answer);
    await clock.advance(60_000);
    focus();
    await settle();
    expect(session.getSnapshot()).toMatchObject({ epoch, user: answer });
    if (!('team' in answer)) expect(session.getSnapshot().user).toBe(user);
  }
});

interface Person {
  id: string;
}

/** A session whose credential the browser keeps, without a server of its own. */
function ownSession(more: Partial<Mechanism<string, Person>> = {}) {
  const session = createSession(
    {
      gate: pageGate(),
      login: async () => person('ada'),
      attach: ({ init }, credential) => ({ ...init, headers: { 'X-Credential': credential ?? '' } }),
      ...more,
    },
    { server: true },
  );
  const statuses: string[] = [];
  const mount = () => session.subscribe(() => void statuses.push(session.getSnapshot().status));
  const get = new (authEndpoint(session))({ urlPrefix: API, path: '/article' }) as unknown as () => Promise<unknown>;
  return { session, statuses, mount, get };
}

const person = (id: string, credential = `${id}-1`) => ({ credential, subject: id, user: { id } });

test('a check that finds the same user with a newer credential sends that one, and shows the same user object', async () => {
  const server = mockServer({ '*': () => json({}) });
  const { session, mount, get } = ownSession({ restore: async () => person('ada', 'ada-2') });
  await session.login();
  const { user } = session.getSnapshot();
  mount()();
  await get();
  expect(server.seen.map(({ headers }) => headers.get('x-credential'))).toEqual(['ada-2']);
  expect(session.getSnapshot().user).toBe(user);
});

test.each([
  ['one name', 'one-cookie', 'grace'],
  ['two names', 'another', 'ada'],
])(
  'two sessions with one cookie and %s: one that starts during a login of the other shows the new user or not',
  async (_, other, shown) => {
    vi.stubGlobal('window', globalThis);
    const name = 'one-cookie';
    const { fake, session: first, clock } = setupCookieSession({ tabs: name });
    await first.login({ name: 'ada' });
    const stopFirst = first.subscribe(() => {});
    const own = (path: string, method: string) => new RestEndpoint({ urlPrefix: API, path, method }) as never;
    const second = createCookieSession<[{ name: string }], { id: string }>({
      login: own('/login', 'POST'),
      whoami: own('/whoami', 'GET'),
      credentials: 'include',
      tabs: other,
      clock,
      server: true,
    });
    const [whoami, login] = [fake.routes['GET /whoami']!, fake.routes['POST /login']!];
    const [checked, signedIn] = [deferred(), deferred()];
    const late =
      (route: typeof whoami, { promise }: typeof checked): typeof whoami =>
      async seen => {
        const answer = await route(seen);
        await promise;
        return answer;
      };
    fake.routes['GET /whoami'] = late(whoami, checked);
    const stopSecond = second.subscribe(() => {});
    await settle();
    fake.routes['POST /login'] = late(login, signedIn);
    const grace = first.login({ name: 'grace' });
    await settle();
    checked.resolve();
    await settle();
    // A check during which a login starts decides nothing.
    expect(second.getSnapshot().user?.id).toBe(shown);
    signedIn.resolve();
    await grace;
    await clock.advance(1_000);
    expect(second.getSnapshot().user?.id).toBe(shown);
    stopFirst();
    stopSecond();
  },
);

describe('a fresh cookie', () => {
  const warn = vi.fn<(text: string) => void>();
  const named = { 'POST /login': () => json({ id: 'ada' }) };

  beforeEach(() => {
    warn.mockClear();
    vi.spyOn(console, 'warn').mockImplementation(warn);
  });
  afterEach(() => vi.restoreAllMocks());

  test('a cookie that expires later, or after an accepted request, costs no warning', async () => {
    let status = 200;
    const { session, clock, ArticleResource } = setupCookieSession({}, { ...named, '*': () => json({}, status) });
    const get = () => ArticleResource.get({ id: '1' });
    await session.login(ada);
    await get();
    status = 401;
    await errorOf(get());

    await session.login(ada);
    await clock.advance(10_000);
    await errorOf(get());
    expect(warn).not.toHaveBeenCalled();
  });

  test('a cookie that the first request does not carry costs one', async () => {
    const { session, ArticleResource } = setupCookieSession({}, { ...named, '*': () => json({}, 401) });
    for (let login = 0; login < 2; login++) {
      await session.login(ada);
      await Promise.all(['1', '2'].map(id => errorOf(ArticleResource.get({ id }))));
    }
    expect(warn.mock.calls).toEqual([
      [expect.stringContaining('the server refused (401) the cookie of a new sign-in at once.')],
    ]);
  });
});

describe('initial', () => {
  type Options = NonNullable<Parameters<typeof setupCookieSession>[0]>;

  /** A page whose browser has a person's cookie, with a session that was told who it is. */
  function setupPage(
    person: string | undefined,
    options: Options = {},
    routes?: Parameters<typeof setupCookieSession>[1],
  ) {
    const setup = setupCookieSession({ tabs: false, ...options }, routes);
    setup.jar.person = person;
    setup.fake.clear();
    return setup;
  }

  const paths = ({ fake }: ReturnType<typeof setupCookieSession>) => fake.seen.map(({ path }) => path);
  const status = (session: { getSnapshot(): { status: string; reason?: string | undefined } }) => {
    const { status, reason } = session.getSnapshot();
    return [status, reason].filter(Boolean).join(' ');
  };

  test('a cold start costs one request where the server has told the user, and two where it has not', async () => {
    const told = setupPage('ada', { initial: { id: 'ada' } });
    expect(told.session.getSnapshot()).toMatchObject({ status: 'authenticated', user: { id: 'ada' }, epoch: 0 });
    told.session.subscribe(() => {});
    await told.ArticleResource.get({ id: '1' });
    await settle();
    expect(paths(told)).toEqual(['/article/1']);
    expect(told.as.map(({ person }) => person)).toEqual(['ada']);

    const untold = setupPage('ada');
    untold.session.subscribe(() => {});
    await untold.ArticleResource.get({ id: '1' });
    expect(paths(untold)).toEqual(['/whoami', '/article/1']);
  });

  test('null says that no user is signed in: no check, and the first snapshot shows the sign-in', async () => {
    const page = setupPage(undefined, { initial: null });
    expect(page.session.getSnapshot()).toMatchObject({
      status: 'anonymous',
      reason: undefined,
      unconfirmed: undefined,
    });
    page.session.subscribe(() => {});
    await page.session.ready();
    await settle();
    expect(paths(page)).toEqual([]);
    await page.session.login({ name: 'ada' });
    expect(status(page.session)).toBe('authenticated');
  });

  test('what a server renders, and a page until it is hydrated, is the user that was told', () => {
    const { session } = setupPage('ada', { initial: { id: 'ada' } });
    expect(sessionCore(session).getServerSnapshot()).toMatchObject({ status: 'authenticated', user: { id: 'ada' } });
    const later = setupPage('ada').session;
    startCookieSession(later, { id: 'ada' });
    expect(sessionCore(later).getServerSnapshot()).toMatchObject({ status: 'authenticated', user: { id: 'ada' } });
  });

  test('the user is read from the shape of whoami, with `getSubject`', () => {
    const { session } = setupPage('ada', { initial: { id: 'ada' }, getSubject: ({ id }) => `tenant/${id}` });
    expect(sessionCore(session).getSubject()).toBe('tenant/ada');
    const wrapped = setupPage('ada', { initial: { user: { id: 'ada' } } as never });
    expect(wrapped.session.getSnapshot().user).toEqual({ id: 'ada' });
  });

  test('a cookie of another user, and answers that name theirs: not one is delivered to the first user', async () => {
    const page = setupPage(
      'grace',
      { initial: { id: 'ada' }, verifyResponse: ({ headers }) => headers.get('x-user') ?? undefined },
      { '/article/1': () => Response.json({ id: '1', title: 'of grace' }, { headers: { 'x-user': 'grace' } }) },
    );
    page.session.subscribe(() => {});
    expect(await errorOf(page.ArticleResource.get({ id: '1' }))).toBeInstanceOf(IdentityChangedError);
    await settle();
    expect(page.session.getSnapshot().user).toMatchObject({ id: 'grace' });
    expect(await page.ArticleResource.get({ id: '1' })).toMatchObject({ title: 'of grace' });
    expect(paths(page)).toEqual(['/article/1', '/whoami', '/article/1']);
  });

  afterEach(() => void vi.restoreAllMocks());

  test('a session that starts over asks whoami: what the server knew is used once', async () => {
    const page = setupPage('grace', { initial: { id: 'ada' } });
    page.session.dispose();
    expect(status(page.session)).toBe('restoring');
    startCookieSession(page.session, { id: 'ada' });
    expect(status(page.session)).toBe('restoring');
    await page.session.ready();
    expect(page.session.getSnapshot().user).toMatchObject({ id: 'grace' });
  });

  test('a check under way knows better than a provider that mounts later', async () => {
    const page = setupPage('grace');
    const ready = page.session.ready();
    startCookieSession(page.session, { id: 'ada' });
    expect(status(page.session)).toBe('restoring');
    await ready;
    startCookieSession(page.session, { id: 'ada' });
    expect(page.session.getSnapshot().user).toMatchObject({ id: 'grace' });
  });

  test('on a server, a user is never given to a session of a module', () => {
    const options = { login: async () => ({}), whoami: async () => null as { id: string } | null };
    const shared = createCookieSession(options);
    const sentence = /was not made for a server/;
    expect(() => createCookieSession({ ...options, initial: { id: 'ada' } })).toThrow(sentence);
    expect(() => startCookieSession(shared, { id: 'ada' })).toThrow(sentence);
    expect(status(shared)).toBe('restoring');
    expect(status(createCookieSession({ ...options, initial: null }))).toBe('anonymous');
    expect(status(createCookieSession({ ...options, initial: { id: 'ada' }, server: true }))).toBe('authenticated');
  });

  test('a user without a name is refused with the remedy, and so is a session without a cookie', () => {
    const make = () => setupPage('ada', { initial: { name: 'Ada' } as never });
    expect(make).toThrow(InvalidCredentialError);
    expect(make).toThrow('`initial` does not name its user. Give it the result of whoami()');
    expect(() => startCookieSession({}, { id: 'ada' })).toThrow(
      '`initial` is for a session of createCookieSession() only. Leave it out',
    );
  });

  test('a CSRF token of the page goes with the first write, as after a whoami', async () => {
    const page = setupPage('ada', {
      initial: { id: 'ada' },
      csrf: { cookie: 'csrftoken', header: 'X-CSRFToken' },
    });
    await page.ArticleResource.partialUpdate({ id: '1' }, { title: 'New' });
    expect(page.fake.seen.map(({ method, headers }) => [method, headers.get('x-csrftoken')])).toEqual([
      ['PATCH', page.jar.csrf],
    ]);
  });
});

class User extends Entity {
  id = '';
  name = '';
  role = 'none';

  get title() {
    return `Countess ${this.name}`;
  }
}

const profile = new RestEndpoint({ urlPrefix: API, path: '/me' });
const record: object = { user: User };
const named = (name: string) => json({ id: 'ada', name });

/** A token session of Ada's, whose `/me` gives the answers one by one. */
async function setupAda(answers: readonly Route[], options: object = record) {
  let count = 0;
  const setup = setupTokenSession({ profile, ...options }, { 'GET /me': seen => answers[count++]!(seen) });
  await setup.session.login({ name: 'ada' });
  const me = () => setup.server.seen.filter(({ path }) => path === '/me').map(tokenOf);
  return { ...setup, me };
}

/** A cookie session of Ada's, whose `whoami` gives these answers after the first one. */
async function setupCookie(answers: readonly Route[], options: object = record) {
  let count = 0;
  const whoami: Route = seen => (count++ === 0 ? named('Ada') : answers[count - 2]!(seen));
  const setup = setupCookieSession({ tabs: false, ...options }, { 'GET /whoami': whoami });
  setup.jar.person = 'ada';
  setup.session.subscribe(() => {});
  await setup.session.ready();
  return setup;
}

describe('with `profile`', () => {
  test('two calls at once are one request with the token, and both get the new user', async () => {
    const { session, me } = await setupAda([() => named('Ada King'), () => named('Ada')]);
    const [one, two] = await Promise.all([session.reload(), session.reload()]);
    expect(one).toBe(two);
    expect(one).toMatchObject({ id: 'ada', name: 'Ada King' });
    expect(session.getSnapshot().user).toBe(one);
    expect(me()).toEqual(['ada-1']);
    expect(await session.reload()).toMatchObject({ name: 'Ada' });
    expect(me()).toEqual(['ada-1', 'ada-1']);
  });

  test('a request that locks the session waits for its user, beyond the time limit', async () => {
    const authorized: Route = seen => setup.auth.authorize(toRequest(seen)) ?? named('Ada King');
    const setup = await setupAda([authorized, authorized, authorized], { ...record, refresh: undefined });
    const { session, clock, expire } = setup;
    lock({ clock }).attach(sessionCore(session));
    expire();
    const reloaded = session.reload();
    await settle();
    await clock.advance(1_000);
    expect(session.getSnapshot().status).toBe('locked');
    await clock.advance(11_000);
    await session.login({ name: 'ada' });
    expect(await reloaded).toMatchObject({ name: 'Ada King' });
  });

  test('ends with the identity, and the answer to the old one changes nothing', async () => {
    const answer = deferred<object>();
    // A function of the app: nothing else ends its wait.
    const { session } = await setupAda([], { ...record, profile: () => answer.promise });
    const pending = errorOf(session.reload());
    await settle();
    await session.login({ name: 'grace' });
    expect(await pending).toBeInstanceOf(IdentityChangedError);
    answer.resolve({ name: 'Ada King' });
    await settle();
    expect(session.getSnapshot().user).toMatchObject({ id: 'grace' });
  });

  test('another user in the answer ends the session as expired', async () => {
    const { session } = await setupAda([() => json({ id: 'grace', name: 'Grace' })]);
    expect(await errorOf(session.reload())).toBeInstanceOf(SessionExpiredError);
    expect(session.getSnapshot()).toMatchObject({ status: 'anonymous', reason: 'expired', user: undefined });
  });

  test('a failure is the caller’s, and the session continues', async () => {
    const { session } = await setupAda([() => json({}, 500), () => json(null), () => named('Ada King')]);
    expect(await errorOf(session.reload())).toMatchObject({ status: 500 });
    expect((await errorOf(session.reload())).message).toBe(
      'profile() answered without a user. Let it answer an object, or `{ user }`.',
    );
    expect(session.getSnapshot()).toMatchObject({ status: 'authenticated', error: undefined });
    expect(await session.reload()).toMatchObject({ name: 'Ada King' });
  });

  test('a refresh under way keeps its token when the answer arrives in between', async () => {
    const refreshed = deferred();
    const answer = deferred<Response>();
    const setup = setupTokenSession(
      { profile, ...record },
      {
        'GET /me': () => answer.promise,
        'POST /refresh': async seen => (await refreshed.promise, setup.refreshRoute(seen)),
      },
    );
    await setup.session.login({ name: 'ada' });
    const reloaded = setup.session.reload();
    await settle();
    const refresh = setup.session.refresh();
    await settle();
    answer.resolve(named('Ada King'));
    await settle();
    refreshed.resolve();
    await Promise.all([refresh, reloaded]);
    expect(await setup.session.getToken()).toBe('ada-2');
    expect(setup.session.getSnapshot().user).toMatchObject({ name: 'Ada King' });
  });

  test('waits for the check at the start', async () => {
    const checked = deferred<undefined>();
    const session = createSession<string, { name: string }>(
      {
        attach: ({ init }) => init,
        restore: async () => (await checked.promise, { credential: 'ada-1', subject: 'ada' }),
        profile: async () => ({ name: 'Ada' }),
      },
      { server: true },
    );
    const reloaded = session.reload();
    expect(session.getSnapshot().status).toBe('restoring');
    checked.resolve(undefined);
    expect(await reloaded).toEqual({ name: 'Ada' });
  });

  test('the stored sign-in has the user of the last answer', async () => {
    let stored = '';
    const storage = {
      get: () => stored,
      set: (text: string) => void (stored = text),
      remove: () => void (stored = ''),
    };
    const { session } = await setupAda([() => named('Ada King')], { ...record, storage: { in: storage, tabs: false } });
    await session.reload();
    await settle();
    expect(JSON.parse(stored)).toMatchObject({ subject: 'ada', user: { id: 'ada', name: 'Ada King' } });
  });

  test('under an SDK the user is undefined until an answer describes them, and a new token keeps them', async () => {
    mockServer({ 'GET /me': () => named('Ada King') });
    let token = 'one';
    let changed = () => {};
    const session = createSdkSession({
      getToken: async () => token,
      subject: () => 'ada',
      subscribe: listener => ((changed = listener), () => {}),
      server: true,
      user: User,
      profile,
    });
    session.subscribe(() => {});
    expect(session.getSnapshot()).toMatchObject({ status: 'authenticated', user: undefined });
    const user = await session.reload();
    expect(user).toBeInstanceOf(User);
    expect(user.title).toBe('Countess Ada King');
    token = 'two';
    changed();
    await session.refresh();
    await settle();
    expect(session.getSnapshot().user).toBe(user);
  });

  test('without an option `user` the SDK’s subject stays beside the fields of the answer', async () => {
    mockServer({ 'GET /me': () => named('Ada King') });
    const session = createSdkSession({ getToken: async () => 'one', subject: () => 'ada', server: true, profile });
    expect(session.getSnapshot().user).toEqual({ subject: 'ada' });
    expect(await session.reload()).toEqual({ id: 'ada', name: 'Ada King', subject: 'ada' });
  });
});

describe('with `whoami`', () => {
  test('joins the check at the start', async () => {
    const setup = setupCookieSession({ tabs: false, ...record }, { 'GET /whoami': () => named('Ada') });
    expect(await setup.session.reload()).toMatchObject({ name: 'Ada' });
    expect(setup.whoamis()).toBe(1);
  });

  test('another user in the answer is signed in instead, and no user ends the session', async () => {
    const { session } = await setupCookie([() => json({ id: 'grace' }), () => json(null)]);
    expect(await errorOf(session.reload())).toBeInstanceOf(IdentityChangedError);
    expect(session.getSnapshot()).toMatchObject({ status: 'authenticated', user: { id: 'grace' } });
    await settle();
    expect(await errorOf(session.reload())).toBeInstanceOf(IdentityChangedError);
    expect(session.getSnapshot()).toMatchObject({ status: 'anonymous', reason: 'expired' });
  });

  test('without the option `user`, an equal answer changes no snapshot', async () => {
    const { session } = await setupCookie([() => named('Ada')], {});
    const before = session.getSnapshot();
    await session.reload();
    expect(session.getSnapshot()).toBe(before);
  });
});

test('while no user is signed in, it sends nothing', async () => {
  const { session, server } = setupTokenSession({ profile });
  expect((await errorOf(session.reload())).message).toBe(
    'No user is signed in, so there is no user to load. Sign in, then load the user again.',
  );
  expect(server.seen).toEqual([]);
});

test('after a sign-out, a cookie session asks no server who is signed in', async () => {
  const { session, fake } = setupCookieSession({ tabs: false });
  await session.login({ name: 'ada' });
  await session.logout();
  fake.clear();
  expect(await errorOf(session.reload())).toBeInstanceOf(SignedOutError);
  expect(fake.seen).toEqual([]);
});

test('a session without such an endpoint says which option it needs', async () => {
  const session = createSession({
    login: async () => ({ credential: 'key', subject: 'ada' }),
    attach: ({ init }) => init,
  });
  await errorOf(session.login());
  expect((await errorOf(session.reload())).message).toBe(
    'This session has no endpoint that describes its user: give it the option `profile`.',
  );
});

test('the snapshot, the login and a refresh have instances of the class, with its defaults', async () => {
  const { session, server } = setupTokenSession(record, {
    'POST /refresh': () => json({ accessToken: 'ada-2', user: { id: 'ada', name: 'Ada King' } }),
  });
  const user: unknown = await session.login({ name: 'ada' });
  expect(user).toBeInstanceOf(User);
  expect(session.getSnapshot().user).toBe(user);
  expect(user).toMatchObject({ title: 'Countess ada', role: 'none' });
  await session.refresh();
  expect(session.getSnapshot().user).toMatchObject({ title: 'Countess Ada King' });
  expect(server.count('POST /refresh')).toBe(1);
});
