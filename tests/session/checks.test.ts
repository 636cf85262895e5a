import { expect, test, vi } from 'vitest';
import { authEndpoint, createSession, type Mechanism } from '../../src/entries/core.js';
import { setupCookieSession } from './support/setupCookieSession.js';
import { json } from './support/answers.js';
import { mockServer } from './support/mockServer.js';
import { userOf } from './support/people.js';
import { settle } from './support/manualClock.js';
import { API } from './support/article.js';
import { setupTokenSession } from './support/setupTokenSession.js';
import { pageGate } from './support/pageGate.js';

const ada = { name: 'ada' };

test('a token session that is mounted again checks for no existing session', async () => {
  const restore = vi.fn(async () => ({ accessToken: 'ada-1', user: { id: 'ada' } }));
  const { session } = setupTokenSession({ restore: restore }, { '*': () => json({ id: '1' }) });
  for (let mounted = 0; mounted < 3; mounted++) {
    const stop = session.subscribe(() => {});
    await settle();
    stop();
  }
  expect(session.getSnapshot().status).toBe('authenticated');
  expect(restore).toHaveBeenCalledTimes(1);
});

test('a cookie session that cannot check sends its requests all the same, mounted or not', async () => {
  const server = mockServer({ '*': () => json({ id: '1' }) });
  const session = createSession(
    {
      gate: pageGate(),
      login: async () => ({ credential: 'cookie', subject: 'ada' }),
      attach: ({ init }) => init,
    },
    { server: true },
  );
  const stop = session.subscribe(() => {});
  await session.login();
  stop();
  await (new (authEndpoint(session))({ urlPrefix: API, path: '/article' }) as unknown as () => Promise<unknown>)();
  expect(server.seen).toHaveLength(1);
  expect(session.getSnapshot().status).toBe('authenticated');
});

test('a check that finds the same user with other data shows the new data, in the same epoch', async () => {
  const { session, fake, clock, focus } = setupCookieSession({ tabs: false });
  session.subscribe(() => {});
  await settle();
  await session.login(ada);
  const { epoch, user } = session.getSnapshot();
  for (const answer of [userOf('ada'), { ...userOf('ada'), team: 'compilers' }]) {
    fake.routes['GET /whoami'] = () => json(answer);
    await clock.advance(60_000);
    focus();
    await settle();
    expect(session.getSnapshot()).toMatchObject({ epoch, user: answer });
    if (!('team' in answer)) expect(session.getSnapshot().user).toBe(user);
  }
});

interface Person {
  id: string;
}

/** A session whose credential the browser keeps, without a server of its own. */
function ownSession(more: Partial<Mechanism<string, Person>> = {}) {
  const session = createSession(
    {
      gate: pageGate(),
      login: async () => person('ada'),
      attach: ({ init }, credential) => ({ ...init, headers: { 'X-Credential': credential ?? '' } }),
      ...more,
    },
    { server: true },
  );
  const statuses: string[] = [];
  const mount = () => session.subscribe(() => void statuses.push(session.getSnapshot().status));
  const get = new (authEndpoint(session))({ urlPrefix: API, path: '/article' }) as unknown as () => Promise<unknown>;
  return { session, statuses, mount, get };
}

const person = (id: string, credential = `${id}-1`) => ({ credential, subject: id, user: { id } });

test('a check that finds the same user with a newer credential sends that one, and shows the same user object', async () => {
  const server = mockServer({ '*': () => json({}) });
  const { session, mount, get } = ownSession({ restore: async () => person('ada', 'ada-2') });
  await session.login();
  const { user } = session.getSnapshot();
  mount()();
  await get();
  expect(server.seen.map(({ headers }) => headers.get('x-credential'))).toEqual(['ada-2']);
  expect(session.getSnapshot().user).toBe(user);
});
