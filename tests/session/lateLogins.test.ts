import { expect, test, vi } from 'vitest';
import { createSession, LogoutUnconfirmedError, type Mechanism } from '../../src/core.js';
import { setupCookieSession } from './support/setupCookieSession.js';
import { json } from './support/answers.js';
import { userOf } from './support/people.js';
import { deferred, errorOf } from './support/promises.js';
import { settle } from './support/manualClock.js';
import { tokenOf } from './support/article.js';
import { setupTokenSession } from './support/setupTokenSession.js';
import { thirdEdition } from './support/thirdEdition.js';

const [ada, grace] = [{ name: 'ada' }, { name: 'grace' }];

/** In the third edition, logins of one cookie run one after the other, and tabs of a cookie meet at its lock: see cookieLogin.test.ts. */
const testBefore = test.skipIf(thirdEdition);

testBefore(
  'a login that is answered during a later one may have replaced its cookie: whoami decides before anything is sent',
  async () => {
    const { session, fake, jar, as, clock, whoamis, ArticleResource } = setupCookieSession({ tabs: false });
    const answers = { ada: deferred(), grace: deferred() };
    fake.routes['POST /login'] = async seen => {
      const { username: name } = JSON.parse(seen.body) as { username: 'ada' | 'grace' };
      await answers[name].promise;
      if (name === 'ada') jar.person = 'ada';
      return json({ id: name });
    };
    const first = errorOf(session.login(ada));
    await settle();
    const second = session.login(grace);
    await clock.advance(10_000);
    expect(fake.count('/login')).toBe(2);
    answers.ada.resolve();
    await settle();
    answers.grace.resolve();
    await Promise.all([first, second]);
    const before = whoamis();
    await ArticleResource.get({ id: '1' }).catch(() => {});
    await settle();
    expect(whoamis()).toBe(before + 1);
    expect(session.getSnapshot().user).toEqual(userOf('ada'));
    expect(as).toEqual([]);
  },
);

test('a logout that fails after a later login was called leaves no error with the user who signed in', async () => {
  const answered = deferred<Response>();
  const { session, server } = setupTokenSession({}, { 'POST /logout': () => answered.promise });
  await session.login(ada);
  const logout = errorOf(session.logout());
  await settle();
  const login = session.login(grace);
  const errors: unknown[] = [];
  session.subscribe(() => void errors.push(session.getSnapshot().error));
  answered.resolve(json({}, 500));
  expect(await logout).toMatchObject({ status: 500 });
  await login;
  expect(errors.filter(error => error instanceof LogoutUnconfirmedError)).toEqual([]);
  expect(session.getSnapshot()).toMatchObject({ status: 'authenticated', user: { id: 'grace' }, error: undefined });
  expect(server.count('/logout')).toBe(1);
});

/** A session of one cookie, with what it posts to the other tabs. */
function ownCookie(more: Partial<Mechanism<string, { id: string }>> = {}, canCheck = true) {
  const page = new EventTarget();
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page));
  const posted: (string | null)[] = [];
  const restore = vi.fn(async () => ({ credential: 'cookie', subject: 'ada', user: { id: 'ada' } }));
  const session = createSession(
    {
      browserManaged: true,
      tabs: { listen: () => () => {}, post: subject => void posted.push(subject) },
      login: restore,
      ...(canCheck && { restore }),
      attachCredential: ({ init }) => init,
      ...more,
    },
    { server: true },
  );
  return { session, posted, restore, focus: () => void page.dispatchEvent(new Event('focus')) };
}

testBefore('a sign-out tells the other tabs once; while no user is signed in, it tells them nothing', async () => {
  const { session, posted } = ownCookie({ restore: async () => undefined, logout: async () => {} });
  session.subscribe(() => {});
  await settle();
  await session.logout();
  expect(posted).toEqual([]);
  await session.login();
  await session.logout();
  await session.logout();
  expect(posted).toEqual(['ada', null]);
});

test('where the server is told of no logout, the cookie that stays signs nobody in again', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { session, restore, focus } = ownCookie();
  session.subscribe(() => {});
  await settle();
  expect(session.getSnapshot().status).toBe('authenticated');
  await session.logout();
  restore.mockClear();
  vi.setSystemTime(Date.now() + 60_000);
  focus();
  await settle();
  vi.useRealTimers();
  // The new core asks, and brings nobody back.
  if (!thirdEdition) expect(restore).not.toHaveBeenCalled();
  expect(session.getSnapshot()).toMatchObject({ status: 'anonymous', error: undefined });
});

/** Two tabs with one cookie. The server does not confirm the sign-out of the first. */
async function twoTabs(more: Partial<Mechanism<string, { id: string }>>) {
  vi.useFakeTimers({ toFake: ['Date'] });
  type Listener = Parameters<NonNullable<Mechanism<string, unknown>['tabs']>['listen']>[0];
  const listeners: Listener[] = [];
  const open = async (own: Partial<Mechanism<string, { id: string }>>) => {
    let receive: Listener | undefined;
    const tab = ownCookie({
      ...own,
      tabs: {
        listen(onMessage) {
          listeners.push((receive = onMessage));
          return () => {};
        },
        post: (...message) => {
          for (const listener of listeners) if (listener !== receive) listener(...message);
        },
      },
    });
    tab.session.subscribe(() => {});
    await settle();
    const comeBack = async () => {
      vi.setSystemTime(Date.now() + 60_000);
      tab.focus();
      await settle();
      return tab.session.getSnapshot().status;
    };
    return { ...tab, comeBack };
  };
  return { first: await open(more), second: await open({}) };
}

testBefore.each<[string, Partial<Mechanism<string, { id: string }>>]>([
  ['fails', { logout: () => Promise.reject(new Error('503')) }],
  ['does not exist', {}],
])(
  'a logout that %s: another tab with the same cookie signs nobody in again, until somebody signs in',
  async (_, more) => {
    const { first, second } = await twoTabs(more);
    expect(await second.comeBack()).toBe('authenticated');
    await first.session.logout().catch(() => {});
    second.restore.mockClear();
    expect(await second.comeBack()).toBe('anonymous');
    expect(second.restore).not.toHaveBeenCalled();
    await first.session.login();
    await settle();
    expect(second.session.getSnapshot()).toMatchObject({ status: 'authenticated', user: { id: 'ada' } });
    second.restore.mockClear();
    expect(await second.comeBack()).toBe('authenticated');
    expect(second.restore).toHaveBeenCalledOnce();
    vi.useRealTimers();
  },
);

testBefore('a tab that has found the user again before the logout failed is signed out with it', async () => {
  const answered = deferred<void>();
  const { first, second } = await twoTabs({ logout: () => answered.promise });
  const logout = errorOf(first.session.logout());
  expect(await second.comeBack()).toBe('authenticated');
  answered.reject(new Error('503'));
  await logout;
  await settle();
  expect(second.session.getSnapshot()).toMatchObject({ status: 'anonymous', reason: 'elsewhere' });
  expect(await second.comeBack()).toBe('anonymous');
  vi.useRealTimers();
});

testBefore('a confirmed logout holds no check of another tab back', async () => {
  const { first, second } = await twoTabs({ logout: async () => {} });
  await first.session.logout();
  second.restore.mockClear();
  await second.comeBack();
  expect(second.restore).toHaveBeenCalledOnce();
  vi.useRealTimers();
});

test('a logout during a second login does not carry the token that the server has ended before', async () => {
  const { session, server, clock, issue } = setupTokenSession();
  await session.login(ada);
  await session.logout();
  const answered = deferred();
  server.routes['POST /login'] = async () => {
    await answered.promise;
    return json(issue('grace'));
  };
  const login = errorOf(session.login(grace));
  await settle();
  const logout = session.logout();
  await clock.advance(10_000);
  answered.resolve();
  await Promise.all([login, logout]);
  await settle();
  expect(server.to('/logout').map(tokenOf)).toEqual(['ada-1', 'grace-1']);
});

test('a token login that a later one has overtaken is answered late: the user of now stays until the later one is answered', async () => {
  const { session, server, issue } = setupTokenSession();
  await session.login(ada);
  const answers = [deferred(), deferred()];
  let sent = 0;
  server.routes['POST /login'] = async seen => {
    const { username: name } = JSON.parse(seen.body) as { username: string };
    await answers[sent++]!.promise;
    return json(issue(name));
  };
  const first = errorOf(session.login(grace));
  await settle();
  const second = session.login({ name: 'cy' });
  answers[0]!.resolve();
  await first;
  await settle();
  expect(session.getSnapshot()).toMatchObject({ status: 'authenticated', user: { id: 'ada' } });
  answers[1]!.resolve();
  await second;
  expect(session.getSnapshot()).toMatchObject({ status: 'authenticated', user: { id: 'cy' } });
  // The third edition ends what nobody uses.
  expect(server.to('/logout').map(tokenOf)).toEqual(thirdEdition ? ['grace-1'] : []);
});

testBefore.each([
  ['the user of now', 'ada', 'authenticated'],
  ['another user', 'grace', 'anonymous'],
])(
  'a cookie login for %s that a later one has overtaken leaves the page as the cookie is',
  async (_name, name, status) => {
    const { session, fake, jar } = setupCookieSession({ tabs: false });
    await session.login(ada);
    const answered = deferred();
    const later = deferred();
    fake.routes['POST /login'] = async seen => {
      const { username: person } = JSON.parse(seen.body) as { username: string };
      await (person === 'cy' ? later : answered).promise;
      jar.person = person;
      return json({ id: person });
    };
    const first = errorOf(session.login({ name }));
    await settle();
    const second = session.login({ name: 'cy' });
    answered.resolve();
    await first;
    await settle();
    expect(session.getSnapshot().status).toBe(status);
    later.resolve();
    await second;
    expect(session.getSnapshot().user).toEqual({ id: 'cy' });
  },
);

test('a token login that fails changes nothing, and the `restore` option is not asked', async () => {
  const restore = vi.fn(async () => null);
  const { session, server } = setupTokenSession({ restore: restore });
  await session.login(ada);
  restore.mockClear();
  server.routes['POST /login'] = () => json({}, 500);
  expect(await errorOf(session.login(grace))).toMatchObject({ status: 500 });
  expect(session.getSnapshot()).toMatchObject({ status: 'authenticated', user: { id: 'ada' } });
  expect(restore).not.toHaveBeenCalled();
});

test('a cookie login that fails changes nothing where nothing can be checked', async () => {
  let fails = false;
  const login = async () => {
    if (fails) throw new Error('The server is down.');
    return { credential: 'cookie', subject: 'ada', user: { id: 'ada' } };
  };
  const { session } = ownCookie({ login }, false);
  await session.login();
  fails = true;
  expect((await errorOf(session.login())).message).toBe('The server is down.');
  expect(session.getSnapshot()).toMatchObject({ status: 'authenticated', user: { id: 'ada' } });
});
