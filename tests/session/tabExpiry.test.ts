import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
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

let [other, witness]: BroadcastChannel[] = [];
let posted: unknown[] = [];

beforeEach(() => {
  [other, witness] = [1, 2].map(() => new BroadcastChannel(`data-client-auth:${NAME}`));
  posted = [];
  other!.onmessage = ({ data }) => posted.push(data);
});
afterEach(() => [other, witness].forEach(channel => channel!.close()));

/** Another tab posts. Resolves when this one has heard of it. */
async function hear(message: object) {
  const heard = new Promise(resolve => (witness!.onmessage = resolve));
  other!.postMessage(message);
  await heard;
  await settle();
}

describe('a cookie session', () => {
  async function setup({ person }: { person?: string } = { person: 'ada' }) {
    const made = setupCookieSession({ tabs: NAME });
    onTestFinished(() => made.session.dispose());
    made.jar.person = person;
    const unmount = made.session.subscribe(() => {});
    await made.session.ready();
    made.fake.clear();
    return { ...made, unmount, now: () => made.session.getSnapshot() };
  }

  test('that has a later sign-in asks the server, and continues: its screen and its requests wait for that only', async () => {
    const { now, session, fake, ArticleResource } = await setup();
    const before = now();
    await hear(EXPIRED);
    const read = ArticleResource.get({ id: '1' });
    expect(await read).toMatchObject({ title: 'of ada' });
    expect(fake.seen.map(({ path }) => path)).toEqual(['/whoami', '/article/1']);
    expect(now()).toBe(before);
    expect(sessionCore(session).getSubject()).toBe('ada');
  });

  test('requests wait until the server has answered', async () => {
    const { fake, ArticleResource } = await setup();
    const held = deferred();
    const whoami = fake.routes['GET /whoami']!;
    fake.routes['GET /whoami'] = seen => held.promise.then(() => whoami(seen));
    await hear(EXPIRED);
    const read = ArticleResource.get({ id: '1' });
    await settle();
    expect(fake.count('/article')).toBe(0);
    held.resolve();
    await read;
  });

  test.each([
    ['ends', false, { status: 'anonymous', reason: 'elsewhere' }],
    ['is locked', true, { status: 'locked', reason: 'expired' }],
  ])('whose server finds no user either %s', async (_end, locks, expected) => {
    const { now, session, jar, clock, whoamis } = await setup();
    if (locks) lock({ clock }).attach(sessionCore(session));
    jar.person = undefined;
    await hear(EXPIRED);
    expect(now()).toMatchObject(expected);
    expect(whoamis()).toBe(1);
  });

  test('whose server cannot be reached stays as it is', async () => {
    const { now, fake } = await setup();
    fake.routes['GET /whoami'] = networkError;
    await hear(EXPIRED);
    expect(now().status).toBe('authenticated');
  });

  test.each([
    ['a sign-out', { subject: null }, false, { status: 'anonymous', reason: 'elsewhere' }],
    ['a sign-out', { subject: null }, true, { status: 'anonymous', reason: 'elsewhere' }],
    ['the end of an idle user', { subject: null, reason: 'idle' }, false, { status: 'anonymous', reason: 'elsewhere' }],
    ['the end of an idle user', { subject: null, reason: 'idle' }, true, { status: 'locked', reason: 'expired' }],
  ])('asks nobody after %s (%j, with a lock: %s)', async (_what, message, locks, expected) => {
    const { now, session, clock, whoamis } = await setup();
    if (locks) lock({ clock }).attach(sessionCore(session));
    await hear(message);
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
    await hear(EXPIRED);
    held.resolve();
    await ready;
    expect(session.getSnapshot()).toMatchObject({ status: 'authenticated', user: { id: 'ada' } });
    expect(whoamis()).toBe(2);
  });

  test('that is signed out asks nobody', async () => {
    const { whoamis } = await setup({});
    await hear(EXPIRED);
    expect(whoamis()).toBe(0);
  });

  test('a refusal of the cookie before the last sign-in of the same user, which another tab has made, is out of date', async () => {
    const { now, session, fake, ArticleResource } = await setup();
    const held = deferred();
    const data = fake.routes['*']!;
    fake.routes['*'] = () => held.promise.then(() => json({}, 401));
    const read = ArticleResource.get({ id: '1' });
    await settle();
    const before = now();
    let credentials = 0;
    sessionCore(session).subscribeToCredential(() => credentials++);
    await hear({ subject: 'ada' });
    expect(credentials).toBe(1);
    fake.routes['*'] = data;
    held.resolve();
    expect(await read).toMatchObject({ title: 'of ada' });
    expect(fake.seen.map(({ path }) => path)).toEqual(['/article/1', '/article/1']);
    expect(now()).toBe(before);
    expect(posted).toEqual([]);
  });

  test('a refusal after that is the server’s word: the session ends', async () => {
    const { now, fake, ArticleResource } = await setup();
    await hear({ subject: 'ada' });
    fake.routes['*'] = () => json({}, 401);
    await errorOf(ArticleResource.get({ id: '1' }));
    expect(now()).toMatchObject({ status: 'anonymous', reason: 'expired' });
  });

  test('an answer to a challenge in another tab is one new credential', async () => {
    const { session } = await setup();
    let credentials = 0;
    sessionCore(session).subscribeToCredential(() => credentials++);
    await hear({ subject: 'ada', reason: 'answered' });
    expect(credentials).toBe(1);
  });

  test('a provider that is mounted again has no new credential', async () => {
    const { session, unmount } = await setup();
    let credentials = 0;
    sessionCore(session).subscribeToCredential(() => credentials++);
    unmount();
    session.subscribe(() => {});
    await settle();
    expect(credentials).toBe(0);
  });
});

describe('tokens in memory', () => {
  async function setup(restoreAs?: string) {
    const made = setupTokenSession({
      tabs: NAME,
      ...(restoreAs !== undefined && {
        restore: async () => {
          restores.count++;
          if (restores.as === 'nobody') return null;
          return made.issue(restores.as);
        },
      }),
    });
    const restores = { count: 0, as: 'nobody' };
    onTestFinished(() => made.session.dispose());
    made.session.subscribe(() => {});
    await made.session.ready();
    await made.session.login({ name: 'ada' });
    await settle();
    restores.as = restoreAs ?? 'nobody';
    restores.count = 0;
    made.server.clear();
    const hearInTime = async (message: object) => {
      await hear(message);
      await made.clock.advance(100);
    };
    return { ...made, restores, hear: hearInTime, now: () => made.session.getSnapshot() };
  }

  test('with `restore`: the session asks the server, and continues with the tokens that it gets', async () => {
    const { now, burst, server, restores, hear } = await setup('ada');
    const before = now();
    await hear(EXPIRED);
    expect([restores.count, now()]).toEqual([1, before]);
    await burst(1)[0];
    expect(server.seen.map(tokenOf)).toEqual(['ada-2']);
  });

  test.each([
    ['ends', false, { status: 'anonymous', reason: 'elsewhere' }],
    ['is locked', true, { status: 'locked', reason: 'expired' }],
  ])('with `restore` that finds nobody: the session %s', async (_end, locks, expected) => {
    const { now, session, clock, restores, hear } = await setup('nobody');
    if (locks) lock({ clock }).attach(sessionCore(session));
    await hear(EXPIRED);
    expect(restores.count).toBe(1);
    expect(now()).toMatchObject(expected);
  });

  test('without `restore`: nobody can be asked, so the session ends', async () => {
    const { now, hear } = await setup();
    await hear(EXPIRED);
    expect(now()).toMatchObject({ status: 'anonymous', reason: 'elsewhere' });
  });

  test('the same user in another tab has tokens of their own there: nothing changes here', async () => {
    const { session, hear } = await setup();
    let credentials = 0;
    sessionCore(session).subscribeToCredential(() => credentials++);
    await hear({ subject: 'ada' });
    expect(credentials).toBe(0);
  });
});
