import { Navigate, redirect, type LoaderFunction, type RouteObject } from 'react-router';
import { CommentsPage } from './CommentsPage';
import { IssueListPage } from './IssueListPage';
import { IssuePage } from './IssuePage';
import { EditIssuePage, NewIssuePage } from './IssueFormPages';
import { Layout } from './Layout';
import { checkedReturnTo, requireSession } from './requireSession';
import { session } from './session';
import { SignInPage } from './SignInPage';

/** A page for signed-in users. */
const signedIn: LoaderFunction = async ({ request }) => {
  await requireSession(request);
  return null;
};

/** The sign-in page, for users who are not signed in yet. */
const signedOut: LoaderFunction = async ({ request }) => {
  await session.ready();
  if (session.getSnapshot().status === 'anonymous') return null;
  return redirect(checkedReturnTo(new URL(request.url).searchParams.get('returnTo')));
};

export const routes: RouteObject[] = [
  {
    hydrateFallbackElement: <p>Loading…</p>,
    children: [
      { path: '/', element: <Navigate to="/issues" replace /> },
      { path: '/login', loader: signedOut, element: <SignInPage /> },
      {
        element: <Layout />,
        children: [
          { path: '/issues', loader: signedIn, element: <IssueListPage /> },
          { path: '/issues/new', loader: signedIn, element: <NewIssuePage /> },
          { path: '/issues/:id', loader: signedIn, element: <IssuePage /> },
          { path: '/issues/:id/comments', loader: signedIn, element: <CommentsPage /> },
          { path: '/issues/:id/edit', loader: signedIn, element: <EditIssuePage /> },
        ],
      },
    ],
  },
];
