// The servers of the recipes: they answer as the code and the settings on each page make the framework answer.
import { pageOf, PAGE_SIZE, PAGES, ROWS, type RecipeAnswer, type RecipeRequest, type Routes } from './recipeServer.js';

const ADA = { id: 1, name: 'ada' };
const PASSWORD = 'lovelace';

/** Django's session and CSRF middleware, the recipe's views, and a ModelViewSet with PageNumberPagination under a DefaultRouter. */
export function django(): Routes {
  let issued = 0;
  const csrfCookie = () => `csrftoken=token-${++issued}; Path=/; SameSite=Lax`;
  const isSignedIn = ({ cookies }: RecipeRequest) => cookies.get('sessionid') === 'ada';
  const refused = ({ cookies, headers }: RecipeRequest): RecipeAnswer | undefined =>
    cookies.has('csrftoken') && headers['x-csrftoken'] === cookies.get('csrftoken')
      ? undefined
      : { status: 403, body: { detail: 'CSRF Failed: CSRF token missing.' } };
  // APPEND_SLASH
  const toSlash = ({ url }: RecipeRequest): RecipeAnswer => ({
    status: 301,
    headers: { Location: `${url.pathname}/${url.search}` },
  });
  return {
    'GET /api/whoami/': request => ({
      body: isSignedIn(request) ? ADA : null,
      headers: request.cookies.has('csrftoken') ? {} : { 'Set-Cookie': csrfCookie() },
    }),
    'POST /api/login/': request =>
      refused(request) ??
      (request.body.username === 'ada' && request.body.password === PASSWORD
        ? { body: ADA, headers: { 'Set-Cookie': ['sessionid=ada; HttpOnly; Path=/; SameSite=Lax', csrfCookie()] } }
        : { status: 401, body: { detail: 'Wrong user name or password.' } }),
    'GET /api/articles': toSlash,
    'GET /api/articles/': request => {
      if (!isSignedIn(request))
        return { status: 401, body: { detail: 'Authentication credentials were not provided.' } };
      const { rows, next, previous } = pageOf(request.url);
      return { body: { count: ROWS.length, next, previous, results: rows } };
    },
  };
}

/** Sanctum's SPA authentication with Fortify's login, and a collection of API resources. */
export function laravel(): Routes {
  const isSignedIn = ({ cookies }: RecipeRequest) => cookies.get('laravel_session') === 'ada';
  // Without the header, the `auth` middleware redirects to the route `login`.
  const unauthenticated = ({ headers }: RecipeRequest): RecipeAnswer =>
    headers.accept?.includes('json')
      ? { status: 401, body: { message: 'Unauthenticated.' } }
      : { status: 302, headers: { Location: '/login' } };
  const isTokenRight = ({ cookies, headers }: RecipeRequest) =>
    headers['x-xsrf-token'] === decodeURIComponent(cookies.get('XSRF-TOKEN') ?? 'none');
  return {
    'GET /sanctum/csrf-cookie': () => ({
      status: 204,
      headers: { 'Set-Cookie': 'XSRF-TOKEN=eyJpdiI6%3D%3D; Path=/; SameSite=Lax' },
    }),
    'POST /login': request => {
      if (!isTokenRight(request)) return { status: 419, body: { message: 'CSRF token mismatch.' } };
      if (request.body.email !== 'ada@example.com' || request.body.password !== PASSWORD)
        return {
          status: 422,
          body: { message: 'Wrong.', errors: { email: ['These credentials do not match our records.'] } },
        };
      return {
        body: { two_factor: false },
        headers: { 'Set-Cookie': 'laravel_session=ada; HttpOnly; Path=/; SameSite=Lax' },
      };
    },
    'GET /api/user': request =>
      isSignedIn(request) ? { body: { ...ADA, email: 'ada@example.com' } } : unauthenticated(request),
    'GET /api/posts': request => {
      if (!isSignedIn(request)) return unauthenticated(request);
      const { number, rows, next, previous, link } = pageOf(request.url);
      const from = (number - 1) * PAGE_SIZE + 1;
      return {
        body: {
          data: rows,
          links: { first: link(1), last: link(PAGES), prev: previous, next },
          meta: {
            current_page: number,
            from,
            last_page: PAGES,
            links: [{ url: null, label: '&laquo; Previous', active: false }],
            path: `${request.url.origin}/api/posts`,
            per_page: PAGE_SIZE,
            to: from + rows.length - 1,
            total: ROWS.length,
          },
        },
      };
    },
  };
}

/** The token in the page's `<meta>` tag. */
export const RAILS_HEAD = '<meta name="csrf-token" content="of-the-page">';

/** Rails with `protect_from_forgery`, the recipe's controllers, and pagy's headers. */
export function rails(): Routes {
  const isSignedIn = ({ cookies }: RecipeRequest) => cookies.get('_app_session') === 'ada';
  return {
    'GET /api/csrf': () => ({ body: { token: 'of-the-page' } }),
    'GET /api/me': request => (isSignedIn(request) ? { body: ADA } : { status: 401 }),
    'POST /api/session': ({ headers, body }) => {
      if (headers['x-csrf-token'] !== 'of-the-page') return { status: 403, body: { error: 'csrf' } };
      if (body.username !== 'ada' || body.password !== PASSWORD) return { status: 401 };
      return { body: ADA, headers: { 'Set-Cookie': '_app_session=ada; HttpOnly; Path=/; SameSite=Lax' } };
    },
    'GET /api/posts': request => {
      if (!isSignedIn(request)) return { status: 401 };
      const { number, rows, next, previous, link } = pageOf(request.url);
      const links = { first: link(1), prev: previous, next, last: link(PAGES) };
      const header = Object.entries(links).flatMap(([rel, href]) => (href ? [`<${href}>; rel="${rel}"`] : []));
      const counts = {
        'current-page': `${number}`,
        'page-items': `${PAGE_SIZE}`,
        'total-pages': `${PAGES}`,
        'total-count': `${ROWS.length}`,
      };
      return { body: rows, headers: { link: header.join(', '), ...counts } };
    },
  };
}

/** Spring Security with `csrf.spa()`, the recipe's controller, and Spring Data's `Page`. */
export function springSession(): Routes {
  let issued = 0;
  // For each request without the cookie, whatever its answer is.
  const csrfCookie = ({ cookies }: RecipeRequest) =>
    cookies.has('XSRF-TOKEN') ? {} : { 'Set-Cookie': `XSRF-TOKEN=token-${++issued}; Path=/` };
  const isSignedIn = ({ cookies }: RecipeRequest) => cookies.get('JSESSIONID') === 'ada';
  const unauthorized = (request: RecipeRequest) => ({ status: 401, headers: csrfCookie(request) });
  return {
    'GET /api/me': request =>
      isSignedIn(request) ? { body: { id: 'ada', name: 'ada' }, headers: csrfCookie(request) } : unauthorized(request),
    'POST /api/login': request => {
      const { cookies, headers, body } = request;
      if (!cookies.has('XSRF-TOKEN') || headers['x-xsrf-token'] !== cookies.get('XSRF-TOKEN'))
        return { status: 403, body: { error: 'csrf' }, headers: csrfCookie(request) };
      if (body.username !== 'ada' || body.password !== PASSWORD) return unauthorized(request);
      return {
        body: { id: 'ada', name: 'ada' },
        headers: { 'Set-Cookie': 'JSESSIONID=ada; HttpOnly; Path=/' },
      };
    },
    'GET /api/articles': request => {
      if (!isSignedIn(request)) return unauthorized(request);
      const { content, page } = springPage(request.url);
      return {
        body: {
          content,
          pageable: { pageNumber: page.number, pageSize: PAGE_SIZE, offset: page.number * PAGE_SIZE, paged: true },
          ...page,
          first: page.number === 0,
          last: page.number === PAGES - 1,
          numberOfElements: content.length,
          empty: content.length === 0,
        },
      };
    },
  };
}

/** A resource server of Spring Security, and Spring Data's `PagedModel`. */
export function springJwt(): Routes {
  const token = jwtOf('ada');
  return {
    'POST /api/token': ({ body }) =>
      body.username === 'ada' && body.password === PASSWORD
        ? { body: { access_token: token, expires_in: 3600 } }
        : { status: 401 },
    'GET /api/articles': ({ url, headers }) =>
      headers.authorization === `Bearer ${token}`
        ? { body: springPage(url) }
        : { status: 401, headers: { 'WWW-Authenticate': 'Bearer' } },
  };
}

/** Spring counts pages from 0. */
function springPage(url: URL) {
  const { number, rows } = pageOf(url, 0);
  return {
    content: rows,
    page: { size: PAGE_SIZE, number: number - 1, totalElements: ROWS.length, totalPages: PAGES },
  };
}

function jwtOf(sub: string): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'HS256' })}.${part({ sub })}.c2lnbmF0dXJl`;
}

/** An API with JWTs, and pages of a bare list. */
export function jwtApi(): Routes {
  const token = jwtOf('ada');
  return {
    'POST /auth/login': ({ body }) =>
      body.username === 'ada' && body.password === PASSWORD
        ? { body: { access_token: token, refresh_token: 'refresh-1', expires_in: 3600 } }
        : { status: 401, body: { message: 'Wrong.' } },
    'GET /article': ({ url, headers }) =>
      headers.authorization === `Bearer ${token}` ? { body: pageOf(url).rows } : { status: 401, body: {} },
  };
}
