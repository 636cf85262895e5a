import type { Meta, StoryObj } from '@storybook/react-vite';
import { useEffect, useState } from 'react';
import { BrowserRouter, createBrowserRouter, RouterProvider, useRoutes, type RouteObject } from 'react-router';
import { expect, userEvent, waitFor, within } from 'storybook/test';
import type { RequestJournal } from '../../../src/testing/index.js';
import { csrf, setupCookieApp } from '../../support/setupCookieApp.js';
import { inProvider, Layout, loads, mounts, pages, RouterFrame } from '../../support/RouterDemo.js';
import { setupTokenApp } from '../../support/setupTokenApp.js';
import type { StoryStart } from '../../support/StoryStart.js';
import { requestsOnly } from '../../support/requestsOnly.js';

const app = setupTokenApp();
const { sent } = app;
const cookies = setupCookieApp();

/** The pages are beside the frame's own address, so that relative addresses work from each of them. */
const BASE = new URL('.', location.href).pathname.slice(0, -1);

/** A story's `beforeEach`: opens a page of the app, and returns to the frame's address afterwards. */
const startAt =
  (page: string): StoryStart =>
  () => {
    const before = location.href;
    mounts.reset();
    loads.reset();
    history.replaceState(null, '', BASE + page);
    return () => history.replaceState(null, '', before);
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

/** `BrowserRouter` around the provider: it stays mounted through every change of identity. */
export const RouterAboveTheProvider: Story = {
  render: (_, { journal }) => <RouterAbove journal={journal} />,
  play: visit({ out: 0, end: 0 }),
};

/** `BrowserRouter` inside the provider: it is mounted again when an identity is left, and still reaches the target page. */
export const RouterBelowTheProvider: Story = {
  render: (_, { journal }) => <RouterBelow journal={journal} />,
  play: visit({ out: 0, end: 0 }),
};

/**
 * A data router with the provider as the element of its root route: each page is loaded once for each visit, and once
 * more after a `navigate` that follows a sign-out or a switch.
 */
export const DataRouterAboveTheProvider: Story = {
  render: (_, { journal }) => <DataRouterAbove journal={journal} />,
  play: visit({ out: 4, end: 10 }),
};

/** A data router whose `RouterProvider` is inside the provider: the router itself lives outside React. */
export const DataRouterBelowTheProvider: Story = {
  render: (_, { journal }) => <DataRouterBelow journal={journal} />,
  play: visit({ out: 4, end: 10 }),
};

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

/** Deep links with the router above. */
export const DeepLinkAbove: Story = {
  tags: ['!autodocs'],
  beforeEach: startAt('/notes'),
  render: RouterAboveTheProvider.render!,
  play: deepLinks,
};

/** Deep links with the router below. */
export const DeepLinkBelow: Story = {
  beforeEach: startAt('/notes'),
  render: RouterBelowTheProvider.render!,
  play: deepLinks,
};

/** Deep links with a data router. */
export const DeepLinkDataRouter: Story = {
  tags: ['!autodocs'],
  beforeEach: startAt('/notes'),
  render: DataRouterAboveTheProvider.render!,
  play: deepLinks,
};

/** `restore` finds the user: the tree below the provider is mounted once. */
export const RestoredBelowARouter: Story = {
  beforeEach: [app.start('ada'), startAt('/home')],
  render: RouterBelowTheProvider.render!,
  play: async ({ canvas, step, journal }) => {
    await step('Ada opens her home page', async () => {
      await reaches(canvas, '/home', 'Home');
      await canvas.findByText('On signing in');
      await expect(canvas.getByText('Mounted below the provider: 1')).toBeInTheDocument();
    });
    await step('one request, with her token', () => expect(journal).toHaveSent([sent.get('/article').as('ada')]));
  },
};

/** The server ends the session during a write: the page goes to the login page. */
export const ExpiredBelowARouter: Story = {
  beforeEach: [app.start('ada'), startAt('/notes')],
  render: RouterBelowTheProvider.render!,
  play: async ({ canvas, step, journal }) => {
    await step('Ada reads her notes', () => reaches(canvas, '/notes', 'Notes of Ada Lovelace'));
    await step('the server has ended her session; she writes, and goes to the login page', async () => {
      app.server.revoke('ada');
      await press(canvas, 'Write');
      await canvas.findByText('anonymous: expired');
      await canvas.findByText('Page: /login');
      await waitFor(() => expect(location.pathname).toBe(`${BASE}/login`));
    });
    await step('the write is refused, and so is the refresh', () =>
      expect(journal).toHaveSent([
        sent.post('/article').as('ada').json({ title: 'On writing' }),
        sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' }),
      ]),
    );
  },
};

/** The server is slow with a sign-out: the page is signed out at once, and newly typed text survives the navigation. */
export const SlowSignOutWithACookie: Story = {
  parameters: { cookies: cookies.cookies },
  beforeEach: [cookies.start('ada'), startAt('/notes')],
  render: (_, { journal }) => <RouterBelowCookie journal={journal} />,
  play: async ({ canvas, step, journal }) => {
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
    await step('the session was restored once', () =>
      expect(journal).toHaveSent([cookies.sent.get('/whoami'), cookies.sent.post('/logout').headers(csrf(1))]),
    );
  },
};
