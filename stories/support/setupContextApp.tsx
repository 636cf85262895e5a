import type { ReactNode } from 'react';
import { ContextTokenProvider, type Extension, type SdkSessionOptions, type UserOption } from '../../src/index.js';
import {
  requestLines,
  tokenAuthHandlers,
  type MockPerson,
  type ResourceHandlersOptions,
  type TokenAuthOptions,
} from '../../src/testing/index.js';
import { articleHandlers, api, articleHooks, people, type ArticleRow } from './articles.js';
import { MockSdkProvider, useMockSdk } from './MockSdk.js';
import { sdkControls } from './sdkControls.js';
import type { StoreProviderProps } from './setupTokenApp.js';
import type { StoryStart } from './StoryStart.js';

interface ContextAppOptions {
  /** The server's address. @default an API on an origin of its own */
  url?: string;
  articles?: ResourceHandlersOptions<ArticleRow>;
  /** The articles on the server at the start. @default two of each user */
  rows?: readonly ArticleRow[];
  /** How the server wants the token. @default the header Access-Token */
  server?: Partial<Pick<TokenAuthOptions, 'header' | 'people'>>;
  /** The user as a record. @default the SDK's subject alone */
  user?: UserOption<unknown>['user'];
  profile?: SdkSessionOptions['profile'];
  extensions?: readonly Extension[];
  onExpired?: () => void | Promise<unknown>;
}

/** A server whose tokens an SDK holds, and articles that only their author sees. */
export function setupContextApp({
  url = api,
  onExpired,
  user: userClass,
  profile,
  extensions,
  ...options
}: ContextAppOptions = {}) {
  const server = tokenAuthHandlers({ url, people, ...options.server });
  const articles = articleHandlers(server, { url, rows: options.rows, ...options.articles });
  const sdk = sdkControls();
  let startsAs: MockPerson | undefined;

  function WithToken(props: StoreProviderProps) {
    const { user, getAccessTokenSilently } = useMockSdk();
    return (
      <ContextTokenProvider
        {...props}
        subject={user?.sub ?? null}
        getToken={({ forceRefresh }) => getAccessTokenSilently({ cacheMode: forceRefresh ? 'off' : 'on' })}
        onExpired={onExpired}
        user={userClass}
        profile={profile}
        extensions={extensions}
      />
    );
  }

  const SdkProvider = ({ children }: { children: ReactNode }) => (
    <MockSdkProvider server={server} startsAs={startsAs} controls={sdk}>
      {children}
    </MockSdkProvider>
  );

  return {
    server,
    articles,
    /** Builds the lines of this app's requests: `sent.get('/article').as('ada')`. */
    sent: requestLines({ prefix: url }),
    /** Controls the SDK. */
    sdk,
    Articles: articleHooks(url),
    /** The SDK alone, for an example that brings the kit's provider. */
    SdkProvider,
    Provider: (props: StoreProviderProps) => (
      <SdkProvider>
        <WithToken {...props} />
      </SdkProvider>
    ),
    /** A story's `beforeEach`: a fresh server, and this user signed in at the SDK; without an id, a signed-out user. */
    start:
      (personId?: string): StoryStart =>
      context => {
        if (context.auth.isRerender) return;
        const startsWith = context.auth.personFor(personId);
        startsAs = people.find(({ id }) => id === startsWith);
        server.reset();
        articles.reset();
        sdk.reset();
        context.msw.use(...server.handlers, ...articles.handlers);
        context.auth.setServer(server);
      },
  };
}
