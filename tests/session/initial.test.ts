import { afterEach, expect, test, vi } from 'vitest';
import { createCookieSession, IdentityChangedError } from '../../src/entries/core.js';
import { InvalidCredentialError } from '../../src/errors.js';
import { startCookieSession } from '../../src/mechanisms/cookie.js';
import { sessionCore } from '../../src/endpoints/sessionCore.js';
import { settle } from './support/manualClock.js';
import { errorOf } from './support/promises.js';
import { setupCookieSession } from './support/setupCookieSession.js';

type Options = NonNullable<Parameters<typeof setupCookieSession>[0]>;

/** A page whose browser has a person's cookie, with a session that was told who it is. */
function setupPage(
  person: string | undefined,
  options: Options = {},
  routes?: Parameters<typeof setupCookieSession>[1],
) {
  const setup = setupCookieSession({ tabs: false, ...options }, routes);
  setup.jar.person = person;
  setup.fake.clear();
  return setup;
}

const paths = ({ fake }: ReturnType<typeof setupCookieSession>) => fake.seen.map(({ path }) => path);
const status = (session: { getSnapshot(): { status: string; reason?: string | undefined } }) => {
  const { status, reason } = session.getSnapshot();
  return [status, reason].filter(Boolean).join(' ');
};

test('a cold start costs one request where the server has told the user, and two where it has not', async () => {
  const told = setupPage('ada', { initial: { id: 'ada' } });
  expect(told.session.getSnapshot()).toMatchObject({ status: 'authenticated', user: { id: 'ada' }, epoch: 0 });
  told.session.subscribe(() => {});
  await told.ArticleResource.get({ id: '1' });
  await settle();
  expect(paths(told)).toEqual(['/article/1']);
  expect(told.as.map(({ person }) => person)).toEqual(['ada']);

  const untold = setupPage('ada');
  untold.session.subscribe(() => {});
  await untold.ArticleResource.get({ id: '1' });
  expect(paths(untold)).toEqual(['/whoami', '/article/1']);
});

test('null says that no user is signed in: no check, and the first snapshot shows the sign-in', async () => {
  const page = setupPage(undefined, { initial: null });
  expect(page.session.getSnapshot()).toMatchObject({ status: 'anonymous', reason: undefined, unconfirmed: undefined });
  page.session.subscribe(() => {});
  await page.session.ready();
  await settle();
  expect(paths(page)).toEqual([]);
  await page.session.login({ name: 'ada' });
  expect(status(page.session)).toBe('authenticated');
});

test('what a server renders, and a page until it is hydrated, is the user that was told', () => {
  const { session } = setupPage('ada', { initial: { id: 'ada' } });
  expect(sessionCore(session).getServerSnapshot()).toMatchObject({ status: 'authenticated', user: { id: 'ada' } });
  const later = setupPage('ada').session;
  startCookieSession(later, { id: 'ada' });
  expect(sessionCore(later).getServerSnapshot()).toMatchObject({ status: 'authenticated', user: { id: 'ada' } });
});

test('the user is read from the shape of whoami, with `getSubject`', () => {
  const { session } = setupPage('ada', { initial: { id: 'ada' }, getSubject: ({ id }) => `tenant/${id}` });
  expect(sessionCore(session).getSubject()).toBe('tenant/ada');
  const wrapped = setupPage('ada', { initial: { user: { id: 'ada' } } as never });
  expect(wrapped.session.getSnapshot().user).toEqual({ id: 'ada' });
});

test('a cookie of another user, and answers that name theirs: not one is delivered to the first user', async () => {
  const page = setupPage(
    'grace',
    { initial: { id: 'ada' }, verifyResponse: ({ headers }) => headers.get('x-user') ?? undefined },
    { '/article/1': () => Response.json({ id: '1', title: 'of grace' }, { headers: { 'x-user': 'grace' } }) },
  );
  page.session.subscribe(() => {});
  expect(await errorOf(page.ArticleResource.get({ id: '1' }))).toBeInstanceOf(IdentityChangedError);
  await settle();
  expect(page.session.getSnapshot().user).toMatchObject({ id: 'grace' });
  expect(await page.ArticleResource.get({ id: '1' })).toMatchObject({ title: 'of grace' });
  expect(paths(page)).toEqual(['/article/1', '/whoami', '/article/1']);
});

afterEach(() => void vi.restoreAllMocks());

test('a session that starts over asks whoami: what the server knew is used once', async () => {
  const page = setupPage('grace', { initial: { id: 'ada' } });
  page.session.dispose();
  expect(status(page.session)).toBe('restoring');
  startCookieSession(page.session, { id: 'ada' });
  expect(status(page.session)).toBe('restoring');
  await page.session.ready();
  expect(page.session.getSnapshot().user).toMatchObject({ id: 'grace' });
});

test('a check under way knows better than a provider that mounts later', async () => {
  const page = setupPage('grace');
  const ready = page.session.ready();
  startCookieSession(page.session, { id: 'ada' });
  expect(status(page.session)).toBe('restoring');
  await ready;
  startCookieSession(page.session, { id: 'ada' });
  expect(page.session.getSnapshot().user).toMatchObject({ id: 'grace' });
});

test('on a server, a user is never given to a session of a module', () => {
  const options = { login: async () => ({}), whoami: async () => null as { id: string } | null };
  const shared = createCookieSession(options);
  const sentence = /was not made for a server/;
  expect(() => createCookieSession({ ...options, initial: { id: 'ada' } })).toThrow(sentence);
  expect(() => startCookieSession(shared, { id: 'ada' })).toThrow(sentence);
  expect(status(shared)).toBe('restoring');
  expect(status(createCookieSession({ ...options, initial: null }))).toBe('anonymous');
  expect(status(createCookieSession({ ...options, initial: { id: 'ada' }, server: true }))).toBe('authenticated');
});

test('a user without a name is refused with the remedy, and so is a session without a cookie', () => {
  const make = () => setupPage('ada', { initial: { name: 'Ada' } as never });
  expect(make).toThrow(InvalidCredentialError);
  expect(make).toThrow('`initial` does not name its user. Give it the result of whoami()');
  expect(() => startCookieSession({}, { id: 'ada' })).toThrow(
    '`initial` is for a session of createCookieSession() only. Leave it out',
  );
});

test('a CSRF token of the page goes with the first write, as after a whoami', async () => {
  const page = setupPage('ada', {
    initial: { id: 'ada' },
    csrf: { cookie: 'csrftoken', header: 'X-CSRFToken' },
  });
  await page.ArticleResource.partialUpdate({ id: '1' }, { title: 'New' });
  expect(page.fake.seen.map(({ method, headers }) => [method, headers.get('x-csrftoken')])).toEqual([
    ['PATCH', page.jar.csrf],
  ]);
});
