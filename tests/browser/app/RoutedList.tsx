import { useState, type CSSProperties } from 'react';
import { createBrowserRouter, Link, Outlet, ScrollRestoration } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { Authenticated, Entity, hookifyResource, resource, useAuth, type Session } from '../../../src/index.js';
import { nextPageNumber, PaginatedList } from '../../../src/entries/widgets.js';

class Article extends Entity {
  id = '';
  title = '';
}

const Articles = hookifyResource(resource({ path: '/article/:id', schema: Article, paginationField: 'page' }));
const PAGE_SIZE = 250;

const INNER_SCROLLER: CSSProperties = { blockSize: '500px', overflow: 'auto' };

function List({ search }: { search: URLSearchParams }) {
  return (
    <Authenticated fallback={<p>Signed out.</p>}>
      <h1>Articles</h1>
      <div id="scroller" tabIndex={0} style={search.get('scroller') === 'inner' ? INNER_SCROLLER : undefined}>
        <p>Above the list.</p>
        <PaginatedList
          resource={Articles}
          next={nextPageNumber({ size: PAGE_SIZE })}
          label="Articles"
          virtual={search.get('rows') === 'virtual'}
          renderItem={({ id, title }) => (
            <div style={{ paddingBlockEnd: `${(Number(id) * 37) % 60}px` }}>
              <Link to={`/detail/${id}`}>{title}</Link>
            </div>
          )}
        />
      </div>
    </Authenticated>
  );
}

function Frame({ search }: { search: URLSearchParams }) {
  const { login, logout, status, user } = useAuth<Session<{ id: string }, [{ username: string }]>>();
  return (
    <>
      <p id="who">{[status, user?.id].filter(Boolean).join(' ')}</p>
      {['ada', 'grace'].map(username => (
        <button key={username} type="button" onClick={() => void login({ username })}>
          Sign in as {username}
        </button>
      ))}
      <button type="button" onClick={() => void logout()}>
        Sign out
      </button>
      <Outlet />
      {search.get('router') === 'restoring' && <ScrollRestoration />}
    </>
  );
}

/** A list and a detail page below React Router. `router=restoring` adds its scroll restoration, `scroller=inner` an element that scrolls, `rows=virtual` a virtual list, `loader=slow` data that the detail page waits for. */
export default function RoutedList({ search }: { search: URLSearchParams }) {
  const [router] = useState(() =>
    createBrowserRouter([
      {
        element: <Frame search={search} />,
        children: [
          { path: '/page', element: <List search={search} /> },
          {
            path: '/detail/:id',
            loader: () => new Promise(resolve => setTimeout(resolve, search.get('loader') === 'slow' ? 200 : 0, null)),
            element: <Link to="/page">All articles</Link>,
          },
        ],
      },
    ]),
  );
  return <RouterProvider router={router} />;
}
