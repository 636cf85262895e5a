import { CacheProvider, getDefaultManagers } from '@data-client/react';
import { createBrowserRouter, RouterProvider } from 'react-router';
import { ErrorReporter } from './managers/ErrorReporter';
import { StreamManager } from './managers/StreamManager';
import { openLive, Parcels } from './parcels';
import { routes } from './routes';

const managers = [...getDefaultManagers(), new ErrorReporter(), new StreamManager(openLive, Parcels.getList.push)];
const router = createBrowserRouter(routes);

export const App = () => (
  <CacheProvider managers={managers}>
    <RouterProvider router={router} />
  </CacheProvider>
);
