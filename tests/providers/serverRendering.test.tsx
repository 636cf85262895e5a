import { text } from 'node:stream/consumers';
import { PassThrough } from 'node:stream';
import type { ComponentType, ReactNode } from 'react';
import { renderToPipeableStream, renderToString } from 'react-dom/server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  Authenticated,
  ContextTokenProvider,
  CookieAuthProvider,
  createCookieSession,
  createTokenSession,
  Entity,
  hookifyResource,
  resource,
  TokenAuthProvider,
  useAuth,
  type Session,
} from '../../src/index.js';
import { Can, permissions } from '../../src/entries/permissions.js';
import { ResourceList } from '../../src/entries/widgets.js';
import { json } from '../session/support/answers.js';
import { mockServer } from '../session/support/mockServer.js';
import { createGate } from '../../src/testing/createGate.js';

class Article extends Entity {
  id = '';
  title = '';
}

/** One for all renders, as a module of an app has it. */
const ArticleResource = hookifyResource(
  resource({ urlPrefix: 'https://api.example.com', path: '/article/:id', schema: Article }),
);

type Get = (params: { id: string }) => Promise<Article>;

/** What one render has asked for so far: a component that suspends is rendered again, and must find its promise. */
class Answers {
  readonly #promises = new Map<string, Promise<void>>();
  readonly #titles = new Map<string, string>();

  read(get: Get, id: string): string {
    const title = this.#titles.get(id);
    if (title !== undefined) return title;
    const promise = this.#promises.get(id) ?? get({ id }).then(article => void this.#titles.set(id, article.title));
    this.#promises.set(id, promise);
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- the way in which React 18 is told to wait
    throw promise;
  }
}

/** Suspends twice, on one request after the other. */
function Two({ person, answers }: { person: string; answers: Answers }) {
  const get = ArticleResource.useGet() as unknown as Get;
  const titles = [answers.read(get, `${person}-1`), answers.read(get, `${person}-2`)];
  return <p>{titles.join(' and ')}</p>;
}

// data-client advises against its CacheProvider on servers, and React against its defaultProps.
beforeEach(() => {
  const silenced = (['warn', 'error'] as const).map(level => vi.spyOn(console, level).mockImplementation(() => {}));
  return () => silenced.forEach(spy => spy.mockRestore());
});

function stream(element: ReactNode): Promise<string> {
  const output = new PassThrough();
  const { pipe } = renderToPipeableStream(element, { onAllReady: () => pipe(output) });
  return text(output);
}

const PROVIDERS: Record<string, (person: string) => Promise<ComponentType<{ children: ReactNode }>>> = {
  ContextTokenProvider: async person =>
    function Context({ children }) {
      return (
        <ContextTokenProvider subject={person} token={`${person}-token`}>
          {children}
        </ContextTokenProvider>
      );
    },
  TokenAuthProvider: async person => {
    const session = createTokenSession({
      server: true,
      login: async () => ({ accessToken: `${person}-token`, user: { id: person } }),
    });
    await session.login();
    return function Token({ children }) {
      return <TokenAuthProvider session={session}>{children}</TokenAuthProvider>;
    };
  },
};

test.each(Object.keys(PROVIDERS))(
  'two renders that take turns send each their own token: %s (scenario 17)',
  async name => {
    const gates = new Map(['ada-1', 'grace-1', 'ada-2', 'grace-2'].map(id => [id, createGate()]));
    const releases = new Map([...gates].map(([id, gate]) => [id, gate.hold()]));
    const idOf = (path: string) => path.split('/').at(-1) as string;
    const server = mockServer({
      '*': async ({ path }) => {
        await gates.get(idOf(path))?.pass();
        return json({ id: idOf(path), title: `On ${idOf(path)}` });
      },
    });
    const pages: Promise<string>[] = [];
    for (const person of ['ada', 'grace']) {
      const Provider = await PROVIDERS[name]!(person);
      pages.push(
        stream(
          <Provider>
            <Two person={person} answers={new Answers()} />
          </Provider>,
        ),
      );
    }
    const seen = (ids: string[]) => vi.waitFor(() => expect(server.seen.map(({ path }) => idOf(path))).toEqual(ids));
    // Each render goes on while the other one waits.
    await seen(['ada-1', 'grace-1']);
    releases.get('ada-1')?.();
    await seen(['ada-1', 'grace-1', 'ada-2']);
    releases.get('grace-1')?.();
    await seen(['ada-1', 'grace-1', 'ada-2', 'grace-2']);
    for (const release of releases.values()) release();
    expect(await Promise.all(pages)).toEqual(
      ['<p>On ada-1 and On ada-2</p>', '<p>On grace-1 and On grace-2</p>'].map(
        html => expect.stringContaining(html) as unknown,
      ),
    );
    expect(server.seen.map(({ path, headers }) => `${idOf(path)}: ${headers.get('access-token')}`)).toEqual([
      'ada-1: ada-token',
      'grace-1: grace-token',
      'ada-2: ada-token',
      'grace-2: grace-token',
    ]);
  },
);

interface User {
  id: string;
}

const cookieOptions = { login: async () => ({}), whoami: async () => null as User | null };

/** How a server tells a cookie session whom it knows. */
const TOLD: Record<string, (user: User | null) => ReactNode> = {
  'by the option': user => (
    <CookieAuthProvider session={createCookieSession({ ...cookieOptions, server: true, initial: user })}>
      <AuthStatus />
    </CookieAuthProvider>
  ),
  'by the prop': user => (
    <CookieAuthProvider session={createCookieSession({ ...cookieOptions, server: true })} initial={user}>
      <AuthStatus />
    </CookieAuthProvider>
  ),
};

function AuthStatus() {
  const { status, user } = useAuth<Session<User>>();
  return (
    <Authenticated fallback={<p>The gate</p>} loading={<p>One moment…</p>}>
      <p>{`${status} ${user?.id}`}</p>
    </Authenticated>
  );
}

test.each(Object.entries(TOLD))('a server renders the user that it knows, %s, and asks no whoami', (_how, page) => {
  const server = mockServer({ '*': () => json({ id: 'grace' }) });
  expect(renderToString(page({ id: 'ada' }))).toContain('<p>authenticated ada</p>');
  expect(renderToString(page(null))).toContain('<p>The gate</p>');
  expect(server.seen).toEqual([]);
});

test('a server refuses to render a user into a session of a module (scenario 37)', () => {
  const shared = createCookieSession(cookieOptions);
  const render = () =>
    renderToString(
      <CookieAuthProvider session={shared} initial={{ id: 'ada' }}>
        <AuthStatus />
      </CookieAuthProvider>,
    );
  expect(render).toThrow('Make one session per request, inside the request handler, with the option `server: true`.');
  expect(shared.getSnapshot().status).toBe('restoring');
});

/**
 * What a page has and a server may not rely on. `window` and `document` are not here: where they are missing, any
 * touch but `typeof` throws.
 */
const ONLY_IN_PAGES = ['localStorage', 'sessionStorage', 'BroadcastChannel', 'addEventListener'];
const before = new Map(
  ['navigator', ...ONLY_IN_PAGES].map(name => [name, Object.getOwnPropertyDescriptor(globalThis, name)]),
);

afterEach(() => {
  for (const [name, descriptor] of before) {
    if (descriptor) Object.defineProperty(globalThis, name, descriptor);
    else Reflect.deleteProperty(globalThis, name);
  }
});

/** Replaces them by getters that note who comes by, and throw. */
function setTraps(): string[] {
  const touched: string[] = [];
  const trap = (target: object, name: string) =>
    Object.defineProperty(target, name, {
      configurable: true,
      get() {
        touched.push(name);
        throw new Error(`${name} was touched on the server.`);
      },
    });
  for (const name of ONLY_IN_PAGES) trap(globalThis, name);
  Object.defineProperty(globalThis, 'navigator', { configurable: true, value: trap({}, 'locks') });
  return touched;
}

test('neither the import, nor making a session, nor a render touches the page’s window, storage, channels or locks', async () => {
  const server = mockServer({ '*': () => json([]) });
  const touched = setTraps();
  expect([typeof window, typeof document]).toEqual(['undefined', 'undefined']);
  vi.resetModules();
  const kit = await import('../../src/index.js');
  const { LoginForm, ResourceList } = await import('../../src/entries/widgets.js');
  const never = () => new Promise<never>(() => {});
  const stored = kit.createTokenSession({
    login: never,
    refresh: never,
    logout: never,
    restore: never,
    storage: 'local',
  });
  const own = kit.createTokenSession({ login: never, storage: { get: () => null, set: () => {}, remove: () => {} } });
  const perTab = kit.createTokenSession({ login: never, storage: 'session' });
  const cookie = kit.createCookieSession({ login: never, logout: never, whoami: never, csrf: { cookie: 'csrftoken' } });
  const Articles = kit.hookifyResource(
    kit.resource({ urlPrefix: 'https://api.example.com', path: '/article/:id', schema: Article }),
  );
  function Screen() {
    const { status } = kit.useAuth();
    return (
      <>
        <p>{status}</p>
        <kit.Authenticated fallback={<LoginForm />} loading={<p>One moment…</p>}>
          <ResourceList resource={Articles as never} renderItem={() => null} />
        </kit.Authenticated>
      </>
    );
  }
  const pages = [
    ...[stored, own, perTab].map(session => (
      <kit.TokenAuthProvider session={session}>
        <Screen />
      </kit.TokenAuthProvider>
    )),
    <kit.CookieAuthProvider session={cookie}>
      <Screen />
    </kit.CookieAuthProvider>,
    <kit.ContextTokenProvider subject="ada" token="ada-token">
      <Screen />
    </kit.ContextTokenProvider>,
    <kit.ContextTokenProvider token={null}>
      <Screen />
    </kit.ContextTokenProvider>,
  ].map(element => renderToString(element));
  expect(pages.map(html => /<p>(\w+)<\/p>/.exec(html)?.[1])).toEqual([
    'restoring',
    'restoring',
    'restoring',
    'restoring',
    'authenticated',
    'anonymous',
  ]);
  for (const session of [stored, own, perTab, cookie]) session.dispose();
  expect(touched).toEqual([]);
  expect(server.seen).toEqual([]);
});

test('what is fetched renders its loading state, and sends nothing from the server', () => {
  const server = mockServer({ '*': () => json([]) });
  const html = renderToString(
    <ContextTokenProvider subject="ada" token="ada-token">
      <Authenticated fallback={<p>Nobody</p>}>
        <ResourceList resource={ArticleResource} renderItem={article => article.title} loading={<p>One moment…</p>} />
      </Authenticated>
    </ContextTokenProvider>,
  );
  expect(html).toContain('One moment…');
  expect(server.seen).toEqual([]);
});

test('`<Can>` and `useAuth` show the same user to a page that is hydrated', async () => {
  const session = createTokenSession({
    login: async (user: { role: string }) => ({ accessToken: 'ada-1', user }),
    restore: async () => null,
    server: true,
  });
  await session.login({ role: 'editor' });
  const can = permissions<{ role: string }>({ fromUser: (_, user) => user?.role === 'editor' });
  const Status = () => <p>{useAuth<typeof session>().status}</p>;
  const rendered = renderToString(
    <TokenAuthProvider session={session} can={can}>
      <Status />
      <Can action="publish">publish</Can>
    </TokenAuthProvider>,
  );
  expect(rendered).toContain('restoring');
  expect(rendered).not.toContain('publish');
});
