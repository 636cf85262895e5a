import { CookieAuthProvider, createCookieSession, RestEndpoint, type CookieSessionOptions } from '../../src/index.js';
import {
  cookieAuthHandlers,
  requestLines,
  type CookieAuthOptions,
  type ResourceHandlersOptions,
} from '../../src/testing/index.js';
import { articleHandlers, articleHooks, people, type ArticleRow } from './articles.js';
import type { StoreProviderProps } from './setupTokenApp.js';
import type { StoryStart } from './StoryStart.js';

/** The API on the page's own origin, to which browsers send cookies. */
export const ownApi = '/api';

/** The header with the server's first CSRF token, or a later one: `sent.post('/logout').headers(csrf(2))`. */
export const csrf = (token: number) => ({ 'X-CSRFToken': `csrf-${token}` });

interface CookieAppOptions {
  /** The server's address. @default an API on the page's own origin */
  url?: string;
  /** CSRF protection as Django's, or none. @default true */
  csrf?: boolean;
  server?: Partial<CookieAuthOptions>;
  session?: Partial<CookieSessionOptions<[{ username: string; password: string }], { id: string; name: string }>>;
  articles?: ResourceHandlersOptions<ArticleRow>;
  /** The articles on the server at the start. @default two of each user */
  rows?: readonly ArticleRow[];
}

/** A server with a session cookie and CSRF tokens, a session with it, and articles that only their author sees. */
export function setupCookieApp({ url = ownApi, csrf: isProtected = true, ...options }: CookieAppOptions = {}) {
  const server = cookieAuthHandlers({ url, people, ...(isProtected && { csrf: {} }), ...options.server });
  const articles = articleHandlers(server, { url, rows: options.rows, ...options.articles });
  const session = createCookieSession({
    // A docs page shows several frames of one origin, whose sessions must not follow each other.
    tabs: false,
    whoami: new RestEndpoint({
      urlPrefix: url,
      path: '/whoami',
      process: (value): { id: string; name: string } => value,
    }),
    login: new RestEndpoint({
      urlPrefix: url,
      path: '/login',
      method: 'POST',
      body: {} as { username: string; password: string },
    }),
    logout: new RestEndpoint({ urlPrefix: url, path: '/logout', method: 'POST', body: undefined }),
    ...(isProtected && {
      csrf: { cookie: 'csrftoken', header: 'X-CSRFToken', fetch: new RestEndpoint({ urlPrefix: url, path: '/csrf' }) },
    }),
    ...options.session,
  });

  return {
    server,
    articles,
    session,
    /** Builds the lines of this app's requests. A line has no cookie, so it does not say which user sent it. */
    sent: requestLines({ prefix: url, credentials: options.session?.credentials ?? 'same-origin' }),
    Articles: articleHooks(url),
    Provider: (props: StoreProviderProps) => <CookieAuthProvider {...props} session={session} />,
    /** The cookies that a story in this app may leave: `parameters: { cookies: app.cookies }`. */
    cookies: [...server.cookieNames],
    /** A story's `beforeEach`: a fresh server; with an id, the browser has that user's cookie. */
    start:
      (personId?: string): StoryStart =>
      context => {
        if (context.auth.isRerender) return;
        const startsAs = context.auth.personFor(personId);
        server.reset();
        articles.reset();
        session.dispose();
        if (startsAs !== undefined) server.signIn(startsAs);
        context.msw.use(...server.handlers, ...articles.handlers);
        context.auth.setServer(server);
        return () => server.reset();
      },
  };
}
