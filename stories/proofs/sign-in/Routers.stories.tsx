import type { Meta, StoryObj } from '@storybook/react-vite';
import { useEffect, useState, useSyncExternalStore, type ComponentType, type ReactNode } from 'react';
import {
  BrowserRouter,
  createBrowserRouter,
  Link,
  Navigate,
  Outlet,
  RouterProvider,
  useLocation,
  useNavigate,
  useRoutes,
  type RouteObject,
} from 'react-router';
import { expect, userEvent, waitFor, within } from 'storybook/test';
import type { RequestJournal } from '../../../src/testing/index.js';
import { csrf, setupCookieApp } from '../../support/setupCookieApp.js';
import { setupTokenApp } from '../../support/setupTokenApp.js';
import type { StoryStart } from '../../support/StoryStart.js';
import { requestsOnly } from '../../support/requestsOnly.js';
import { inCases } from '../../support/inCases.js';
import { Authenticated, SessionExpiredError, useAuth } from '../../../src/index.js';
import { LoginForm } from '../../../src/entries/widgets.js';
import { ada, grace } from '../../support/articles.js';
import { ArticlesDemo, AuthStatus, type ArticleHooks } from '../../support/ArticlesDemo.js';
import { createCounter, RenderCounter } from '../../support/RenderCounter.js';
import { RequestLog } from '../../support/RequestLog.js';

/** How often the tree below the provider was mounted. */
const mounts = createCounter();
/** How often the loader of a page ran; only data routers call them. */
const loads = createCounter();

/** Calls the listener on every change of the address. Browsers without `navigation` report only some of them. */
function subscribeToAddress(listener: () => void) {
  const { navigation } = window as { navigation?: EventTarget };
  navigation?.addEventListener('currententrychange', listener);
  return () => navigation?.removeEventListener('currententrychange', listener);
}

/** The path in the address of the browser. */
function AddressLine() {
  const address = useSyncExternalStore(subscribeToAddress, () => location.pathname);
  return <p>{`Address: ${address}`}</p>;
}

/** Above everything else: the address, the counts, and the requests. */
function RouterFrame({ journal, children }: { journal: RequestJournal; children: ReactNode }) {
  return (
    <>
      <RequestLog journal={journal} />
      <AddressLine />
      <RenderCounter label="Mounted below the provider" counter={mounts} />
      <RenderCounter label="Loaded by the router" counter={loads} />
      <hr />
      {children}
    </>
  );
}

/** Goes to an address when the act is done, with the `navigate` of the render in which the act started. */
function useGoAfter() {
  const navigate = useNavigate();
  return async (act: Promise<unknown>, to: string) => {
    await act;
    await navigate(to);
  };
}

/** The parts of every page: the signed-in user, the router's address, the sign-in buttons, and a text field. */
function Layout() {
  const { login, logout } = useAuth();
  const { pathname } = useLocation();
  const goAfter = useGoAfter();
  useEffect(() => mounts.add(), []);
  return (
    <>
      <AuthStatus />
      <p>{`Page: ${pathname}`}</p>
      <nav>
        <Link to="/home">Home</Link> <Link to="/notes">Notes</Link> <Link to="/report">Report</Link>
      </nav>
      {[ada, grace].map(({ id, name, password }) => (
        <button key={id} type="button" onClick={() => void goAfter(login({ username: id, password }), '/home')}>
          Sign in as {name}
        </button>
      ))}
      <button type="button" onClick={() => void goAfter(logout(), '/bye')}>
        Sign out
      </button>
      <label>
        Search <input />
      </label>
      <Outlet />
    </>
  );
}

function Notes() {
  const { user } = useAuth();
  return <h2>{`Notes of ${(user as { name: string }).name}`}</h2>;
}

/** Redirects a signed-out user to the login page, and passes the address along. */
function Report() {
  const { status } = useAuth();
  const from = useLocation();
  if (status === 'restoring') return null;
  return status === 'anonymous' ? <Navigate to="/login" state={{ from: from.pathname }} replace /> : <h2>Report</h2>;
}

function Login() {
  const navigate = useNavigate();
  const { from = '/home' } = (useLocation().state ?? {}) as { from?: string };
  return <LoginForm onSuccess={() => void navigate(from, { replace: true })} />;
}

/** Writes an article; an expiry on the way leads to the login page. */
function Write({ articles }: { articles: ArticleHooks }) {
  const navigate = useNavigate();
  const create = articles.useGetList().push;
  const write = async () => {
    try {
      await create({ title: 'On writing' });
    } catch (error) {
      if (error instanceof SessionExpiredError) await navigate('/login');
    }
  };
  return (
    <button type="button" onClick={() => void write()}>
      Write
    </button>
  );
}

/** The pages, for `useRoutes` and for data routers. `/notes` has a gate of its own, and `/report` redirects to `/login`. */
function pages(articles: ArticleHooks): RouteObject[] {
  const loader = () => {
    loads.add();
    return null;
  };
  return [
    { index: true, element: <h2>Front page</h2> },
    {
      path: 'home',
      element: (
        <>
          <h2>Home</h2>
          <Authenticated fallback={<p>Nobody is at home.</p>}>
            <ArticlesDemo articles={articles} />
          </Authenticated>
        </>
      ),
    },
    {
      path: 'notes',
      element: (
        <Authenticated fallback={<LoginForm />}>
          <Notes />
          <Write articles={articles} />
        </Authenticated>
      ),
    },
    { path: 'report', element: <Report /> },
    { path: 'login', element: <Login /> },
    { path: 'bye', element: <h2>Goodbye</h2> },
  ].map(page => ({ ...page, loader }));
}

/** The provider as the element of the route above all pages. */
function inProvider(Provider: ComponentType<{ children: ReactNode }>, articles: ArticleHooks): RouteObject[] {
  const element = (
    <Provider>
      <Layout />
    </Provider>
  );
  return [{ path: '/', element, children: pages(articles) }];
}

const app = setupTokenApp();
const { sent } = app;
const cookies = setupCookieApp();

/** The pages are beside the frame's own address, so that relative addresses work from each of them. */
const BASE = new URL('.', location.href).pathname.slice(0, -1);

/** The frame's own address, while a story shows a page of the app. */
let frame: string | undefined;

/** A story's `beforeEach`: opens a page of the app, and returns to the frame's address afterwards. */
const startAt =
  (page: string): StoryStart =>
  () => {
    frame ??= location.href;
    mounts.reset();
    loads.reset();
    history.replaceState(null, '', BASE + page);
    return () => {
      if (frame !== undefined) history.replaceState(null, '', frame);
      frame = undefined;
    };
  };

interface PlaceProps {
  journal: RequestJournal;
}

function Pages({ routes }: { routes: RouteObject[] }) {
  return useRoutes(routes);
}

const allPages = inProvider(app.Provider, app.Articles);
const pagesAlone: RouteObject[] = [{ path: '/', element: <Layout />, children: pages(app.Articles) }];
const pagesWithCookie: RouteObject[] = [{ path: '/', element: <Layout />, children: pages(cookies.Articles) }];

function RouterAbove({ journal }: PlaceProps) {
  return (
    <RouterFrame journal={journal}>
      <BrowserRouter basename={BASE || '/'}>
        <Pages routes={allPages} />
      </BrowserRouter>
    </RouterFrame>
  );
}

function RouterBelow({ journal }: PlaceProps) {
  return (
    <RouterFrame journal={journal}>
      <app.Provider>
        <BrowserRouter basename={BASE || '/'}>
          <Pages routes={pagesAlone} />
        </BrowserRouter>
      </app.Provider>
    </RouterFrame>
  );
}

function RouterBelowCookie({ journal }: PlaceProps) {
  return (
    <RouterFrame journal={journal}>
      <cookies.Provider>
        <BrowserRouter basename={BASE || '/'}>
          <Pages routes={pagesWithCookie} />
        </BrowserRouter>
      </cookies.Provider>
    </RouterFrame>
  );
}

/** An app creates its data router once, outside React; a story creates one for each visit. */
function useDataRouter(routes: RouteObject[]) {
  const [router] = useState(() => createBrowserRouter(routes, { basename: BASE || '/' }));
  useEffect(() => () => router.dispose(), [router]);
  return router;
}

function DataRouterAbove({ journal }: PlaceProps) {
  return (
    <RouterFrame journal={journal}>
      <RouterProvider router={useDataRouter(allPages)} />
    </RouterFrame>
  );
}

function DataRouterBelow({ journal }: PlaceProps) {
  return (
    <RouterFrame journal={journal}>
      <app.Provider>
        <RouterProvider router={useDataRouter(pagesAlone)} />
      </app.Provider>
    </RouterFrame>
  );
}

/**
 * React Router above the provider, below it, and as a data router: a `navigate` after a login or logout ends on its page, the back
 * button shows nobody's screen to anybody else, and a deep link survives a sign-in. The address stands above the page.
 */
const meta = {
  title: 'Proofs/Sign-in',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly },
  beforeEach: [app.start(), startAt('/')],
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;
type Play = NonNullable<Story['play']>;
type Canvas = Parameters<Play>[0]['canvas'];

const press = (canvas: Canvas, name: string) => userEvent.click(canvas.getByRole('button', { name }));

/** Waits until the address, the router and the rendered page agree. */
async function reaches(canvas: Canvas, page: string, heading: string) {
  await canvas.findByRole('heading', { name: heading });
  await canvas.findByText(`Page: ${page}`);
  await waitFor(() => expect(location.pathname).toBe(BASE + page));
  await canvas.findByText(`Address: ${BASE}${page}`);
}

async function signsInByForm(canvas: Canvas) {
  const form = within(await canvas.findByRole('form', { name: 'Sign in' }));
  await userEvent.type(form.getByLabelText('User name'), 'ada');
  await userEvent.type(form.getByLabelText('Password'), 'lovelace');
  await userEvent.click(form.getByRole('button', { name: 'Sign in' }));
}

/** The visit of every router: sign in, sign out, back; sign in again, another user, back. Only data routers load. */
const visit =
  (loaded: { out: number; end: number }): Play =>
  async ({ canvas, canvasElement, step, journal }) => {
    await step('a signed-out user is at the front page', () => reaches(canvas, '/', 'Front page'));
    await step('she signs in and goes to her home page, without a new mount', async () => {
      await press(canvas, 'Sign in as Ada Lovelace');
      await reaches(canvas, '/home', 'Home');
      await canvas.findByText('On signing in');
      await canvas.findByText('Mounted below the provider: 1');
    });
    const entries = history.length;
    await step('she signs out and goes to the goodbye page', async () => {
      await press(canvas, 'Sign out');
      await reaches(canvas, '/bye', 'Goodbye');
      await canvas.findByText('anonymous: signed-out');
      await canvas.findByText(`Loaded by the router: ${loaded.out}`);
      await expect(history.length).toBe(entries + 1);
    });
    await step('the back button shows none of her data', async () => {
      history.back();
      await reaches(canvas, '/home', 'Home');
      await canvas.findByText('Nobody is at home.');
      await expect(canvas.queryByText('On signing in')).not.toBeInTheDocument();
    });
    await step('she signs in again, and reads her notes', async () => {
      await press(canvas, 'Sign in as Ada Lovelace');
      await canvas.findByText('On signing in');
      await userEvent.click(canvas.getByRole('link', { name: 'Notes' }));
      await reaches(canvas, '/notes', 'Notes of Ada Lovelace');
    });
    const texts: string[] = [];
    const observer = new MutationObserver(() => texts.push(canvasElement.textContent));
    observer.observe(canvasElement, { subtree: true, childList: true, characterData: true });
    await step('Grace signs in, and goes to her home page', async () => {
      await press(canvas, 'Sign in as Grace Hopper');
      await reaches(canvas, '/home', 'Home');
      await canvas.findByText('A compiler for everyone');
    });
    await step('the back button shows Grace her own notes, and never Ada’s (scenario 19)', async () => {
      history.back();
      await reaches(canvas, '/notes', 'Notes of Grace Hopper');
      observer.disconnect();
      const since = texts.slice(
        texts.findIndex(text => text.includes('Notes of Grace Hopper') || text.includes('A compiler for everyone')),
      );
      await expect(since.filter(text => /Notes of Ada|On signing in/.test(text))).toEqual([]);
    });
    await step('nothing is mounted or sent twice', async () => {
      await canvas.findByText('Mounted below the provider: 3');
      await canvas.findByText(`Loaded by the router: ${loaded.end}`);
      await expect(journal).toHaveSent([
        sent.post('/login').json({ username: 'ada', password: 'lovelace' }),
        sent.get('/article').as('ada'),
        sent.post('/logout').as('ada'),
        sent.post('/login').json({ username: 'ada', password: 'lovelace' }),
        sent.get('/article').as('ada', 2),
        sent.post('/login').json({ username: 'grace', password: 'hopper' }),
        sent.get('/article').as('grace'),
      ]);
    });
  };

const routerAboveTheProvider: Story = {
  render: (_, { journal }) => <RouterAbove journal={journal} />,
  play: visit({ out: 0, end: 0 }),
};

const routerBelowTheProvider: Story = {
  render: (_, { journal }) => <RouterBelow journal={journal} />,
  play: visit({ out: 0, end: 0 }),
};

const dataRouterAboveTheProvider: Story = {
  render: (_, { journal }) => <DataRouterAbove journal={journal} />,
  play: visit({ out: 4, end: 10 }),
};

const dataRouterBelowTheProvider: Story = {
  render: (_, { journal }) => <DataRouterBelow journal={journal} />,
  play: visit({ out: 4, end: 10 }),
};

/** Each router reaches the target pages of a visit, and shows no user the screens of another, also after the back button. */
export const SignsInAndOutUnderARouter: Story = inCases({
  '`BrowserRouter` around the provider stays mounted through every change of identity': routerAboveTheProvider,
  '`BrowserRouter` inside the provider is mounted again when an identity is left': routerBelowTheProvider,
  'a data router with the provider in its root route loads each page once for each visit, and once more after a `navigate` that follows a sign-out or a switch':
    dataRouterAboveTheProvider,
  'a data router whose `RouterProvider` is inside the provider, and which lives outside React':
    dataRouterBelowTheProvider,
});

/** A link to a page with its own gate, then a link to a page that redirects to `/login`: each sign-in ends on the page of the link. */
const deepLinks: Play = async ({ canvas, step, journal }) => {
  await step('a signed-out user opens a link to the notes, and sees the form there', async () => {
    await canvas.findByRole('form', { name: 'Sign in' });
  });
  await step('she signs in, and sees the notes', async () => {
    await signsInByForm(canvas);
    await reaches(canvas, '/notes', 'Notes of Ada Lovelace');
    await canvas.findByText('Mounted below the provider: 1');
  });
  await step('she signs out, and opens the report: the login page is shown', async () => {
    await press(canvas, 'Sign out');
    await reaches(canvas, '/bye', 'Goodbye');
    await userEvent.click(canvas.getByRole('link', { name: 'Report' }));
    await canvas.findByText('Page: /login');
  });
  await step('she signs in, and sees the report', async () => {
    await signsInByForm(canvas);
    await reaches(canvas, '/report', 'Report');
    await canvas.findByText('Mounted below the provider: 2');
  });
  await step('she signs out of the report, and goes to the goodbye page, not to the login page', async () => {
    await press(canvas, 'Sign out');
    await reaches(canvas, '/bye', 'Goodbye');
  });
  await step('two logins, and two logouts', () => {
    const login = sent.post('/login').json({ username: 'ada', password: 'lovelace' });
    const logout = sent.post('/logout');
    return expect(journal).toHaveSent([login, logout.as('ada'), login, logout.as('ada', 2)]);
  });
};

const deepLinkAbove: Story = {
  beforeEach: startAt('/notes'),
  render: routerAboveTheProvider.render!,
  play: deepLinks,
};

const deepLinkBelow: Story = {
  beforeEach: startAt('/notes'),
  render: routerBelowTheProvider.render!,
  play: deepLinks,
};

const deepLinkDataRouter: Story = {
  beforeEach: startAt('/notes'),
  render: dataRouterAboveTheProvider.render!,
  play: deepLinks,
};

/** A link to a page with its own gate, then a link to a page that redirects to `/login`: each sign-in ends on the page of the link. */
export const DeepLinks: Story = inCases({
  'with the router above': deepLinkAbove,
  'with the router below': deepLinkBelow,
  'with a data router': deepLinkDataRouter,
});

const restoredBelowARouter: Story = {
  beforeEach: [app.start('ada'), startAt('/home')],
  render: routerBelowTheProvider.render!,
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada opens her home page', async () => {
      await reaches(canvas, '/home', 'Home');
      await canvas.findByText('On signing in');
      await expect(canvas.getByText('Mounted below the provider: 1')).toBeInTheDocument();
    });
    await hasSent('one request, with her token', [sent.get('/article').as('ada')]);
  },
};

const expiredBelowARouter: Story = {
  beforeEach: [app.start('ada'), startAt('/notes')],
  render: routerBelowTheProvider.render!,
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada reads her notes', () => reaches(canvas, '/notes', 'Notes of Ada Lovelace'));
    await step('the server has ended her session; she writes, and goes to the login page', async () => {
      app.server.revoke('ada');
      await press(canvas, 'Write');
      await canvas.findByText('anonymous: expired');
      await canvas.findByText('Page: /login');
      await waitFor(() => expect(location.pathname).toBe(`${BASE}/login`));
    });
    await hasSent('the write is refused, and so is the refresh', [
      sent.post('/article').as('ada').json({ title: 'On writing' }),
      sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' }),
    ]);
  },
};

/** A session below a router that begins or ends by itself. */
export const StartsAndEndsBelowARouter: Story = inCases({
  '`restore` finds the user: the tree is mounted once': restoredBelowARouter,
  'the server ends the session during a write: the page goes to the login page': expiredBelowARouter,
});

/** The server is slow with a sign-out: the page is signed out at once, and newly typed text survives the navigation. */
export const SlowSignOutWithACookie: Story = {
  parameters: { cookies: cookies.cookies },
  beforeEach: [cookies.start('ada'), startAt('/notes')],
  render: (_, { journal }) => <RouterBelowCookie journal={journal} />,
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada reads her notes', () => reaches(canvas, '/notes', 'Notes of Ada Lovelace'));
    const release = cookies.server.hold();
    await step('she signs out; the server does not answer, and the notes are gone', async () => {
      await press(canvas, 'Sign out');
      await canvas.findByText('anonymous: signed-out');
      await canvas.findByRole('form', { name: 'Sign in' });
      await waitFor(() => expect(cookies.server.held).toBe(1));
    });
    await step('the user types into the search field', () => userEvent.type(canvas.getByLabelText('Search'), 'moths'));
    await step('the server answers: the goodbye page is shown, with the typed text', async () => {
      release();
      await reaches(canvas, '/bye', 'Goodbye');
      await expect(canvas.getByLabelText('Search')).toHaveValue('moths');
      await expect(canvas.getByText('Mounted below the provider: 2')).toBeInTheDocument();
    });
    await hasSent('the session was restored once', [
      cookies.sent.get('/whoami'),
      cookies.sent.post('/logout').headers(csrf(1)),
    ]);
  },
};
