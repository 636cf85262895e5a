import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { IdentityChangedError, RefreshUnavailableError } from '../../src/index.js';
import { cookieWorld } from './support/cookieWorld.js';
import { gate, json, outcomes } from './support/fakeServer.js';
import { settle } from './support/manualClock.js';

const MINUTE = 60_000;

/** Ada is signed in on a page that is mounted, and that was checked a moment ago. */
async function mountedWorld(...[options, more]: Parameters<typeof cookieWorld>) {
  const world = cookieWorld({ tabs: false, ...options }, more);
  const stop = world.session.subscribe(() => {});
  await settle();
  await world.session.login({ name: 'ada' });
  world.fake.seen.length = 0;
  const burst = (count = 20) => Array.from({ length: count }, (_, id) => world.ArticleResource.get({ id: String(id) }));
  return { ...world, stop, burst, user: () => world.session.getSnapshot().user?.id };
}

type World = Awaited<ReturnType<typeof mountedWorld>>;

/** Requests that started as Ada reach nobody, and those of after the check are Grace's. */
async function expectGrace({ burst, as, whoamis, user }: World) {
  const { reasons } = await outcomes(burst());
  expect(reasons).toHaveLength(20);
  for (const reason of reasons) expect(reason).toBeInstanceOf(IdentityChangedError);
  expect(as).toEqual([]);
  expect(whoamis()).toBe(1);
  expect(user()).toBe('grace');
  await Promise.all(burst(3));
  expect(as.map(({ person }) => person)).toEqual(['grace', 'grace', 'grace']);
  expect(whoamis()).toBe(1);
}

test('the first subscriber after none: whoami is asked before anything is sent', async () => {
  const world = await mountedWorld();
  world.stop();
  world.jar.person = 'grace';
  world.session.subscribe(() => {});
  await expectGrace(world);
});

test('the first request after the last subscriber: whoami is asked before it', async () => {
  const world = await mountedWorld();
  world.stop();
  world.jar.person = 'grace';
  await expectGrace(world);
});

test('a provider that mounts later than its session was checked asks again', async () => {
  const world = await mountedWorld();
  world.stop();
  await world.burst(1)[0];
  expect(world.whoamis()).toBe(1);
  await world.clock.advance(5_000);
  world.jar.person = 'grace';
  world.fake.seen.length = world.as.length = 0;
  world.session.subscribe(() => {});
  await expectGrace(world);
});

test('StrictMode, which mounts twice, costs no second whoami', async () => {
  const { session, jar, whoamis, clock, ArticleResource } = cookieWorld({ tabs: false });
  jar.person = 'ada';
  session.subscribe(() => {})();
  session.subscribe(() => {});
  await ArticleResource.get({ id: '1' });
  expect(whoamis()).toBe(1);
  await clock.advance(4_000);
  expect(whoamis()).toBe(1);
});

test('a page that is focused or shown again checks at most once in 5 seconds', async () => {
  const act = fc.constantFrom('focus', 'show', 'hide');
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.nat(3_000), act), { maxLength: 30 }), async steps => {
      const { clock, focus, show, whoamis } = await mountedWorld();
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

test('20 focus events in 3 seconds cost one whoami', async () => {
  const { clock, focus, whoamis } = await mountedWorld();
  await clock.advance(MINUTE);
  for (let times = 0; times < 20; times++) {
    focus();
    await clock.advance(150);
  }
  expect(whoamis()).toBe(1);
});

test('requests wait for the check of a focused page', async () => {
  const world = await mountedWorld();
  await world.clock.advance(MINUTE);
  world.jar.person = 'grace';
  world.focus();
  await expectGrace(world);
});

test('a focus that reached the page’s own listeners first: their requests wait for the check as well', async () => {
  const world = await mountedWorld();
  await world.clock.advance(MINUTE);
  let hasFocus = false;
  Object.assign(globalThis.document, { hasFocus: () => hasFocus });
  world.window.dispatchEvent(new Event('blur'));
  await world.burst(1)[0];
  expect(world.whoamis()).toBe(0);
  world.as.length = 0;
  world.jar.person = 'grace';
  hasFocus = true;
  const own = outcomes(world.burst());
  // As a browser does, which runs what one listener has started before it calls the next one.
  await settle();
  world.focus();
  const { reasons } = await own;
  expect(reasons).toHaveLength(20);
  for (const reason of reasons) expect(reason).toBeInstanceOf(IdentityChangedError);
  expect(world.as).toEqual([]);
  expect(world.whoamis()).toBe(1);
  expect(world.user()).toBe('grace');
  await world.clock.advance(MINUTE);
  await world.burst(1)[0];
  expect(world.whoamis()).toBe(1);
});

test('a focused page whose CSRF cookie has changed as well costs one whoami', async () => {
  const world = await mountedWorld();
  await world.clock.advance(MINUTE);
  world.jar.person = 'grace';
  world.rotate('c2');
  world.focus();
  await expectGrace(world);
});

test('a field that is focused is no page that is focused', async () => {
  const { clock, window, whoamis } = await mountedWorld();
  await clock.advance(MINUTE);
  window.dispatchEvent(Object.defineProperty(new Event('focus'), 'target', { value: {} }));
  await settle();
  expect(whoamis()).toBe(0);
});

test.each([
  ['4 minutes 59', 5 * MINUTE - 1_000, 0],
  ['5 minutes 1', 5 * MINUTE + 1_000, 1],
])('the first request after %s without one costs %#', async (_name, ms, expected) => {
  const { clock, burst, whoamis } = await mountedWorld();
  await burst(1)[0];
  await clock.advance(ms);
  expect((await outcomes(burst())).resolved).toBe(20);
  expect(whoamis()).toBe(expected);
});

test('the first request after 5 minutes without one is not sent with the cookie of the next user', async () => {
  const world = await mountedWorld();
  await world.clock.advance(6 * MINUTE);
  world.jar.person = 'grace';
  await expectGrace(world);
});

test('the CSRF cookie changed, and no answer to this page did it: one whoami for 20 requests', async () => {
  const world = await mountedWorld();
  world.rotate('c2');
  expect((await outcomes(world.burst())).resolved).toBe(20);
  expect(world.whoamis()).toBe(1);
  world.fake.seen.length = world.as.length = 0;
  world.rotate('c3');
  world.jar.person = 'grace';
  await expectGrace(world);
});

test('a CSRF cookie that this page’s own answers change costs no whoami', async () => {
  let count = 0;
  const world = await mountedWorld();
  const { fake, data, rotate, whoamis, ArticleResource } = world;
  fake.routes['*'] = seen => {
    const answer = data(seen);
    rotate(`own-${++count}`);
    return answer;
  };
  for (let times = 0; times < 3; times++) expect((await outcomes(world.burst(5))).resolved).toBe(5);
  await ArticleResource.update({ id: '1' }, { title: 'x' });
  expect(whoamis()).toBe(0);
});

test('a check that was sent before the CSRF cookie changed decides nothing', async () => {
  const world = await mountedWorld();
  const [asked, first] = [gate(), gate()];
  world.fake.routes['GET /whoami'] = async () => {
    const { person } = world.jar;
    asked.open();
    await first.promise;
    return json({ id: person });
  };
  await world.clock.advance(MINUTE);
  world.focus();
  await asked.promise;
  // The server's own pages sign Grace in while the answer is on its way.
  world.fake.routes['GET /whoami'] = () => json({ id: world.jar.person });
  world.jar.person = 'grace';
  world.rotate('c2');
  const late = outcomes(world.burst(3));
  await settle();
  first.open();
  expect((await late).resolved).toBe(0);
  expect(world.as).toEqual([]);
  expect(world.user()).toBe('grace');
});

test('a check that finds what is known renders nothing', async () => {
  const { session, clock, focus, whoamis, rotate, burst } = await mountedWorld();
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
  const { session, fake, as, clock, focus, burst, whoamis } = await mountedWorld();
  const before = session.getSnapshot();
  const { 'GET /whoami': sound } = fake.routes;
  await clock.advance(MINUTE);
  for (const status of [500, 503]) {
    fake.routes['GET /whoami'] = () => json({}, status);
    fake.seen.length = 0;
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
  const world = await mountedWorld({ verifyResponse: ({ headers }) => headers.get('x-user-id') ?? undefined });
  const { fake, jar, data, as, whoamis, burst, user } = world;
  const whoami = gate();
  fake.routes['*'] = async seen => {
    const [{ person }, answer] = [jar, await data(seen)];
    answer.headers.set('x-user-id', person!);
    return answer;
  };
  fake.routes['GET /whoami'] = () => whoami.promise.then(() => json({ id: jar.person }));
  expect((await outcomes(burst(3))).resolved).toBe(3);
  jar.person = 'grace';
  as.length = 0;
  const first = await outcomes(burst(3));
  const further = outcomes(burst(5));
  await settle();
  for (const reason of first.reasons) expect(reason).toBeInstanceOf(IdentityChangedError);
  expect(first.resolved).toBe(0);
  expect(as).toHaveLength(3);
  whoami.open();
  expect((await further).resolved).toBe(0);
  expect(as).toHaveLength(3);
  expect(whoamis()).toBe(1);
  expect(user()).toBe('grace');
});

test('a page that sends a request each minute, or was checked in the last 5, asks no whoami before a request', async () => {
  const { clock, burst, focus, whoamis } = await mountedWorld();
  for (let minutes = 0; minutes < 20; minutes++) {
    await burst(1)[0];
    await clock.advance(MINUTE);
  }
  expect(whoamis()).toBe(0);
  await clock.advance(3 * MINUTE);
  focus();
  await settle();
  expect(whoamis()).toBe(1);
  await clock.advance(3 * MINUTE);
  await burst(1)[0];
  expect(whoamis()).toBe(1);
});
