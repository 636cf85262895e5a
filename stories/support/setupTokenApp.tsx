import {
  createTokenSession,
  RestEndpoint,
  TokenAuthProvider,
  type TokenAuthProviderProps,
  type TokenSessionOptions,
} from '../../src/index.js';
import {
  requestLines,
  tokenAuthHandlers,
  type MockTokens,
  type ResourceHandlersOptions,
  type TokenAuthOptions,
} from '../../src/testing/index.js';
import { articleHandlers, api, articleHooks, people, type ArticleRow } from './articles.js';
import type { StoryStart } from './StoryStart.js';

/** Props that each provider has. */
export type StoreProviderProps = Pick<TokenAuthProviderProps, 'managers' | 'can' | 'clock' | 'onExpiry' | 'children'>;

export interface TokenAppOptions {
  /** The server's address. @default an API on an origin of its own */
  url?: string;
  server?: Partial<TokenAuthOptions>;
  session?: Partial<TokenSessionOptions<[{ username: string; password: string }], MockTokens>>;
  articles?: ResourceHandlersOptions<ArticleRow>;
  /** False: the session has no `restore`, as where no cookie brings tokens back. Then a login waits for no refresh. @default true */
  restores?: boolean;
  /** The articles on the server at the start. @default two of each user */
  rows?: readonly ArticleRow[];
}

/** A server with tokens, a session, and articles that only their author sees. */
export function setupTokenApp({ url = api, restores = true, ...options }: TokenAppOptions = {}) {
  const server = tokenAuthHandlers({ url, people, ...options.server });
  const articles = articleHandlers(server, { url, rows: options.rows, ...options.articles });
  const refresh = new RestEndpoint({ urlPrefix: url, path: '/refresh', method: 'POST' });
  const sessionFor = (startsAs: () => string | undefined, others?: TokenAppOptions['session']) => {
    const given = { ...options.session, ...others };
    return createTokenSession({
      login: new RestEndpoint({
        urlPrefix: url,
        path: '/login',
        method: 'POST',
        body: {} as { username: string; password: string },
        process: (value): MockTokens => value,
      }),
      logout: new RestEndpoint({ urlPrefix: url, path: '/logout', method: 'POST', body: undefined }),
      ...(restores && {
        restore: async () => {
          const personId = startsAs();
          return personId === undefined ? null : server.signIn(personId);
        },
      }),
      ...(options.server?.header !== undefined && { header: options.server.header }),
      ...given,
      refresh: typeof given.refresh === 'function' ? given.refresh : { call: refresh, ...given.refresh },
    });
  };
  let startsAs: string | undefined;
  const session = sessionFor(() => startsAs);

  return {
    server,
    articles,
    session,
    /** Builds the lines of this app's requests, with this server's header: `sent.get('/article').as('ada')`. */
    sent: requestLines({ prefix: url, as: tokenOf(options.server) }),
    /** Another session with the same server, for this user or signed out. `others` are its own options. Dispose of it after the story. */
    anotherSession: (personId?: string, others?: TokenAppOptions['session']) => sessionFor(() => personId, others),
    Articles: articleHooks(url),
    Provider: (props: StoreProviderProps) => <TokenAuthProvider {...props} session={session} />,
    /** A story's `beforeEach`: a fresh server, and this user signed in without a request; without an id, a signed-out user. */
    start:
      (personId?: string): StoryStart =>
      async context => {
        if (context.auth.isRerender) return;
        startsAs = context.auth.personFor(personId);
        server.reset();
        articles.reset();
        session.dispose();
        context.msw.use(...server.handlers, ...articles.handlers);
        context.auth.setServer(server);
        if (!restores && startsAs !== undefined) await session.enter(server.signIn(startsAs));
      },
  };
}

function tokenOf({ header = 'Access-Token' }: Partial<TokenAuthOptions> = {}) {
  return (person: string, token: number) => ({
    [header]: `${header === 'Authorization' ? 'Bearer ' : ''}${person}-${token}`,
  });
}
