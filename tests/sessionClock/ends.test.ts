import { describe, expect, test, vi } from 'vitest';
import { Entity, RestEndpoint } from '../../src/index.js';
import { json } from '../session/support/answers.js';
import { API } from '../session/support/article.js';
import { settle } from '../session/support/manualClock.js';
import { setupCookieSession } from '../session/support/setupCookieSession.js';
import { setupTokenSession } from '../session/support/setupTokenSession.js';
import { stubPage } from '../session/support/stubPage.js';
import { MINUTE, SECOND, startClock } from './support/startClock.js';

const profile = new RestEndpoint({ urlPrefix: API, path: '/me' });

/** Tokens that live for ten minutes. */
const parseTokens = ({ accessToken }: { accessToken: string }) => ({ accessToken, expiresIn: 600 });

async function setupToken(session: object = {}, options: Parameters<typeof startClock>[2] = {}) {
  const { window, document } = stubPage();
  const setup = setupTokenSession({ parseTokens, ...session });
  setup.session.subscribe(() => {});
  const started = startClock(setup.session, setup.clock, options);
  await setup.session.login({ name: 'ada' });
  setup.server.clear();
  return { ...setup, ...started, window, document, now: () => setup.session.getSnapshot() };
}

describe('the expiry of a token', () => {
  test('without `refresh`: a warning that nothing can help, then the end as expired, without a request', async () => {
    const { clock, timer, states, server, now } = await setupToken({ refresh: undefined });
    await clock.advance(9 * MINUTE);
    expect(timer.getState()).toEqual({ isEnding: true, cause: 'expired', canStay: false });
    await timer.stay();
    expect(timer.getState().isEnding).toBe(true);
    await clock.advance(MINUTE);
    expect(now()).toMatchObject({ status: 'anonymous', reason: 'expired' });
    expect(states).toEqual(['expired', false]);
    expect(server.seen).toEqual([]);
  });

  test('with `refresh` it is no end', async () => {
    const { clock, timer, states } = await setupToken();
    expect(timer.getEndsIn()).toBeUndefined();
    await clock.advance(20 * MINUTE);
    expect(states).toEqual([]);
  });

  test('the end that comes first counts', async () => {
    const { clock, timer, now } = await setupToken({ refresh: undefined }, { idle: { after: 5 * MINUTE } });
    await clock.advance(4 * MINUTE);
    expect(timer.getState().cause).toBe('idle');
    await timer.stay();
    await clock.advance(4 * MINUTE);
    await timer.stay();
    await clock.advance(MINUTE);
    expect(timer.getState().cause).toBe('expired');
    await clock.advance(MINUTE);
    expect(now().reason).toBe('expired');
  });
});

describe('an end that the server has set', () => {
  interface WithEnd {
    readonly id: string;
    readonly sessionEndsAt: string;
    readonly now: string;
  }

  /** A cookie session whose `whoami` says when it ends. The server's clock is three minutes ahead of the page's. */
  async function setupCookie(lastsMs: readonly number[], options: Parameters<typeof startClock>[2] = {}) {
    let asked = 0;
    const { clock, ...setup } = setupCookieSession(
      { tabs: false },
      {
        'GET /whoami': () => {
          const now = clock.now() + 3 * MINUTE;
          const lasts = lastsMs[Math.min(asked++, lastsMs.length - 1)]!;
          return json({
            id: 'ada',
            sessionEndsAt: new Date(now + lasts).toISOString(),
            now: new Date(now).toISOString(),
          });
        },
      },
    );
    setup.jar.person = 'ada';
    const started = startClock(setup.session, clock, {
      endsAt: (user: WithEnd) => user.sessionEndsAt,
      serverNow: (user: WithEnd) => user.now,
      ...options,
    });
    setup.session.subscribe(() => {});
    await setup.session.ready();
    return { ...setup, ...started, clock, now: () => setup.session.getSnapshot() };
  }

  test('the server’s time corrects a page whose clock is wrong', async () => {
    const { clock, timer, now } = await setupCookie([30 * MINUTE]);
    expect(timer.getEndsIn()).toBe(30 * MINUTE);
    await clock.advance(29 * MINUTE);
    expect(timer.getState()).toEqual({ isEnding: true, cause: 'expired', canStay: true });
    await clock.advance(MINUTE);
    expect(now().reason).toBe('expired');
  });

  test('without `serverNow`, the page’s clock counts', async () => {
    const { timer } = await setupCookie([30 * MINUTE], { serverNow: undefined });
    expect(timer.getEndsIn()).toBe(33 * MINUTE);
  });

  test('stay() asks once, and the answer has another end', async () => {
    const { clock, timer, whoamis, states } = await setupCookie([30 * MINUTE]);
    await clock.advance(29 * MINUTE);
    const before = whoamis();
    await timer.stay();
    expect(whoamis()).toBe(before + 1);
    expect(timer.getEndsIn()).toBe(30 * MINUTE);
    expect(states).toEqual(['expired', false]);
  });

  test('an answer that names no end, or one that cannot be read, sets none', async () => {
    const { timer } = await setupCookie([30 * MINUTE], { endsAt: () => undefined });
    expect(timer.getEndsIn()).toBeUndefined();
    const { timer: other } = await setupCookie([30 * MINUTE], { endsAt: () => 'soon' });
    expect(other.getEndsIn()).toBeUndefined();
  });

  test('`endsAt` gets what the server said, also with a class of users', async () => {
    class User extends Entity {
      id = '';
    }
    const { session, clock } = setupTokenSession({ user: User });
    const endsAt = vi.fn(() => clock.now() + MINUTE);
    startClock(session, clock, { endsAt });
    await session.login({ name: 'ada' });
    expect(endsAt).toHaveBeenCalledWith(expect.not.objectContaining({ pk: expect.anything() as unknown }));
  });
});

describe('an end that the server has set for a token with `refresh`', () => {
  /** Each refresh moves the end of Ada's session to half an hour from then, and a minute is left. */
  async function setupEnding(session: object) {
    const setup = setupTokenSession(session);
    const { clock, server, auth, refreshRoute } = setup;
    const inHalfAnHour = () => ({ id: 'ada', endsAt: clock.now() + 30 * MINUTE });
    let user = inHalfAnHour();
    Object.assign(server.routes, {
      'POST /login': () => json({ ...auth.signIn('ada'), user }),
      'POST /refresh': async (seen: Parameters<typeof refreshRoute>[0]) => {
        user = inHalfAnHour();
        return json({ ...((await (await refreshRoute(seen)).json()) as object), user });
      },
      'GET /me': () => json(user),
    });
    const { timer } = startClock(setup.session, clock, { endsAt: ({ endsAt }: typeof user) => endsAt });
    await setup.session.login({ name: 'ada' });
    await clock.advance(29 * MINUTE);
    server.clear();
    return { timer, server, clock, now: () => setup.session.getSnapshot() };
  }

  test('stay() refreshes, then asks `profile` for the new end', async () => {
    const { timer, server, clock, now } = await setupEnding({ profile });
    expect(timer.getState()).toEqual({ isEnding: true, cause: 'expired', canStay: true });
    await timer.stay();
    expect(server.seen.map(({ path }) => path)).toEqual(['/refresh', '/me']);
    expect(timer.getState().isEnding).toBe(false);
    await clock.advance(2 * MINUTE);
    expect(now().status).toBe('authenticated');
  });

  test('without `profile`, nothing can tell a new end: `canStay` is false', async () => {
    const { timer } = await setupEnding({});
    expect(timer.getState()).toEqual({ isEnding: true, cause: 'expired', canStay: false });
  });

  test('without `profile`, the answer to the refresh tells it where the user is a record', async () => {
    class User extends Entity {
      id = '';
    }
    const { timer, server } = await setupEnding({ user: User });
    expect(timer.getState().canStay).toBe(true);
    await timer.stay();
    expect(server.seen.map(({ path }) => path)).toEqual(['/refresh']);
    expect(timer.getState().isEnding).toBe(false);
  });
});

describe('recheck', () => {
  const onFocus = { recheck: { onFocus: true } };

  test('20 focus events in 3 seconds: one request of a token session, and no change of the snapshot', async () => {
    const { session, clock, server, window, now } = await setupToken({ profile, parseTokens: undefined }, onFocus);
    server.routes['GET /me'] = () => json({ id: 'ada', name: 'Ada' });
    await session.reload();
    server.clear();
    await clock.advance(MINUTE);
    const before = now();
    for (let times = 0; times < 20; times++) {
      window.dispatchEvent(new Event('focus'));
      await clock.advance(150);
    }
    expect(server.count('GET /me')).toBe(1);
    expect(now()).toBe(before);
  });

  test('`every` asks while the page is visible, and once when it is shown again', async () => {
    const recheck = { every: 5 * MINUTE };
    const { clock, server, document } = await setupToken({ profile, parseTokens: undefined }, { recheck });
    server.routes['GET /me'] = () => json({ id: 'ada' });
    await clock.advance(5 * MINUTE);
    await clock.advance(5 * MINUTE);
    expect(server.count('GET /me')).toBe(2);
    Object.assign(document, { visibilityState: 'hidden' });
    for (let times = 0; times < 4; times++) await clock.advance(5 * MINUTE);
    expect(server.count('GET /me')).toBe(2);
    Object.assign(document, { visibilityState: 'visible' });
    document.dispatchEvent(new Event('visibilitychange'));
    await settle();
    expect(server.count('GET /me')).toBe(3);
  });

  test('`every` and a focus ask as before after the system clock was set back by an hour', async () => {
    const recheck = { every: 5 * MINUTE, onFocus: true };
    const { clock, server, window } = await setupToken({ profile, parseTokens: undefined }, { recheck });
    server.routes['GET /me'] = () => json({ id: 'ada' });
    await clock.advance(5 * MINUTE);
    clock.setBack(60 * MINUTE);
    await clock.advance(5 * MINUTE);
    expect(server.count('GET /me')).toBe(2);
    clock.setBack(60 * MINUTE);
    window.dispatchEvent(new Event('focus'));
    await settle();
    expect(server.count('GET /me')).toBe(3);
  });

  test('a revoked token session ends once, as expired', async () => {
    const { session, clock, server, now } = await setupToken(
      { profile, parseTokens: undefined },
      { recheck: { every: MINUTE } },
    );
    const reasons: unknown[] = [];
    session.subscribe(() => reasons.push(now().reason));
    const refuse = () => json({}, 401);
    Object.assign(server.routes, { 'GET /me': refuse, 'POST /refresh': refuse });
    for (let times = 0; times < 3; times++) await clock.advance(MINUTE);
    expect(reasons).toEqual(['expired']);
    expect(server.seen.map(({ path }) => path)).toEqual(['/me', '/refresh']);
  });

  test('a check is no activity', async () => {
    const { clock, server, now } = await setupToken(
      { profile, parseTokens: undefined },
      { idle: { after: 5 * MINUTE }, recheck: { every: MINUTE } },
    );
    server.routes['GET /me'] = () => json({ id: 'ada' });
    for (let times = 0; times < 5; times++) await clock.advance(MINUTE);
    expect(now().reason).toBe('idle');
    expect(server.count('GET /me')).toBe(4);
  });

  test('a session that cannot ask warns the developer', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const { clock } = await setupToken({ parseTokens: undefined }, { recheck: { every: 30 * SECOND } });
    await clock.advance(30 * SECOND);
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('`recheck` of sessionClock() has nothing to ask'));
    warn.mockRestore();
  });
});
