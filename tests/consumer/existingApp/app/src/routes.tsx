import { redirect, type LoaderFunction, type RouteObject } from 'react-router';
import { client, getUser } from './api';
import { Desk } from './pages/Desk';
import { LoginPage } from './pages/LoginPage';
import { ParcelListPage } from './pages/ParcelListPage';
import { ParcelPage } from './pages/ParcelPage';

const signedIn: LoaderFunction = () => (getUser() ? null : redirect('/login'));

const scans: LoaderFunction = async ({ params: { id = '' } }) => {
  if (!getUser()) return redirect('/login');
  const { data = [] } = await client.GET('/api/parcels/{id}/scans', { params: { path: { id } } });
  return data;
};

export const routes: RouteObject[] = [
  {
    hydrateFallbackElement: <p>Loading…</p>,
    children: [
      { path: '/login', element: <LoginPage /> },
      {
        element: <Desk />,
        loader: signedIn,
        children: [
          { path: '/', element: <ParcelListPage /> },
          { path: '/parcels/:id', loader: scans, element: <ParcelPage /> },
        ],
      },
    ],
  },
];
