import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { IdentityChangedError, RefreshUnavailableError } from '../../src/index.js';
import { setupCookieSession } from './support/setupCookieSession.js';
import { json } from './support/answers.js';
import { deferred, outcomes } from './support/promises.js';
import { settle } from './support/manualClock.js';

const MINUTE = 60_000;

/** Ada is signed in on a page that is mounted, and that was checked a moment ago. */
async function setupMountedSession(...[options, more]: Parameters<typeof setupCookieSession>) {
  const setup = setupCookieSession({ tabs: false, ...options }, more);
  const stop = setup.session.subscribe(() => {});
  await settle();
  await setup.session.login({ name: 'ada' });
  setup.fake.clear();
  const burst = (count = 20) => Array.from({ length: count }, (_, id) => setup.ArticleResource.get({ id: String(id) }));
  return { ...setup, stop, burst, user: () => setup.session.getSnapshot().user?.id };
}

type Setup = Awaited<ReturnType<typeof setupMountedSession>>;

/** Requests that started as Ada reach nobody, and those of after the check are Grace's. @param checks until then */
async function expectGrace({ burst, as, whoamis, user }: Setup, checks = 1) {
  const { reasons } = await outcomes(burst());
  expect(reasons).toHaveLength(20);
  for (const reason of reasons) expect(reason).toBeInstanceOf(IdentityChangedError);
  expect(as).toEqual([]);
  expect(whoamis()).toBe(1);
  expect(user()).toBe('grace');
  await Promise.all(burst(3));
  expect(as.map(({ person }) => person)).toEqual(['grace', 'grace', 'grace']);
  expect(whoamis()).toBe(checks);
}

test('the first subscriber after none: whoami is asked before anything is sent (scenario 22)', async () => {
  const setup = await setupMountedSession();
  setup.stop();
  setup.jar.person = 'grace';
  setup.session.subscribe(() => {});
  await expectGrace(setup);
});

test('each burst of requests after the last subscriber: whoami is asked before it', async () => {
  const setup = await setupMountedSession();
  setup.stop();
  setup.jar.person = 'grace';
  await expectGrace(setup, 2);
});

test('a page that is focused or shown again checks at most once in 5 seconds', async () => {
  const act = fc.constantFrom('focus', 'show', 'hide');
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.nat(3_000), act), { maxLength: 30 }), async steps => {
      const { clock, focus, show, whoamis } = await setupMountedSession();
      let [checkedAt, expected] = [clock.now(), 0];
      for (const [ms, what] of steps) {
        await clock.advance(ms);
        Object.assign(globalThis.document, { visibilityState: what === 'hide' ? 'hidden' : 'visible' });
        if (what === 'focus') focus();
        else show();
        if (what !== 'hide' && clock.now() - checkedAt >= 5_000) [checkedAt, expected] = [clock.now(), expected + 1];
        await settle();
        expect(whoamis()).toBe(expected);
      }
    }),
    { numRuns: 30 },
  );
});

test('a field that is focused is no page that is focused', async () => {
  const { clock, window, whoamis } = await setupMountedSession();
  await clock.advance(MINUTE);
  window.dispatchEvent(Object.defineProperty(new Event('focus'), 'target', { value: {} }));
  await settle();
  expect(whoamis()).toBe(0);
});

test.each([
  ['4 minutes 59', 5 * MINUTE - 1_000, 0],
  ['5 minutes 1', 5 * MINUTE + 1_000, 1],
])('the first request after %s without one costs %#', async (_name, ms, expected) => {
  const { clock, burst, whoamis } = await setupMountedSession();
  await burst(1)[0];
  await clock.advance(ms);
  expect((await outcomes(burst())).resolved).toBe(20);
  expect(whoamis()).toBe(expected);
});

test('the CSRF cookie changed, and no answer to this page did it: one whoami for 20 requests', async () => {
  const setup = await setupMountedSession();
  setup.rotate('c2');
  expect((await outcomes(setup.burst())).resolved).toBe(20);
  expect(setup.whoamis()).toBe(1);
  setup.fake.clear();
  setup.as.length = 0;
  setup.rotate('c3');
  setup.jar.person = 'grace';
  await expectGrace(setup);
});

test('a CSRF cookie that this page’s own answers change costs one whoami, after the first change', async () => {
  const setup = await setupMountedSession();
  const { rotateWith, whoamis, ArticleResource } = setup;
  rotateWith('*', 'GET /whoami');
  for (let times = 0; times < 3; times++) expect((await outcomes(setup.burst(5))).resolved).toBe(5);
  await ArticleResource.update({ id: '1' }, { title: 'x' });
  expect(whoamis()).toBe(1);
});

test('a CSRF cookie that had changed before a check was sent: its next change says something still', async () => {
  const setup = await setupMountedSession();
  await setup.clock.advance(5_000);
  setup.rotate('c2');
  setup.focus();
  await settle();
  expect(setup.whoamis()).toBe(1);
  setup.fake.clear();
  setup.jar.person = 'grace';
  setup.rotate('c3');
  await expectGrace(setup);
});

test('a check that was sent before the CSRF cookie changed decides nothing', async () => {
  const setup = await setupMountedSession();
  const [asked, first] = [deferred(), deferred()];
  setup.fake.routes['GET /whoami'] = async () => {
    const { person } = setup.jar;
    asked.resolve();
    await first.promise;
    return json({ id: person });
  };
  await setup.clock.advance(MINUTE);
  setup.focus();
  await asked.promise;
  // The server's own pages sign Grace in while the answer is on its way.
  setup.fake.routes['GET /whoami'] = () => json({ id: setup.jar.person });
  setup.jar.person = 'grace';
  setup.rotate('c2');
  const late = outcomes(setup.burst(3));
  await settle();
  first.resolve();
  expect((await late).resolved).toBe(0);
  expect(setup.as).toEqual([]);
  expect(setup.user()).toBe('grace');
});

test('a check that finds what is known renders nothing', async () => {
  const { session, clock, focus, whoamis, rotate, burst } = await setupMountedSession();
  const before = session.getSnapshot();
  const listener = vi.fn();
  session.subscribe(listener);
  await clock.advance(MINUTE);
  focus();
  rotate('c2');
  await Promise.all(burst());
  expect(whoamis()).toBeGreaterThan(0);
  expect(session.getSnapshot()).toBe(before);
  expect(listener).not.toHaveBeenCalled();
});

test('while the check fails, requests are unavailable and nothing is sent; the next request checks again', async () => {
  const { session, fake, as, clock, focus, burst, whoamis } = await setupMountedSession();
  const before = session.getSnapshot();
  const { 'GET /whoami': sound } = fake.routes;
  await clock.advance(MINUTE);
  for (const status of [500, 503]) {
    fake.routes['GET /whoami'] = () => json({}, status);
    fake.clear();
    focus();
    const { reasons } = await outcomes(burst());
    expect(reasons).toHaveLength(20);
    for (const reason of reasons) expect(reason).toBeInstanceOf(RefreshUnavailableError);
    expect(whoamis()).toBe(1);
    expect(as).toEqual([]);
    expect(session.getSnapshot()).toBe(before);
    await clock.advance(100);
  }
  fake.routes['GET /whoami'] = sound!;
  expect((await outcomes(burst())).resolved).toBe(20);
  expect(as).toHaveLength(20);
  expect(whoamis()).toBe(2);
});

test('verifyResponse: no answer for another user is given to a caller, and nothing further is sent before whoami has answered', async () => {
  const setup = await setupMountedSession({ verifyResponse: ({ headers }) => headers.get('x-user-id') ?? undefined });
  const { fake, jar, data, as, whoamis, burst, user } = setup;
  const whoami = deferred();
  fake.routes['*'] = async seen => {
    const [{ person }, answer] = [jar, await data(seen)];
    answer.headers.set('x-user-id', person!);
    return answer;
  };
  fake.routes['GET /whoami'] = () => whoami.promise.then(() => json({ id: jar.person }));
  expect((await outcomes(burst(3))).resolved).toBe(3);
  jar.person = 'grace';
  as.length = 0;
  const first = outcomes(burst(3));
  await settle();
  const further = outcomes(burst(5));
  await settle();
  expect(as).toHaveLength(3);
  whoami.resolve();
  const { resolved, reasons } = await first;
  for (const reason of reasons) expect(reason).toBeInstanceOf(IdentityChangedError);
  expect(resolved).toBe(0);
  expect((await further).resolved).toBe(0);
  expect(as).toHaveLength(3);
  expect(whoamis()).toBe(1);
  expect(user()).toBe('grace');
});

const HOUR = 60 * MINUTE;

describe('after the system clock was set back by three hours', () => {
  test('a focus checks, as ever', async () => {
    const setup = await setupMountedSession();
    await setup.clock.advance(MINUTE);
    setup.clock.setBack(3 * HOUR);
    setup.jar.person = 'grace';
    setup.focus();
    await expectGrace(setup);
  });

  test('so does the first request after 5 minutes without one', async () => {
    const setup = await setupMountedSession();
    setup.clock.setBack(3 * HOUR);
    await setup.clock.advance(6 * MINUTE);
    setup.jar.person = 'grace';
    await expectGrace(setup);
  });
});
