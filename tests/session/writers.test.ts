// Calls of the session itself that get no answer, or one that comes too late: counted at the server.
import { describe, expect, test } from 'vitest';
import { RestEndpoint } from '../../src/entries/core.js';
import { never } from './support/answers.js';
import { API, type Tokens } from './support/article.js';
import { settle, type ManualClock } from './support/manualClock.js';
import { deferred, isPending, outcomeOf, outcomes } from './support/promises.js';
import { setupCookieSession } from './support/setupCookieSession.js';
import { setupTokenSession } from './support/setupTokenSession.js';

async function passSeconds(clock: ManualClock, seconds: number): Promise<void> {
  for (let passed = 0; passed < seconds; passed++) await clock.advance(1_000);
}

async function setupAda() {
  const made = setupCookieSession();
  made.session.subscribe(() => {});
  await settle();
  await made.session.login({ name: 'ada' });
  return made;
}

describe('scenario 44: a cookie’s writer that gets no answer', () => {
  test.each(['POST /login', 'GET /whoami'])(
    '%s: after its limit the next login works, and reads answer',
    async route => {
      const made = await setupAda();
      const { routes } = made.fake;
      const { [route]: answer, 'POST /login': login } = routes;
      // It names nobody, so whoami decides.
      routes['POST /login'] = async seen => {
        await login!(seen);
        return new Response(null, { status: 204 });
      };
      routes[route] = never;
      const waiting = [made.session.login({ name: 'grace' }), made.ArticleResource.get({ id: '1' })].map(outcomeOf);
      await passSeconds(made.clock, 120);
      expect(await isPending(Promise.all(waiting))).toBe(false);
      expect(await Promise.all(waiting)).not.toContain('done');
      routes[route] = answer!;
      routes['POST /login'] = login!;
      await made.session.login({ name: 'grace' });
      await made.ArticleResource.get({ id: '1' });
      expect(made.as).toMatchObject([{ person: 'grace' }]);
    },
  );
});

describe('scenario 45', () => {
  test('a logout without an answer is aborted before the next user’s login is sent', async () => {
    const made = await setupAda();
    const sent = deferred<AbortSignal>();
    const { routes } = made.fake;
    const { 'POST /login': login } = routes;
    routes['POST /logout'] = seen => {
      sent.resolve(seen.signal);
      return never();
    };
    const wasAborted: boolean[] = [];
    routes['POST /login'] = async seen => {
      wasAborted.push((await sent.promise).aborted);
      return login!(seen);
    };
    const logout = outcomeOf(made.session.logout());
    const next = outcomeOf(made.session.login({ name: 'grace' }));
    await passSeconds(made.clock, 60);
    expect([await logout, await next, made.jar.person]).toEqual(['TimeoutError', 'done', 'grace']);
    expect(wasAborted).toEqual([true]);
  });
});

describe('scenario 47: a refresh that waits for a call of its own session', () => {
  test.each<[string, (app: ReturnType<typeof setupTokenSession>) => Promise<unknown>]>([
    ['session.fetch', app => app.session.fetch(`${API}/me`)],
    ['session.refresh', app => app.session.refresh()],
    ['session.getToken', app => app.session.getToken()],
    ['session.reload', app => app.session.reload()],
  ])('%s: the new tokens are kept, and nobody is signed out', async (_name, call) => {
    const send = new RestEndpoint({ urlPrefix: API, path: '/refresh', method: 'POST' });
    const app: ReturnType<typeof setupTokenSession> = setupTokenSession({
      trustedOrigins: [API],
      refresh: async ({ refreshToken }) => {
        const tokens = (await send({ refreshToken })) as Tokens;
        await call(app).catch(() => {});
        return tokens;
      },
    });
    await app.session.login({ name: 'ada' });
    app.expire();
    const waiting = outcomes(app.burst(3));
    await passSeconds(app.clock, 40);
    await waiting;
    const later = outcomes(app.burst(3));
    await passSeconds(app.clock, 40);
    expect([(await later).resolved, app.server.count('POST /refresh'), app.status()]).toEqual([3, 1, 'authenticated']);
  });
});
