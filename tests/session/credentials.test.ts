import { expect, test, vi } from 'vitest';
import { createCookieSession, createTokenSession } from '../../src/entries/core.js';
import { InvalidCredentialError } from '../../src/errors.js';
import { sessionCore } from '../../src/endpoints/sessionCore.js';
import { json } from './support/answers.js';
import { errorOf } from './support/promises.js';
import { settle, until } from './support/manualClock.js';
import { tokenOf, type Tokens } from './support/article.js';
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
