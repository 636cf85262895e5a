// The servers of the recipes: they answer as the code and the settings on each page make the framework answer.
import type { RequestListener } from 'node:http';
import type { BrowserContext } from 'playwright';
import { expressApp } from './expressApp.js';
import {
  createRows,
  PAGE_SIZE,
  pageOf,
  pagesOf,
  writeRoutes,
  type RecipeAnswer,
  type RecipeRequest,
  type Routes,
  type Row,
} from './recipeServer.js';

const ADA = { id: 1, name: 'ada' };
const PASSWORD = 'lovelace';

/** A framework's server. */
export interface Framework {
  readonly routes: Routes | RequestListener;
  /** The rows as they are now. */
  readonly rows: readonly Row[];
  /**
   * Makes the server refuse the credential of the next change of a page in this browser: its CSRF token, or its access token.
   *
   * @param url The address of the server.
   */
  makeStale(context: BrowserContext, url: string): Promise<void> | void;
}

const isRead = ({ method }: RecipeRequest) => method === 'GET';

/** Does something while the page's next change is on its way, and sends that then, with the headers that are returned. */
const onTheWay = async (context: BrowserContext, act: () => Promise<Record<string, string> | void>) => {
  let isDone = false;
  await context.route('**', async route => {
    const request = route.request();
    if (isDone || request.method() === 'GET') return route.continue();
    isDone = true;
    const headers = await act();
    await route.continue(headers ? { headers: { ...request.headers(), ...headers } } : {});
  });
};

/**
 * The user signs in again in another tab while the page's next change is on its way: its header has the old token, and the new cookie goes with
 * it. So a token becomes stale where the server keeps no copy of it.
 */
const replaceOnTheWay = (context: BrowserContext, cookie: { name: string; value: string; url: string }) =>
  onTheWay(context, () => context.addCookies([cookie]));

/** Django's session and CSRF middleware, the recipe's views, and a ModelViewSet with PageNumberPagination under a DefaultRouter. */
export function django(): Framework {
  const rows = createRows();
  let issued = 0;
  const newToken = () => `${++issued}`.padStart(32, 'x');
  const csrfCookie = (token: string) => `csrftoken=${token}; Path=/; SameSite=Lax`;
  const isSignedIn = ({ cookies }: RecipeRequest) => cookies.get('sessionid') === 'ada';
  /** `CsrfViewMiddleware` keeps no copy of the token: the header must have what the cookie has. */
  const reasonToRefuse = ({ cookies, headers }: RecipeRequest) => {
    const cookie = cookies.get('csrftoken');
    const header = headers['x-csrftoken'];
    if (cookie === undefined) return 'CSRF cookie not set.';
    if (header === undefined) return 'CSRF token missing.';
    return header === cookie ? undefined : "CSRF token from the 'X-Csrftoken' HTTP header incorrect.";
  };
  // `SessionAuthentication` checks the token of a signed-in user's change.
  const refuse = (request: RecipeRequest): RecipeAnswer | undefined => {
    if (!isSignedIn(request))
      return {
        status: 401,
        headers: { 'WWW-Authenticate': 'Session' },
        body: { detail: 'Authentication credentials were not provided.' },
      };
    const reason = isRead(request) ? undefined : reasonToRefuse(request);
    return reason === undefined ? undefined : { status: 403, body: { detail: `CSRF Failed: ${reason}` } };
  };
  /** The middleware refuses a view that is not of Django REST framework, with a page. */
  const refusalOfDjango: RecipeAnswer = {
    status: 403,
    headers: { 'Content-Type': 'text/html' },
    body: '<h1>Forbidden <span>(403)</span></h1><p>CSRF verification failed. Request aborted.</p>',
  };
  // APPEND_SLASH
  const toSlash = ({ url }: RecipeRequest): RecipeAnswer => ({
    status: 301,
    headers: { Location: `${url.pathname}/${url.search}` },
  });
  const withoutSlash = ['GET /api/articles', 'POST /api/articles'].concat(
    ['GET', 'PUT', 'PATCH', 'DELETE'].map(method => `${method} /api/articles/:id`),
  );
  const routes: Routes = {
    ...Object.fromEntries(withoutSlash.map(route => [route, toSlash])),
    'GET /api/whoami/': request => ({
      body: isSignedIn(request) ? ADA : null,
      // `ensure_csrf_cookie` keeps a token that is there.
      headers: { 'Set-Cookie': csrfCookie(request.cookies.get('csrftoken') ?? newToken()) },
    }),
    'POST /api/login/': request => {
      if (reasonToRefuse(request) !== undefined) return refusalOfDjango;
      return request.body.username === 'ada' && request.body.password === PASSWORD
        ? {
            body: ADA,
            headers: { 'Set-Cookie': ['sessionid=ada; HttpOnly; Path=/; SameSite=Lax', csrfCookie(newToken())] },
          }
        : { status: 401, body: { detail: 'Wrong user name or password.' } };
    },
    'POST /api/logout/': request => {
      if (reasonToRefuse(request) !== undefined) return refusalOfDjango;
      const gone = 'sessionid=""; expires=Thu, 01 Jan 1970 00:00:00 GMT; Max-Age=0; Path=/; SameSite=Lax';
      return { body: {}, headers: { 'Set-Cookie': gone } };
    },
    'GET /api/articles/': request => {
      const { rows: results, next, previous } = pageOf(rows, request.url);
      return refuse(request) ?? { body: { count: rows.length, next, previous, results } };
    },
    ...writeRoutes(rows, {
      path: '/api/articles/:id/',
      refuse,
      invalid: { status: 400, body: { title: ['This field may not be blank.'] } },
    }),
  };
  return {
    routes,
    rows,
    makeStale: (context, url) => replaceOnTheWay(context, { name: 'csrftoken', value: newToken(), url }),
  };
}

/** Sanctum's SPA authentication with Fortify's login, and a collection of API resources. */
export function laravel(): Framework {
  const rows = createRows();
  /** The token of the session. */
  let token = 'of-the-first-session';
  let encrypted = 0;
  /** `XSRF-TOKEN` is encrypted anew for each answer. */
  const encrypt = () => Buffer.from(JSON.stringify({ iv: ++encrypted, value: token })).toString('base64');
  const decrypt = (text: string) => (JSON.parse(Buffer.from(text, 'base64').toString()) as { value: string }).value;
  const isSignedIn = ({ cookies }: RecipeRequest) => cookies.get('laravel_session') === 'ada';
  // Without the header, the `auth` middleware redirects to the route `login`.
  const unauthenticated = ({ headers }: RecipeRequest): RecipeAnswer =>
    headers.accept?.includes('json')
      ? { status: 401, body: { message: 'Unauthenticated.' } }
      : { status: 302, headers: { Location: '/login' } };
  // `ValidateCsrfToken` comes before `auth:sanctum`.
  const refusedToken = ({ headers }: RecipeRequest): RecipeAnswer | undefined => {
    const header = headers['x-xsrf-token'];
    return typeof header === 'string' && decrypt(header) === token
      ? undefined
      : { status: 419, body: { message: 'CSRF token mismatch.' } };
  };
  const refuse = (request: RecipeRequest) =>
    (isRead(request) ? undefined : refusedToken(request)) ??
    (isSignedIn(request) ? undefined : unauthenticated(request));
  const needed = 'The title field is required.';
  const routes: Routes = {
    'GET /sanctum/csrf-cookie': () => ({ status: 204 }),
    'POST /login': request => {
      const refused = refusedToken(request);
      if (refused) return refused;
      if (request.body.email !== 'ada@example.com' || request.body.password !== PASSWORD)
        return {
          status: 422,
          body: { message: 'Wrong.', errors: { email: ['These credentials do not match our records.'] } },
        };
      token = 'of-the-second-session';
      return {
        body: { two_factor: false },
        headers: { 'Set-Cookie': 'laravel_session=ada; HttpOnly; Path=/; SameSite=Lax' },
      };
    },
    'GET /api/user': request =>
      isSignedIn(request) ? { body: { ...ADA, email: 'ada@example.com' } } : unauthenticated(request),
    'GET /api/posts': request => {
      if (!isSignedIn(request)) return unauthenticated(request);
      const { number, rows: data, next, previous, link } = pageOf(rows, request.url);
      const pages = pagesOf(rows);
      const from = (number - 1) * PAGE_SIZE + 1;
      return {
        body: {
          data,
          links: { first: link(1), last: link(pages), prev: previous, next },
          meta: {
            current_page: number,
            from,
            last_page: pages,
            links: [{ url: null, label: '&laquo; Previous', active: false }],
            path: `${request.url.origin}/api/posts`,
            per_page: PAGE_SIZE,
            to: from + data.length - 1,
            total: rows.length,
          },
        },
      };
    },
    // `JsonResource::withoutWrapping()`
    ...writeRoutes(rows, {
      path: '/api/posts/:id',
      refuse,
      invalid: { status: 422, body: { message: needed, errors: { title: [needed] } } },
    }),
  };
  // `ValidateCsrfToken` adds the cookie to each answer that it does not refuse.
  const withToken = (answer: RecipeAnswer): RecipeAnswer => {
    if (answer.status === 419) return answer;
    const cookie = `XSRF-TOKEN=${encodeURIComponent(encrypt())}; Path=/; SameSite=Lax`;
    return {
      ...answer,
      headers: { ...answer.headers, 'Set-Cookie': [cookie, answer.headers?.['Set-Cookie'] ?? []].flat() },
    };
  };
  return {
    routes: Object.fromEntries(
      Object.entries(routes).map(([name, route]) => [name, request => withToken(route(request))]),
    ),
    rows,
    // The session has expired; the remember cookie signs the user in to the next one.
    makeStale: () => void (token = 'of-the-third-session'),
  };
}

/** The token in the page's `<meta>` tag. */
export const RAILS_HEAD = '<meta name="csrf-token" content="of-the-page">';

/** What the recipe's `rescue_from` renders. */
const RAILS_REFUSAL: RecipeAnswer = { status: 403, body: { error: 'csrf' } };

/** The page that Rails answers with by itself: public/422.html. */
export const RAILS_OWN_REFUSAL: RecipeAnswer = {
  status: 422,
  headers: { 'Content-Type': 'text/html' },
  body: '<title>The change you wanted was rejected (422)</title><h1>The change you wanted was rejected.</h1>',
};

/** Rails with `protect_from_forgery`, the recipe's controllers, and pagy's headers. `refusal` is its answer to a stale token. */
export function rails(refusal = RAILS_REFUSAL): Framework {
  const rows = createRows();
  let valid = 'of-the-page';
  const isSignedIn = ({ cookies }: RecipeRequest) => cookies.get('_app_session') === 'ada';
  const refusedToken = ({ headers }: RecipeRequest) => (headers['x-csrf-token'] === valid ? undefined : refusal);
  const refuse = (request: RecipeRequest) =>
    (isRead(request) ? undefined : refusedToken(request)) ?? (isSignedIn(request) ? undefined : { status: 401 });
  const routes: Routes = {
    'GET /api/csrf': () => ({ body: { token: valid } }),
    'GET /api/me': request => (isSignedIn(request) ? { body: ADA } : { status: 401 }),
    'POST /api/session': request => {
      const refused = refusedToken(request);
      if (refused) return refused;
      if (request.body.username !== 'ada' || request.body.password !== PASSWORD) return { status: 401 };
      // `reset_session`
      valid = 'of-the-next-session';
      return { body: ADA, headers: { 'Set-Cookie': '_app_session=ada; HttpOnly; Path=/; SameSite=Lax' } };
    },
    'GET /api/posts': request => {
      if (!isSignedIn(request)) return { status: 401 };
      const { number, rows: body, next, previous, link } = pageOf(rows, request.url);
      const pages = pagesOf(rows);
      const links = { first: link(1), prev: previous, next, last: link(pages) };
      const header = Object.entries(links).flatMap(([rel, href]) => (href ? [`<${href}>; rel="${rel}"`] : []));
      const counts = {
        'current-page': `${number}`,
        'page-items': `${PAGE_SIZE}`,
        'total-pages': `${pages}`,
        'total-count': `${rows.length}`,
      };
      return { body, headers: { link: header.join(', '), ...counts } };
    },
    ...writeRoutes(rows, {
      path: '/api/posts/:id',
      refuse,
      // render json: { errors: post.errors }, status: :unprocessable_entity
      invalid: { status: 422, body: { errors: { title: ["can't be blank"] } } },
    }),
  };
  return { routes, rows, makeStale: () => void (valid = 'after-a-login-in-another-tab') };
}

/** Spring Security with `csrf.spa()`, the recipe's controllers, and Spring Data's `Page`. */
export function springSession(): Framework {
  const rows = createRows();
  let issued = 0;
  const newToken = () => `token-${++issued}`;
  const isSignedIn = ({ cookies }: RecipeRequest) => cookies.get('JSESSIONID') === 'ada';
  /** `CookieCsrfTokenRepository` keeps no copy of the token: the header must have what the cookie has. */
  const refusedToken = ({ cookies, headers }: RecipeRequest): RecipeAnswer | undefined =>
    cookies.has('XSRF-TOKEN') && headers['x-xsrf-token'] === cookies.get('XSRF-TOKEN')
      ? undefined
      : { status: 403, body: { error: 'csrf' } };
  // `CsrfFilter` comes before the authorization.
  const refuse = (request: RecipeRequest) =>
    (isRead(request) ? undefined : refusedToken(request)) ?? (isSignedIn(request) ? undefined : { status: 401 });
  const routes: Routes = {
    'GET /api/me': request => refuse(request) ?? { body: { id: 'ada', name: 'ada' } },
    'POST /api/login': request => {
      const { body } = request;
      const refused = refusedToken(request);
      if (refused) return refused;
      if (body.username !== 'ada' || body.password !== PASSWORD) return { status: 401 };
      return {
        body: { id: 'ada', name: 'ada' },
        headers: { 'Set-Cookie': 'JSESSIONID=ada; HttpOnly; Path=/' },
      };
    },
    'GET /api/articles': request => {
      const { content, page } = springPage(rows, request.url);
      return (
        refuse(request) ?? {
          body: {
            content,
            pageable: { pageNumber: page.number, pageSize: PAGE_SIZE, offset: page.number * PAGE_SIZE, paged: true },
            ...page,
            first: page.number === 0,
            last: page.number === page.totalPages - 1,
            numberOfElements: content.length,
            empty: content.length === 0,
          },
        }
      );
    },
    ...springWrites(rows, refuse),
  };
  // `csrf.spa()` reads the token for each request: the answer to a request without the cookie sets it, whatever it is.
  const withToken = (request: RecipeRequest, answer: RecipeAnswer): RecipeAnswer => {
    if (request.cookies.has('XSRF-TOKEN')) return answer;
    const cookie = `XSRF-TOKEN=${newToken()}; Path=/`;
    return {
      ...answer,
      headers: { ...answer.headers, 'Set-Cookie': [cookie, answer.headers?.['Set-Cookie'] ?? []].flat() },
    };
  };
  return {
    routes: Object.fromEntries(
      Object.entries(routes).map(([name, route]) => [name, request => withToken(request, route(request))]),
    ),
    rows,
    makeStale: (context, url) => replaceOnTheWay(context, { name: 'XSRF-TOKEN', value: newToken(), url }),
  };
}

/** A resource server of Spring Security, and Spring Data's `PagedModel`. */
export function springJwt(): Framework {
  const rows = createRows();
  let issued = 0;
  let valid = '';
  const refuse = ({ headers }: RecipeRequest) =>
    headers.authorization === `Bearer ${valid}`
      ? undefined
      : { status: 401, headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' } };
  const routes: Routes = {
    'POST /api/token': ({ body }) =>
      body.username === 'ada' && body.password === PASSWORD
        ? { body: { access_token: (valid = jwtOf('ada', ++issued)), expires_in: 3600 } }
        : { status: 401 },
    'GET /api/articles': request => refuse(request) ?? { body: springPage(rows, request.url) },
    ...springWrites(rows, refuse),
  };
  return { routes, rows, makeStale: () => void (valid = 'expired') };
}

/**
 * The recipe's controller, with `spring.web.error.include-binding-errors=always`: the body is that of Spring Boot's `DefaultErrorAttributes`. A method
 * without `@ResponseStatus` answers 200. Spring has no method for PATCH unless one is written.
 */
function springWrites(rows: Row[], refuse: (request: RecipeRequest) => RecipeAnswer | undefined): Routes {
  const blank = {
    codes: ['NotBlank.article.title', 'NotBlank.title', 'NotBlank.java.lang.String', 'NotBlank'],
    arguments: [{ codes: ['article.title', 'title'], defaultMessage: 'title', code: 'title' }],
    defaultMessage: 'must not be blank',
    objectName: 'article',
    field: 'title',
    rejectedValue: '',
    bindingFailure: false,
    code: 'NotBlank',
  };
  const facts = { timestamp: '2026-11-25T07:00:00.000+00:00', path: '/api/articles' };
  const path = '/api/articles/:id';
  return {
    ...writeRoutes(rows, {
      path,
      refuse,
      invalid: { status: 400, body: { ...facts, status: 400, error: 'Bad Request', errors: [blank] } },
      created: 200,
      deleted: 200,
    }),
    [`PATCH ${path}`]: request =>
      refuse(request) ?? { status: 405, body: { ...facts, status: 405, error: 'Method Not Allowed' } },
  };
}

/** Spring counts pages from 0. */
function springPage(all: readonly Row[], url: URL) {
  const { number, rows } = pageOf(all, url, 0);
  return {
    content: rows,
    page: { size: PAGE_SIZE, number: number - 1, totalElements: all.length, totalPages: pagesOf(all) },
  };
}

/** A JWT. Another `count` makes another token of the same user. */
function jwtOf(sub: string, count: number): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'HS256' })}.${part({ sub, jti: `${count}` })}.c2lnbmF0dXJl`;
}

/** An API with JWTs, and pages of a bare list. The refresh token is in a cookie, and works once. */
export function jwtApi(): Framework {
  const rows = createRows();
  let issued = 0;
  let valid = '';
  const issue = () => {
    valid = jwtOf('ada', ++issued);
    const cookie = `refresh=${issued}; Path=/auth; HttpOnly; SameSite=Strict`;
    return { body: { accessToken: valid, expiresIn: 3600, user: ADA }, headers: { 'Set-Cookie': cookie } };
  };
  const refuse = ({ headers }: RecipeRequest) =>
    headers.authorization === `Bearer ${valid}` ? undefined : { status: 401, body: { message: 'Expired.' } };
  const routes: Routes = {
    'POST /auth/login': ({ body }) =>
      body.username === 'ada' && body.password === PASSWORD ? issue() : { status: 401, body: { message: 'Wrong.' } },
    'POST /auth/refresh': ({ cookies }) =>
      cookies.get('refresh') === `${issued}` ? issue() : { status: 401, body: { message: 'Used.' } },
    'GET /article': request => refuse(request) ?? { body: pageOf(rows, request.url).rows },
    ...writeRoutes(rows, {
      path: '/article/:id',
      refuse,
      invalid: { status: 422, body: { errors: [{ field: 'title', message: 'A title is needed.' }] } },
    }),
  };
  return { routes, rows, makeStale: () => void (valid = 'expired') };
}

/** The server of the page, as it stands there, with Express itself. */
export async function expressCookie(): Promise<Framework> {
  const { app, rows } = await expressApp('ExpressCookie');
  // Each session has tokens of its own, so this one is signed in to for real.
  const makeStale = (context: BrowserContext, url: string) =>
    onTheWay(context, async () => {
      const [token] = (await context.cookies(url)).filter(({ name }) => name === 'csrf');
      const headers = { 'X-CSRF-Token': decodeURIComponent(token?.value ?? '') };
      await context.request.post(`${url}/api/login`, { headers, data: { username: 'ada', password: PASSWORD } });
    });
  return { routes: app, rows, makeStale };
}

/** The same with JWTs. The token of the next change is one that nobody has signed. */
export async function expressJwt(): Promise<Framework> {
  const { app, rows } = await expressApp('ExpressJwt');
  const makeStale = (context: BrowserContext) => onTheWay(context, async () => ({ authorization: 'Bearer stale' }));
  return { routes: app, rows, makeStale };
}

/** The recipe's routes in FastAPI, whose refusals are in `detail`. */
export function fastApi(): Framework {
  const rows = createRows();
  let issued = 0;
  let valid = '';
  const issue = () => {
    valid = jwtOf('ada', ++issued);
    const tokens = { access_token: valid, refresh_token: `refresh-${issued}`, token_type: 'bearer' };
    return { body: { ...tokens, user: ADA } };
  };
  const unauthorized = (detail: string) => ({
    status: 401,
    headers: { 'WWW-Authenticate': 'Bearer' },
    body: { detail },
  });
  const refuse = ({ headers }: RecipeRequest) => {
    if (!headers.authorization?.startsWith('Bearer ')) return unauthorized('Not authenticated');
    return headers.authorization === `Bearer ${valid}` ? undefined : unauthorized('The token has expired.');
  };
  const routes: Routes = {
    'POST /login': ({ body }) =>
      body.username === 'ada' && body.password === PASSWORD ? issue() : unauthorized('Wrong user name or password.'),
    'POST /refresh': ({ body }) =>
      body.refreshToken === `refresh-${issued}` ? issue() : unauthorized('Sign in again.'),
    'GET /articles': request =>
      refuse(request) ?? { body: { items: pageOf(rows, request.url).rows, total: rows.length } },
    ...writeRoutes(rows, {
      path: '/articles/:id',
      refuse,
      invalid: {
        status: 422,
        body: {
          detail: [
            {
              type: 'string_too_short',
              loc: ['body', 'title'],
              msg: 'String should have at least 1 character',
              input: '',
              ctx: { min_length: 1 },
            },
          ],
        },
      },
    }),
  };
  return { routes, rows, makeStale: () => void (valid = 'expired') };
}

/** `MapIdentityApi` and the recipe's controller. An `[ApiController]` answers with problem details. */
export function aspNet(): Framework {
  const rows = createRows();
  let issued = 0;
  let valid = '';
  const issue = () => {
    valid = `CfDJ8-access-${++issued}`;
    return {
      body: { tokenType: 'Bearer', accessToken: valid, expiresIn: 3600, refreshToken: `CfDJ8-refresh-${issued}` },
    };
  };
  const challenge = { status: 401, headers: { 'WWW-Authenticate': 'Bearer', 'Content-Length': '0' } };
  const refuse = ({ headers }: RecipeRequest) => (headers.authorization === `Bearer ${valid}` ? undefined : challenge);
  const problem = (status: number, section: number, title: string, more: object) => ({
    status,
    headers: { 'Content-Type': 'application/problem+json' },
    body: JSON.stringify({
      type: `https://tools.ietf.org/html/rfc9110#section-15.5.${section}`,
      title,
      status,
      ...more,
    }),
  });
  const routes: Routes = {
    'POST /api/login': ({ body }) =>
      body.email === 'ada@example.com' && body.password === PASSWORD
        ? issue()
        : problem(401, 2, 'Unauthorized', { detail: 'Failed' }),
    'POST /api/refresh': ({ body }) => (String(body.refreshToken).startsWith('CfDJ8-refresh-') ? issue() : challenge),
    'GET /api/articles': request => refuse(request) ?? { body: pageOf(rows, request.url).rows },
    ...writeRoutes(rows, {
      path: '/api/articles/:id',
      refuse,
      invalid: problem(400, 1, 'One or more validation errors occurred.', {
        errors: { Title: ['The Title field is required.'] },
        traceId: '00-8a6d2b0c6a1e4f0f9b1c2d3e4f5a6b7c-1a2b3c4d5e6f7a8b-00',
      }),
    }),
  };
  return { routes, rows, makeStale: () => void (valid = 'expired') };
}
