import type { Meta, StoryObj } from '@storybook/react-vite';
import { Authenticated, TokenAuthProvider } from '../../src/index.js';
import { ActionButton } from '../support/ActionButton.js';
import { articleHooks } from '../support/articles.js';
import { ArticlesDemo } from '../support/ArticlesDemo.js';
import { apiKeyHandlers, signatureHandlers } from '../support/keyServers.js';
import { LogoutManagerApp } from '../support/LogoutManagerApp.js';
import { articlesBy, RenameFirst, Titles } from '../support/PlainArticles.js';
import { PlainStore } from '../support/PlainStore.js';
import { ownApi, setupCookieApp } from '../support/setupCookieApp.js';
import { setupArticleApi } from '../support/setupRestApi.js';
import { sourceOf } from '../support/sourceOf.js';
import { session as apiKeySession } from './shown/apiKeySession.js';
import { AsyncTokenEndpoint } from './shown/AsyncTokenEndpoint.js';
import { setAuthToken } from './shown/authToken.js';
import { ContextArticleResource } from './shown/ContextArticleResource.js';
import { CookieEndpoint } from './shown/CookieEndpoint.js';
import { CsrfEndpoint } from './shown/CsrfEndpoint.js';
import { FunctionTokenEndpoint } from './shown/FunctionTokenEndpoint.js';
import { session as hmacSession } from './shown/hmacSession.js';
import { StaticTokenEndpoint } from './shown/StaticTokenEndpoint.js';
import { TokenContext } from './shown/TokenContext.js';
import { vault } from './shown/vault.js';

const app = setupArticleApi();
const cookieApp = setupCookieApp();

/**
 * How a credential reaches a request in [data-client's guide](https://dataclient.io/rest/guides/auth), written by hand and without a
 * session. An endpoint class overrides `getHeaders` or `getRequestInit`, and a resource takes the class:
 *
 * ```ts
 * const ArticleResource = resource({ urlPrefix: api, path: '/article/:id', schema: Article, Endpoint: StaticTokenEndpoint });
 * ```
 *
 * The kit's providers take the place of these classes: they add the refresh, the sign-out and a store for each user. The last two
 * examples are sessions of the kit with a mechanism of their own, which [Your own mechanism](?path=/docs/guides-your-own-mechanism--docs)
 * explains.
 */
const meta = {
  title: 'Mechanisms/Written by hand',
  globals: { mechanism: 'token', user: 'ada' },
  // The frames of the docs page share their cookies.
  parameters: { cookies: cookieApp.cookies, docs: { story: { height: '230px' } } },
  beforeEach: context => {
    context.auth.setServer(app.server);
    return app.start(context);
  },
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

function Articles({ articles }: { articles: ReturnType<typeof articlesBy> }) {
  return (
    <>
      <Titles by={articles.getList} />
      <RenameFirst by={articles.partialUpdate} />
    </>
  );
}

const staticArticles = articlesBy(StaticTokenEndpoint);

/** The token is a static member of the class. Your login sets it: `StaticTokenEndpoint.accessToken = accessToken`. */
export const StaticMember: Story = {
  parameters: sourceOf('StaticTokenEndpoint.ts'),
  beforeEach: () => void (StaticTokenEndpoint.accessToken = 'ada-1'),
  render: () => (
    <PlainStore>
      <Articles articles={staticArticles} />
    </PlainStore>
  ),
};

const functionArticles = articlesBy(FunctionTokenEndpoint);

/** A function returns the token at each request. */
export const Function: Story = {
  parameters: sourceOf('authToken.ts', 'FunctionTokenEndpoint.ts'),
  beforeEach: () => setAuthToken('ada-1'),
  render: () => (
    <PlainStore>
      <Articles articles={functionArticles} />
    </PlainStore>
  ),
};

const asyncArticles = articlesBy(AsyncTokenEndpoint);

/** `getHeaders` may be asynchronous: each request waits until the user has unlocked the keychain. */
export const AsyncFunction: Story = {
  name: 'Async function',
  parameters: sourceOf('vault.ts', 'AsyncTokenEndpoint.ts'),
  beforeEach: () => vault.lock(),
  render: () => (
    <>
      <button type="button" onClick={() => vault.unlock('ada-1')}>
        Unlock the keychain
      </button>
      <PlainStore>
        <Articles articles={asyncArticles} />
      </PlainStore>
    </>
  ),
};

function ContextTitles() {
  return <Titles by={ContextArticleResource.useGetList()} />;
}

/** `hookifyResource` makes hooks of the endpoints. Its `useInit` reads the token from a context while a component renders. */
export const Context: Story = {
  parameters: sourceOf('TokenContext.ts', 'ContextArticleResource.ts'),
  render: () => (
    <TokenContext.Provider value="ada-1">
      <PlainStore>
        <ContextTitles />
      </PlainStore>
    </TokenContext.Provider>
  ),
};

const cookieArticles = articlesBy(CookieEndpoint, ownApi);

/** The browser has a session cookie. `credentials` says that it may travel; for an API on another origin it is `'include'`. */
export const CookieCredentials: Story = {
  parameters: sourceOf('CookieEndpoint.ts'),
  globals: { mechanism: 'cookie' },
  beforeEach: cookieApp.start('ada'),
  render: () => (
    <PlainStore>
      <Titles by={cookieArticles.getList} />
    </PlainStore>
  ),
};

const csrfArticles = articlesBy(CsrfEndpoint, ownApi);

/** With a session cookie, a request that changes something carries a token of a second cookie, so that other sites cannot send it. */
export const CsrfToken: Story = {
  name: 'CSRF token',
  parameters: sourceOf('CsrfEndpoint.ts'),
  globals: { mechanism: 'cookie' },
  beforeEach: cookieApp.start('ada'),
  render: () => (
    <PlainStore>
      <Articles articles={csrfArticles} />
    </PlainStore>
  ),
};

/** `LogoutManager` calls `handleLogout` after each 401. Expire the token and rename an article: the app forgets the token and the data. */
export const Logout: Story = {
  name: 'LogoutManager',
  parameters: sourceOf('createManagers.ts', 'authToken.ts'),
  beforeEach: () => setAuthToken('ada-1'),
  render: () => (
    <>
      <ActionButton
        label="Expire the access token"
        act={() => {
          app.server.expireAccessTokens();
          return Promise.resolve('The server refuses it now.');
        }}
      />
      <LogoutManagerApp />
    </>
  ),
};

const SignedArticles = articleHooks();

/** A mechanism of your own in `createSession`: it signs the method, the path, the time and the body of each request. */
export const Hmac: Story = {
  name: 'HMAC signature',
  parameters: sourceOf('hmacSession.ts'),
  beforeEach: async ({ msw }) => {
    msw.use(...signatureHandlers());
    hmacSession.dispose();
    await hmacSession.login({ keyId: 'ada', secret: 'lovelace' });
  },
  render: () => (
    <TokenAuthProvider session={hmacSession}>
      <Authenticated fallback={<p>Signed out.</p>}>
        <ArticlesDemo articles={SignedArticles} />
      </Authenticated>
    </TokenAuthProvider>
  ),
};

/** The credential is a key that the user types. The login asks the server whose key it is, and then each request carries it. */
export const ApiKey: Story = {
  name: 'API key',
  parameters: sourceOf('apiKeySession.ts'),
  beforeEach: async ({ msw }) => {
    msw.use(...apiKeyHandlers());
    apiKeySession.dispose();
    await apiKeySession.login('key-lovelace');
  },
  render: () => (
    <TokenAuthProvider session={apiKeySession}>
      <Authenticated fallback={<p>Signed out.</p>}>
        <ArticlesDemo articles={SignedArticles} />
      </Authenticated>
    </TokenAuthProvider>
  ),
};
