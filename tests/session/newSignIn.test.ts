// The same user signs in again while something of the sign-in before is still on its way. The identity does not change, so nothing aborts that.
import { describe, expect, test } from 'vitest';
import { authEndpoint, resource } from '../../src/entries/core.js';
import { lock } from '../../src/entries/lock.js';
import { sessionCore } from '../../src/endpoints/sessionCore.js';
import { createContextSession } from '../../src/mechanisms/context.js';
import { json, never } from './support/answers.js';
import { API, Article, tokenOf } from './support/article.js';
import { manualClock, settle } from './support/manualClock.js';
import { mockServer, type Seen } from './support/mockServer.js';
import { deferred, isPending, outcomeOf } from './support/promises.js';
import { setupTabs } from './support/setupTabs.js';
import { setupTokenSession } from './support/setupTokenSession.js';

/** Ada's page, whose refresh never ends, and a change that waits for it. */
async function setupHangingRefresh(locks: boolean) {
  const setup = setupTokenSession();
  const { session, server, clock, ArticleResource, expire } = setup;
  if (locks) lock({ clock }).attach(sessionCore(session));
  session.subscribe(() => {});
  await session.login({ name: 'ada' });
  expire();
  server.routes['POST /refresh'] = () => never();
  const waiting = ArticleResource.partialUpdate({ id: '1' }, { title: 'x' });
  waiting.catch(() => {});
  await settle();
  return { ...setup, waiting, sent: () => server.seen.map(seen => `${seen.path} ${tokenOf(seen)}`) };
}

describe('a refresh that hangs', () => {
  test.each([
    ['the session has locked', true],
    ['it has not', false],
  ])('holds up nothing of the next sign-in: %s', async (_, locks) => {
    const { session, server, waiting, ArticleResource, sent } = await setupHangingRefresh(locks);
    if (locks) sessionCore(session).expire();
    await session.login({ name: 'ada' });
    server.clear();
    await Promise.all([waiting, ArticleResource.get({ id: '2' })]);
    expect(sent().sort()).toEqual(['/article/1 ada-2', '/article/2 ada-2']);
  });

  test('does not reject what waits for the user while the session is locked', async () => {
    const { session, clock, waiting, status } = await setupHangingRefresh(true);
    sessionCore(session).expire();
    await settle();
    await clock.advance(10_000);
    expect([status(), await isPending(waiting)]).toEqual(['locked', true]);
    await session.login({ name: 'ada' });
    expect(await outcomeOf(waiting)).toBe('done');
  });

  test('holds up nothing of a tab that another one unlocks', async () => {
    const { browser, server, expire, holdRefresh, openTwo } = setupTabs();
    const [first, second] = await openTwo();
    for (const tab of [first, second]) tab.lockOnExpiry();
    expire();
    holdRefresh();
    const waiting = outcomeOf(second.get('7'));
    await browser.pass(100);
    first.tab.run(() => sessionCore(first.session).expire());
    await browser.pass(100);
    await browser.until(first.login('ada'));
    await browser.pass(1_000);
    server.clear();
    const next = outcomeOf(second.get('8'));
    await browser.pass(11_000);
    expect([await waiting, await next]).toEqual(['done', 'done']);
  });
});

test('the next refresh does not wait for the lock of one that hangs', async () => {
  const { browser, expire, holdRefresh, server, openTwo } = setupTabs();
  const [first] = await openTwo();
  expire();
  const refresh = server.routes['POST /refresh']!;
  holdRefresh();
  const waiting = outcomeOf(first.get('7'));
  await browser.pass(100);
  server.routes['POST /refresh'] = refresh;
  await browser.until(first.login('ada'));
  expire();
  const next = outcomeOf(first.get('8'));
  await browser.pass(2_000);
  expect([await waiting, await next]).toEqual(['done', 'done']);
});

describe('a check that was sent before the sign-in', () => {
  test.each(['nobody', 'grace'])('decides nothing when it finds %s after it', async person => {
    const found = deferred<object | null>();
    let checks = 0;
    const { session, clock, auth, ArticleResource, server } = setupTokenSession({
      restore: () => (checks++ === 0 ? Promise.resolve(null) : found.promise),
    });
    lock({ clock }).attach(sessionCore(session));
    session.subscribe(() => {});
    await session.ready();
    await session.login({ name: 'ada' });
    sessionCore(session).expire();
    session.refresh().catch(() => {});
    await settle();
    await session.login({ name: 'ada' });
    found.resolve(person === 'nobody' ? null : { ...auth.signIn(person), user: { id: person } });
    await settle();
    server.clear();
    await ArticleResource.get({ id: '1' });
    expect([session.getSnapshot().user?.id, server.seen.map(tokenOf)]).toEqual(['ada', ['ada-2']]);
  });
});

describe('an SDK', () => {
  const jwt = (sub: string, count: number) => `h.${btoa(JSON.stringify({ sub, count }))}.s`;

  function setupSdk(
    getToken: (options: { forceRefresh: boolean }) => Promise<string>,
    route: (seen: Seen) => Response,
  ) {
    const clock = manualClock();
    const server = mockServer({ '*': route });
    const { session } = createContextSession({ clock }, { subject: 'ada', getToken });
    const { get } = resource({
      urlPrefix: API,
      path: '/article/:id',
      schema: Article,
      Endpoint: authEndpoint(session as never),
    });
    session.subscribe(() => {});
    return { clock, server, session, get };
  }

  test.each([
    ['the session has locked', true],
    ['it has not', false],
  ])('that refuses a token it was asked for before the sign-in ends nothing: %s', async (_, locks) => {
    const held = deferred<string>();
    let give = () => held.promise;
    const { clock, session, get } = setupSdk(
      () => give(),
      () => json({ id: '1' }),
    );
    if (locks) lock({ clock }).attach(session);
    const waiting = outcomeOf(get({ id: '1' }));
    await settle();
    if (locks) session.expire();
    give = () => Promise.resolve(jwt('ada', 2));
    await session.login();
    held.reject(Object.assign(new Error('Login required'), { error: 'login_required' }));
    expect(await waiting).toBe('done');
    expect(session.getSnapshot().status).toBe('authenticated');
  });

  test('that gives the token of the next user after a sign-out signs nobody in', async () => {
    const held = deferred<string>();
    let give = () => Promise.resolve(jwt('ada', 1));
    const { session, get } = setupSdk(
      () => give(),
      () => json({ id: '1' }),
    );
    await session.ready();
    give = () => held.promise;
    const waiting = outcomeOf(get({ id: '1' }));
    await settle();
    await session.logout();
    held.resolve(jwt('grace', 1));
    await settle();
    expect([await waiting, session.getSnapshot().status]).toEqual(['AbortError', 'anonymous']);
  });
});
