// Another page replaces the cookie while something of this page is on its way, and the page must find out whose cookie it is now.
import { expect, test } from 'vitest';
import {
  IdentityChangedError,
  RefreshUnavailableError,
  RestEndpoint,
  type CookieSessionOptions,
} from '../../src/index.js';
import { stepUp } from '../../src/entries/step-up.js';
import { MINUTE, startClock } from '../sessionClock/support/startClock.js';
import { json } from './support/answers.js';
import { API } from './support/article.js';
import { settle } from './support/manualClock.js';
import type { Route, Seen } from './support/mockServer.js';
import { deferred, errorOf, outcomes } from './support/promises.js';
import { csrfOf, setupCookieSession } from './support/setupCookieSession.js';
import { challengesOf, NEEDS_LOGIN, refusal } from './support/stepUpServer.js';

type Options = Partial<CookieSessionOptions<[{ name: string }], { id: string }>>;

const REFUSED = { detail: 'CSRF Failed: CSRF token incorrect.' };

const answer = new RestEndpoint({ urlPrefix: API, path: '/step-up', method: 'POST' }) as never;

/** Ada's page. */
async function setupAda(options: Options = {}, routes: Record<string, Route> = {}) {
  const setup = setupCookieSession({ tabs: false, ...options }, routes);
  await settle();
  await setup.session.login({ name: 'ada' });
  setup.fake.clear();
  return {
    ...setup,
    requests: () =>
      setup.fake.seen.map(seen => [seen.method, seen.path, csrfOf(seen)].filter(part => part !== null).join(' ')),
    user: () => setup.session.getSnapshot().user?.id,
    /** Another page signs Grace in. */
    signGraceIn: () => {
      setup.jar.person = 'grace';
      setup.rotate('c2');
    },
  };
}

/** Ada's page. `onTheWay` runs when the first request to the API arrives, before the server answers it. */
async function setup(onTheWay: () => void, options: Options = {}, refused = 1) {
  let arrived = 0;
  const made = await setupAda(options, {
    '*': async (seen: Seen) => {
      if (arrived === 0) onTheWay();
      // All of them arrive before one is answered.
      if (arrived++ >= refused) return made.data(seen);
      await settle();
      return seen.method === 'GET' ? json({}, 401) : json(REFUSED, 403);
    },
  });
  return made;
}

test('a change that is refused because another user’s CSRF cookie came on the way is not sent as that user', async () => {
  const { ArticleResource, jar, rotate, requests, as, user } = await setup(() => {
    jar.person = 'grace';
    rotate('c2');
  });
  const error = await errorOf(ArticleResource.partialUpdate({ id: '1' }, { title: 'Ada’s diary' }));
  expect(error).toBeInstanceOf(IdentityChangedError);
  expect(requests()).toEqual(['PATCH /article/1 c1', 'GET /whoami']);
  expect(as).toEqual([]);
  expect(user()).toBe('grace');
});

test('neither is one whose CSRF token is no cookie, and is fetched', async () => {
  let current = 'c1';
  const fetch = async () => void (current = 'c2');
  const { ArticleResource, jar, requests, as, user } = await setup(() => void (jar.person = 'grace'), {
    csrf: { read: () => current, header: 'X-CSRFToken', fetch },
  });
  const error = await errorOf(ArticleResource.partialUpdate({ id: '1' }, { title: 'Ada’s diary' }));
  expect(error).toBeInstanceOf(IdentityChangedError);
  expect(requests()).toEqual(['PATCH /article/1 c1', 'GET /whoami']);
  expect(as).toEqual([]);
  expect(user()).toBe('grace');
});

test('ten changes that are refused with the user’s own new token cost one whoami, and each is sent once more', async () => {
  const { ArticleResource, rotate, requests, as } = await setup(() => rotate('c2'), {}, 10);
  const ids = Array.from({ length: 10 }, (_, id) => `${id}`);
  const { reasons } = await outcomes(ids.map(id => ArticleResource.partialUpdate({ id }, { title: 'Mine' })));
  expect(reasons).toEqual([]);
  expect(requests()).toEqual([
    ...ids.map(id => `PATCH /article/${id} c1`),
    'GET /whoami',
    ...ids.map(id => `PATCH /article/${id} c2`),
  ]);
  expect(as.map(({ person }) => person)).toEqual(ids.map(() => 'ada'));
});

test('where whoami cannot be reached, the change is not sent again, and the user stays signed in', async () => {
  const { session, fake, ArticleResource, rotate, requests } = await setup(() => rotate('c2'));
  fake.routes['GET /whoami'] = () => json({}, 500);
  const error = await errorOf(ArticleResource.partialUpdate({ id: '1' }, { title: 'Mine' }));
  expect(error).toBeInstanceOf(RefreshUnavailableError);
  expect(requests()).toEqual(['PATCH /article/1 c1', 'GET /whoami']);
  expect(session.getSnapshot().status).toBe('authenticated');
});

test('an answer to a challenge that is refused because Grace has signed in on the way is not sent again, and neither is what waits for it', async () => {
  let answers = 0;
  const made = await setupAda(
    { extensions: [stepUp({ answer })] },
    {
      'POST /step-up': () => {
        if (answers++ > 0) return new Response(null, { status: 204 });
        made.signGraceIn();
        return json(REFUSED, 403);
      },
      'DELETE /article/1': seen => (answers > 0 ? made.data(seen) : refusal(401, NEEDS_LOGIN)),
    },
  );
  const deletion = errorOf(made.ArticleResource.delete({ id: '1' }));
  await settle();
  const answered = challengesOf(made.session).open().answer({ password: 'lovelace' });
  expect(await errorOf(answered)).toBeInstanceOf(IdentityChangedError);
  expect(await deletion).toBeInstanceOf(IdentityChangedError);
  expect(made.requests().filter(request => request !== 'GET /csrf')).toEqual([
    'DELETE /article/1 c1',
    'POST /step-up c1',
    'GET /whoami',
  ]);
  expect(made.user()).toBe('grace');
});

test.each<[string, (made: Awaited<ReturnType<typeof setupAda>>) => unknown]>([
  ['the CSRF cookie is gone', ({ jar }) => (jar.csrf = undefined)],
  ['the app calls `refresh`', ({ session }) => session.refresh()],
])('a CSRF token that is fetched after Grace has signed in elsewhere is not taken for Ada’s: %s', async (_, then) => {
  const made = await setupAda();
  made.signGraceIn();
  await then(made);
  const error = await errorOf(made.ArticleResource.partialUpdate({ id: '1' }, { title: 'Ada’s diary' }));
  expect(error).toBeInstanceOf(IdentityChangedError);
  expect(made.requests()).toEqual(['GET /csrf', 'GET /whoami']);
  expect(made.user()).toBe('grace');
});

test('a slow request does not hide that another page has replaced the cookie', async () => {
  const held = deferred();
  const made = await setupAda({}, { 'GET /article/slow': seen => held.promise.then(() => made.data(seen)) });
  const slow = errorOf(made.ArticleResource.get({ id: 'slow' }));
  await settle();
  made.signGraceIn();
  const error = await errorOf(made.ArticleResource.partialUpdate({ id: '1' }, { title: 'Ada’s diary' }));
  expect(error).toBeInstanceOf(IdentityChangedError);
  held.resolve();
  expect(await slow).toBeInstanceOf(IdentityChangedError);
  expect(made.requests()).toEqual(['GET /article/slow', 'GET /whoami']);
});

test.each<[string, (made: Awaited<ReturnType<typeof setupAda>>) => Promise<unknown>]>([
  ['a change', made => made.ArticleResource.partialUpdate({ id: '1' }, { title: 'Ada’s diary' })],
  ['an answer to a challenge', made => challengesOf(made.session).open().answer({ password: 'lovelace' })],
])('where the server changes the cookie itself, %s that is refused is not sent again as Grace', async (_, send) => {
  const refused = deferred();
  const held = deferred();
  const refuse: Route = async () => (await refused.promise, json(REFUSED, 403));
  const made = await setupAda(
    { extensions: [stepUp({ answer })] },
    {
      'GET /article/own': seen => made.data(seen),
      'GET /article/slow': seen => held.promise.then(() => made.data(seen)),
      'PATCH /article/1': refuse,
      'POST /step-up': refuse,
      'DELETE /article/1': () => refusal(401, NEEDS_LOGIN),
    },
  );
  made.rotateWith('GET /article/own', 'GET /whoami');
  await made.ArticleResource.get({ id: 'own' });
  await made.ArticleResource.get({ id: 'own' });
  const others = [made.ArticleResource.delete({ id: '1' }), made.ArticleResource.get({ id: 'slow' })];
  const settled = Promise.allSettled(others);
  await settle();
  made.fake.clear();
  const error = errorOf(send(made));
  await settle();
  made.signGraceIn();
  // It reads the cookie of Grace, and counts it as one that the server has changed.
  await made.ArticleResource.get({ id: '2' });
  await settle();
  refused.resolve();
  expect(await error).toBeInstanceOf(IdentityChangedError);
  expect(made.user()).toBe('grace');
  expect(made.requests().filter(request => /PATCH|step-up/.test(request))).toHaveLength(1);
  held.resolve();
  await settled;
});

test('Ada’s next sign-in on another page, during a request, does not make the server one that changes the cookie itself', async () => {
  const held = deferred();
  const made = await setupAda({}, { 'GET /article/slow': seen => held.promise.then(() => made.data(seen)) });
  const slow = Promise.allSettled([made.ArticleResource.get({ id: 'slow' })]);
  await settle();
  made.rotate('own-1');
  await made.ArticleResource.get({ id: '1' });
  made.as.length = 0;
  made.signGraceIn();
  expect(await errorOf(made.ArticleResource.get({ id: '2' }))).toBeInstanceOf(IdentityChangedError);
  expect([made.as, made.user()]).toEqual([[], 'grace']);
  held.resolve();
  await slow;
});

test.each<[string, string[], (made: Awaited<ReturnType<typeof setupAda>>) => unknown]>([
  ['Ada signs out', ['POST /logout c1', 'GET /whoami'], ({ session }) => session.logout()],
  [
    'Ada’s page is idle',
    // An idle page does not hold the cookie, so it asks first.
    ['GET /whoami'],
    async ({ session, clock }) => {
      session.subscribe(() => {});
      startClock(session, clock, { idle: { after: 5 * MINUTE } });
      await clock.advance(5 * MINUTE);
      await settle();
    },
  ],
])('Grace, who has signed in on another page, stays signed in: %s', async (_, sent, leave) => {
  const made = await setupAda();
  made.signGraceIn();
  await leave(made);
  expect(made.session.getSnapshot()).toMatchObject({ status: 'anonymous', unconfirmed: undefined });
  expect(made.requests()).toEqual(sent);
  expect(made.jar.person).toBe('grace');
});

test('a logout that is refused with a stale CSRF token is sent once more for the same user', async () => {
  const made = await setupAda();
  made.rotate('c2', false);
  await made.session.logout();
  expect(made.requests()).toEqual(['POST /logout c1', 'GET /whoami', 'GET /csrf', 'POST /logout c2']);
  expect(made.jar.person).toBeUndefined();
});

test.each([403, 419])(
  "with `on: 'all'`, a whoami whose CSRF token is refused with %i is sent once more, and signs nobody out",
  async status => {
    let [valid, token] = ['t1', 't1'];
    const made = await setupAda({
      csrf: { on: 'all', read: () => token, header: 'X-CSRFToken', fetch: async () => void (token = valid) },
    });
    const whoami = made.fake.routes['GET /whoami']!;
    made.fake.routes['GET /whoami'] = seen => (csrfOf(seen) === valid ? whoami(seen) : json(REFUSED, status));
    made.session.subscribe(() => {});
    await settle();
    made.fake.clear();
    valid = 't2';
    await made.clock.advance(10_000);
    made.focus();
    await settle();
    expect(made.requests()).toEqual(['GET /whoami t1', 'GET /whoami t2']);
    expect(made.user()).toBe('ada');
  },
);
