import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { SessionSnapshot } from '../../src/core.js';
import type { Clock } from '../../src/clock.js';
import { sessionCore } from '../../src/endpoints/sessionCore.js';
import { lock } from '../../src/lock/lock.js';
import { json, networkError } from './support/answers.js';
import { tokenOf } from './support/article.js';
import { thirdEdition } from './support/thirdEdition.js';
import { settle } from './support/manualClock.js';
import { deferred, errorOf } from './support/promises.js';
import { setupCookieSession } from './support/setupCookieSession.js';
import { setupTabs } from './support/setupTabs.js';
import { setupTokenSession } from './support/setupTokenSession.js';

// Tabs that share no storage: the sign-in that has expired in one tab may be older than the sign-in of another tab.

const NAME = 'tab-expiry';
/** After this time without a request, the next one checks who is signed in. */
const IDLE_MS = 6 * 60_000;
const EXPIRED = { subject: null, reason: 'expired' };

let [otherTab, listener]: BroadcastChannel[] = [];
let posted: unknown[] = [];

beforeEach(() => {
  vi.stubGlobal('window', globalThis);
  [otherTab, listener] = [1, 2].map(() => new BroadcastChannel(`data-client-auth:${NAME}`));
  posted = [];
  otherTab!.onmessage = ({ data }) => posted.push(data);
});
afterEach(() => [otherTab, listener].forEach(channel => channel!.close()));

/** Resolves when this tab has got the message. */
async function postFromOtherTab(message: object) {
  const heard = new Promise(resolve => (listener!.onmessage = resolve));
  otherTab!.postMessage(message);
  await heard;
  await settle();
}

const lockOnExpiry = ({ session, clock }: { session: object; clock: Clock }) =>
  lock({ clock }).attach(sessionCore(session as never));

function countCredentials(session: object) {
  let count = 0;
  sessionCore(session as never).subscribeToCredential(() => count++);
  return () => count;
}

/** How a session ends when the server finds no user: the title, with a lock or without, and the snapshot. */
const ENDS: [string, boolean, Partial<SessionSnapshot>][] = [
  ['ends', false, { status: 'anonymous', reason: 'expired' }],
  ['is locked', true, { status: 'locked', reason: 'expired' }],
];

// Tabs of a cookie on the new core tell each other of no expiry: each asks at its own refusal. leaves with the old core
describe.skipIf(thirdEdition)('a cookie session', () => {
  async function setup({ isSignedIn = true } = {}) {
    const made = setupCookieSession({ tabs: NAME });
    onTestFinished(() => made.session.dispose());
    if (isSignedIn) made.jar.person = 'ada';
    const unmount = made.session.subscribe(() => {});
    await made.session.ready();
    made.fake.clear();
    return { ...made, unmount, now: () => made.session.getSnapshot() };
  }

  test('checks at the server, and continues with the same snapshot if the user is still signed in', async () => {
    const { now, session, fake, ArticleResource } = await setup();
    const before = now();
    await postFromOtherTab(EXPIRED);
    const read = ArticleResource.get({ id: '1' });
    expect(await read).toMatchObject({ title: 'of ada' });
    expect(fake.seen.map(({ path }) => path)).toEqual(['/whoami', '/article/1']);
    expect(now()).toBe(before);
    expect(sessionCore(session).getSubject()).toBe('ada');
  });

  test('lets requests wait until the server has answered', async () => {
    const { fake, ArticleResource } = await setup();
    const held = deferred();
    const whoami = fake.routes['GET /whoami']!;
    fake.routes['GET /whoami'] = seen => held.promise.then(() => whoami(seen));
    await postFromOtherTab(EXPIRED);
    const read = ArticleResource.get({ id: '1' });
    await settle();
    expect(fake.count('/article')).toBe(0);
    held.resolve();
    await read;
  });

  test.each(ENDS)('%s if the server finds no user', async (_end, locks, expected) => {
    const { now, session, jar, clock, whoamis } = await setup();
    if (locks) lockOnExpiry({ session, clock });
    jar.person = undefined;
    await postFromOtherTab(EXPIRED);
    expect(now()).toMatchObject(expected);
    expect(whoamis()).toBe(1);
  });

  test('whose server cannot be reached stays as it is', async () => {
    const { now, fake } = await setup();
    fake.routes['GET /whoami'] = networkError;
    await postFromOtherTab(EXPIRED);
    expect(now().status).toBe('authenticated');
  });

  test('whose server could not be reached says that the session has expired when a later check finds no user', async () => {
    const { now, fake, jar, ArticleResource } = await setup();
    const whoami = fake.routes['GET /whoami']!;
    fake.routes['GET /whoami'] = networkError;
    await postFromOtherTab(EXPIRED);
    fake.routes['GET /whoami'] = whoami;
    jar.person = undefined;
    await errorOf(ArticleResource.get({ id: '1' }));
    expect(now()).toMatchObject({ status: 'anonymous', reason: 'expired' });
  });

  test('that checks already when the message comes says that the session has expired', async () => {
    const { now, fake, jar, clock, whoamis, ArticleResource } = await setup();
    const held = deferred();
    const whoami = fake.routes['GET /whoami']!;
    fake.routes['GET /whoami'] = seen => held.promise.then(() => whoami(seen));
    jar.person = undefined;
    await clock.advance(IDLE_MS);
    const read = errorOf(ArticleResource.get({ id: '1' }));
    await settle();
    await postFromOtherTab(EXPIRED);
    held.resolve();
    await read;
    expect(now()).toMatchObject({ status: 'anonymous', reason: 'expired' });
    expect(whoamis()).toBe(1);
  });

  test('that has run out has expired, whether or not another tab said so', async () => {
    for (const messages of [[], [EXPIRED]]) {
      const { now, jar, clock, ArticleResource } = await setup();
      for (const message of messages) await postFromOtherTab(message);
      expect(now().status).toBe('authenticated');
      jar.person = undefined;
      await clock.advance(IDLE_MS);
      await errorOf(ArticleResource.get({ id: '1' }));
      expect(now()).toMatchObject({ status: 'anonymous', reason: 'expired' });
    }
  });

  test.each([
    ['a sign-out', { subject: null }, false, { status: 'anonymous', reason: 'elsewhere' }],
    ['a sign-out', { subject: null }, true, { status: 'anonymous', reason: 'elsewhere' }],
    ['the end of an idle user', { subject: null, reason: 'idle' }, false, { status: 'anonymous', reason: 'elsewhere' }],
    ['the end of an idle user', { subject: null, reason: 'idle' }, true, { status: 'locked', reason: 'expired' }],
  ])('sends no `whoami` after %s (%j, with a lock: %s)', async (_what, message, locks, expected) => {
    const { now, session, clock, whoamis } = await setup();
    if (locks) lockOnExpiry({ session, clock });
    await postFromOtherTab(message);
    expect(now()).toMatchObject(expected);
    expect(whoamis()).toBe(0);
  });

  test('that is checking who is signed in waits for that check', async () => {
    const { session, jar, fake, whoamis } = setupCookieSession({ tabs: NAME });
    onTestFinished(() => session.dispose());
    const held = deferred();
    const whoami = fake.routes['GET /whoami']!;
    fake.routes['GET /whoami'] = seen => held.promise.then(() => whoami(seen));
    session.subscribe(() => {});
    const ready = session.ready();
    await settle();
    jar.person = 'ada';
    await postFromOtherTab(EXPIRED);
    held.resolve();
    await ready;
    expect(session.getSnapshot()).toMatchObject({ status: 'authenticated', user: { id: 'ada' } });
    expect(whoamis()).toBe(1);
  });

  test('several expiries during one check are one check', async () => {
    const { now, fake, whoamis } = await setup();
    const held = deferred();
    const whoami = fake.routes['GET /whoami']!;
    fake.routes['GET /whoami'] = seen => held.promise.then(() => whoami(seen));
    for (let tab = 0; tab < 4; tab++) await postFromOtherTab(EXPIRED);
    held.resolve();
    await settle();
    expect([now().status, whoamis()]).toEqual(['authenticated', 1]);
  });

  test.each([
    ['without a lock', false],
    ['with a lock', true],
  ])(
    '%s: ignores the answer to a check that was sent before the user signed in again in another tab',
    async (_name, locks) => {
      const { session, jar, fake, clock } = setupCookieSession({ tabs: NAME });
      onTestFinished(() => session.dispose());
      if (locks) lockOnExpiry({ session, clock });
      jar.person = 'ada';
      session.subscribe(() => {});
      await session.ready();
      // The server ends the session; the other tab finds out first.
      jar.person = undefined;
      const held = deferred();
      const whoami = fake.routes['GET /whoami']!;
      fake.routes['GET /whoami'] = seen => {
        const answer = whoami(seen);
        return held.promise.then(() => answer);
      };
      await postFromOtherTab(EXPIRED);
      // Ada signs in again in the other tab, before the slow answer is here.
      jar.person = 'ada';
      await postFromOtherTab({ subject: 'ada' });
      held.resolve();
      await settle();
      await settle();
      expect(session.getSnapshot()).toMatchObject({ status: 'authenticated', user: { id: 'ada' } });
    },
  );

  test('that may not ask before a `Retry-After` sends nothing; its requests settle, and it continues afterwards', async () => {
    const { session, jar, fake, clock, ArticleResource, whoamis, focus } = setupCookieSession({ tabs: NAME });
    onTestFinished(() => session.dispose());
    jar.person = 'ada';
    session.subscribe(() => {});
    await session.ready();
    const whoami = fake.routes['GET /whoami']!;
    fake.routes['GET /whoami'] = () => new Response(null, { status: 503, headers: { 'Retry-After': '30' } });
    await clock.advance(10_000);
    focus();
    await settle();
    const before = session.getSnapshot();
    fake.clear();
    fake.routes['GET /whoami'] = whoami;
    await postFromOtherTab(EXPIRED);
    expect((await errorOf(ArticleResource.get({ id: '1' }))).name).toBe('RefreshUnavailableError');
    expect(whoamis()).toBe(0);
    expect(session.getSnapshot()).toBe(before);
    await clock.advance(31_000);
    expect(await ArticleResource.get({ id: '1' })).toMatchObject({ title: 'of ada' });
  });

  test('that has a pending login takes the login’s user', async () => {
    const { session, jar, fake, clock } = setupCookieSession({ tabs: NAME });
    onTestFinished(() => session.dispose());
    jar.person = 'ada';
    session.subscribe(() => {});
    await session.ready();
    const held = deferred();
    const login = fake.routes['POST /login']!;
    fake.routes['POST /login'] = seen => held.promise.then(() => login(seen));
    const signedIn = session.login({ name: 'grace' });
    await settle();
    await postFromOtherTab(EXPIRED);
    held.resolve();
    await signedIn;
    await settle();
    expect(session.getSnapshot().user?.id).toBe('grace');
    await clock.advance(20_000);
    expect(clock.pending).toBe(0);
  });

  test('whose own sign-out is not confirmed sends no `whoami`', async () => {
    const { session, jar, fake, whoamis } = setupCookieSession({ tabs: NAME });
    onTestFinished(() => session.dispose());
    jar.person = 'ada';
    session.subscribe(() => {});
    await session.ready();
    fake.routes['POST /logout'] = networkError;
    await session.logout().catch(() => {});
    fake.clear();
    await postFromOtherTab(EXPIRED);
    expect(session.getSnapshot()).toMatchObject({ status: 'anonymous', unconfirmed: 'logout' });
    expect(whoamis()).toBe(0);
  });

  test('whose user signs out during the check stays signed out', async () => {
    const { session, jar, fake } = setupCookieSession({ tabs: NAME });
    onTestFinished(() => session.dispose());
    jar.person = 'ada';
    session.subscribe(() => {});
    await session.ready();
    const held = deferred();
    const whoami = fake.routes['GET /whoami']!;
    fake.routes['GET /whoami'] = seen => held.promise.then(() => whoami(seen));
    fake.routes['POST /logout'] = networkError;
    await postFromOtherTab(EXPIRED);
    const out = session.logout().catch(() => {});
    await settle();
    held.resolve();
    await out;
    await settle();
    expect(session.getSnapshot()).toMatchObject({ status: 'anonymous', unconfirmed: 'logout' });
  });

  test('ends when a third tab signs out during the check', async () => {
    const { session, jar, fake } = setupCookieSession({ tabs: NAME });
    onTestFinished(() => session.dispose());
    jar.person = 'ada';
    session.subscribe(() => {});
    await session.ready();
    const held = deferred();
    const whoami = fake.routes['GET /whoami']!;
    fake.routes['GET /whoami'] = seen => held.promise.then(() => whoami(seen));
    await postFromOtherTab(EXPIRED);
    await postFromOtherTab({ subject: null });
    await postFromOtherTab({ subject: null, reason: 'unconfirmed' });
    held.resolve();
    await settle();
    expect(session.getSnapshot()).toMatchObject({ status: 'anonymous' });
  });

  test('takes over another user whom the check finds', async () => {
    const { session, jar, ArticleResource, as } = setupCookieSession({ tabs: NAME });
    onTestFinished(() => session.dispose());
    jar.person = 'ada';
    session.subscribe(() => {});
    await session.ready();
    jar.person = 'grace';
    await postFromOtherTab(EXPIRED);
    expect(session.getSnapshot().user?.id).toBe('grace');
    await ArticleResource.get({ id: '1' });
    expect(as.at(-1)?.person).toBe('grace');
  });

  test('that is signed out sends no `whoami`', async () => {
    const { whoamis } = await setup({ isSignedIn: false });
    await postFromOtherTab(EXPIRED);
    expect(whoamis()).toBe(0);
  });

  test('sends a request again whose refusal comes after the user has signed in again in another tab', async () => {
    const { now, session, fake, ArticleResource } = await setup();
    const held = deferred();
    const data = fake.routes['*']!;
    fake.routes['*'] = () => held.promise.then(() => json({}, 401));
    const read = ArticleResource.get({ id: '1' });
    await settle();
    const before = now();
    const credentials = countCredentials(session);
    await postFromOtherTab({ subject: 'ada' });
    expect(credentials()).toBe(1);
    fake.routes['*'] = data;
    held.resolve();
    expect(await read).toMatchObject({ title: 'of ada' });
    // The refusal may mean that the cookie is another user's, whatever the other tab said.
    expect(fake.seen.map(({ path }) => path)).toEqual(['/article/1', '/whoami', '/article/1']);
    expect(now()).toBe(before);
    expect(posted).toEqual([]);
  });

  test('ends when a request is refused that was sent after that sign-in', async () => {
    const { now, fake, ArticleResource } = await setup();
    await postFromOtherTab({ subject: 'ada' });
    fake.routes['*'] = () => json({}, 401);
    await errorOf(ArticleResource.get({ id: '1' }));
    expect(now()).toMatchObject({ status: 'anonymous', reason: 'expired' });
  });

  test('replaces its credential once after an answer to a challenge in another tab', async () => {
    const { session } = await setup();
    const credentials = countCredentials(session);
    await postFromOtherTab({ subject: 'ada', reason: 'answered' });
    expect(credentials()).toBe(1);
  });

  test('does not replace its credential when the provider is mounted again', async () => {
    const { session, unmount } = await setup();
    const credentials = countCredentials(session);
    unmount();
    session.subscribe(() => {});
    await settle();
    expect(credentials()).toBe(0);
  });
});

// Tabs of the new core that share no tokens tell each other nothing.
test.runIf(thirdEdition).each([
  [true, 'authenticated'],
  [false, 'anonymous'],
])(
  'tokens in memory: a tab notices the end of another one at its own refusal (the server has a user: %s)',
  async (isUser, status) => {
    let isSignedIn = true;
    const setup = setupTabs({}, { storage: 'memory', tabs: NAME, refresh: undefined });
    const { browser, issue, expire } = setup;
    const restore = async () => (isSignedIn ? issue('ada') : null);
    const [a, b] = [setup.open({ restore }), setup.open({ restore })];
    [a, b].forEach(one => one.mount());
    await browser.pass(300);
    isSignedIn = isUser;
    a.tab.run(() => sessionCore(a.session).expire());
    await browser.pass(300);
    expect([a, b].map(one => one.now().status)).toEqual(['anonymous', 'authenticated']);
    expire();
    await browser.until(Promise.allSettled(b.burst(1)));
    expect(b.now().status).toBe('anonymous');
    await b.tab.run(() => b.session.refresh()).catch(() => {});
    await browser.pass(300);
    expect(b.now().status).toBe(status);
  },
);

// leaves with the old core
describe.skipIf(thirdEdition)('tokens in memory', () => {
  /** @param restored Whose session the server restores; null: no one's. Undefined: the session has no `restore`. */
  async function setup(restored?: string | null) {
    const restores = { count: 0, user: null as string | null };
    const restore = async () => {
      restores.count++;
      return restores.user === null ? null : made.issue(restores.user);
    };
    const made = setupTokenSession({ tabs: NAME, ...(restored !== undefined && { restore }) });
    onTestFinished(() => made.session.dispose());
    made.session.subscribe(() => {});
    await made.session.ready();
    await made.session.login({ name: 'ada' });
    await settle();
    restores.user = restored ?? null;
    restores.count = 0;
    made.server.clear();
    const postAndPass = async (message: object) => {
      await postFromOtherTab(message);
      await made.clock.advance(100);
    };
    return { ...made, restores, postFromOtherTab: postAndPass, now: () => made.session.getSnapshot() };
  }

  test('with `restore`: the session asks the server, and continues with the tokens that it gets', async () => {
    const { now, burst, server, restores, postFromOtherTab } = await setup('ada');
    const before = now();
    await postFromOtherTab(EXPIRED);
    expect([restores.count, now()]).toEqual([1, before]);
    await burst(1)[0];
    expect(server.seen.map(tokenOf)).toEqual(['ada-2']);
  });

  test.each(ENDS)('with `restore` that finds no user: the session %s', async (_end, locks, expected) => {
    const { now, session, clock, restores, postFromOtherTab } = await setup(null);
    if (locks) lockOnExpiry({ session, clock });
    await postFromOtherTab(EXPIRED);
    expect(restores.count).toBe(1);
    expect(now()).toMatchObject(expected);
  });

  test('without `restore` the session ends at once', async () => {
    const { now, postFromOtherTab } = await setup();
    await postFromOtherTab(EXPIRED);
    expect(now()).toMatchObject({ status: 'anonymous', reason: 'expired' });
  });

  test('a login of the same user in another tab does not change the tokens of this tab', async () => {
    const { session, postFromOtherTab } = await setup();
    const credentials = countCredentials(session);
    await postFromOtherTab({ subject: 'ada' });
    expect(credentials()).toBe(0);
  });

  test('with `restore`: the session ignores the answer to a call that was sent before the user signed in again in another tab', async () => {
    const held = deferred();
    let cookie: string | undefined;
    let isSlow = false;
    const setup = setupTabs({}, { storage: 'memory', tabs: NAME });
    const { browser, issue } = setup;
    const restore = async () => {
      const person = cookie;
      if (isSlow) await held.promise;
      return person ? issue(person) : null;
    };
    const [a, b] = [setup.open({ restore }), setup.open({ restore })];
    [a, b].forEach(one => one.mount());
    await browser.pass(200);
    cookie = 'ada';
    await a.login('ada');
    await browser.pass(300);
    expect([a, b].map(one => one.now().status)).toEqual(['authenticated', 'authenticated']);
    cookie = undefined;
    isSlow = true;
    a.tab.run(() => sessionCore(a.session).expire());
    await browser.pass(200);
    isSlow = false;
    cookie = 'ada';
    await browser.until(a.login('ada'));
    await browser.pass(300);
    held.resolve();
    await browser.pass(500);
    expect([a, b].map(one => one.now().status)).toEqual(['authenticated', 'authenticated']);
  });

  test.each([
    [false, 'the logout fails'],
    [true, 'the logout fails'],
    [false, 'the logout succeeds'],
    [true, 'the logout succeeds'],
  ])(
    'an idle end in another tab locks or ends the session without a call of `restore` (lock: %s, %s)',
    async (locks, outcome) => {
      let isSignedIn = false;
      let restoreCalls = 0;
      const setup = setupTabs({}, { storage: 'memory', tabs: NAME });
      const { browser, issue, server } = setup;
      const restore = async () => (restoreCalls++, isSignedIn ? issue('ada') : null);
      const [a, b] = [setup.open({ restore }), setup.open({ restore })];
      [a, b].forEach(one => one.mount());
      await browser.pass(100);
      isSignedIn = true;
      await a.login('ada');
      await browser.pass(300);
      expect([a, b].map(one => one.now().status)).toEqual(['authenticated', 'authenticated']);
      if (locks) for (const tab of [a, b]) tab.lockOnExpiry();
      restoreCalls = 0;
      server.routes['POST /logout'] = () =>
        outcome === 'the logout fails' ? networkError() : ((isSignedIn = false), new Response(null, { status: 204 }));
      await browser.until(a.tab.run(() => sessionCore(a.session).signOut('idle', async () => true)).catch(() => {}));
      await browser.pass(500);
      expect([a, b].map(one => one.now().status)).toEqual(locks ? ['locked', 'locked'] : ['anonymous', 'anonymous']);
      expect(restoreCalls).toBe(0);
    },
  );
});
