import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { SessionSnapshot } from '../../src/core.js';
import type { Clock } from '../../src/clock.js';
import { sessionCore } from '../../src/endpoints/sessionCore.js';
import { lock } from '../../src/lock/lock.js';
import { json, networkError } from './support/answers.js';
import { tokenOf } from './support/article.js';
import { settle } from './support/manualClock.js';
import { deferred, errorOf } from './support/promises.js';
import { setupCookieSession } from './support/setupCookieSession.js';
import { setupTokenSession } from './support/setupTokenSession.js';

// Tabs that share no storage: what has expired in one of them may be older than what another one has.

const NAME = 'tab-expiry';
const EXPIRED = { subject: null, reason: 'expired' };

let [otherTab, listener]: BroadcastChannel[] = [];
let posted: unknown[] = [];

beforeEach(() => {
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

/** What becomes of a session whose server finds no user, without and with a lock. */
const ENDS: [string, boolean, Partial<SessionSnapshot>][] = [
  ['ends', false, { status: 'anonymous', reason: 'elsewhere' }],
  ['is locked', true, { status: 'locked', reason: 'expired' }],
];

describe('a cookie session', () => {
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

  test.each(ENDS)('whose server finds no user either %s', async (_end, locks, expected) => {
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

  test('that is checking who is signed in checks again', async () => {
    const { session, jar, fake, whoamis } = setupCookieSession({ tabs: NAME });
    onTestFinished(() => session.dispose());
    const held = deferred();
    const whoami = fake.routes['GET /whoami']!;
    fake.routes['GET /whoami'] = seen => {
      const answer = whoami(seen);
      return held.promise.then(() => answer);
    };
    session.subscribe(() => {});
    const ready = session.ready();
    await settle();
    jar.person = 'ada';
    await postFromOtherTab(EXPIRED);
    held.resolve();
    await ready;
    expect(session.getSnapshot()).toMatchObject({ status: 'authenticated', user: { id: 'ada' } });
    expect(whoamis()).toBe(2);
  });

  test('that is signed out sends no `whoami`', async () => {
    const { whoamis } = await setup({ isSignedIn: false });
    await postFromOtherTab(EXPIRED);
    expect(whoamis()).toBe(0);
  });

  test('sends a request again that the server refuses late, after the same user has signed in again in another tab', async () => {
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
    expect(fake.seen.map(({ path }) => path)).toEqual(['/article/1', '/article/1']);
    expect(now()).toBe(before);
    expect(posted).toEqual([]);
  });

  test('a refusal after that is the server’s word: the session ends', async () => {
    const { now, fake, ArticleResource } = await setup();
    await postFromOtherTab({ subject: 'ada' });
    fake.routes['*'] = () => json({}, 401);
    await errorOf(ArticleResource.get({ id: '1' }));
    expect(now()).toMatchObject({ status: 'anonymous', reason: 'expired' });
  });

  test('an answer to a challenge in another tab is one new credential', async () => {
    const { session } = await setup();
    const credentials = countCredentials(session);
    await postFromOtherTab({ subject: 'ada', reason: 'answered' });
    expect(credentials()).toBe(1);
  });

  test('a provider that is mounted again has no new credential', async () => {
    const { session, unmount } = await setup();
    const credentials = countCredentials(session);
    unmount();
    session.subscribe(() => {});
    await settle();
    expect(credentials()).toBe(0);
  });
});

describe('tokens in memory', () => {
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
    expect(now()).toMatchObject({ status: 'anonymous', reason: 'elsewhere' });
  });

  test('the same user in another tab has tokens of their own there: nothing changes here', async () => {
    const { session, postFromOtherTab } = await setup();
    const credentials = countCredentials(session);
    await postFromOtherTab({ subject: 'ada' });
    expect(credentials()).toBe(0);
  });
});
