// The cookie is replaced while a request is on its way: the server refuses the request, and the page must find out who is signed in now.
import { expect, test } from 'vitest';
import {
  IdentityChangedError,
  RefreshUnavailableError,
  SessionExpiredError,
  type CookieSessionOptions,
} from '../../src/index.js';
import { json } from './support/answers.js';
import { settle } from './support/manualClock.js';
import type { Seen } from './support/mockServer.js';
import { errorOf, outcomes } from './support/promises.js';
import { csrfOf, setupCookieSession } from './support/setupCookieSession.js';

type Options = Partial<CookieSessionOptions<[{ name: string }], { id: string }>>;

const REFUSED = { detail: 'CSRF Failed: CSRF token incorrect.' };

/** Ada's page. `onTheWay` runs when the first request to the API arrives, before the server answers it. */
async function setup(onTheWay: () => void, options: Options = {}, refused = 1) {
  let arrived = 0;
  const setup = setupCookieSession(
    { tabs: false, ...options },
    {
      '*': async (seen: Seen) => {
        if (arrived === 0) onTheWay();
        // All of them arrive before one is answered.
        if (arrived++ >= refused) return setup.data(seen);
        await settle();
        return seen.method === 'GET' ? json({}, 401) : json(REFUSED, 403);
      },
    },
  );
  await settle();
  await setup.session.login({ name: 'ada' });
  setup.fake.clear();
  return {
    ...setup,
    requests: () =>
      setup.fake.seen.map(seen => [seen.method, seen.path, csrfOf(seen)].filter(part => part !== null).join(' ')),
    user: () => setup.session.getSnapshot().user?.id,
  };
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

test('a read that is refused because Ada’s session has ended is not sent as the user who has signed in on the way', async () => {
  const { ArticleResource, jar, rotate, requests, as, user } = await setup(() => {
    jar.person = 'grace';
    rotate('c2');
  });
  expect(await errorOf(ArticleResource.get({ id: '1' }))).toBeInstanceOf(IdentityChangedError);
  expect(requests()).toEqual(['GET /article/1', 'GET /whoami']);
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

test('a CSRF cookie that is lost on the way is fetched, and the change is sent once more', async () => {
  const { ArticleResource, jar, requests, as } = await setup(() => void (jar.csrf = undefined));
  await ArticleResource.partialUpdate({ id: '1' }, { title: 'Mine' });
  expect(requests()).toEqual(['PATCH /article/1 c1', 'GET /csrf', 'GET /whoami', 'PATCH /article/1 c1']);
  expect(as.map(({ person }) => person)).toEqual(['ada']);
});

test('where whoami then finds nobody, the session has expired, and the change is not sent again', async () => {
  const { session, ArticleResource, jar, rotate, requests } = await setup(() => {
    jar.person = undefined;
    rotate('c2');
  });
  const error = await errorOf(ArticleResource.partialUpdate({ id: '1' }, { title: 'Mine' }));
  expect(error).toBeInstanceOf(SessionExpiredError);
  expect(requests()).toEqual(['PATCH /article/1 c1', 'GET /whoami']);
  expect(session.getSnapshot()).toMatchObject({ status: 'anonymous', reason: 'expired' });
});

test('where whoami cannot be reached, the change is not sent again, and the user stays signed in', async () => {
  const { session, fake, ArticleResource, rotate, requests } = await setup(() => rotate('c2'));
  fake.routes['GET /whoami'] = () => json({}, 500);
  const error = await errorOf(ArticleResource.partialUpdate({ id: '1' }, { title: 'Mine' }));
  expect(error).toBeInstanceOf(RefreshUnavailableError);
  expect(requests()).toEqual(['PATCH /article/1 c1', 'GET /whoami']);
  expect(session.getSnapshot().status).toBe('authenticated');
});
