import { expect, test, vi } from 'vitest';
import type { ExtensionsOption } from '../../src/session/extension.js';
import { createAccounts } from '../../src/entries/accounts.js';
import { startCookieSession } from '../../src/mechanisms/cookie.js';
import { createCookieSession, createTokenSession, SessionExpiredError } from '../../src/index.js';

const tokens = (id: string) => ({ accessToken: `token-${id}`, refreshToken: `refresh-${id}`, user: { id } });

interface Options {
  isRevoked?: (id: string) => boolean;
  extensions?: ExtensionsOption['extensions'];
}

/** Accounts in memory, and what their server has heard. */
function setup({ isRevoked = () => false, extensions = [] }: Options = {}) {
  const sent: string[] = [];
  const accounts = createAccounts({
    storageKey: false,
    session: ({ tenant }) =>
      createTokenSession({
        login: async (id: string) => tokens(id),
        refresh: async ({ refreshToken }) => {
          const id = refreshToken!.split('-')[1]!;
          sent.push(`refresh ${id}`);
          if (isRevoked(id)) throw new SessionExpiredError();
          return tokens(id);
        },
        server: true,
        extensions,
        logout: async ({ accessToken }) => void sent.push(`logout ${accessToken} ${tenant ?? ''}`.trim()),
      }),
  });
  const session = () => accounts.getSnapshot().shown.session;
  const shown = () => {
    const { user, status, actor } = accounts.getSnapshot().shown;
    return [(user as { id: string } | undefined)?.id ?? status, (actor as { id: string } | undefined)?.id]
      .filter(Boolean)
      .join(' by ');
  };
  const names = () => accounts.getSnapshot().accounts.map(({ user }) => (user as { id: string } | undefined)?.id);
  return { accounts, session, shown, names, sent };
}

/** Grace, then Ada; Ada is shown. */
async function setupTwo(options?: Options) {
  const app = setup(options);
  await app.session().login('grace');
  app.accounts.add();
  await app.session().login('ada');
  return app;
}

test('an account that was added and not used leaves the list', async () => {
  const { accounts, names, shown } = await setupTwo();
  accounts.add();
  accounts.add();
  expect(names()).toEqual(['grace', 'ada', undefined]);
  accounts.show(accounts.getSnapshot().accounts[0]!.id);
  expect([names(), shown()]).toEqual([['grace', 'ada'], 'grace']);
});

test('a sign-out shows the account before it; the last one leaves a form for the next user', async () => {
  const { session, names, shown, sent } = await setupTwo();
  await session().logout();
  expect([names(), shown()]).toEqual([['grace'], 'grace']);
  await session().logout();
  expect([names(), shown()]).toEqual([[undefined], 'anonymous']);
  expect(sent).toEqual(['logout token-ada', 'logout token-grace']);
});

test.for<[string, (app: Awaited<ReturnType<typeof setupTwo>>) => Promise<unknown>, string, string[]]>([
  ['stopping', ({ accounts }) => accounts.stopActing(), 'ada', ['logout token-bob']],
  ['a sign-out', ({ session }) => session().logout(), 'grace', ['logout token-ada', 'logout token-bob']],
  [
    'an expiry',
    ({ session }) =>
      session()
        .refresh()
        .catch(() => {}),
    'ada',
    ['refresh bob'],
  ],
])('%s ends the acting, and nobody acts any more', async ([, end, expected, requests]) => {
  const app = await setupTwo({ isRevoked: id => id === 'bob' });
  await app.accounts.actAs(async () => tokens('bob'));
  expect(app.shown()).toBe('bob by ada');
  await expect(app.accounts.actAs(async () => tokens('eve'))).rejects.toThrow('stopActing() first');
  await end(app);
  await vi.waitFor(() => expect([...app.sent].sort()).toEqual(requests));
  expect(app.shown()).toBe(expected);
  expect(app.names()).not.toContain('bob');
});

test('a lock keeps no screen of a user as whom another one acts', async () => {
  const { accounts, session, shown } = await setupTwo({
    isRevoked: id => id === 'bob',
    extensions: [() => ({ onEnd: () => 'lock' })],
  });
  await accounts.actAs(async () => tokens('bob'));
  await session()
    .refresh()
    .catch(() => {});
  expect(shown()).toBe('ada');
});

test('a sign-out of one tenant of the other user ends all that the actor has', async () => {
  const { accounts, session, names, shown, sent } = setup();
  await session().login('ada');
  await accounts.actAs(async () => tokens('bob'));
  for (const tenant of ['red', 'blue']) await accounts.showTenant(tenant, async () => tokens('bob'));
  accounts.show(accounts.getSnapshot().accounts[2]!.id);
  expect([names(), shown()]).toEqual([['ada', 'bob', 'bob', 'bob'], 'bob by ada']);
  await session().logout();
  await vi.waitFor(() => expect([...sent].sort()).toHaveLength(4));
  expect([names(), shown()]).toEqual([[undefined], 'anonymous']);
});

test('a sign-out while the server is asked: the other user’s session is ended, and is not shown', async () => {
  const { accounts, session, shown, sent } = await setupTwo();
  let answer = () => {};
  const acting = accounts.actAs(async () => {
    await new Promise<void>(resolve => (answer = resolve));
    return tokens('bob');
  });
  accounts.show(accounts.getSnapshot().accounts[0]!.id);
  answer();
  await expect(acting).rejects.toThrow('identity changed');
  expect([shown(), sent]).toEqual(['grace', ['logout token-bob']]);
  await session().logout();
  expect(shown()).toBe('ada');
});

test('each tenant has a token of its own; the same tenant again asks the server nothing', async () => {
  const { accounts, names } = await setupTwo();
  const exchange = vi.fn(async () => tokens('ada'));
  await accounts.showTenant('red', exchange);
  await accounts.showTenant('blue', exchange);
  await accounts.showTenant('red', exchange);
  expect(exchange).toHaveBeenCalledTimes(2);
  expect(accounts.getSnapshot().shown.tenant).toBe('red');
  expect(names()).toEqual(['grace', 'ada', 'ada', 'ada']);
  await expect(accounts.showTenant('green')).rejects.toThrow('`exchange`');
});

test('each account in the list has its tokens in the storage: another tab that finds none takes it out', async () => {
  const stored = new Set<string>();
  const lists: string[][] = [];
  vi.stubGlobal('localStorage', {
    getItem: () => null,
    setItem: (_: string, text: string) => {
      const { list } = JSON.parse(text) as { list: { key: string }[] };
      lists.push(list.map(({ key }) => (stored.has(key) ? 'tokens' : 'none')));
    },
  });
  const later = () => new Promise<void>(resolve => void setTimeout(resolve));
  const accounts = createAccounts({
    session: ({ storageKey }) =>
      createTokenSession({
        login: async (id: string) => tokens(id),
        storage: {
          key: storageKey,
          in: {
            get: () => later().then(() => null),
            set: () => later().then(() => void stored.add(storageKey)),
            remove: later,
          },
        },
        server: true,
      }),
  });
  accounts.subscribe(() => {});
  for (const name of ['ada', 'grace']) {
    await vi.waitFor(() => expect(accounts.getSnapshot().shown.status).toBe('anonymous'));
    await accounts.getSnapshot().shown.session.login(name);
    if (name === 'ada') accounts.add();
  }
  await vi.waitFor(() => expect(lists.at(-1)).toEqual(['tokens', 'tokens']));
  expect(lists.flat()).not.toContain('none');
});

test('two accounts cannot have one session', async () => {
  const session = createTokenSession({ login: async (id: string) => tokens(id), server: true });
  const accounts = createAccounts({ session: () => session, storageKey: false });
  await session.login('ada');
  expect(() => accounts.add()).toThrow('make a new session');
});

test('of a cookie, the tenant and the actor are parts of the identity', async () => {
  let me: object = { id: 'ada', tenant: 'red' };
  const login = vi.fn(async () => me);
  const onLogin = vi.fn((send: () => Promise<unknown>) => send());
  const extensions = [() => ({ onLogin })];
  const session = createCookieSession({ login, whoami: async () => me, tabs: false, server: true, extensions });
  const accounts = createAccounts({ session: () => session, storageKey: false });
  await session.ready();
  const identities = [session.getIdentitySignal()];
  const change = (next: object) => async () => {
    identities.push(session.getIdentitySignal());
    me = next;
  };
  await accounts.showTenant('blue', change({ id: 'ada', tenant: 'blue' }));
  await accounts.actAs(change({ id: 'ada', tenant: 'blue', actor: { id: 'root' } }));
  expect(accounts.getSnapshot().shown).toMatchObject({ tenant: 'blue', actor: { id: 'root' } });
  await accounts.stopActing(change({ id: 'ada', tenant: 'blue' }));
  expect(identities.map(({ aborted }) => aborted)).toEqual([true, true, true, true]);
  await expect(accounts.showTenant('green', change({ id: 'ada', tenant: 'blue' }))).rejects.toThrow('another `tenant`');
  expect(session.getSnapshot()).toMatchObject({ status: 'anonymous', reason: 'expired' });
  // Each may need a second factor, as a login may.
  expect([onLogin, login].map(({ mock }) => mock.calls.length)).toEqual([4, 0]);
});

test('of a cookie, a check finds the identity with which the page has started', async () => {
  const me = { id: 'ada', actor: { id: 'root' } };
  const session = createCookieSession({ login: async () => me, whoami: async () => me, tabs: false, server: true });
  const accounts = createAccounts({ session: () => session, storageKey: false });
  startCookieSession(session, me);
  const identity = session.getIdentitySignal();
  await session.reload();
  expect([accounts.getSnapshot().shown.actor, identity.aborted]).toEqual([{ id: 'root' }, false]);
});

test.each([
  [
    'the list of an earlier page',
    '{"list":[{"key":"a"},{"key":"b","tenant":"red"}],"shown":"b red"}',
    ['b red', 'a', 'b red'],
  ],
  ['a shown account that is not in it', '{"list":[{"key":"a"}],"shown":"c"}', ['a', 'a']],
  ['no account', '{"list":[]}', ['data-client-auth', 'data-client-auth']],
  ['what another program has written', '"list"', ['data-client-auth', 'data-client-auth']],
  ['no JSON', '{', ['data-client-auth', 'data-client-auth']],
])('at the start, before anything is rendered: %s', (_, stored, [shown, ...ids]) => {
  vi.stubGlobal('localStorage', { getItem: () => stored, setItem: () => {} });
  const make = () => createTokenSession({ login: async (id: string) => tokens(id), storage: 'local', server: true });
  const { getSnapshot } = createAccounts({ session: make });
  expect(getSnapshot().shown.id).toBe(shown);
  expect(getSnapshot().accounts.map(({ id }) => id)).toEqual(ids);
});
