import { expect, test, vi } from 'vitest';
import { authEndpoint, createSession, LogoutUnconfirmedError, type Mechanism, type SignedIn } from '../../src/core.js';
import { CheckDue } from '../../src/session/restore/checkDue.js';
import { setupCookieSession } from './support/setupCookieSession.js';
import { json, networkError } from './support/answers.js';
import { mockServer } from './support/mockServer.js';
import { userOf } from './support/people.js';
import { deferred, errorOf, isPending } from './support/promises.js';
import { manualClock, settle } from './support/manualClock.js';
import { API } from './support/article.js';
import { thirdEdition } from './support/thirdEdition.js';
import { setupTokenSession } from './support/setupTokenSession.js';

const ada = { name: 'ada' };

test('a user who is found again after a logout that failed is checked at a focus like any other', async () => {
  const { session, jar, clock, focus } = setupCookieSession({ tabs: false }, { 'POST /logout': networkError });
  session.subscribe(() => {});
  await settle();
  await session.login(ada);
  await errorOf(session.logout());
  // A check of the new core brings nobody back.
  if (thirdEdition) return expect(await errorOf(session.refresh())).toBeInstanceOf(LogoutUnconfirmedError);
  await session.refresh();
  expect(session.getSnapshot().user).toEqual(userOf('ada'));
  jar.person = 'grace';
  await clock.advance(60_000);
  focus();
  await settle();
  expect(session.getSnapshot().user).toEqual(userOf('grace'));
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
      browserManaged: true,
      login: async () => ({ credential: 'cookie', subject: 'ada' }),
      attachCredential: ({ init }) => init,
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

test('a check that failed is not repeated by each request, also where StrictMode has mounted twice', async () => {
  const { session, whoamis, ArticleResource } = setupCookieSession(
    { tabs: false },
    { 'GET /whoami': () => json({}, 500) },
  );
  session.subscribe(() => {})();
  session.subscribe(() => {});
  await settle();
  for (let sent = 0; sent < 2; sent++) await errorOf(ArticleResource.get({ id: '1' }));
  expect(whoamis()).toBe(1);
});

test('calls of refresh() while no user is signed in share one check, and each waits for it', async () => {
  const answered = deferred();
  const restore = vi.fn(async () => {
    await answered.promise;
    return { accessToken: 'ada-1', user: { id: 'ada' } };
  });
  const { session } = setupTokenSession({ restore: restore });
  const [first, second] = [session.refresh(), session.refresh()];
  expect(await isPending(second)).toBe(true);
  answered.resolve();
  await Promise.all([first, second]);
  expect(restore).toHaveBeenCalledTimes(1);
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

/** A session whose tabs and storage are in the hands of the test. What asks for these two is skipped on the new core, which has a record. */
function ownTabs(more: Partial<Mechanism<string, Person>> = {}) {
  let hear: (subject: string | null) => void = () => {};
  const posted: (string | null)[] = [];
  const listen = (onMessage: typeof hear) => {
    hear = onMessage;
    return () => {};
  };
  const session = createSession(
    {
      tabs: { listen, post: subject => void posted.push(subject) },
      login: async () => person('ada'),
      attachCredential: ({ init }, credential) => ({ ...init, headers: { 'X-Credential': credential ?? '' } }),
      ...more,
    },
    { server: true },
  );
  const statuses: string[] = [];
  const mount = () => session.subscribe(() => void statuses.push(session.getSnapshot().status));
  const tell = async (subject: string | null) => {
    hear(subject);
    await settle();
  };
  const get = new (authEndpoint(session))({ urlPrefix: API, path: '/article' }) as unknown as () => Promise<unknown>;
  return { session, posted, statuses, mount, tell, get };
}

const person = (id: string, credential = `${id}-1`) => ({ credential, subject: id, user: { id } });

test('a cookie session that mounts while a user is signed in stays signed in, without a step between', async () => {
  const { session, statuses, mount } = ownTabs({ browserManaged: true, restore: async () => person('ada') });
  await session.login();
  const { epoch } = session.getSnapshot();
  mount();
  await settle();
  expect(session.getSnapshot()).toMatchObject({ status: 'authenticated', epoch });
  expect(statuses).toEqual([]);
});

test.skipIf(thirdEdition)(
  'another tab’s sign-out during the first check starts it again, and what waits for it goes on',
  async () => {
    const server = mockServer({ '*': () => json({}) });
    const answers = [deferred(), deferred()];
    let asked = 0;
    const restore = async () => {
      await answers[asked++]!.promise;
      return person('ada');
    };
    const { session, statuses, mount, tell, get } = ownTabs({ load: async () => undefined, restore });
    mount();
    await settle();
    const request = get();
    await tell(null);
    for (const answer of answers) answer.resolve();
    await request;
    expect(asked).toBe(2);
    expect(statuses).toEqual(['authenticated']);
    expect(session.getSnapshot().user).toEqual({ id: 'ada' });
    expect(server.seen.map(({ headers }) => headers.get('x-credential'))).toEqual(['ada-1']);
  },
);

test.skipIf(thirdEdition)('another tab’s sign-out during a later check makes what it finds worthless', async () => {
  const answered = deferred();
  let finds = false;
  const restore = async () => {
    if (!finds) return undefined;
    await answered.promise;
    return person('ada');
  };
  const { session, mount, tell } = ownTabs({ load: async () => undefined, restore });
  mount();
  await settle();
  finds = true;
  const check = session.refresh().catch(() => {});
  await settle();
  await tell(null);
  answered.resolve();
  await check;
  await settle();
  expect(session.getSnapshot().status).toBe('anonymous');
});

test('a login on this page wins over what another tab had stored before it', async () => {
  const answered = deferred();
  let stored = undefined as ReturnType<typeof person> | undefined;
  const load = async () => {
    const found = stored;
    if (found) await answered.promise;
    return found;
  };
  const { session, mount, tell } = ownTabs({ load });
  mount();
  await settle();
  stored = person('grace');
  await tell('grace');
  await session.login();
  answered.resolve();
  await settle();
  expect(session.getSnapshot().user).toEqual({ id: 'ada' });
});

test.skipIf(thirdEdition).each([
  ['the same user', 'ada', 'authenticated'],
  ['no user', null, 'anonymous'],
  ['another user', 'grace', 'anonymous'],
])('where the storage cannot be read, a message alone counts: %s', async (_name, subject, status) => {
  let isBroken = false;
  const load = async () => {
    if (isBroken) throw new Error('The storage is gone.');
    return undefined;
  };
  const { session, mount, tell } = ownTabs({ load });
  mount();
  await settle();
  await session.login();
  isBroken = true;
  await tell(subject);
  expect(session.getSnapshot().status).toBe(status);
});

test('a check that finds the same user with a newer credential sends that one, and shows the same user object', async () => {
  const server = mockServer({ '*': () => json({}) });
  const { session, mount, get } = ownTabs({ browserManaged: true, restore: async () => person('ada', 'ada-2') });
  await session.login();
  const { user } = session.getSnapshot();
  mount()();
  await get();
  expect(server.seen.map(({ headers }) => headers.get('x-credential'))).toEqual(['ada-2']);
  expect(session.getSnapshot().user).toBe(user);
});

test.skipIf(thirdEdition)('a check stores the user that it finds, and nothing where it finds none', async () => {
  for (const found of [person('ada'), undefined]) {
    const save = vi.fn(async () => true);
    const { mount } = ownTabs({ load: async () => undefined, save, restore: async () => found });
    mount();
    await settle();
    expect(save).toHaveBeenCalledTimes(found ? 1 : 0);
  }
});

test.skipIf(thirdEdition).each([
  ['the one that the server refused is removed, and the user is signed out', 'ada-1', undefined, 'anonymous'],
  ['a newer one of another tab stays, and this tab goes on with it', 'ada-2', 'ada-2', 'authenticated'],
])('at an expiry, what is stored decides: %s', async (_name, credential, left, status) => {
  const server = mockServer({ '*': seen => json({}, seen.headers.get('x-credential') === 'ada-1' ? 401 : 200) });
  const cell: { stored?: SignedIn<string, Person> | undefined } = {};
  const { session, mount, get } = ownTabs({
    load: async () => cell.stored,
    save: async (signedIn, condition) => {
      if (condition && !condition.isMet(cell.stored)) return false;
      cell.stored = signedIn;
      return true;
    },
  });
  mount();
  await settle();
  await session.login();
  await settle();
  cell.stored = { ...cell.stored!, credential };
  await errorOf(get());
  await settle();
  expect(cell.stored?.credential).toBe(left);
  expect(session.getSnapshot().status).toBe(status);
  if (left) await get();
  expect(server.seen.map(({ headers }) => headers.get('x-credential'))).toEqual(left ? ['ada-1', left] : ['ada-1']);
});

test('a check that another tab has made due during a login stays due until it is made, whatever ends the other reasons', () => {
  const authCalls = { hasUnconfirmedLogout: false, hasPendingLogin: true };
  const state = { status: 'authenticated', signedIn: {} };
  const mechanism = { browserManaged: true, restore: async () => undefined };
  const due = new CheckDue({ mechanism, store: { state }, clock: manualClock() } as never, { authCalls });
  due.onChangeElsewhere();
  due.mark('stale');
  due.clear();
  expect(due.isDue).toBe(true);
  authCalls.hasPendingLogin = false;
  due.onLogin();
  expect(due.isDue).toBe(true);
  due.onChecked();
  expect(due.isDue).toBe(false);
});
