// What an app's own library exports, with inferred types: the compiler has to be able to name each of them in a declaration.
import {
  attachHeader,
  authEndpoint,
  createCookieSession,
  createSession,
  createTokenSession,
  Entity,
  hookifyResource,
  resource,
  RestEndpoint,
  useAuth,
} from 'data-client-auth';
import { withLinkHeader } from 'data-client-auth/widgets';

export const session = createTokenSession({
  login: new RestEndpoint({ path: '/login', method: 'POST', body: {} as { username: string; password: string } }),
});
export const cookieSession = createCookieSession({
  login: new RestEndpoint({ path: '/login', method: 'POST' }),
  whoami: new RestEndpoint({ path: '/whoami', process: (answer): { id: string; name: string } => answer }),
});
export const keySession = createSession({
  login: async (apiKey: string) => ({ credential: apiKey, user: { id: 'ada' }, subject: 'ada' }),
  attach: ({ init }, apiKey) => (apiKey === undefined ? init : attachHeader(init, 'X-API-Key', apiKey)),
});
export const { login, logout, fetch: sessionFetch } = session;

export class Page extends Entity {
  id = '';
  title = '';
}

export const BoundEndpoint = authEndpoint(session);
export class AppEndpoint extends BoundEndpoint {}

export const pages = resource({ path: '/page/:id', schema: Page, paginationField: 'page', Endpoint: BoundEndpoint });
export const nestedPages = resource({ path: '/page/:id', schema: Page, paginationField: 'page', rows: 'data.items' });
export const linkedPages = withLinkHeader(pages);
export const files = resource({ path: '/:owner/*file', schema: Page, paginationField: 'page' });
export const nestedFiles = resource({ path: '/:owner/*file', schema: Page, rows: 'results' });
export const publish = files.update;
export const raw = new RestEndpoint({ path: '/raw/*file' });

export const Pages = hookifyResource(pages.extend('archive', { path: '/page/:id/archive', method: 'POST' }));
export const NestedPages = hookifyResource(nestedPages);
export const LinkedPages = hookifyResource(linkedPages);
export const Files = hookifyResource(files);
export const { useGet: useFile, useGetList: useFiles, useUpdate: useUpdateFile, useDelete: useDeleteFile } = Files;
export const usePerson = () => useAuth<typeof cookieSession>();
