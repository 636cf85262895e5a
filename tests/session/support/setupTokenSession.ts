import {
  authEndpoint,
  createTokenSession,
  resource,
  RestEndpoint,
  type TokenSessionOptions,
} from '../../../src/index.js';
import { API, Article, tokenOf, type Tokens } from './article.js';
import { json } from './answers.js';
import { mockServer, type MockServer, type Route } from './mockServer.js';
import { manualClock } from './manualClock.js';

/**
 * A session over a server that accepts only the newest access token of each person, and each refresh token once; tokens can
 * be read: `ada-1`, then `ada-2`.
 */
export function setupTokenSession(
  options: Partial<TokenSessionOptions<[{ name: string }], Tokens>> = {},
  more: Record<string, Route> = {},
  serve: (routes: Record<string, Route>) => MockServer = mockServer,
) {
  const clock = manualClock();
  const numbers = new Map<string, number>();
  const valid = new Set<string>();
  const refreshTokens = new Set<string>();
  const issue = (name: string): Tokens => {
    const number = (numbers.get(name) ?? 0) + 1;
    numbers.set(name, number);
    for (const token of valid) if (token.startsWith(`${name}-`)) valid.delete(token);
    valid.add(`${name}-${number}`);
    refreshTokens.add(`${name}-refresh-${number}`);
    return { accessToken: `${name}-${number}`, refreshToken: `${name}-refresh-${number}`, user: { id: name } };
  };
  const refresh: Route = seen => {
    const { refreshToken } = JSON.parse(seen.body) as { refreshToken: string };
    if (!refreshTokens.delete(refreshToken)) return json({}, 401);
    return json(issue(refreshToken.split('-')[0] as string));
  };
  const data: Route = seen =>
    valid.has(tokenOf(seen) ?? '')
      ? json({ id: seen.path.split('/').pop(), title: `of ${tokenOf(seen)?.split('-')[0]}` })
      : json({}, 401);
  const server = serve({
    'POST /login': seen => json(issue((JSON.parse(seen.body) as { name: string }).name)),
    'POST /refresh': refresh,
    'POST /logout': () => new Response(null, { status: 204 }),
    '*': data,
    ...more,
  });
  const post = (path: string) => new RestEndpoint({ urlPrefix: API, path, method: 'POST' });
  const session = createTokenSession({
    login: post('/login'),
    refresh: post('/refresh') as never,
    logout: post('/logout') as never,
    clock,
    server: true,
    ...options,
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
    refreshRoute: refresh,
    dataRoute: data,
    issue,
    refreshTokens,
    /** The server accepts no access token that it has issued so far. */
    expire: () => valid.clear(),
    /** As many requests as asked for, of different keys. */
    burst: (count: number) => Array.from({ length: count }, (_, id) => ArticleResource.get({ id: String(id) })),
    status: () => session.getSnapshot().status,
  };
}
