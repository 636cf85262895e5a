import { afterEach, describe, expect, test, vi } from 'vitest';
import { authEndpoint, createCookieSession, createSession, RestEndpoint } from '../../src/entries/core.js';
import { setupCookieSession } from './support/setupCookieSession.js';
import { json, never } from './support/answers.js';
import { mockServer } from './support/mockServer.js';
import { errorOf } from './support/promises.js';
import { pageGate } from './support/pageGate.js';
import { settle } from './support/manualClock.js';
import { API } from './support/article.js';
import { drainMs } from './support/limits.js';

afterEach(() => void vi.useRealTimers());

const ada = { name: 'ada' };

/** Ada is signed in by a cookie; her next login fails like this. */
async function failingLogin(failure: () => Promise<never>) {
  let fails = false;
  const setup = setupCookieSession({
    tabs: false,
    trustedOrigins: [API],
    login: async () => (fails ? failure() : ((setup.jar.person = 'ada'), { id: 'ada' })),
  });
  await setup.session.login(ada);
  fails = true;
  setup.fake.clear();
  const outcome = await setup.session.login(ada).then(
    user => user,
    (error: unknown) => error,
  );
  return { ...setup, outcome };
}

const withResponse = (status: number) =>
  Object.assign(new Error('refused'), { response: { status, ok: status < 300 } });

describe('a cookie login that fails', () => {
  test('with a clear refusal, also one that a client of the app’s own words: nothing is checked', async () => {
    const { whoamis, outcome, status } = await failingLogin(() => Promise.reject(withResponse(401)));
    expect(outcome).toMatchObject({ message: 'refused' });
    expect(whoamis()).toBe(0);
    expect(status()).toBe('authenticated');
  });

  test('before anything was sent: nothing is checked', async () => {
    const elsewhere = new RestEndpoint({
      urlPrefix: 'https://evil.test',
      path: '/login/:realm',
      method: 'POST',
    }) as unknown as (params: object, body: object) => Promise<never>;
    for (const realm of ['', 'main']) {
      const { whoamis, outcome, status } = await failingLogin(() => elsewhere({ realm }, ada));
      expect(outcome).toMatchObject({ name: realm ? 'UntrustedOriginError' : 'MissingParamError' });
      expect(whoamis()).toBe(0);
      expect(status()).toBe('authenticated');
    }
  });

  test('and may have been taken: the user of before proves nothing, so the caller gets the error', async () => {
    const { whoamis, outcome, status } = await failingLogin(() => Promise.reject(withResponse(502)));
    expect(outcome).toMatchObject({ message: 'refused' });
    expect(whoamis()).toBe(1);
    expect(status()).toBe('authenticated');
  });

  test('after a logout that the server has not confirmed: the user who has left is not signed in again', async () => {
    const { session, fake, jar } = setupCookieSession({ tabs: false });
    await session.login(ada);
    fake.routes['POST /logout'] = fake.routes['POST /login'] = () => json({}, 503);
    await errorOf(session.logout());
    expect(await errorOf(session.login({ name: 'grace' }))).toMatchObject({ status: 503 });
    expect(session.getSnapshot()).toMatchObject({ status: 'anonymous', unconfirmed: 'logout' });
    expect(jar.person).toBe('ada');
  });

  test('after a logout that was called during the first check, and is not confirmed: nobody is signed in', async () => {
    const { session, fake, jar } = setupCookieSession({ tabs: false });
    jar.person = 'ada';
    fake.routes['POST /logout'] = fake.routes['POST /login'] = () => json({}, 503);
    session.subscribe(() => {});
    expect(session.getSnapshot().status).toBe('restoring');
    await errorOf(session.logout());
    expect(await errorOf(session.login({ name: 'grace' }))).toMatchObject({ status: 503 });
    expect(session.getSnapshot()).toMatchObject({ status: 'anonymous', unconfirmed: 'logout' });
  });

  test('and leaves no cookie of the user of before: their session has ended elsewhere', async () => {
    const { session, fake, jar } = setupCookieSession({ tabs: false });
    await session.login(ada);
    fake.routes['POST /login'] = () => ((jar.person = undefined), json({}, 500));
    await errorOf(session.login({ name: 'grace' }));
    expect(session.getSnapshot()).toMatchObject({
      status: 'anonymous',
      reason: 'expired',
      user: undefined,
    });
  });
});

test.each(['down', null, undefined])(
  'a whoami that throws %o after a login: the caller gets that very value',
  async thrown => {
    const session = createCookieSession({
      server: true,
      login: async () => undefined,
      whoami: () => Promise.reject(thrown as unknown as Error),
    });
    expect(
      await session.login().then(
        () => 'resolved',
        (error: unknown) => ({ error }),
      ),
    ).toEqual({ error: thrown });
    expect(session.getSnapshot().error).toMatchObject({
      message: expect.stringContaining('threw something that is not an Error.') as string,
      cause: thrown,
    });
  },
);

test.each([
  ['some seconds', undefined, drainMs],
  ['the timeout, where that is shorter', 3_000, 3_000],
  ['no longer than that', 20_000, 20_000],
])('a cookie login waits for requests on their way for %s, then calls them off', async (_name, timeoutMs, ms) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  mockServer({ '*': never });
  let logins = 0;
  const login = async () => ({ credential: 'cookie', subject: logins++ === 0 ? 'ada' : 'grace' });
  const session = createSession(
    { gate: pageGate(undefined, timeoutMs), timeout: timeoutMs, login, attach: ({ init }) => init },
    { server: true },
  );
  await session.login();
  const request = errorOf(
    (new (authEndpoint(session))({ urlPrefix: API, path: '/article' }) as unknown as () => Promise<unknown>)(),
  );
  await settle();
  const next = session.login();
  await vi.advanceTimersByTimeAsync(ms - 1);
  await settle();
  expect(logins).toBe(1);
  // An answer of an aborted request may still set its cookie for a moment.
  await vi.advanceTimersByTimeAsync(101);
  await next;
  expect(logins).toBe(2);
  expect(await request).toMatchObject({ name: 'AbortError' });
});
