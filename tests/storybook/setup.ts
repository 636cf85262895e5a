import { http, HttpResponse } from 'msw';
import type { SetupServer } from 'msw/node';
import { authEndpoint, createTokenSession, RestEndpoint } from '../../src/index.js';
import { tokenAuthHandlers } from '../../src/testing/index.js';
import { people } from '../testing/people.js';

export const api = 'https://api.example.com';

/** The start of each of Ada's tokens. */
export const SECRETS = /ada-(refresh-)?\d/;

/** A server with tokens, a session with it that finds Ada signed in, and endpoints with and without its credentials. */
export function setup(msw: SetupServer) {
  const server = tokenAuthHandlers({ url: api, people });
  const session = createTokenSession({
    server: true,
    login: new RestEndpoint({
      urlPrefix: api,
      path: '/login',
      method: 'POST',
      body: {} as { username: string; password: string },
    }),
    refresh: new RestEndpoint({ urlPrefix: api, path: '/refresh', method: 'POST' }),
    restore: async () => server.signIn('ada'),
  });
  msw.use(
    ...server.handlers,
    http.get(`${api}/public`, () => HttpResponse.json({})),
    http.get(`${api}/article/:id`, ({ request }) => server.authorize(request) ?? HttpResponse.json({})),
  );
  const Endpoint = authEndpoint(session);
  return {
    server,
    session,
    getArticle: new Endpoint({ urlPrefix: api, path: '/article/:id' }) as (params: { id: string }) => Promise<unknown>,
    getPublic: new Endpoint({ urlPrefix: api, path: '/public', public: true }) as () => Promise<unknown>,
    getPlain: new RestEndpoint({ urlPrefix: api, path: '/public' }) as () => Promise<unknown>,
  };
}
