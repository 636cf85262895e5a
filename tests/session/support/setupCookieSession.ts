import { getResponse } from 'msw';
import {
  authEndpoint,
  createCookieSession,
  resource,
  RestEndpoint,
  type CookieSessionOptions,
} from '../../../src/entries/core.js';
import { cookieAuthHandlers } from '../../../src/testing/index.js';
import { json } from './answers.js';
import { API, Article } from './article.js';
import { manualClock } from './manualClock.js';
import { mockServer, toRequest, type MockServer, type Route, type Seen } from './mockServer.js';
import { LoginEndpoint, people } from './people.js';
import { stubPage } from './stubPage.js';

type Person = { id: string };

export const csrfOf = (seen: Seen): string | null => seen.headers.get('x-csrftoken');

/**
 * A session over the kit's cookie server, on a page whose cookies a test can change at any moment, as another tab or a late answer does.
 * Every other path answers whose cookie it was.
 */
export function setupCookieSession(
  options: Partial<CookieSessionOptions<[{ name: string }], Person>> = {},
  more: Record<string, Route> = {},
  serve: (routes: Record<string, Route>) => MockServer = mockServer,
) {
  const clock = manualClock();
  const { window, document, cookies } = stubPage();
  // A session that reads its CSRF token elsewhere has a server that the test brings. A login changes no CSRF token here: that alone
  // would tell the session that the user has changed.
  const csrf = options.csrf && 'read' in options.csrf ? undefined : { rotateOnLogin: false };
  const auth = cookieAuthHandlers({ url: API, people, ...(csrf && { csrf }) });
  cookies.set('csrftoken', 'c1');
  auth.expireCsrf('c1');
  /** The request as the browser sends it: with its cookies of this moment. */
  const toIncoming = (seen: Seen) => ({ request: toRequest(seen), cookies: cookies.all() });
  const jar = {
    /** Whose session cookie the browser has. Another person gets a session of their own, like in another tab. */
    get person(): string | undefined {
      return auth.personOf({ request: new Request(API), cookies: cookies.all() })?.id;
    },
    set person(id) {
      if (id === undefined) cookies.set('session', undefined);
      else auth.signIn(id);
    },
    get csrf(): string | undefined {
      return cookies.all().csrftoken;
    },
    set csrf(token) {
      cookies.set('csrftoken', token);
    },
  };
  const as: { path: string; method: string; person: string | undefined }[] = [];
  const data: Route = seen => {
    const incoming = toIncoming(seen);
    const person = auth.personOf(incoming)?.id;
    as.push({ path: seen.path, method: seen.method, person });
    return auth.authorize(incoming) ?? json({ id: '1', title: `of ${person}` });
  };
  // Routes, not handlers: a test delays or replaces one of them, and the function server answers with them too.
  const authRoute: Route = async seen => {
    const request = toRequest(seen);
    if (seen.credentials !== 'omit') request.headers.set('Cookie', document.cookie);
    return (await getResponse(auth.handlers, request))!;
  };
  const fake = serve({
    'POST /login': authRoute,
    'POST /logout': authRoute,
    'GET /whoami': authRoute,
    'GET /csrf': authRoute,
    '*': data,
    ...more,
  });
  const own = (path: string, method: string) => new RestEndpoint({ urlPrefix: API, path, method });
  const session = createCookieSession<[{ name: string }], Person>({
    login: new LoginEndpoint({ urlPrefix: API, path: '/login', method: 'POST' }) as never,
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
  /** The server's CSRF token changes, and the page's cookie with it or not. */
  const rotate = (token: string, cookie = true) => (cookie ? auth.rotateCsrf(token) : auth.expireCsrf(token));
  let rotations = 0;
  return {
    clock,
    session,
    jar,
    as,
    fake,
    data,
    ArticleResource,
    rotate,
    /** The server changes the CSRF cookie with each answer of these routes, as Laravel does with all. */
    rotateWith: (...names: string[]) => {
      for (const name of names) {
        const route = fake.routes[name]!;
        fake.routes[name] = seen => {
          const answer = route(seen);
          rotate(`own-${++rotations}`);
          return answer;
        };
      }
    },
    status: () => session.getSnapshot().status,
    window,
    /** The user comes back to the page: from another window, or from another tab. */
    focus: () => void window.dispatchEvent(new Event('focus')),
    show: () => void document.dispatchEvent(new Event('visibilitychange')),
    whoamis: () => fake.count('GET /whoami'),
  };
}
