// A small app for any router: its pages, and a frame that shows the address.
import { useEffect, useSyncExternalStore, type ComponentType, type ReactNode } from 'react';
import { Link, Navigate, Outlet, useLocation, useNavigate, type RouteObject } from 'react-router';
import { Authenticated, SessionExpiredError, useAuth } from '../../src/index.js';
import { LoginForm } from '../../src/entries/widgets.js';
import type { RequestJournal } from '../../src/testing/index.js';
import { ada, grace } from './articles.js';
import { ArticlesDemo, AuthStatus, type ArticleHooks } from './ArticlesDemo.js';
import { createCounter, RenderCounter } from './RenderCounter.js';
import { RequestLog } from './RequestLog.js';

/** How often the tree below the provider was mounted. */
export const mounts = createCounter();
/** How often the loader of a page ran; only data routers call them. */
export const loads = createCounter();

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
export function RouterFrame({ journal, children }: { journal: RequestJournal; children: ReactNode }) {
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
export function Layout() {
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
export function pages(articles: ArticleHooks): RouteObject[] {
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
export function inProvider(Provider: ComponentType<{ children: ReactNode }>, articles: ArticleHooks): RouteObject[] {
  const element = (
    <Provider>
      <Layout />
    </Provider>
  );
  return [{ path: '/', element, children: pages(articles) }];
}
