import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LogoutUnconfirmedError, RefreshUnavailableError, type Session } from '../../src/entries/core.js';
import { setupCookieSession } from './support/setupCookieSession.js';
import { json, networkError, never } from './support/answers.js';
import { stubAnswer, type Route } from './support/mockServer.js';
import { deferred, errorOf } from './support/promises.js';
import { functionServer } from './support/functionServer.js';
import { settle } from './support/manualClock.js';
import { callLimitMs, drainMs } from './support/limits.js';
import { setupTokenSession } from './support/setupTokenSession.js';

const ada = { name: 'ada' };
const html = () => new Response('<!doctype html><p>Sign in to the Wi-Fi', { headers: { 'Content-Type': 'text/html' } });
const notJson = () => new Response('<!doctype html>', { headers: { 'Content-Type': 'application/json' } });
const redirected = () => new Response(null, { status: 302, headers: { Location: '/login' } });
/** The same, as a browser hides it from the page. */
const hiddenRedirect = () =>
  Object.defineProperties(new Response(null), {
    type: { value: 'opaqueredirect' },
    status: { value: 0 },
    ok: { value: false },
  });
const answering = (status: number) => () => json({}, status);

/** Answers that do not say who is signed in. */
const UNREADABLE: Record<string, Route> = {
  html,
  notJson,
  redirected,
  networkError,
  never,
  500: answering(500),
  502: answering(502),
  503: answering(503),
};

const snapshotOf = ({ getSnapshot }: Pick<Session, 'getSnapshot'>) => getSnapshot();

describe('who is signed in cannot be read (scenario 41)', () => {
  test.each(Object.entries(UNREADABLE))(
    'whoami answers %s: unavailable, and never “signed out”',
    async (_name, whoami) => {
      const { session, clock } = setupCookieSession({ tabs: false }, { 'GET /whoami': whoami });
      session.subscribe(() => {});
      await settle();
      await clock.advance(callLimitMs);
      const { error, ...rest } = snapshotOf(session);
      expect(rest).toMatchObject({ status: 'anonymous', reason: undefined, unconfirmed: 'restore' });
      expect(error).toBeInstanceOf(RefreshUnavailableError);
      expect(error?.cause).toBeDefined();
    },
  );

  test('a whoami that the browser has found redirected: unavailable, too', async () => {
    const { session } = setupCookieSession({ tabs: false });
    stubAnswer('/whoami', hiddenRedirect);
    session.subscribe(() => {});
    await settle();
    expect(snapshotOf(session)).toMatchObject({ status: 'anonymous', unconfirmed: 'restore' });
    expect(snapshotOf(session).error).toBeInstanceOf(RefreshUnavailableError);
  });

  test('a whoami that answers with a page says so in the cause', async () => {
    const { session } = setupCookieSession({}, { 'GET /whoami': html });
    expect((await errorOf(session.refresh())).cause).toEqual(
      new SyntaxError('whoami() answered a text where an object was expected, as a proxy or a captive portal does.'),
    );
  });

  test('a token restore that answers with a page is unavailable, unless the app reads texts itself', async () => {
    const { session } = setupTokenSession({ restore: async () => '<!doctype html>' });
    expect(await errorOf(session.refresh())).toBeInstanceOf(RefreshUnavailableError);
    expect(snapshotOf(session)).toMatchObject({ status: 'anonymous', unconfirmed: 'restore' });
    const other = setupTokenSession({
      restore: async () => 'ada-1',
      parseTokens: answer => ({ accessToken: `${answer as unknown as string}` }),
    });
    await other.session.refresh();
    expect(snapshotOf(other.session)).toMatchObject({ status: 'authenticated', unconfirmed: undefined });
  });

  type Step = { check: keyof typeof UNREADABLE } | 'refused login' | 'nobody';
  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.record({ check: fc.constantFrom(...Object.keys(UNREADABLE)) }),
    fc.constant('refused login' as const),
    fc.constant('nobody' as const),
  );

  test('it stays unconfirmed until a check is answered, whatever logins fail, and signing in works as soon as the server does', () =>
    fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 6 }), fc.boolean(), async (steps, byLogin) => {
        const { session, fake, clock, jar } = setupCookieSession({}, {}, functionServer);
        const login = fake.routes['POST /login']!;
        let expected: 'restore' | undefined;
        let checks = 0;
        for (const now of steps) {
          if (now === 'refused login') {
            fake.routes['POST /login'] = answering(401);
            const refused = errorOf(session.login(ada));
            await settle();
            // A login waits so long for a check that is never answered.
            await clock.advance(drainMs);
            expect(await refused).toMatchObject({ status: 401 });
            expect(snapshotOf(session).error).toMatchObject({ status: 401 });
          } else {
            fake.routes['GET /whoami'] = now === 'nobody' ? answering(401) : UNREADABLE[now.check]!;
            const check = session.refresh().catch(() => {});
            await settle();
            await clock.advance(callLimitMs);
            await check;
            checks++;
            expected = now === 'nobody' ? undefined : 'restore';
          }
          expect(snapshotOf(session)).toMatchObject({ reason: undefined, user: undefined });
          if (checks > 0) expect(snapshotOf(session)).toMatchObject({ status: 'anonymous', unconfirmed: expected });
        }
        expect(fake.count('/whoami')).toBe(checks);
        fake.routes['POST /login'] = login;
        fake.routes['GET /whoami'] = () => json({ id: 'ada' });
        jar.person = 'ada';
        const signedIn = byLogin ? session.login(ada) : session.refresh();
        await settle();
        await clock.advance(drainMs);
        await signedIn;
        expect(snapshotOf(session)).toMatchObject({
          status: 'authenticated',
          user: { id: 'ada' },
          error: undefined,
          unconfirmed: undefined,
        });
      }),
      { numRuns: 100 },
    ));
});

function worldOfToken() {
  const { session, server } = setupTokenSession({}, {}, functionServer);
  return { session, routes: server.routes, count: server.count };
}

function worldOfCookie() {
  const { session, fake } = setupCookieSession({ tabs: false }, {}, functionServer);
  return { session, routes: fake.routes, count: fake.count };
}

describe('a sign-out that the server has not confirmed (scenario 42)', () => {
  const UNCONFIRMED: Record<string, Route> = {
    networkError,
    never,
    403: answering(403),
    500: answering(500),
    503: answering(503),
  };
  type Step = { logout: keyof typeof UNCONFIRMED } | 'focus' | 'refused login' | 'request';
  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.record({ logout: fc.constantFrom(...Object.keys(UNCONFIRMED)) }),
    fc.constantFrom('focus' as const, 'refused login' as const, 'request' as const),
  );

  test('signs out here at once and for good, until a logout is confirmed or a user signs in', () =>
    fc.assert(
      fc.asyncProperty(
        fc.boolean(),
        fc.boolean(),
        fc.array(step, { maxLength: 6 }),
        fc.boolean(),
        async (isStale, isFocused, steps, byLogin) => {
          const { session, fake, clock, jar, as, status, focus, ArticleResource } = setupCookieSession(
            { tabs: false },
            {},
            functionServer,
          );
          session.subscribe(() => {});
          await session.login(ada);
          const { 'POST /login': login, 'POST /logout': logout, 'GET /whoami': whoami } = fake.routes;
          const signOut = async (answer: Route, during = () => {}) => {
            fake.routes['POST /logout'] = answer;
            const error = errorOf(session.logout());
            expect(status()).toBe('anonymous');
            during();
            await settle();
            await clock.advance(callLimitMs);
            await error;
          };
          if (isStale) {
            // The check before the sign-out has failed, so another one is due.
            fake.routes['GET /whoami'] = networkError;
            await clock.advance(10_000);
            focus();
            await settle();
            fake.routes['GET /whoami'] = whoami!;
          }
          await clock.advance(10_000);
          await signOut(answering(500), isFocused ? focus : undefined);
          let logouts = 1;
          fake.clear();
          for (const now of steps) {
            await clock.advance(10 * 60_000);
            if (now === 'focus') focus();
            else if (now === 'request') await errorOf(ArticleResource.get({ id: '1' }));
            else if (now === 'refused login') {
              fake.routes['POST /login'] = answering(401);
              await errorOf(session.login(ada));
              expect(snapshotOf(session).error).toMatchObject({ status: 401 });
            } else {
              await signOut(UNCONFIRMED[now.logout]!);
              logouts++;
              expect(snapshotOf(session).error).toBeInstanceOf(LogoutUnconfirmedError);
            }
            await settle();
            expect(jar.person).toBe('ada');
            expect(snapshotOf(session)).toMatchObject({
              status: 'anonymous',
              reason: 'signed-out',
              unconfirmed: 'logout',
            });
          }
          // Another try asks first whose cookie it is.
          expect(fake.count('/whoami')).toBe(logouts - 1);
          expect(fake.count('/logout')).toBe(logouts - 1);
          expect(as.filter(({ person }) => person !== undefined)).toEqual([]);
          fake.routes['POST /login'] = login!;
          fake.routes['POST /logout'] = logout!;
          await (byLogin ? session.login(ada) : session.logout());
          expect(snapshotOf(session)).toMatchObject({
            status: byLogin ? 'authenticated' : 'anonymous',
            error: undefined,
            unconfirmed: undefined,
          });
          expect(jar.person).toBe(byLogin ? 'ada' : undefined);
          session.dispose();
        },
      ),
      { numRuns: 100 },
    ));

  const calls = fc.array(
    fc.record({ call: fc.constantFrom('login', 'logout'), fails: fc.constantFrom(500, 503, 403) }),
    { maxLength: 4 },
  );

  test.each(['token', 'cookie'] as const)(
    'stays unconfirmed when the calls after it were made before its answer, and fail as well (%s)',
    kind =>
      fc.assert(
        fc.asyncProperty(calls, fc.boolean(), async (more, answersAtOnce) => {
          const { session, routes, count } = kind === 'token' ? worldOfToken() : worldOfCookie();
          await session.login(ada);
          const statuses = [...more.filter(({ call }) => call === 'logout').map(({ fails }) => fails), 500];
          const answered = deferred();
          routes['POST /logout'] = async () => {
            if (!answersAtOnce) await answered.promise;
            return json({}, statuses.pop());
          };
          routes['POST /login'] = () => json({}, 401);
          const first = errorOf(session.logout());
          await settle();
          const later = more.map(({ call }) => errorOf(call === 'login' ? session.login(ada) : session.logout()));
          answered.resolve();
          await Promise.all([first, ...later]);
          await settle();
          expect(snapshotOf(session)).toMatchObject({
            status: 'anonymous',
            reason: 'signed-out',
            unconfirmed: 'logout',
          });
          expect(snapshotOf(session).error).toBeInstanceOf(
            more.at(-1)?.call === 'login' ? Error : LogoutUnconfirmedError,
          );
          const before = count('/logout');
          routes['POST /logout'] = () => new Response(null, { status: 204 });
          await session.logout();
          expect(snapshotOf(session)).toMatchObject({ status: 'anonymous', unconfirmed: undefined });
          expect(count('/logout')).toBe(before + 1);
        }),
        { numRuns: 50 },
      ),
  );

  test('with a token, the second logout ends the session of then', async () => {
    const { session, server } = setupTokenSession({}, { 'POST /logout': networkError });
    await session.login(ada);
    await errorOf(session.logout());
    expect(snapshotOf(session)).toMatchObject({ status: 'anonymous', reason: 'signed-out', unconfirmed: 'logout' });
    server.routes['POST /logout'] = () => new Response(null, { status: 204 });
    await session.logout();
    expect(snapshotOf(session)).toMatchObject({
      status: 'anonymous',
      reason: 'signed-out',
      error: undefined,
      unconfirmed: undefined,
    });
    expect(server.to('/logout').map(({ headers }) => headers.get('access-token'))).toEqual(['ada-1', 'ada-1']);
    await session.logout();
    expect(server.count('/logout')).toBe(2);
  });
});
