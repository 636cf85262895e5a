import type { ReactNode } from 'react';
import { createTokenSession, RestEndpoint, TokenAuthProvider, type TokenSessionOptions } from '../../src/index.js';
import { resourceHandlers, tokenAuthHandlers, type PretendTokens, type ResourceHandlersOptions, type TokenAuthOptions } from '../../src/testing/index.js';
import { api, articleHooks, articleResource, people, rows, type ArticleRow } from './articles.js';
import type { StoryStart } from './StoryStart.js';

interface TokenWorldOptions {
  server?: Partial<TokenAuthOptions>;
  session?: Partial<TokenSessionOptions<[{ username: string; password: string }], PretendTokens>>;
  articles?: ResourceHandlersOptions<ArticleRow>;
  /** What the server holds at first. @default two articles of each person's */
  rows?: readonly ArticleRow[];
}

/** A server with tokens, a session with it, and articles that only their author sees. `start` sets a story up in it. */
export function tokenWorld(options: TokenWorldOptions = {}) {
  const server = tokenAuthHandlers({ url: api, people, ...options.server });
  const articles = resourceHandlers(articleResource(), options.rows ?? rows, {
    auth: server,
    owner: row => row.author,
    private: true,
    stamp: (row, author) => ({ content: '', ...row, author }),
    ...options.articles,
  });
  let startsAs: string | undefined;
  const session = createTokenSession({
    login: new RestEndpoint({ urlPrefix: api, path: '/login', method: 'POST', body: {} as { username: string; password: string }, process: (value): PretendTokens => value }),
    refresh: new RestEndpoint({ urlPrefix: api, path: '/refresh', method: 'POST' }),
    logout: new RestEndpoint({ urlPrefix: api, path: '/logout', method: 'POST', body: undefined }),
    restore: async () => (startsAs === undefined ? null : server.signIn(startsAs)),
    ...(options.server?.header !== undefined && { header: options.server.header }),
    ...options.session,
  });

  return {
    server,
    articles,
    session,
    Articles: articleHooks(),
    Provider: ({ children }: { children: ReactNode }) => <TokenAuthProvider session={session}>{children}</TokenAuthProvider>,
    /** A story's `beforeEach`: a server as on its first day, and somebody (or nobody) signed in without a request. */
    start:
      (personId?: string): StoryStart =>
      ({ msw }) => {
        startsAs = personId;
        server.reset();
        articles.reset();
        session.dispose();
        msw.use(...server.handlers, ...articles.handlers);
        return () => session.dispose();
      },
  };
}
