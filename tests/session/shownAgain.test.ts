import { afterEach, describe, expect, test, vi } from 'vitest';
import { authEndpoint, IdentityChangedError, resource, type Session } from '../../src/entries/core.js';
import { type ContextCredential, createContextSession } from '../../src/mechanisms/context.js';
import { json } from './support/answers.js';
import { API, Article, tokenOf } from './support/article.js';
import { settle } from './support/manualClock.js';
import { mockServer } from './support/mockServer.js';
import { errorOf, isPending } from './support/promises.js';
import { setupCookieSession } from './support/setupCookieSession.js';
import { setupTabs } from './support/setupTabs.js';
import { setupTokenSession } from './support/setupTokenSession.js';
import { expectNoTokenStored } from './support/storedTokens.js';

/** Browsers take `true` for `{ capture: true }`; Node does so at `addEventListener` only. */
const asCapture = (options: boolean | EventListenerOptions | undefined) =>
  typeof options === 'boolean' ? { capture: options } : options;

/** The events of a window and its document. */
function stubPage() {
  const window = new EventTarget();
  const document = new EventTarget();
  const listening: string[] = [];
  const phases: unknown[] = [];
  for (const target of [window, document]) {
    const { addEventListener: add, removeEventListener: remove } = EventTarget.prototype;
    target.addEventListener = (type, listener, options) => (
      listening.push(type),
      phases.push(options),
      add.call(target, type, listener, options)
    );
    target.removeEventListener = (type, listener, options) => (
      listening.splice(listening.indexOf(type), 1),
      remove.call(target, type, listener, asCapture(options))
    );
  }
  vi.stubGlobal('addEventListener', window.addEventListener);
  vi.stubGlobal('removeEventListener', window.removeEventListener);
  // The cookies of a page that a setup has stubbed before.
  const { cookie } = Object.getOwnPropertyDescriptors(globalThis.document ?? { cookie: 'csrftoken=c1' });
  Object.defineProperty(document, 'cookie', cookie);
  vi.stubGlobal('document', Object.assign(document, { visibilityState: 'visible' }));
  const transition = (type: string, persisted: boolean) =>
    window.dispatchEvent(Object.assign(new Event(type), { persisted }));
  return {
    listening,
    /** The third argument of each `addEventListener`. */
    phases,
    /** It was left before. */
    comeBack: () => transition('pageshow', true),
    load: () => transition('pageshow', false),
    leave: (persisted = true) => transition('pagehide', persisted),
    show: (visibilityState = 'visible') =>
      Object.assign(document, { visibilityState }).dispatchEvent(new Event('visibilitychange')),
    activate: () => document.dispatchEvent(new Event('prerenderingchange')),
    focus: () => window.dispatchEvent(new Event('focus')),
  };
}

afterEach(() => vi.unstubAllGlobals());

const who = ({ getSnapshot }: Pick<Session<any, any>, 'getSnapshot'>) => getSnapshot();

test('a token in memory is forgotten, and what is under way is called off', async () => {
  const page = stubPage();
  const { session, server, ArticleResource } = setupTokenSession();
  session.subscribe(() => {});
  await session.login({ name: 'ada' });
  server.clear();
  const request = errorOf(ArticleResource.get({ id: '1' }));
  page.leave();
  page.comeBack();
  expect(who(session)).toMatchObject({ status: 'anonymous', user: undefined });
  expect(await request).toBeInstanceOf(IdentityChangedError);
  expect(server.seen).toEqual([]);
});

test('a stored token is read again, and requests wait for that', async () => {
  const page = stubPage();
  let stored: string | null = null;
  let open = () => {};
  let reading = Promise.resolve();
  const storage = {
    get: () => reading.then(() => stored),
    set: (text: string) => void (stored = text),
    remove: () => void (stored = null),
  };
  const { session, server, ArticleResource, issue } = setupTokenSession({ storage: { in: storage, tabs: false } });
  session.subscribe(() => {});
  await session.login({ name: 'ada' });
  // The login is stored a moment later.
  await settle();
  server.clear();
  const { accessToken, refreshToken } = issue('grace');
  const [user, id] = [{ id: 'grace' }, '999999999999999-grace'];
  stored = JSON.stringify({
    credential: { accessToken, refreshToken },
    id,
    revision: 0,
    user,
    subject: 'grace',
  });
  reading = new Promise(resolve => (open = resolve));
  page.leave();
  page.comeBack();
  expect(who(session)).toMatchObject({ status: 'restoring', user: undefined });
  const request = ArticleResource.get({ id: '1' });
  expect(await isPending(request)).toBe(true);
  expect(server.seen).toEqual([]);
  open();
  await expect(request).resolves.toMatchObject({ title: 'of grace' });
  expect(who(session)).toMatchObject({ status: 'authenticated', user: { id: 'grace' } });
});

// Nothing is done before the activation.
test.each(['comeBack'] as const)('a cookie session asks whoami again: %s', async how => {
  const setup = setupCookieSession({ tabs: false });
  const page = stubPage();
  setup.session.subscribe(() => {});
  await setup.session.refresh();
  await setup.session.login({ name: 'ada' });
  setup.jar.person = 'grace';
  setup.fake.clear();
  if (how === 'comeBack') page.leave();
  page[how]();
  expect(setup.status()).toBe('restoring');
  await expect(setup.ArticleResource.get({ id: '1' })).resolves.toMatchObject({ title: 'of grace' });
  expect(setup.fake.seen.map(({ path }) => path)).toEqual(['/whoami', '/article/1']);
  expect(who(setup.session)).toMatchObject({ status: 'authenticated', user: { id: 'grace' } });
});

test('a page from the back/forward cache starts over at its first event, which is `visibilitychange`, and once', async () => {
  const page = stubPage();
  const { session } = setupTokenSession();
  session.subscribe(() => {});
  for (let times = 0; times < 2; times++) {
    await session.login({ name: 'ada' });
    const { epoch } = who(session);
    page.leave();
    page.show('hidden');
    expect(who(session)).toMatchObject({ status: 'authenticated', epoch });
    page.show('visible');
    expect(who(session)).toMatchObject({ status: 'anonymous', epoch: epoch + 1 });
    page.comeBack();
    page.show('visible');
    expect(who(session)).toMatchObject({ status: 'anonymous', epoch: epoch + 1 });
  }
  // Other browsers may have another order.
  await session.login({ name: 'ada' });
  const { epoch } = who(session);
  page.leave();
  page.comeBack();
  expect(who(session)).toMatchObject({ status: 'anonymous', epoch: epoch + 1 });
  page.show('visible');
  expect(who(session)).toMatchObject({ status: 'anonymous', epoch: epoch + 1 });
});

test('a sign-out that the server has not confirmed is kept: no check brings the user back, and it can be sent again', async () => {
  const setup = setupCookieSession({ tabs: false });
  const page = stubPage();
  const { session, fake, jar } = setup;
  session.subscribe(() => {});
  await settle();
  await session.login({ name: 'ada' });
  const logout = fake.routes['POST /logout']!;
  fake.routes['POST /logout'] = () => json({}, 503);
  await errorOf(session.logout());
  fake.clear();
  page.leave();
  page.comeBack();
  page.focus();
  await settle();
  expect(fake.seen).toEqual([]);
  expect(who(session)).toMatchObject({ status: 'anonymous', reason: 'signed-out', unconfirmed: 'logout' });
  fake.routes['POST /logout'] = logout;
  await session.logout();
  expect(who(session).unconfirmed).toBeUndefined();
  page.leave();
  jar.person = 'grace';
  page.comeBack();
  await settle();
  expect(who(session)).toMatchObject({ status: 'authenticated', user: { id: 'grace' } });
});

test('a cookie session acts before the page’s own listeners: all of its own are in the capture phase', async () => {
  const { session } = setupCookieSession({ tabs: false });
  const page = stubPage();
  session.subscribe(() => {});
  expect(page.listening).toEqual(expect.arrayContaining(['pagehide', 'pageshow', 'visibilitychange', 'focus']));
  expect(page.phases).toEqual(page.listening.map(() => true));
});

test.each<[string, ContextCredential, number]>([
  ['the component above holds the token', { token: 't1', subject: 'ada' }, 0],
  ['the component above knows the user, and the SDK the token', { getToken: async () => 't1', subject: 'ada' }, 1],
])('a context session starts over from its source: %s', async (_name, credential, asked) => {
  const page = stubPage();
  const getToken = credential.getToken && vi.fn(credential.getToken);
  const server = mockServer({ '*': () => json({ id: '1' }) });
  const { session: engine } = createContextSession({}, { ...credential, ...(getToken && { getToken }) });
  const { get } = resource({
    urlPrefix: API,
    path: '/article/:id',
    schema: Article,
    Endpoint: authEndpoint(engine as never),
  });
  engine.subscribe(() => {});
  await vi.waitFor(() => expect(engine.getSnapshot().status).toBe('authenticated'));
  const generation = engine.getStoreGeneration();
  getToken?.mockClear();
  const request = errorOf(get({ id: '1' }));
  page.leave();
  page.comeBack();
  expect(engine.getStoreGeneration()).toBe(generation + 1);
  expect(await request).toBeInstanceOf(IdentityChangedError);
  await get({ id: '1' });
  expect(engine.getSnapshot()).toMatchObject({ status: 'authenticated', user: { subject: 'ada' } });
  expect(server.seen.map(tokenOf)).toEqual([expect.stringMatching(/^(t1|h\..+)$/)]);
  expect(getToken?.mock.calls.length ?? 0).toBeGreaterThanOrEqual(asked);
});

test('once the last subscriber is gone, no event of the page is acted on', async () => {
  const { session, jar, clock, whoamis } = setupCookieSession({ tabs: false });
  const page = stubPage();
  const stop = session.subscribe(() => {});
  await session.login({ name: 'ada' });
  const come = async () => {
    await clock.advance(60_000);
    const asked = whoamis();
    for (const event of [page.leave, page.comeBack, page.activate, page.focus, page.show]) event();
    await settle();
    return whoamis() - asked;
  };
  expect(await come()).toBeGreaterThan(0);
  stop();
  const before = session.getSnapshot();
  jar.person = 'grace';
  expect(await come()).toBe(0);
  expect(session.getSnapshot()).toBe(before);
});

// The browser may load a page that its user never opens: `/logout` behind a link, for example. Such a page does nothing yet.

const KEY = 'data-client-auth';
const ada = { name: 'ada' };

/** Makes the page of this test a prerendered one. Returns what its user does by opening it. */
function prerender(page: EventTarget) {
  Object.assign(page, { prerendering: true });
  return () => {
    Object.assign(page, { prerendering: false });
    page.dispatchEvent(new Event('prerenderingchange'));
  };
}

describe('scenario 46: a prerendered /logout', () => {
  test.each([true, false])(
    'tokens: after the activation one logout, with the tokens (mounted: %s)',
    async isMounted => {
      const { browser, server, openTwo, open } = setupTabs();
      const [first] = await openTwo();
      const stored = browser.stored(KEY);
      const page = new EventTarget();
      vi.stubGlobal('document', Object.assign(page, { visibilityState: 'hidden' }));
      const activate = prerender(page);
      const logoutPage = open();
      if (isMounted) logoutPage.mount();
      const logout = logoutPage.logout();
      await browser.pass(60_000);
      expect([server.seen, browser.messages, browser.stored(KEY)]).toEqual([[], [], stored]);
      expect([first.now().status, await isPending(logout)]).toEqual(['authenticated', true]);

      logoutPage.tab.run(activate);
      await browser.until(logout);
      await browser.pass(1_000);
      expect(server.to('/logout').map(tokenOf)).toEqual(['ada-1']);
      expect([first.now().status, logoutPage.now().status]).toEqual(['anonymous', 'anonymous']);
      expectNoTokenStored(browser.stored(KEY));
    },
  );

  test.each([true, false])('a cookie: after the activation one logout of its user (mounted: %s)', async isMounted => {
    const posted: unknown[] = [];
    vi.stubGlobal(
      'BroadcastChannel',
      class {
        postMessage = (message: unknown) => void posted.push(message);
        close = () => {};
      },
    );
    const { session, jar, fake, clock, status } = setupCookieSession({ server: false });
    vi.stubGlobal('window', globalThis);
    const activate = prerender(document);
    jar.person = 'ada';
    if (isMounted) session.subscribe(() => {});
    const logout = session.logout();
    await settle();
    await clock.advance(60_000);
    expect([fake.seen, posted, jar.person]).toEqual([[], [], 'ada']);
    expect(await isPending(logout)).toBe(true);

    activate();
    await logout;
    await settle();
    expect([fake.count('POST /logout'), jar.person, status()]).toEqual([1, undefined, 'anonymous']);
  });
});

let text: string | null = null;
const place = { get: () => text, set: (next: string) => void (text = next), remove: () => void (text = null) };

test.each([
  ['memory', 'memory' as const],
  ['its own', place],
])(
  'a request of a prerendered page is sent when its user opens it, however late (storage: %s)',
  async (_name, storage) => {
    const page = new EventTarget();
    vi.stubGlobal('document', Object.assign(page, { visibilityState: 'hidden' }));
    const activate = prerender(page);
    const { session, server, clock } = setupTokenSession({
      storage: { in: storage, tabs: false },
      trustedOrigins: [API],
    });
    const request = session.fetch(`${API}/article/1`);
    await settle();
    await clock.advance(60_000);
    expect([server.seen.length, await isPending(request)]).toEqual([0, true]);
    activate();
    expect((await request).status).toBe(401);
    expect(server.count('/article')).toBe(1);
    await session.login(ada);
  },
);
