// Not the kit's `cookieAuthHandlers`: on a page it writes to `document.cookie`, elsewhere it sends `Set-Cookie` to a jar inside msw, which no
// test can change. These tests change the jar by hand, in the middle of an answer, as another tab or a late answer does.
import { vi } from 'vitest';
import {
  authEndpoint,
  createCookieSession,
  resource,
  RestEndpoint,
  type CookieSessionOptions,
} from '../../../src/index.js';
import { json } from './answers.js';
import { mockServer, type MockServer, type Route, type Seen } from './mockServer.js';
import { manualClock } from './manualClock.js';
import { API, Article } from './article.js';

type Person = { id: string };

export const csrfOf = (seen: Seen): string | null => seen.headers.get('x-csrftoken');

/**
 * A session over a server with a cookie jar that the page cannot see, and a CSRF cookie that it can. A request carries the
 * jar's person unless it goes with `omit`; answers tell who it was.
 */
export function setupCookieSession(
  options: Partial<CookieSessionOptions<[{ name: string }], Person>> = {},
  more: Record<string, Route> = {},
  serve: (routes: Record<string, Route>) => MockServer = mockServer,
) {
  const clock = manualClock();
  const jar: { person: string | undefined; csrf: string | undefined } = { person: undefined, csrf: 'c1' };
  const server = { csrf: 'c1' };
  const cookie = () => (jar.csrf === undefined ? 'other=1' : `other=1; csrftoken=${encodeURIComponent(jar.csrf)}`);
  const [window, document] = [new EventTarget(), Object.defineProperty(new EventTarget(), 'cookie', { get: cookie })];
  vi.stubGlobal('addEventListener', window.addEventListener.bind(window));
  vi.stubGlobal('removeEventListener', window.removeEventListener.bind(window));
  vi.stubGlobal('document', Object.assign(document, { visibilityState: 'visible' }));
  const as: { path: string; method: string; person: string | undefined }[] = [];
  const data: Route = seen => {
    const person = seen.credentials === 'omit' ? undefined : jar.person;
    as.push({ path: seen.path, method: seen.method, person });
    if (person === undefined) return json({}, 401);
    if (!['GET', 'HEAD', 'OPTIONS'].includes(seen.method) && csrfOf(seen) !== server.csrf)
      return json({ detail: 'CSRF failed' }, 403);
    return json({ id: '1', title: `of ${person}` });
  };
  const fake = serve({
    'POST /login': seen => {
      jar.person = (JSON.parse(seen.body) as { name: string }).name;
      return json({ id: jar.person });
    },
    'POST /logout': () => {
      jar.person = undefined;
      return new Response(null, { status: 204 });
    },
    'GET /whoami': () => (jar.person === undefined ? json({}, 401) : json({ id: jar.person })),
    'GET /csrf': () => {
      jar.csrf = server.csrf;
      return new Response(null, { status: 204 });
    },
    '*': data,
    ...more,
  });
  const own = (path: string, method: string) => new RestEndpoint({ urlPrefix: API, path, method });
  const session = createCookieSession<[{ name: string }], Person>({
    login: own('/login', 'POST') as never,
    logout: own('/logout', 'POST') as never,
    whoami: own('/whoami', 'GET') as never,
    csrf: { cookie: 'csrftoken', header: 'X-CSRFToken', fetch: own('/csrf', 'GET') as never },
    credentials: 'include',
    clock,
    server: true,
    ...options,
  });
  const ArticleResource = resource({
    urlPrefix: API,
    path: '/article/:id',
    schema: Article,
    Endpoint: authEndpoint(session),
  });
  return {
    clock,
    session,
    jar,
    as,
    fake,
    data,
    ArticleResource,
    /** The server's CSRF token changes, and the page's cookie with it or not. */
    rotate: (token: string, cookie = true) => {
      server.csrf = token;
      if (cookie) jar.csrf = token;
    },
    status: () => session.getSnapshot().status,
    window,
    /** The user comes back to the page: from another window, or from another tab. */
    focus: () => void window.dispatchEvent(new Event('focus')),
    show: () => void document.dispatchEvent(new Event('visibilitychange')),
    whoamis: () => fake.count('GET /whoami'),
  };
}
