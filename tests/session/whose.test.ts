import { expect, test, vi } from 'vitest';
import {
  createCookieSession,
  createTokenSession,
  RefreshUnavailableError,
  SessionExpiredError,
} from '../../src/entries/core.js';
import { InvalidCredentialError } from '../../src/errors.js';
import { sessionCore } from '../../src/endpoints/sessionCore.js';
import { jwtClaims } from '../../src/mechanisms/jwtClaims.js';
import { json } from './support/answers.js';
import { API, tokenOf } from './support/article.js';
import { errorOf } from './support/promises.js';
import { settle } from './support/manualClock.js';
import { mockServer } from './support/mockServer.js';

const jwt = (sub: string, n = 1) => `h.${btoa(JSON.stringify({ sub, n }))}.s`;

/** A cookie session whose `whoami` answers this, once it was asked. */
async function whoamiOf(answer: unknown, getSubject?: (answer: any) => string | undefined) {
  const session = createCookieSession({
    server: true,
    login: async () => undefined,
    whoami: async () => answer,
    ...(getSubject && { getSubject }),
  });
  session.subscribe(() => {});
  await settle();
  return session.getSnapshot();
}

const ENVELOPES: unknown[] = [
  { id: 1, result: { name: 'Ada' } },
  { jsonrpc: '2.0', id: 1, result: { id: 'ada' } },
  { id: 1, data: { id: 'ada' } },
  { id: 1, result: 'ada' },
  { id: 1, payload: {} },
  { jsonrpc: '2.0', id: 1, error: {} },
  { id: 1, error: false, data: { id: 'ada' } },
];

test.each(ENVELOPES)(
  'whoami answers %o: its `id` is not taken for a user’s, and the sentence names the remedy',
  async answer => {
    const { status, error } = await whoamiOf(answer);
    expect(status).toBe('anonymous');
    expect(error).toBeInstanceOf(InvalidCredentialError);
    expect(error?.message).toMatch(
      /^whoami\(\) answered with an `id` beside `result` or `data`.*`getSubject` option\.$/,
    );
  },
);

test('`getSubject` reads the user out of an envelope; one without a result names no user (scenario 38)', async () => {
  const getSubject = (answer: { result: { id: string } | null }) => answer.result?.id;
  for (const id of ['ada', 'grace'])
    expect(await whoamiOf({ jsonrpc: '2.0', id: 1, result: { id } }, getSubject)).toMatchObject({
      status: 'authenticated',
      user: { result: { id } },
    });
  expect(await whoamiOf({ jsonrpc: '2.0', id: 1, result: null }, getSubject)).toMatchObject({
    status: 'anonymous',
    error: undefined,
  });
});

test.each([
  { id: 5 },
  { id: 'ada', team: { id: 1 }, roles: [{ id: 2 }] },
  { user: { id: 'ada', data: {} } },
  { id: 1, data: {}, user: { id: 'ada' } },
  { id: 1, data: {}, subject: 'ada' },
  { sub: 'ada', data: {} },
])('whoami answers %o: that is a user', async answer => {
  expect(await whoamiOf(answer)).toMatchObject({ status: 'authenticated', error: undefined });
});

test.each([{ id: '' }, { user: { name: 'Ada' } }, { sub: true }])(
  'whoami answers %o: that names no user, and is no sign-out',
  async answer => {
    expect((await whoamiOf(answer)).error).toBeInstanceOf(InvalidCredentialError);
  },
);

test('`getSubject` is called for objects only', async () => {
  expect((await whoamiOf('ada', answer => String(answer))).error).toBeInstanceOf(RefreshUnavailableError);
  expect(await whoamiOf(null, answer => (answer as { id: string }).id)).toMatchObject({
    status: 'anonymous',
    error: undefined,
  });
});

test('a login whose answer names the user in `user` or `subject` asks no whoami; one that is an envelope does, and whoami decides', async () => {
  let asked = 0;
  const login = async (answer: unknown) => {
    const session = createCookieSession({
      server: true,
      login: async () => answer,
      whoami: async () => (asked++, { id: 'grace' }),
    });
    return session.login();
  };
  await login({ user: { id: 'ada' } });
  await login({ subject: 'ada' });
  expect(asked).toBe(0);
  expect(await login({ jsonrpc: '2.0', id: 1, result: true })).toEqual({ id: 'grace' });
  expect(asked).toBe(1);
});

type Named = { id?: number; user?: { name: string }; login?: string; profile?: { id: string } };

test.each<[string, Named, ((answer: Named) => string | undefined) | undefined, number]>([
  ['an id beside a user without one', { id: 1, user: { name: 'Ada' } }, undefined, 1],
  ['what `getSubject` reads', { login: 'ada' }, ({ login }) => login, 0],
  ['what `getSubject` cannot read', { id: 1 }, ({ profile }) => profile!.id, 1],
])('a login that answers with %s signs in, and asks whoami only if nothing names the user', async (...row) => {
  const [, answer, getSubject, whoamis] = row;
  const whoami = vi.fn(async (): Promise<Named> => ({ id: 1, login: 'ada', profile: { id: 'ada' } }));
  const session = createCookieSession({
    server: true,
    login: async () => answer,
    whoami,
    ...(getSubject && { getSubject }),
  });
  await session.login();
  expect([session.getSnapshot().status, whoami.mock.calls.length]).toEqual(['authenticated', whoamis]);
});

test('a whoami that rejects with SessionExpiredError found no user', async () => {
  const session = createCookieSession({
    server: true,
    login: async () => undefined,
    whoami: () => Promise.reject(new SessionExpiredError()),
  });
  expect((await errorOf(session.login())).message).toMatch(/^The login succeeded, but whoami\(\) then found/);
});

interface Answer {
  accessToken: string;
  refreshToken?: string;
  user?: { id: string };
}

/** The outcome of a refresh that answers this, after a login that answered that. */
async function refreshed(login: Answer, refresh: unknown, getSubject?: (answer: any) => string | undefined) {
  const session = createTokenSession({
    server: true,
    login: async () => login,
    refresh: async () => refresh,
    ...(getSubject && { getSubject }),
  });
  await session.login();
  const error = await session.refresh().then(
    () => undefined,
    (error: Error) => error,
  );
  return { error, status: session.getSnapshot().status };
}

test('a refresh by a cookie whose answer does not name the user is “not now”, and its cause names the remedy', async () => {
  for (const login of [
    { accessToken: 'a', user: { id: 'ada' } },
    { accessToken: jwt('ada') },
    { accessToken: jwt('auth0|1'), user: { id: 'ada' } },
  ]) {
    const { error, status } = await refreshed(login, { accessToken: 'b' });
    expect(error).toBeInstanceOf(RefreshUnavailableError);
    expect(error?.cause).toBeInstanceOf(InvalidCredentialError);
    expect((error?.cause as Error).message).toContain('`getSubject` option');
    expect(status).toBe('authenticated');
  }
  // Nothing tells that this `sub` and that user are one.
  expect(
    (await refreshed({ accessToken: 'a', user: { id: 'ada' } }, { accessToken: jwt('auth0|1') })).error,
  ).toBeInstanceOf(RefreshUnavailableError);
});

test('a refresh by a cookie that names the user is the user’s; one that names another ends the session', async () => {
  const ada = { accessToken: 'a', user: { id: 'ada' } };
  for (const answer of [
    { accessToken: 'b', user: { id: 'ada' } },
    { accessToken: 'b', subject: 'ada' },
    { accessToken: jwt('ada') },
  ])
    expect((await refreshed(ada, answer)).error).toBeUndefined();
  expect((await refreshed({ accessToken: jwt('ada') }, { accessToken: jwt('ada', 2) })).error).toBeUndefined();
  expect(
    (await refreshed(ada, { accessToken: 'b', account: 'ada' }, answer => answer.account ?? answer.user.id)).error,
  ).toBeUndefined();
  expect(await refreshed(ada, { accessToken: 'b', user: { id: 'grace' } })).toMatchObject({
    status: 'anonymous',
    error: { constructor: SessionExpiredError },
  });
});

test('a refresh by a token of the body needs to name nobody, nor does one of a user whom the sign-in did not name', async () => {
  expect(
    (await refreshed({ accessToken: 'a', refreshToken: 'r', user: { id: 'ada' } }, { accessToken: 'b' })).error,
  ).toBeUndefined();
  expect((await refreshed({ accessToken: 'a' }, { accessToken: 'b' })).error).toBeUndefined();
});

test('`refresh` gets both tokens', async () => {
  const seen: unknown[] = [];
  const session = createTokenSession({
    server: true,
    login: async () => ({ accessToken: 'a', refreshToken: 'r' }),
    refresh: async ({ accessToken, refreshToken }) => (seen.push(accessToken, refreshToken), { accessToken: 'b' }),
  });
  await session.login();
  await session.refresh();
  expect(seen).toEqual(['a', 'r']);
});

test.each([null, undefined])(
  'a login that answers with the access token %o is told what was expected',
  async accessToken => {
    const session = createTokenSession({ server: true, login: async (): Promise<unknown> => ({ accessToken }) });
    expect((await errorOf(session.login())).message).toMatch(
      /^The server answered an object with the key `accessToken`, where an object with the string `accessToken`/,
    );
  },
);

test('a stored sign-in without a subject that is text is not one', async () => {
  const stored = JSON.stringify({ credential: { accessToken: 'a' }, user: { id: 5 }, subject: 5 });
  const session = createTokenSession({
    server: true,
    login: async () => ({ accessToken: 'a' }),
    storage: { get: () => stored, set: () => {}, remove: () => {} },
  });
  session.subscribe(() => {});
  await settle();
  expect(session.getSnapshot().status).toBe('anonymous');
});

test('the claims of a JWT are read from base64url, and from three parts only', () => {
  const claims = { sub: '>>>???ü~', exp: 5 };
  const payload = Buffer.from(JSON.stringify(claims)).toString('base64url');
  expect(payload).toMatch(/-.*_|_.*-/);
  expect(jwtClaims(`h.${payload}.s`)).toEqual(claims);
  for (const token of [payload, `h.${payload}`, `h.${payload}.s.t`, `.${payload}`])
    expect(jwtClaims(token)).toEqual({});
});

const tokenWith = (claims: object) => `h.${btoa(JSON.stringify(claims))}.s`;

test('a `sub` that is a number names the user: the same one at the next sign-in', async () => {
  const session = createTokenSession({
    server: true,
    login: async (n: number) => ({ accessToken: tokenWith({ sub: 5, n }) }),
  });
  await session.login(1);
  const { epoch } = session.getSnapshot();
  await session.login(2);
  expect(session.getSnapshot().epoch).toBe(epoch);
});

test('a refresh by a cookie that gives the token of another user, named by a number, ends the session', async () => {
  const session = createTokenSession({
    server: true,
    login: async () => ({ accessToken: tokenWith({ sub: 1 }) }),
    refresh: async () => ({ accessToken: tokenWith({ sub: 2 }) }),
  });
  await session.login();
  expect(await errorOf(session.refresh())).toBeInstanceOf(SessionExpiredError);
  expect(session.getSnapshot()).toMatchObject({ status: 'anonymous', reason: 'expired' });
});

// As JSON has them: both are 9007199254740992 for JavaScript.
const ADA_AND_GRACE = ['9007199254740992', '9007199254740993'];

test.each(['{ "user": { "id": ID } }', '{ "subject": ID }', '{ "user": ID }', 'sub'])(
  'two users whose ids are too large for a number are two users: %s',
  async answer => {
    const session = createTokenSession({
      server: true,
      login: async (id: string) => ({
        accessToken: answer === 'sub' ? `h.${btoa(`{"sub":${id}}`)}.s` : 'token',
        ...(answer !== 'sub' && (JSON.parse(answer.replace('ID', id)) as object)),
      }),
    });
    await session.login(ADA_AND_GRACE[0]!);
    const { epoch } = session.getSnapshot();
    await session.login(ADA_AND_GRACE[1]!);
    expect(session.getSnapshot().epoch).toBe(epoch + 1);
  },
);

test('whoami answers an id that is too large for a number: that names no user', async () => {
  expect((await whoamiOf(JSON.parse(`{ "id": ${ADA_AND_GRACE[0]} }`))).error).toBeInstanceOf(InvalidCredentialError);
});

test('an empty `sub` names no user', () => {
  expect(jwtClaims(tokenWith({ sub: '' }))).toEqual({});
});

/** `getSubject` of an app in JavaScript: nothing checks its type. */
const numericId = ((answer: { account?: { no?: unknown } }) => answer.account?.no) as (answer: unknown) => never;

test('a `getSubject` that returns a number names the user of a stored sign-in, also after a reload', async () => {
  const server = mockServer({ 'GET /article/1': () => json({ id: '1' }) });
  let stored: string | null = null;
  const storage = {
    get: () => stored,
    set: (text: string) => void (stored = text),
    remove: () => void (stored = null),
  };
  const open = () =>
    createTokenSession({
      server: true,
      tabs: false,
      login: async (no: number) => ({ accessToken: `of-${no}`, account: { no } }),
      getSubject: numericId,
      trustedOrigins: [API],
      storage,
    });
  await open().login(5);
  const session = open();
  await session.fetch(`${API}/article/1`);
  expect(server.to('/article').map(tokenOf)).toEqual(['of-5']);
  expect(sessionCore(session).getSubject()).toBe('5');
});

test('a `getSubject` that returns a number, and a refresh by a cookie that names the same user by the `sub`', async () => {
  let refreshes = 0;
  const session = createTokenSession({
    server: true,
    login: async () => ({ accessToken: 'opaque', account: { no: 5 } }),
    refresh: async () => ({ accessToken: tokenWith({ sub: '5', n: ++refreshes }) }),
    getSubject: numericId,
  });
  await session.login();
  await session.refresh();
  expect(await session.getToken()).toBe(tokenWith({ sub: '5', n: 1 }));
});

test.each(['', 2 ** 53, true, {}])(
  'a `getSubject` that returns %o names no user: the answer’s own `user` does',
  async no => {
    const answer = { accessToken: 'a', account: { no }, user: { id: 'ada' } };
    const session = createTokenSession({ server: true, login: async () => answer, getSubject: numericId });
    await session.login();
    expect(sessionCore(session).getSubject()).toBe('ada');
  },
);

test('a cookie session whose `getSubject` returns a number: the same user as with the id as text', async () => {
  const answers: unknown[] = [{ account: { no: 5 } }, { account: { no: '5' } }, { account: { no: 6 } }];
  const session = createCookieSession({
    server: true,
    login: async () => undefined,
    whoami: async () => answers.shift(),
    getSubject: numericId,
  });
  await session.ready();
  const { epoch } = session.getSnapshot();
  expect(sessionCore(session).getSubject()).toBe('5');
  await session.reload();
  expect(session.getSnapshot().epoch).toBe(epoch);
  await session.reload().catch(() => {});
  expect(session.getSnapshot().epoch).not.toBe(epoch);
});
