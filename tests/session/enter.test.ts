import { describe, expect, test } from 'vitest';
import { createSession, createTokenSession, IdentityChangedError, type SignedIn } from '../../src/entries/core.js';
import { InvalidCredentialError } from '../../src/errors.js';
import { sessionCore } from '../../src/endpoints/sessionCore.js';
import { json } from './support/answers.js';
import { tokenOf } from './support/article.js';
import { until } from './support/manualClock.js';
import { userOf } from './support/people.js';
import { deferred, errorOf } from './support/promises.js';
import { setupCookieSession } from './support/setupCookieSession.js';
import { setupTokenSession } from './support/setupTokenSession.js';

const ada = { name: 'ada' };

describe('a token session', () => {
  test('signs a user in with the tokens of a registration, without a request', async () => {
    const storage = { text: '', get: () => null, set: (text: string) => void (storage.text = text), remove: () => {} };
    const { session, server, issue, burst } = setupTokenSession({ storage });
    expect(await session.enter(issue('ada'))).toEqual(userOf('ada'));
    expect(server.seen).toEqual([]);
    expect(session.getSnapshot()).toMatchObject({ status: 'authenticated', user: { id: 'ada' }, error: undefined });
    expect(JSON.parse(storage.text)).toMatchObject({ credential: { accessToken: 'ada-1' }, subject: 'ada' });
    await burst(1)[0];
    expect(tokenOf(server.seen.at(-1)!)).toBe('ada-1');
  });

  test('the same user keeps the identity, another user is another one', async () => {
    const { session, issue } = setupTokenSession();
    await session.login(ada);
    const { epoch } = session.getSnapshot();
    await session.enter(issue('ada'));
    expect(session.getSnapshot().epoch).toBe(epoch);
    expect(sessionCore(session).getCredential()).toMatchObject({ accessToken: 'ada-2' });
    await session.enter(issue('grace'));
    expect(session.getSnapshot()).toMatchObject({ epoch: epoch + 1, user: { id: 'grace' } });
  });

  test('the last call wins: it waits for a login under way, and the login rejects', async () => {
    const answer = deferred<Response>();
    const { session, issue } = setupTokenSession({}, { 'POST /login': () => answer.promise });
    const login = errorOf(session.login(ada));
    const entered = session.enter(issue('grace'));
    expect(await login).toBeInstanceOf(IdentityChangedError);
    answer.resolve(json(issue('ada')));
    expect(await entered).toEqual(userOf('grace'));
    expect(session.getSnapshot().user).toEqual(userOf('grace'));
  });

  test('reads the answer as that of a login, and an answer without a token signs no user in', async () => {
    const session = createTokenSession({
      server: true,
      login: async () => ({ data: { jwt: 'a' }, account: 'ada' }),
      parseTokens: ({ data }) => ({ accessToken: data.jwt }),
      getSubject: ({ account }) => account,
    });
    await session.enter({ data: { jwt: 'b' }, account: 'grace' });
    expect(sessionCore(session).getSubject()).toBe('grace');
    await session.logout();
    const error = await errorOf(session.enter({ data: {}, account: 'grace' } as never));
    expect(error).toBeInstanceOf(InvalidCredentialError);
    expect(session.getSnapshot()).toMatchObject({ status: 'anonymous', error });
  });

  test('on a server it rejects like a login: all visitors would share the session', async () => {
    const session = createTokenSession({ login: async () => ({ accessToken: 'a' }) });
    expect((await errorOf(session.enter({ accessToken: 'a' }))).message).toContain('was not made for a server');
  });
});

describe('a cookie session', () => {
  test('asks whoami whose cookie the server has set', async () => {
    const { session, fake, jar, clock } = setupCookieSession({ tabs: false });
    await session.ready();
    fake.clear();
    jar.person = 'ada';
    expect(await until(clock, session.enter())).toEqual(userOf('ada'));
    expect(fake.seen.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /whoami']);
    expect(session.getSnapshot()).toMatchObject({ status: 'authenticated', user: { id: 'ada' } });
  });

  test('rejects when whoami finds no user', async () => {
    const { session, clock } = setupCookieSession({ tabs: false });
    const error = await until(clock, errorOf(session.enter()));
    expect(error).toBeInstanceOf(InvalidCredentialError);
    expect(session.getSnapshot()).toMatchObject({ status: 'anonymous', error });
  });
});

describe('a session with a mechanism of its own', () => {
  const attach = ({ init }: { init: RequestInit }) => init;

  test('takes the credential and whose it is', async () => {
    const session = createSession(
      { login: async () => ({ credential: 'a', subject: 'ada' }), attach },
      { server: true },
    );
    await session.enter({ credential: 'b', subject: 'grace' });
    expect([sessionCore(session).getSubject(), sessionCore(session).getCredential()]).toEqual(['grace', 'b']);
  });

  test('or calls the mechanism’s own `enter` with the arguments', async () => {
    const session = createSession(
      {
        enter: async (key: string, subject: string): Promise<SignedIn<string, unknown>> => ({
          credential: key,
          subject,
        }),
        attach,
      },
      { server: true },
    );
    await session.enter('key-1', 'ada');
    expect([sessionCore(session).getSubject(), sessionCore(session).getCredential()]).toEqual(['ada', 'key-1']);
  });
});
