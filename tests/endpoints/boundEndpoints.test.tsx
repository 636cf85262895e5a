import type { ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { bindSession } from '../../src/endpoints/boundSession.js';
import { SessionContext } from '../../src/endpoints/SessionContext.js';
import { sessionCore } from '../../src/endpoints/sessionCore.js';
import {
  createTokenSession,
  Entity,
  hookifyResource,
  IdentityChangedError,
  resource,
  useAuthInit,
  useEndpoint,
} from '../../src/index.js';

const urlPrefix = 'https://api.example.com';

class Article extends Entity {
  id = '';
  title = '';
}

const articles = resource({ urlPrefix, path: '/article/:id', schema: Article, paginationField: 'page' });
const open = resource({ urlPrefix, path: '/article/:id', schema: Article, public: true });
const Hooked = hookifyResource(articles);
const Tenant = hookifyResource(articles, () => ({ ...useAuthInit(), headers: { 'X-Tenant': 'a' } }));
const Open = hookifyResource(open);

interface Keyed {
  key(...args: unknown[]): string;
}

/** An endpoint, and the arguments of a call. */
type Captured = readonly [endpoint: unknown, ...args: unknown[]];

function call([endpoint, ...args]: Captured): Promise<unknown> {
  return (endpoint as (...args: unknown[]) => Promise<unknown>)(...args);
}

/** What a screen of now would capture. */
function useCaptured(): Record<string, Captured> {
  const getList = Hooked.useGetList();
  return {
    get: [Hooked.useGet(), { id: '1' }],
    getList: [getList],
    push: [getList.push, { title: 'Mine' }],
    unshift: [getList.unshift, { title: 'Mine' }],
    assign: [getList.assign, { title: 'Mine' }],
    getPage: [getList.getPage, { page: 2 }],
    'a change': [Hooked.usePartialUpdate(), { id: '1' }, { title: 'Mine' }],
    'a deletion': [Hooked.useDelete(), { id: '1' }],
    'an endpoint that extend() derives': [
      Hooked.useGet().extend({ dataExpiryLength: 5 }).extend({ path: '/draft/:id' }),
      { id: '1' },
    ],
    useEndpoint: [useEndpoint(articles.get), { id: '1' }],
    'push of useEndpoint': [useEndpoint(articles.getList).push, { title: 'Mine' }],
    'a useInit that spreads useAuthInit()': [Tenant.useGet(), { id: '1' }],
    'push of a useInit that spreads useAuthInit()': [Tenant.useGetList().push, { title: 'Mine' }],
    'a public endpoint': [Open.useGet(), { id: '1' }],
  };
}

let sent: string[];

beforeEach(() => {
  sent = [];
  vi.stubGlobal('fetch', async (url: string, { method = 'GET' }: RequestInit) => {
    sent.push(`${method} ${url.replace(urlPrefix, '')}`);
    return Response.json(method === 'GET' && !/\/\d$/.test(url) ? [] : { id: '1', title: 'A' });
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
});

function makeSession() {
  return createTokenSession({
    server: true,
    login: async (name: string) => ({ accessToken: `${name}-1`, user: { id: name } }),
    refresh: async () => ({ accessToken: 'ada-2', user: { id: 'ada' } }),
  });
}

type Session = ReturnType<typeof makeSession>;

/** What a hook returns at one render of a screen. */
function rendered<T>(hook: () => T, session: Session): T {
  let result: T | undefined;
  function Screen(): ReactNode {
    result = hook();
    return null;
  }
  renderToString(
    <SessionContext.Provider value={bindSession(sessionCore(session))}>
      <Screen />
    </SessionContext.Provider>,
  );
  return result as T;
}

const capture = (session: Session) => rendered(useCaptured, session);

/** Resolves with what has become of the calls before anything but promises has had its turn. */
async function outcomes(captured: ReturnType<typeof useCaptured>): Promise<Record<string, unknown>> {
  const became: Record<string, unknown> = Object.fromEntries(Object.keys(captured).map(name => [name, 'pending']));
  for (const [name, one] of Object.entries(captured)) {
    call(one).then(
      () => (became[name] = 'answered'),
      (error: unknown) => (became[name] = error),
    );
  }
  for (let turn = 0; turn < 50; turn++) await Promise.resolve();
  return became;
}

const MESSAGE =
  'This call belongs to the screen of an identity that has left, so nothing was sent. Call the endpoint or controller that the current screen renders.';

describe.each<[string, (session: Session) => unknown]>([
  ['a switch', session => session.login('grace')],
  ['a sign-out', session => session.logout()],
  ['a sign-out and a sign-in of the same user', async session => (await session.logout(), session.login('ada'))],
  ['an expiry', session => sessionCore(session).expire()],
  ['the end of the session', session => session.dispose()],
])('after %s', (_, leave) => {
  test('what a screen of Ada has captured rejects at once, and sends nothing', async () => {
    const session = makeSession();
    await session.login('ada');
    const captured = capture(session);
    await leave(session);
    const became = await outcomes(captured);
    for (const [name, error] of Object.entries(became)) {
      expect(error, name).toBeInstanceOf(IdentityChangedError);
      expect((error as Error).message, name).toBe(MESSAGE);
    }
    expect(sent).toEqual([]);
  });
});

test.each<[string, (session: Session) => unknown]>([
  ['a sign-in of a signed-out user', session => session.login('ada')],
  ['a refresh', async session => (await session.login('ada'), session.refresh())],
  ['another login of the same user', async session => (await session.login('ada'), session.login('ada'))],
])('%s leaves it as it is: the same endpoints, and they are sent', async (_, go) => {
  const session = makeSession();
  const captured = capture(session);
  await go(session);
  for (const [name, [endpoint]] of Object.entries(capture(session)))
    if (!name.includes('extend()')) expect(endpoint, name).toBe(captured[name]![0]);
  for (const one of Object.values(captured)) await call(one);
  expect(sent).toHaveLength(Object.keys(captured).length);
});

test('a bound endpoint has the key of the endpoint that it was made from, for each identity', async () => {
  const session = makeSession();
  await session.login('ada');
  const keyOf = (captured: ReturnType<typeof useCaptured>) => (captured.get![0] as Keyed).key({ id: '1' });
  const ofAda = keyOf(capture(session));
  await session.login('grace');
  expect([ofAda, keyOf(capture(session))]).toEqual([articles.get.key({ id: '1' }), articles.get.key({ id: '1' })]);
});

test('a caller that is told of the end by its abort signal finds the endpoints ended', async () => {
  const session = makeSession();
  await session.login('ada');
  const captured = capture(session);
  let late: Promise<unknown> | undefined;
  vi.stubGlobal(
    'fetch',
    (_url: string, { signal }: RequestInit) =>
      new Promise((_resolve, reject) => {
        signal!.addEventListener('abort', () => {
          late = call(captured.get!);
          late.catch(() => {});
          reject(signal!.reason as Error);
        });
      }),
  );
  const first = call(captured.get!);
  first.catch(() => {});
  await new Promise(resolve => setImmediate(resolve));
  await session.login('grace');
  await expect(first).rejects.toThrow('The identity changed while this request was under way');
  await expect(late).rejects.toThrow(MESSAGE);
});
