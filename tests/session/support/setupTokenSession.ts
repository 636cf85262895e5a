import { getResponse } from 'msw';
import {
  authEndpoint,
  createTokenSession,
  resource,
  RestEndpoint,
  type TokenSessionOptions,
} from '../../../src/entries/core.js';
import { tokenAuthHandlers } from '../../../src/testing/index.js';
import { API, Article, type Tokens } from './article.js';
import { json } from './answers.js';
import { LoginEndpoint, people } from './people.js';
import { mockServer, toRequest, type MockServer, type Route } from './mockServer.js';
import { manualClock } from './manualClock.js';

/** The option of a test, else this call; the call also beside options that have none. */
export function refreshOf(options: Pick<TokenSessionOptions<never, Tokens>, 'refresh'>, call: object) {
  const { refresh = {} } = options;
  const isLeftOut = 'refresh' in options && options.refresh === undefined;
  return typeof refresh === 'function' || isLeftOut ? options.refresh : { call: call as never, ...refresh };
}

/**
 * A session over the kit's token server: it accepts the newest access token of each login, and each refresh token once; tokens can
 * be read: `ada-1`, then `ada-2`. Every other path answers whose token it was.
 */
export function setupTokenSession(
  options: Partial<TokenSessionOptions<[{ name: string }], Tokens>> = {},
  more: Record<string, Route> = {},
  serve: (routes: Record<string, Route>) => MockServer = mockServer,
) {
  const clock = manualClock();
  const auth = tokenAuthHandlers({ url: API, people });
  // Routes, not handlers: a test delays or replaces one of them, and the function server answers with them too.
  const authRoute: Route = async seen => (await getResponse(auth.handlers, toRequest(seen)))!;
  const data: Route = seen => {
    const request = toRequest(seen);
    return (
      auth.authorize(request) ?? json({ id: seen.path.split('/').pop(), title: `of ${auth.personOf(request)?.id}` })
    );
  };
  const server = serve({
    'POST /login': authRoute,
    'POST /refresh': authRoute,
    'POST /logout': authRoute,
    '*': data,
    ...more,
  });
  const post = (path: string) => new RestEndpoint({ urlPrefix: API, path, method: 'POST' });
  const session = createTokenSession({
    login: new LoginEndpoint({ urlPrefix: API, path: '/login', method: 'POST' }),
    logout: post('/logout') as never,
    clock,
    server: true,
    ...options,
    refresh: refreshOf(options, post('/refresh')),
  });
  const Endpoint = authEndpoint(session);
  const ArticleResource = resource({
    urlPrefix: API,
    path: '/article/:id',
    schema: Article,
    paginationField: 'page',
    Endpoint,
  });
  return {
    clock,
    server,
    session,
    Endpoint,
    ArticleResource,
    auth,
    refreshRoute: authRoute,
    dataRoute: data,
    /** Tokens in the place of all that were issued before: with them the server accepts no request. */
    issue: (name: string): Tokens => (auth.expire(), auth.signIn(name)),
    expire: auth.expire,
    /** As many requests as asked for, of different keys. */
    burst: (count: number) => Array.from({ length: count }, (_, id) => ArticleResource.get({ id: String(id) })),
    status: () => session.getSnapshot().status,
  };
}
