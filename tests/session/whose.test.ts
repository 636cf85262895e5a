import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { sessionCore } from '../../src/endpoints/sessionCore.js';
import {
  authEndpoint,
  createCookieSession,
  createSdkSession,
  createSession,
  createTokenSession,
  IdentityChangedError,
  RefreshUnavailableError,
  resource,
  SessionExpiredError,
} from '../../src/entries/core.js';
import { InvalidCredentialError } from '../../src/errors.js';
import { jwtClaims } from '../../src/mechanisms/jwtClaims.js';
import { TokenOwners } from '../../src/mechanisms/TokenOwners.js';
import { json } from './support/answers.js';
import { API, Article, tokenOf } from './support/article.js';
import { manualClock, settle, until } from './support/manualClock.js';
import { mockServer } from './support/mockServer.js';
import { errorOf, outcomeOf } from './support/promises.js';
import { setupTokenSession } from './support/setupTokenSession.js';

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
    ...(getSubject && { parseTokens: (answer: Answer) => ({ ...answer, subject: getSubject(answer) }) }),
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
    expect((error?.cause as Error).message).toContain('`parseTokens` option');
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

/** `parseTokens` of an app in JavaScript: nothing checks its type. */
const numericId = ((answer: { account?: { no?: unknown } }) => ({ ...answer, subject: answer.account?.no })) as (
  answer: unknown,
) => never;

test('a `subject` that is a number names the user of a stored sign-in, also after a reload', async () => {
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
      login: async (no: number) => ({ accessToken: `of-${no}`, account: { no } }),
      parseTokens: numericId,
      trustedOrigins: [API],
      storage: { in: storage, tabs: false },
    });
  await open().login(5);
  const session = open();
  await session.fetch(`${API}/article/1`);
  expect(server.to('/article').map(tokenOf)).toEqual(['of-5']);
  expect(sessionCore(session).getSubject()).toBe('5');
});

test.each(['', 2 ** 53, true, {}])('a `subject` that is %o names no user: the answer’s own `user` does', async no => {
  const answer = { accessToken: 'a', account: { no }, user: { id: 'ada' } };
  const session = createTokenSession({ server: true, login: async () => answer, parseTokens: numericId });
  await session.login();
  expect(sessionCore(session).getSubject()).toBe('ada');
});

test('a cookie session whose `getSubject` returns a number: the same user as with the id as text', async () => {
  const answers: unknown[] = [{ account: { no: 5 } }, { account: { no: '5' } }, { account: { no: 6 } }];
  const session = createCookieSession({
    server: true,
    login: async () => undefined,
    whoami: async () => answers.shift(),
    getSubject: (answer: any) => answer?.account.no as never,
  });
  await session.ready();
  const { epoch } = session.getSnapshot();
  expect(sessionCore(session).getSubject()).toBe('5');
  await session.reload();
  expect(session.getSnapshot().epoch).toBe(epoch);
  await session.reload().catch(() => {});
  expect(session.getSnapshot().epoch).not.toBe(epoch);
});

/** The example of RFC 6749, section 5.1, and a user. */
const oauthAnswer = {
  access_token: '2YotnFZFEjr1zCsicMWpAA',
  token_type: 'example',
  expires_in: 3600,
  refresh_token: 'tGzv3JOkF0XG5Qx2TlKWIA',
  user: { id: 'ada' },
};

test('a login, refresh and restore in OAuth’s spelling are understood, and stored in the format as before', async () => {
  const clock = manualClock();
  const at = clock.now();
  const stored: string[] = [];
  const refreshedWith: unknown[] = [];
  const session = createTokenSession({
    clock,
    server: true,
    login: async () => oauthAnswer,
    restore: async () => ({ ...oauthAnswer, access_token: 'restored' }),
    refresh: async ({ refreshToken }) => {
      refreshedWith.push(refreshToken);
      return { access_token: 'refreshed', expires_in: 60 };
    },
    storage: { get: () => stored.at(-1), set: text => void stored.push(text), remove: () => void stored.push('') },
  });

  await session.refresh();
  expect(sessionCore(session).getCredential()).toMatchObject({ accessToken: 'restored' });

  await session.login();
  const credential = { accessToken: oauthAnswer.access_token, refreshToken: oauthAnswer.refresh_token };
  expect(sessionCore(session).getCredential()).toMatchObject({ ...credential, expiresAt: at + 3_600_000 });
  expect(session.getSnapshot().user).toEqual({ id: 'ada' });
  expect(stored.at(-1)).not.toContain('access_token');
  expect(JSON.parse(stored.at(-1)!)).toMatchObject({ credential, subject: 'ada' });

  await session.refresh();
  expect(refreshedWith).toEqual([oauthAnswer.refresh_token]);
  expect(sessionCore(session).getCredential()).toMatchObject({
    accessToken: 'refreshed',
    refreshToken: oauthAnswer.refresh_token,
    expiresAt: at + 60_000,
  });
});

test('where an answer has both spellings, camelCase wins', async () => {
  const clock = manualClock();
  const at = clock.now();
  const both = { ...oauthAnswer, accessToken: 'camel', refreshToken: 'camel-refresh', expiresIn: 120 };
  const session = createTokenSession({ clock, server: true, login: async () => both });
  await session.login();
  expect(sessionCore(session).getCredential()).toMatchObject({
    accessToken: 'camel',
    refreshToken: 'camel-refresh',
    expiresAt: at + 120_000,
  });
});

const expected =
  "where an object with the string `accessToken` (or `access_token`) was expected. If the token has another name, read it with the session's `parseTokens` option.";

test.each([
  [{ token: 'secret' }, 'an object with the key `token`'],
  [{ data: { token: 'secret' }, status: 'secret' }, 'an object with the keys `data`, `status`'],
  [{ access_token: null, user: 'secret' }, 'an object with the keys `access_token`, `user`'],
  [{ ['x'.repeat(100)]: 'secret' }, `an object with the key \`${'x'.repeat(24)}…\``],
  [
    Object.fromEntries(Array.from({ length: 13 }, (_, index) => [`k${index}`, 'secret'])),
    'an object with the keys `k0`, `k1`, `k2`, `k3`, `k4`, `k5`, `k6`, `k7`, `k8`, `k9` and 3 more',
  ],
  [['secret'], 'a list'],
])('a login answered without a token names the keys that were found, and no value', async (answer: unknown, words) => {
  const session = createTokenSession({ server: true, login: async () => answer });
  const error = await errorOf(session.login());
  expect(error.message).toBe(`The server answered ${words}, ${expected}`);
  expect(`${error.message} ${JSON.stringify(error)}`).not.toContain('secret');
});

test('null for a lifetime says nothing, so the `exp` of the JWT counts', async () => {
  const clock = manualClock();
  const exp = Math.round(clock.now() / 1000) + 600;
  const access_token = `h.${btoa(JSON.stringify({ sub: 'ada', exp }))}.s`;
  const session = createTokenSession({
    clock,
    server: true,
    login: async () => ({ access_token, expires_in: null as unknown as number, user: { id: 'ada' } }),
  });
  await session.login();
  expect(sessionCore(session).getCredential()).toMatchObject({ expiresAt: exp * 1000 });
});

const TOKEN_EXAMPLE = "createTokenSession({ login: new RestEndpoint({ path: '/login', method: 'POST' }) })";
const COOKIE_EXAMPLE =
  "createCookieSession({ login: new RestEndpoint({ path: '/login', method: 'POST' }), whoami: new RestEndpoint({ path: '/whoami' }) })";
const OWN_EXAMPLE =
  "createSession({ login, attach: ({ init }, key) => (key ? attachHeader(init, 'X-API-Key', key) : init) })";

const login = async () => ({ accessToken: 'ada-1' });

test.each([
  ['no options', undefined],
  ['empty options', {}],
  ['null', null],
  ['a login that is not a function', { login: '/login' }],
])('createTokenSession with %s names the login that is missing, and shows the line to write', (_, options) => {
  expect(() => createTokenSession(options as never)).toThrow(
    new TypeError(`createTokenSession() needs a function \`login\`. Write it as ${TOKEN_EXAMPLE}.`),
  );
});

test.each([
  [undefined, 'functions `login` and `whoami`'],
  [{ whoami: login }, 'a function `login`'],
  [{ login }, 'a function `whoami`'],
])('createCookieSession names each option that is missing', (options, missing) => {
  expect(() => createCookieSession(options as never)).toThrow(
    new TypeError(`createCookieSession() needs ${missing}. Write it as ${COOKIE_EXAMPLE}.`),
  );
});

test.each([undefined, {}, { login }])('createSession says that a mechanism attaches its credential', mechanism => {
  expect(() => createSession(mechanism as never)).toThrow(
    new TypeError(`createSession() needs a function \`attach\`. Write it as ${OWN_EXAMPLE}.`),
  );
});

describe('owners', () => {
  const jwt = (sub: string) => `h.${btoa(JSON.stringify({ sub }))}.s`;

  test('the last hundred users are remembered; the one not seen for the longest time is forgotten first', () => {
    const owners = new TokenOwners();
    owners.addToken(jwt('auth0|ada'), 'ada');
    owners.addToken('opaque', 'grace');
    for (let n = 0; n < 98; n++) owners.addUser(`user ${n}`);
    owners.addUser('ada');
    expect([owners.ownerOf(jwt('auth0|ada'), 'cy'), owners.ownerOf('opaque', 'cy')]).toEqual(['other', 'other']);
    owners.addUser('user 98');
    expect([owners.ownerOf(jwt('auth0|ada'), 'cy'), owners.ownerOf('opaque', 'cy')]).toEqual(['other', 'own']);
    for (let n = 99; n < 197; n++) owners.addUser(`user ${n}`);
    expect(owners.ownerOf(jwt('auth0|ada'), 'cy')).toBe('other');
    owners.addUser('user 197');
    expect(owners.ownerOf(jwt('auth0|ada'), 'cy')).toBe('unknown');
  });
});

describe('the token of a new sign-in', () => {
  const ada = { name: 'ada' };
  const refused = () => json({}, 401);
  const warn = vi.fn<(text: string) => void>();

  beforeEach(() => {
    warn.mockClear();
    vi.spyOn(console, 'warn').mockImplementation(warn);
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  });

  const ANOTHER_HEADER =
    "If the server reads another header, name it in the session's `header`; most servers read header: 'Authorization'.";
  const ANOTHER_WORD =
    "If the server reads another word before the token, or another header, name it in the session's `header`: 'Authorization: token'; otherwise check that the token is for this API.";

  const sentence = (place: string, remedy = ANOTHER_HEADER) =>
    `data-client-auth: the server refused (401) the token of a new sign-in at once. It was sent as \`${place}\`. ${remedy}`;

  test.each([
    [{}, sentence('Access-Token: <token>')],
    [{ header: 'authorization' }, sentence('authorization: Bearer <token>', ANOTHER_WORD)],
    [{ header: 'Authorization: token' }, sentence('Authorization: token <token>', ANOTHER_WORD)],
  ])('the token of a login that is refused at once costs one warning with the header: %o', async (options, text) => {
    const { session, burst, clock } = setupTokenSession(options, { '*': refused });
    await session.login(ada);
    await until(clock, Promise.allSettled(burst(3)));
    expect(warn.mock.calls).toEqual([[text]]);

    await session.login(ada);
    await until(clock, Promise.allSettled(burst(1)));
    expect(warn).toHaveBeenCalledTimes(1);
  });

  test('a refused refresh before the first request says nothing about the header', async () => {
    const { session } = setupTokenSession({}, { 'POST /refresh': refused });
    await session.login(ada);
    await errorOf(session.refresh());
    expect(warn).not.toHaveBeenCalled();
  });

  test('no warning where the server has accepted a request of the sign-in', async () => {
    let answers = 0;
    const { session, ArticleResource, clock } = setupTokenSession(
      {},
      { '*': () => (answers++ ? refused() : json({ id: '0' })) },
    );
    await session.login(ada);
    await ArticleResource.get({ id: '0' });
    await until(clock, Promise.allSettled([ArticleResource.get({ id: '1' })]));
    expect(session.getSnapshot().status).toBe('anonymous');
    expect(warn).not.toHaveBeenCalled();
  });

  test('no warning where the refreshed token is accepted: the server reads the header', async () => {
    const { session, burst, expire } = setupTokenSession();
    await session.login(ada);
    expire();
    await Promise.all(burst(3));
    expect(warn).not.toHaveBeenCalled();
  });

  test('no warning for a token that has had the time to expire', async () => {
    const { session, burst, clock } = setupTokenSession({}, { '*': refused });
    await session.login(ada);
    await clock.advance(10_000);
    await until(clock, Promise.allSettled(burst(1)));
    expect(warn).not.toHaveBeenCalled();
  });

  test('no warning in production', async () => {
    vi.stubEnv('NODE_ENV', 'production');
    vi.resetModules();
    const { setupTokenSession } = await import('./support/setupTokenSession.js');
    const { session, burst, clock } = setupTokenSession({}, { '*': refused });
    await session.login(ada);
    await until(clock, Promise.allSettled(burst(1)));
    expect(warn).not.toHaveBeenCalled();
  });
});

describe('another identity', () => {
  // What is sent as whom, by code that outlives a sign-in and by an SDK that is ahead of its event.

  test.each([
    ['signs out, and Grace in', (app: ReturnType<typeof setupTokenSession>) => app.session.logout()],
    ['is replaced by Grace', async () => {}],
  ])('scenario 59: Ada %s: a loop outside React sends nothing as the next user', async (_name, leave) => {
    const app = setupTokenSession({ trustedOrigins: [API] }, { 'PATCH /article/1': () => json({}, 503) });
    await app.session.login({ name: 'ada' });
    const signal = sessionCore(app.session).getIdentitySignal();
    const save = app.ArticleResource.partialUpdate.extend({ signal });
    const tryAgain = async () => [
      (await errorOf(save({ id: '1' }, { title: 'Ada’s' }))).name,
      await outcomeOf(app.session.fetch(`${API}/mail`, { method: 'POST', signal })),
    ];
    expect(await tryAgain()).toEqual(['NetworkError', 'done']);
    // A refresh is no other identity.
    await app.session.refresh();
    expect(await tryAgain()).toEqual(['NetworkError', 'done']);
    await leave(app);
    await app.session.login({ name: 'grace' });
    expect(await tryAgain()).toEqual(['AbortError', 'AbortError']);
    expect(app.server.to('PATCH').map(tokenOf)).toEqual(['ada-1', 'ada-2']);
    expect(app.server.to('POST /mail').map(tokenOf)).toEqual(['ada-1', 'ada-2']);
    expect(sessionCore(app.session).getIdentitySignal().aborted).toBe(false);
  });

  test('a loop that starts before the first check is of the user whom it finds', async () => {
    const app = setupTokenSession({ restore: async () => app.issue('ada') });
    const signal = sessionCore(app.session).getIdentitySignal();
    await app.session.ready();
    await app.ArticleResource.get.extend({ signal })({ id: '1' });
    expect(app.server.to('GET').map(tokenOf)).toEqual(['ada-1']);
  });

  const jwt = (sub: string, n: number) => `h.${btoa(JSON.stringify({ sub, n }))}.s`;

  /** An SDK that tells late, or never, that it has another user. */
  async function setupSdk(subOf: (user: string) => string, isLate: boolean) {
    // Node has no window, so a test says that it shares the session with no one.
    vi.stubGlobal('window', globalThis);
    const server = mockServer({ '*': () => json({ id: '1', title: 'x' }) });
    let user: string | null = 'ada';
    let issued = 0;
    const session = createSdkSession({
      getToken: async () => (user === null ? null : jwt(subOf(user), ++issued)),
      subject: () => (isLate ? Promise.resolve(user) : user),
    });
    await session.ready();
    const { get } = resource({
      urlPrefix: API,
      path: '/article/:id',
      schema: Article,
      Endpoint: authEndpoint(session),
    });
    return { server, session, get, become: (next: string | null) => void (user = next) };
  }

  describe.each([
    ['the subject', (user: string) => user],
    ['another text than the subject', (user: string) => `auth0|${user}`],
  ])('the `sub` of an SDK’s tokens is %s', (_name, subOf) => {
    test.each([
      ['at once', false],
      ['by a promise', true],
    ])('its first token is another user’s, and `subject` says so %s: it is not sent for Ada', async (_how, isLate) => {
      const { server, session, get, become } = await setupSdk(subOf, isLate);
      become('grace');
      expect(await errorOf(get({ id: '1' }))).toBeInstanceOf(IdentityChangedError);
      expect(server.seen).toEqual([]);
      expect(session.getSnapshot()).toMatchObject({ status: 'authenticated', user: { subject: 'grace' } });
      await get({ id: '1' });
      expect(server.seen).toHaveLength(1);
    });
  });
});
