import { describe, expect, test, vi } from 'vitest';
import { SignedOutError } from '../../src/index.js';
import { sessionClock } from '../../src/entries/clock.js';
import { systemClock } from '../../src/clock.js';
import { API } from '../session/support/article.js';
import { settle } from '../session/support/manualClock.js';
import { setupCookieSession } from '../session/support/setupCookieSession.js';
import { setupTokenSession } from '../session/support/setupTokenSession.js';
import { deferred, errorOf } from '../session/support/promises.js';
import { stubPage } from '../session/support/stubPage.js';
import { IDLE, MINUTE, SECOND, startClock } from './support/startClock.js';

/** Ada is signed in with a token, on a page that a provider has mounted. */
async function setupAda(options = IDLE as Parameters<typeof startClock>[2], session: object = {}) {
  const { window, document } = stubPage();
  const setup = setupTokenSession(session);
  setup.session.subscribe(() => {});
  const started = startClock(setup.session, setup.clock, options);
  await setup.session.login({ name: 'ada' });
  setup.server.clear();
  const event = (type: string, more: object = {}) => void window.dispatchEvent(Object.assign(new Event(type), more));
  return { ...setup, ...started, event, document, window, now: () => setup.session.getSnapshot() };
}

test.each([
  ['while no provider is mounted', false],
  ['while the page still asks who is signed in', true],
])('a sign-in ends what an earlier visit has stored: %s', async (_, isMounted) => {
  stubPage();
  const stored = new Map([['data-client-auth:data-client-auth:activity', JSON.stringify({ at: -MINUTE * 60 })]]);
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
  const { session, clock } = setupTokenSession({ ...(isMounted && { restore: () => new Promise<never>(() => {}) }) });
  const start = () => startClock(session, clock, { ...IDLE, tabs: 'data-client-auth' });
  if (isMounted) start();
  await session.login({ name: 'ada' });
  if (!isMounted) start();
  await settle();
  expect(session.getSnapshot().status).toBe('authenticated');
  await clock.advance(15 * MINUTE);
  expect(session.getSnapshot().reason).toBe('idle');
});

describe('without activity', () => {
  test('the session ends after the time, here and on the server, with the reason idle', async () => {
    const { clock, now, server, states } = await setupAda();
    await clock.advance(15 * MINUTE - 1);
    expect(now().status).toBe('authenticated');
    await clock.advance(1);
    expect(now()).toMatchObject({ status: 'anonymous', reason: 'idle' });
    expect(server.count('POST /logout')).toBe(1);
    expect(states).toEqual(['idle', false]);
  });

  test('the warning begins a minute before, once', async () => {
    const { clock, states, timer } = await setupAda();
    await clock.advance(14 * MINUTE - 1);
    expect(states).toEqual([]);
    await clock.advance(1);
    expect(timer.getState()).toEqual({ isEnding: true, cause: 'idle', canStay: true });
    expect(timer.getEndsIn()).toBe(MINUTE);
    await clock.advance(30 * SECOND);
    expect(timer.getEndsIn()).toBe(30 * SECOND);
    expect(states).toEqual(['idle']);
  });

  test('requests and refreshes are no activity', async () => {
    const { clock, ArticleResource, session, now } = await setupAda();
    for (let minute = 0; minute < 14; minute++) {
      await clock.advance(MINUTE);
      await ArticleResource.get({ id: '1' });
      await session.refresh();
    }
    await clock.advance(MINUTE);
    expect(now().reason).toBe('idle');
  });

  test('nothing ends while no provider is mounted, and nothing is left behind', async () => {
    const { clock, now, stop } = await setupAda();
    stop();
    expect(clock.pending).toBe(0);
    await clock.advance(60 * MINUTE);
    expect(now().status).toBe('authenticated');
  });

  test('the next user has the whole time', async () => {
    const { clock, session, now } = await setupAda();
    await clock.advance(14 * MINUTE);
    await session.login({ name: 'grace' });
    await clock.advance(14 * MINUTE);
    expect(now().user).toMatchObject({ id: 'grace' });
    await clock.advance(MINUTE);
    expect(now().reason).toBe('idle');
  });

  test('with `signOut`, the session ends here, and the SDK is told once', async () => {
    const signOut = vi.fn();
    const { clock, now, server } = await setupAda({ ...IDLE, signOut });
    await clock.advance(15 * MINUTE);
    expect(now()).toMatchObject({ status: 'anonymous', reason: 'idle' });
    expect(signOut).toHaveBeenCalledOnce();
    expect(server.seen).toEqual([]);
  });
});

describe('activity', () => {
  test.each([
    ['a key', 'keydown', {}],
    ['a press of the pointer', 'pointerdown', {}],
    ['the wheel', 'wheel', {}],
  ])('%s gives the whole time again', async (_, type, more) => {
    const { clock, event, now } = await setupAda();
    await clock.advance(10 * MINUTE);
    event(type, more);
    await clock.advance(15 * MINUTE - 1);
    expect(now().status).toBe('authenticated');
    await clock.advance(1);
    expect(now().reason).toBe('idle');
  });

  test('a pointer that moves is activity, and one that rests while the page moves is none', async () => {
    const { clock, event, now, states } = await setupAda();
    const at = (screenX: number) => event('pointermove', { screenX, screenY: 5 });
    at(1);
    await clock.advance(10 * MINUTE);
    at(2);
    await clock.advance(4 * MINUTE);
    at(2);
    await clock.advance(9 * MINUTE);
    expect(states).toEqual([]);
    at(2);
    await clock.advance(2 * MINUTE);
    expect(now().reason).toBe('idle');
  });

  test('during the warning, an act counts when it is complete: the buttons stay until their click', async () => {
    const { clock, event, timer, states } = await setupAda();
    await clock.advance(14 * MINUTE);
    event('pointermove', { screenX: 1, screenY: 1 });
    event('pointermove', { screenX: 2, screenY: 1 });
    event('pointerdown');
    event('keydown', { key: 'Tab' });
    event('keyup', { key: 'Tab' });
    await clock.advance(0);
    expect(timer.getState().isEnding).toBe(true);
    event('click');
    expect(timer.getState().isEnding).toBe(true);
    await clock.advance(0);
    expect(states).toEqual(['idle', false]);
    expect(timer.getEndsIn()).toBe(15 * MINUTE);
  });
});

describe('stay and sign out', () => {
  test('stay() is activity and one refresh', async () => {
    const { clock, timer, states, server } = await setupAda();
    await clock.advance(14 * MINUTE);
    await timer.stay();
    expect(states).toEqual(['idle', false]);
    expect(server.seen.map(({ path }) => path)).toEqual(['/refresh']);
    expect(timer.getEndsIn()).toBe(15 * MINUTE);
  });
});

describe('a page that slept', () => {
  /** The computer sleeps: the time passes, and no timer is called. */
  const sleep = ({ clock }: Awaited<ReturnType<typeof setupAda>>, ms: number) => {
    const { now } = clock;
    clock.now = () => now() + ms;
  };

  test('a request of a timer that fires first is not sent', async () => {
    const setup = await setupAda();
    sleep(setup, 20 * MINUTE);
    const refused = setup.ArticleResource.get({ id: '1' });
    await expect(refused).rejects.toBeInstanceOf(SignedOutError);
    await settle();
    expect(setup.now().reason).toBe('idle');
    expect(setup.server.seen.map(({ path }) => path)).toEqual(['/logout']);
  });

  test('a token is not given out', async () => {
    const setup = await setupAda();
    sleep(setup, 20 * MINUTE);
    await expect(setup.session.getToken()).rejects.toBeInstanceOf(SignedOutError);
  });

  test('the key that wakes it does not keep the session', async () => {
    const setup = await setupAda();
    sleep(setup, 20 * MINUTE);
    setup.event('keydown');
    expect(setup.now().reason).toBe('idle');
  });

  test.each([
    ['shown', 'document', 'visibilitychange'],
    ['focused', 'window', 'focus'],
    ['taken from the back/forward cache', 'window', 'pageshow'],
    ['resumed', 'document', 'resume'],
  ] as const)('it ends when it is %s', async (_, target, type) => {
    const setup = await setupAda();
    sleep(setup, 20 * MINUTE);
    setup[target].dispatchEvent(new Event(type));
    expect(setup.now().reason).toBe('idle');
  });

  test.each([
    ['tells the server, and sends no whoami first', IDLE, ['/logout']],
    ['and ends on this page only, sends nothing', { ...IDLE, signOut: () => {} }, []],
  ])('a cookie session that is focused %s', async (_, options, sent) => {
    const setup = setupCookieSession({ tabs: false });
    setup.session.subscribe(() => {});
    await setup.session.login({ name: 'ada' });
    startClock(setup.session, setup.clock, options);
    setup.fake.clear();
    const { now } = setup.clock;
    setup.clock.now = () => now() + 20 * MINUTE;
    setup.focus();
    await settle();
    expect(setup.session.getSnapshot().reason).toBe('idle');
    expect(setup.fake.seen.map(({ path }) => path)).toEqual(sent);
  });

  test('a request that waits for its headers is not sent', async () => {
    const setup = await setupAda();
    const held = deferred<HeadersInit>();
    const slow = new setup.Endpoint({ urlPrefix: API, path: '/slow', getHeaders: () => held.promise });
    const refused = errorOf(slow());
    await settle();
    sleep(setup, 20 * MINUTE);
    held.resolve({});
    expect(await refused).toBeInstanceOf(SignedOutError);
    await settle();
    expect(setup.server.seen.map(({ path }) => path)).toEqual(['/logout']);
  });

  test('it wakes during the warning: the warning is shown with the time that is left', async () => {
    const setup = await setupAda();
    sleep(setup, 14.5 * MINUTE);
    setup.event('pageshow');
    expect(setup.states).toEqual(['idle']);
    expect(setup.timer.getEndsIn()).toBe(30 * SECOND);
  });
});

describe('the options', () => {
  test('a warning of less than 20 seconds is a warning for the developer', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    sessionClock({ idle: { after: MINUTE, warn: 5 * SECOND } });
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('WCAG 2.2.1 asks for at least 20 seconds'));
    warn.mockRestore();
  });

  test('a time that no timer of a browser can count ends nothing early', async () => {
    const DAY = 24 * 60 * MINUTE;
    const { session, now } = await setupAda({});
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    const { stop } = startClock(session, systemClock, { idle: { after: 40 * DAY } });
    vi.advanceTimersByTime(40 * DAY - 1);
    expect(now().status).toBe('authenticated');
    vi.advanceTimersByTime(1);
    expect(now().reason).toBe('idle');
    stop();
    vi.useRealTimers();
  });
});
