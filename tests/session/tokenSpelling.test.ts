import { expect, test } from 'vitest';
import { createTokenSession } from '../../src/entries/core.js';
import { sessionCore } from '../../src/endpoints/sessionCore.js';
import { manualClock } from './support/manualClock.js';
import { errorOf } from './support/promises.js';

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

test('`parseTokens` may return OAuth’s spelling too', async () => {
  const session = createTokenSession({
    server: true,
    login: async () => ({ data: oauthAnswer }),
    parseTokens: ({ data }: { data: typeof oauthAnswer }) => data,
  });
  await session.login();
  expect(sessionCore(session).getCredential()).toMatchObject({ accessToken: oauthAnswer.access_token });
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
