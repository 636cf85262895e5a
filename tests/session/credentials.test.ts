import { expect, test, vi } from 'vitest';
import { createCookieSession, createTokenSession } from '../../src/entries/core.js';
import { InvalidCredentialError } from '../../src/errors.js';
import { sessionCore } from '../../src/endpoints/sessionCore.js';
import { json } from './support/answers.js';
import { deferred, errorOf } from './support/promises.js';
import { settle, until } from './support/manualClock.js';
import { tokenOf, type Tokens } from './support/article.js';
import { userOf } from './support/people.js';
import { setupTokenSession } from './support/setupTokenSession.js';
import { useWebkitJson } from './support/webkitJson.js';
import { expectNoTokenStored } from './support/storedTokens.js';

const ada = { name: 'ada' };
const kept = (text: string | null = null) => {
  const storage = {
    text,
    get: (): string | null | Promise<string | null> => storage.text,
    set: (next: string): void | Promise<void> => void (storage.text = next),
    remove: (): void | Promise<void> => void (storage.text = null),
  };
  return storage;
};

test.each([
  ['nothing', undefined],
  ['null', null],
  ['an empty text', ''],
  ['a number', 5],
  ['an object', { a: 1 }],
  ['a line break', 'sec\r\nret'],
  ['a NUL', 'sec\0ret'],
  ['an emoji', 'sec\u{1f600}ret'],
  ['an outer space', ' secret'],
  ['16 KB', 'sec'.padEnd(16_384, 'x')],
])(
  'a login whose token is %s is an InvalidCredentialError that does not quote it, and nobody is signed in (scenario 18)',
  async (_name, accessToken) => {
    const { session, status, burst, server } = setupTokenSession(
      {},
      { 'POST /login': () => json({ accessToken, user: { id: 'ada' } }), '*': () => json({ id: '0' }) },
    );
    const error = await errorOf(session.login(ada));
    expect(error).toBeInstanceOf(InvalidCredentialError);
    expect(`${error.message} ${error.stack} ${JSON.stringify(error)}`).not.toMatch(/sec.*ret|secx/s);
    expect(status()).toBe('anonymous');
    expect(session.getSnapshot().error).toBe(error);
    await burst(1)[0];
    expect(tokenOf(server.seen.at(-1)!)).toBeNull();
  },
);

test.each([
  ['204', () => new Response(null, { status: 204 }), 'nothing (an empty answer or 204)'],
  ['a text', () => new Response('ada-1', { headers: { 'content-type': 'text/plain' } }), 'a string'],
  ['an empty body', () => new Response(''), 'nothing (an empty answer or 204)'],
  ['{}', () => json({}), 'an empty object'],
  ['null', () => json(null), 'nothing (an empty answer or 204)'],
])('a login answered with %s is told apart', async (_name, answer, words) => {
  for (const parseTokens of [
    undefined,
    (given: unknown) => ({ accessToken: (given as { data: Tokens }).data.accessToken }),
  ]) {
    const { session, status } = setupTokenSession({ ...(parseTokens && { parseTokens }) }, { 'POST /login': answer });
    const error = await errorOf(session.login(ada));
    expect(error).toBeInstanceOf(InvalidCredentialError);
    expect(error.message).toBe(
      `The server answered ${words}, where an object with the string \`accessToken\` (or \`access_token\`) was expected. If the token has another name, read it with the session's \`parseTokens\` option.`,
    );
    expect(status()).toBe('anonymous');
  }
});

test('a login that is not JSON though it says so, or that throws no Error, is told by the snapshot', async () => {
  const { session } = setupTokenSession(
    {},
    { 'POST /login': () => new Response('{', { headers: { 'content-type': 'application/json' } }) },
  );
  expect(await errorOf(session.login(ada))).toBeInstanceOf(InvalidCredentialError);
  // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- as careless SDKs do
  const careless = createTokenSession({ server: true, login: () => Promise.reject('no') });
  expect(await errorOf(careless.login())).toBe('no');
  expect(careless.getSnapshot().error).toMatchObject({ cause: 'no' });
});

test.each(['a SyntaxError', 'a DOMException, as WebKit rejects with'])(
  'a login answered with text that is no JSON (%s) is not quoted: the text may be a token',
  async kind => {
    if (kind !== 'a SyntaxError') useWebkitJson();
    const { session } = setupTokenSession(
      {},
      { 'POST /login': () => new Response('sec-ret', { headers: { 'content-type': 'application/json' } }) },
    );
    const error = await errorOf(session.login(ada));
    expect(error.message).toMatch(
      /^The server did not answer with JSON\. An object with the string `accessToken` was expected\./,
    );
    expect(`${error.message} ${error.stack} ${JSON.stringify(error)}`).not.toContain('sec-ret');
    expect(session.getSnapshot().error).toBe(error);
  },
);

test('the header is Access-Token, or another one; Authorization has the scheme Bearer', async () => {
  for (const [header, sent] of [
    [undefined, 'ada-1'],
    ['X-Auth', 'ada-1'],
    ['authorization', 'Bearer ada-1'],
  ] as const) {
    const { session, burst, server } = setupTokenSession(
      { ...(header && { header }) },
      { '*': () => json({ id: '0' }) },
    );
    await session.login(ada);
    await burst(1)[0];
    expect(server.seen.at(-1)!.headers.get(header ?? 'access-token')).toBe(sent);
  }
});

test('tokens are kept in the storage from login to logout, renewed at a refresh, and restored', async () => {
  const storage = kept();
  const { session, server, burst } = setupTokenSession({ storage });
  session.subscribe(() => {});
  await session.login(ada);
  await session.refresh();
  expect(JSON.parse(storage.text!)).toMatchObject({
    credential: { accessToken: 'ada-2', refreshToken: 'ada-refresh-2' },
    subject: 'ada',
    user: { id: 'ada' },
  });

  const next = setupTokenSession({ storage }, { '*': () => json({ id: '0' }) });
  await next.burst(1)[0];
  expect(tokenOf(next.server.seen[0]!)).toBe('ada-2');
  expect(next.session.getSnapshot()).toMatchObject({ status: 'authenticated', user: { id: 'ada' }, epoch: 0 });
  await next.session.logout();
  expectNoTokenStored(storage.text);
  void server;
  void burst;
});

test.each([
  ['corrupt JSON', '{"credential'],
  ['a number', '5'],
  ['an array', '[]'],
  ['another shape', '{"foo":1}'],
  ['a token that is no text', '{"credential":{"accessToken":5}}'],
  ['a token that no header can carry', '{"credential":{"accessToken":"sec\\r\\nret"}}'],
])('a storage that holds %s costs no warning, and nobody is signed in', async (_name, text) => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const { session, burst, server } = setupTokenSession({ storage: kept(text) }, { '*': () => json({ id: '0' }) });
  await burst(1)[0];
  expect(session.getSnapshot()).toMatchObject({ status: 'anonymous', error: undefined });
  expect(tokenOf(server.seen[0]!)).toBeNull();
  // Text of another program is no failure: the next login replaces it.
  expect(warn.mock.calls.flat().join()).toBe('');
  warn.mockRestore();
});

test.each(['get', 'set', 'remove', 'all'])(
  'a storage that throws at %s costs at most one warning, and the session works in memory',
  async verb => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const denied = () => {
      throw new DOMException('denied', 'SecurityError');
    };
    const storage = verb === 'all' ? { get: denied, set: denied, remove: denied } : { ...kept(), [verb]: denied };
    const { session, burst, expire, status } = setupTokenSession({ storage });
    await session.login(ada);
    expire();
    await burst(1)[0];
    await session.logout();
    await session.login(ada);
    expect(status()).toBe('authenticated');
    await settle();
    expect(warn.mock.calls.length).toBeLessThanOrEqual(1);
    expect(warn.mock.calls.flat().join()).not.toContain('ada');
    warn.mockRestore();
  },
);

test.each(['session', 'local'] as const)(
  'web storage that is missing or denied (%s) is as good as memory',
  async storage => {
    vi.stubGlobal('window', globalThis);
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const { session, burst } = setupTokenSession({ storage });
    await session.login(ada);
    await burst(1)[0];
    expect(warn).toHaveBeenCalledTimes(1);
    warn.mockRestore();
  },
);

const unreadable = {
  throws: () => {
    throw new DOMException('denied', 'SecurityError');
  },
  rejects: () => Promise.reject(new DOMException('denied', 'SecurityError')),
};

test.each([
  ['throws', 'a logout'],
  ['throws', 'an expiry'],
  ['rejects', 'a logout'],
  ['rejects', 'an expiry'],
] as const)('a storage that %s when it is read is emptied at %s', async (how, end) => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const storage = kept();
  const { session, burst, expire, status, clock } = setupTokenSession({ storage, refresh: undefined });
  await session.login(ada);
  storage.get = unreadable[how];
  expire();
  await (end === 'a logout' ? session.logout() : until(clock, errorOf(burst(1)[0]!)));
  await settle();
  expect(status()).toBe('anonymous');
  expectNoTokenStored(storage.text);
  warn.mockRestore();
});

test('an expiry removes an earlier sign-in from the storage too, and does not continue it', async () => {
  const storage = kept();
  const { session, burst, expire, status, clock } = setupTokenSession({ storage, refresh: undefined });
  await session.login({ name: 'grace' });
  const earlier = storage.text;
  await session.login(ada);
  // As another tab does that has not heard of Ada's login.
  storage.text = earlier;
  expire();
  await until(clock, errorOf(burst(1)[0]!));
  await settle();
  expect(status()).toBe('anonymous');
  expectNoTokenStored(storage.text);
});

test('a refresh stores its tokens over an earlier sign-in', async () => {
  const storage = kept();
  const { session } = setupTokenSession({ storage });
  await session.login({ name: 'grace' });
  const earlier = storage.text;
  await session.login(ada);
  storage.text = earlier;
  await session.refresh();
  expect(JSON.parse(storage.text!)).toMatchObject({ subject: 'ada', credential: { accessToken: 'ada-2' } });
});

test('a sign-in that could not be read when the session started over is found later', async () => {
  vi.stubGlobal('window', globalThis);
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const storage = kept();
  const { get } = storage;
  const { session, status } = setupTokenSession({ storage });
  const unmount = session.subscribe(() => {});
  await session.login(ada);
  unmount();
  storage.get = unreadable.throws;
  session.dispose();
  session.subscribe(() => {})();
  await session.ready();
  expect(status()).toBe('anonymous');
  storage.get = get;
  session.subscribe(() => {});
  await settle();
  // A storage that has failed is given up: nothing in it comes back.
  expect(status()).toBe('anonymous');
  warn.mockRestore();
});

test('a slow storage ends with what was asked last', async () => {
  const slow = deferred();
  const storage = kept();
  storage.set = text => slow.promise.then(() => void (storage.text = text));
  const { session } = setupTokenSession({ storage });
  // A login resolves when it is stored.
  session.login(ada).catch(() => {});
  await settle();
  const signedOut = session.logout();
  slow.resolve();
  await signedOut;
  expectNoTokenStored(storage.text);
});

test('a sign-out during a refresh leaves no token in the storage', async () => {
  const held = deferred();
  const storage = kept();
  const { session, server, issue } = setupTokenSession({ storage });
  server.routes['POST /refresh'] = () => held.promise.then(() => json(issue('ada')));
  await session.login(ada);
  const refresh = errorOf(session.refresh());
  await session.logout();
  await refresh;
  held.resolve();
  await settle();
  expectNoTokenStored(storage.text);
});

test('a storage too full for the tokens of the next person does not keep the one before', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const storage = kept();
  const { session } = setupTokenSession({ storage });
  await session.login(ada);
  storage.set = () => {
    throw new DOMException('full', 'QuotaExceededError');
  };
  await session.login({ name: 'bob' });
  await settle();
  expectNoTokenStored(storage.text);
  expect(session.getSnapshot().user).toEqual(userOf('bob'));
  warn.mockRestore();
});

test('a storage too full for the tokens of a refresh does not keep the refresh token that was used', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const storage = kept();
  const { session, burst } = setupTokenSession({ storage });
  await session.login(ada);
  storage.set = () => {
    throw new DOMException('full', 'QuotaExceededError');
  };
  await session.refresh();
  await settle();
  expectNoTokenStored(storage.text);
  await burst(1)[0];
  await session.refresh();
  expect(session.getSnapshot().user).toEqual(userOf('ada'));
  warn.mockRestore();
});

test('a storage that hangs after the server has answered a refresh does not lose its tokens', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const storage = kept();
  const { session, server, issue, clock } = setupTokenSession({ storage });
  await session.login(ada);
  server.routes['POST /refresh'] = () => {
    storage.get = () => new Promise(() => {});
    return json(issue('ada'));
  };
  session.refresh().catch(() => {});
  await settle();
  await clock.advance(40_000);
  expect(sessionCore(session).getCredential()).toMatchObject({ accessToken: 'ada-2' });
  warn.mockRestore();
});

/** A storage that notes all it was ever given. */
const noting = (written: Promise<void> = Promise.resolve()) => {
  const storage = kept();
  const given: string[] = [];
  const set = (text: string) => {
    given.push(text);
    storage.text = text;
    return written;
  };
  return Object.assign(storage, { given, set });
};

test('a sign-out while refresh() writes down who it has found leaves no token in the storage', async () => {
  const slow = deferred();
  const storage = noting(slow.promise);
  let answer: unknown = null;
  const { session, status } = setupTokenSession({ storage, tabs: false, restore: async () => answer });
  session.subscribe(() => {});
  await settle();
  expect(status()).toBe('anonymous');
  answer = { accessToken: 'ada-1', user: { id: 'ada' } };
  const asking = session.refresh();
  await settle();
  expect(storage.given).toHaveLength(1);
  const signedOut = session.logout();
  slow.resolve();
  await asking;
  await signedOut;
  expect(status()).toBe('anonymous');
  expectNoTokenStored(storage.text);
});

test('a sign-out while the server is asked who is signed in: its answer is never written down', async () => {
  const held = deferred();
  const storage = noting();
  const { session, status, issue } = setupTokenSession({
    storage,
    tabs: false,
    restore: () => held.promise.then(() => issue('ada')),
  });
  session.subscribe(() => {});
  await settle();
  const signedOut = session.logout();
  expect(status()).toBe('anonymous');
  held.resolve();
  await signedOut;
  await settle();
  expect(status()).toBe('anonymous');
  expect(storage.given).toEqual([]);
});

test('dispose() leaves the storage as it is', async () => {
  const storage = kept();
  const { session } = setupTokenSession({ storage });
  await session.login(ada);
  session.dispose();
  expect(storage.text).toContain('ada-1');
  expect(sessionCore(session).getCredential()).toBeUndefined();
});

test('no state of a session that is serialized or logged holds a token', async () => {
  const { session } = setupTokenSession();
  await session.login(ada);
  const { inspect } = await import('node:util');
  expect(
    JSON.stringify(session) + JSON.stringify(session.getSnapshot()) + inspect(session, { depth: 9, showHidden: true }),
  ).not.toContain('ada-1');
});

/** Web storage, as pages have it, and some servers. Returns what it keeps. */
function stubWebStorage(): Map<string, string> {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => kept.set(key, text),
    removeItem: (key: string) => kept.delete(key),
  };
  vi.stubGlobal('localStorage', storage);
  vi.stubGlobal('sessionStorage', storage);
  return kept;
}

test.each(['local', 'session', { remembered: 'local', otherwise: 'session' }] as const)(
  'a server that has web storage shows no visitor the sign-in of another one: %j',
  async storage => {
    const kept = stubWebStorage();
    const [first, next] = [setupTokenSession({ storage }), setupTokenSession({ storage })];
    await first.session.login({ name: 'ada' });
    await next.session.ready();
    expect([next.session.getSnapshot().status, kept.size]).toEqual(['anonymous', 0]);
    await first.session.refresh();
    expect(first.session.getSnapshot().user).toMatchObject({ id: 'ada' });
  },
);

test('the sessions of a server send each other no messages: the sign-out of one visitor is no other visitor’s', async () => {
  const makeSession = () =>
    createCookieSession({ login: async () => ({ id: 'ada' }), whoami: async () => ({ id: 'ada' }), server: true });
  const [first, next] = [makeSession(), makeSession()];
  const stops = [first, next].map(session => session.subscribe(() => {}));
  await first.login();
  await next.login();
  await first.logout();
  await new Promise(resolve => setTimeout(resolve, 100));
  expect(next.getSnapshot().status).toBe('authenticated');
  for (const stop of stops) stop();
});

test('two sessions of one origin keep their tokens under two keys', async () => {
  vi.stubGlobal('window', globalThis);
  const kept = stubWebStorage();
  const left = setupTokenSession({ storage: 'local' });
  const right = setupTokenSession({ storage: 'local', storageKey: 'right' });
  await left.session.login({ name: 'ada' });
  await right.session.login({ name: 'bob' });
  await until(left.clock, left.session.logout());
  expectNoTokenStored(kept.get('data-client-auth'));
  expect(kept.get('right')).toContain('bob');
  vi.unstubAllGlobals();
});
