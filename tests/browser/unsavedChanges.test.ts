// Text that is not saved: the browser asks before it leaves the page, and the hooks of the guide “Routers” ask before a router does.
import type { Page } from 'playwright';
import { beforeAll, describe, expect } from 'vitest';
import { buildRecipe } from './recipes/buildRecipe.js';
import { eventually, press, test as base } from './support/test.js';

const HTML = '<!doctype html><div id="root"></div><script type="module" src="/app.js"></script>';

const FORM = `
import { createRoot } from 'react-dom/client';
import { Entity, hookifyResource, resource, TokenAuthProvider } from 'data-client-auth';
import { ResourceForm } from 'data-client-auth/widgets';
import { session } from './session';

class Article extends Entity {}
const Articles = hookifyResource(resource({ path: '/api/article/:id', schema: Article }));
const Form = props => (
  <ResourceForm
    resource={Articles}
    action="partialUpdate"
    params={{ id: '1' }}
    initial={{ id: '1', title: 'Moths' }}
    fields={[{ name: 'title', label: 'Title' }]}
    warnBeforeLeaving
    {...props}
  />
);
const show = app =>
  createRoot(document.getElementById('root')).render(<TokenAuthProvider session={session}>{app}</TokenAuthProvider>);
`;

/** A form on `/edit`, and the page `/list`, to which it goes after a success. */
const ROUTERS = {
  'React Router': `
import { createBrowserRouter, Link, useNavigate } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { useAskToLeave } from './useAskToLeave';
${FORM}
function Edit() {
  const navigate = useNavigate();
  return (
    <>
      <Form onChange={useAskToLeave()} onSuccess={() => navigate('/list')} />
      <Link to="/list">List</Link>
    </>
  );
}
show(
  <RouterProvider
    router={createBrowserRouter([
      { path: '/edit', element: <Edit /> },
      { path: '/list', element: <Link to="/edit">Edit</Link> },
    ])}
  />,
);`,
  'TanStack Router': `
import { createRootRoute, createRoute, createRouter, Link, RouterProvider, useNavigate } from '@tanstack/react-router';
import { useAskToLeave } from './useAskToLeaveRoute';
${FORM}
function Edit() {
  const navigate = useNavigate();
  return (
    <>
      <Form onChange={useAskToLeave()} onSuccess={() => navigate({ to: '/list' })} />
      <Link to="/list">List</Link>
    </>
  );
}
const rootRoute = createRootRoute();
const route = (path, component) => createRoute({ getParentRoute: () => rootRoute, path, component });
const routes = [route('/edit', Edit), route('/list', () => <Link to="/edit">Edit</Link>)];
show(<RouterProvider router={createRouter({ routeTree: rootRoute.addChildren(routes) })} />);`,
  /** The browser goes to the list, which is another document. */
  none: `${FORM}
show(
  location.pathname === '/list' ? (
    <a href="/edit">Edit</a>
  ) : (
    <>
      <Form onSuccess={() => location.assign('/list')} />
      <a href="/list">List</a>
    </>
  ),
);`,
};
type Router = keyof typeof ROUTERS;

const scripts = new Map<string, string>();
beforeAll(async () => {
  for (const [router, main] of Object.entries(ROUTERS))
    scripts.set(router, await buildRecipe('guides/Routers', '', 'reads', { main }));
}, 120_000);

interface Fixtures {
  /** Opens the list, and then the form. */
  openForm: (router: Router) => Promise<{
    page: Page;
    /** What the user was asked, and since the last call. */
    takeQuestions: () => string[];
    answer: (isYes: boolean) => void;
    saved: string[];
  }>;
}

const test = base.extend<Fixtures>({
  openForm: async ({ context, startServer }, give) => {
    await give(async router => {
      const saved: string[] = [];
      const server = await startServer({
        pages: { '/edit': HTML, '/list': HTML },
        otherwise({ path, body }) {
          if (path === '/app.js') return { headers: { 'Content-Type': 'text/javascript' }, body: scripts.get(router) };
          saved.push(body);
          return { body: { id: '1', ...(JSON.parse(body) as object) } };
        },
      });
      const page = await context.newPage();
      const questions: string[] = [];
      let isYes = false;
      page.on('dialog', dialog => {
        questions.push(dialog.type());
        void (isYes ? dialog.accept() : dialog.dismiss());
      });
      await page.goto(`${server.url}/list`);
      await page.getByRole('link', { name: 'Edit' }).click();
      await page.getByLabel('Title').waitFor();
      return {
        page,
        saved,
        takeQuestions: () => questions.splice(0),
        answer: yes => void (isYes = yes),
      };
    });
  },
});

const path = (page: Page) => new URL(page.url()).pathname;
const write = async (page: Page) => {
  await page.getByLabel('Title').press('End');
  await page.keyboard.type('!');
};

/** The ways to leave a page. The page waits for the answer of a dialog, so nothing waits for the page. */
const leave = {
  link: (page: Page) => page.getByRole('link', { name: 'List' }).click({ noWaitAfter: true }),
  'the back button': (page: Page) => page.evaluate(() => void setTimeout(() => history.back())),
  reload: (page: Page) => page.evaluate(() => void setTimeout(() => location.reload())),
};
/** Who asks. */
const ASKED = {
  'React Router': { link: 'confirm', 'the back button': 'confirm', reload: 'beforeunload' },
  'TanStack Router': { link: 'confirm', 'the back button': 'confirm', reload: 'beforeunload' },
  none: { link: 'beforeunload', 'the back button': 'beforeunload', reload: 'beforeunload' },
};

describe.each(Object.keys(ROUTERS) as Router[])('with a router: %s', router => {
  test('the user is asked once, stays with the text, and goes when she says so', async ({ openForm }) => {
    const { page, takeQuestions, answer } = await openForm(router);
    await write(page);
    for (const [way, go] of Object.entries(leave)) {
      await go(page);
      await eventually(takeQuestions, [ASKED[router][way as keyof typeof leave]]);
      await eventually(() => path(page), '/edit');
      expect(await page.getByLabel('Title').inputValue()).toBe('Moths!');
    }
    answer(true);
    await leave.link(page);
    await page.getByRole('link', { name: 'Edit' }).waitFor();
    expect(takeQuestions()).toEqual([ASKED[router].link]);
    expect(path(page)).toBe('/list');
  });

  test('nobody is asked when the text is as it was', async ({ openForm }) => {
    const { page, takeQuestions } = await openForm(router);
    await write(page);
    await page.keyboard.press('Backspace');
    await leave.link(page);
    await page.getByRole('link', { name: 'Edit' }).waitFor();
    await page.reload();
    expect(takeQuestions()).toEqual([]);
  });

  test('nobody is asked when `onSuccess` goes to another page', async ({ openForm }) => {
    const { page, takeQuestions, saved } = await openForm(router);
    await write(page);
    await press(page, 'Save');
    await page.getByRole('link', { name: 'Edit' }).waitFor();
    expect([path(page), saved, takeQuestions()]).toEqual(['/list', ['{"title":"Moths!"}'], []]);
  });
});
