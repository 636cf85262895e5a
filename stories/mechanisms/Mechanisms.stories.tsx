import type { Meta, StoryObj } from '@storybook/react-vite';
import { ActionButton } from '../support/ActionButton.js';
import { LogoutManagerApp } from '../support/LogoutManagerApp.js';
import { setupArticleApi } from '../support/setupRestApi.js';
import { sourceOf } from '../support/sourceOf.js';
import { cookieCredentials, cookies, csrfToken } from './cookieExamples.js';
import { apiKey, hmac } from './sessionExamples.js';
import { setAuthToken } from './shown/authToken.js';
import { asyncToken, contextToken, functionToken, staticToken } from './tokenExamples.js';

const app = setupArticleApi();

/**
 * How a credential reaches a request in [data-client's guide](https://dataclient.io/rest/guides/auth), written by hand and without a
 * session. An endpoint class overrides `getHeaders` or `getRequestInit`, and a resource takes the class:
 *
 * ```ts
 * const ArticleResource = resource({ urlPrefix: api, path: '/article/:id', schema: Article, Endpoint: StaticTokenEndpoint });
 * ```
 *
 * The kit's providers take the place of these classes: they add the refresh, the sign-out and a store for each user. The last two
 * examples are sessions of the kit with a mechanism of their own, which [Your own mechanism](?path=/docs/advanced-your-own-mechanism--docs)
 * explains.
 */
const meta = {
  title: 'Mechanisms/Written by hand',
  globals: { mechanism: 'token', user: 'ada' },
  // The frames of the docs page share their cookies.
  parameters: { cookies, docs: { story: { height: '230px' } } },
  beforeEach: context => {
    context.auth.setServer(app.server);
    return app.start(context);
  },
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

/** The token is a static member of the class. Your login sets it: `StaticTokenEndpoint.accessToken = accessToken`. */
export const StaticMember: Story = {
  parameters: sourceOf('StaticTokenEndpoint.ts'),
  beforeEach: staticToken.start,
  render: () => <staticToken.App />,
};

/** A function returns the token at each request. */
export const Function: Story = {
  parameters: sourceOf('authToken.ts', 'FunctionTokenEndpoint.ts'),
  beforeEach: functionToken.start,
  render: () => <functionToken.App />,
};

/** `getHeaders` may be asynchronous: each request waits until the user has unlocked the keychain. */
export const AsyncFunction: Story = {
  name: 'Async function',
  parameters: sourceOf('vault.ts', 'AsyncTokenEndpoint.ts'),
  beforeEach: asyncToken.start,
  render: () => <asyncToken.App />,
};

/** `hookifyResource` makes hooks of the endpoints. Its `useInit` reads the token from a context while a component renders. */
export const Context: Story = {
  parameters: sourceOf('TokenContext.ts', 'ContextArticleResource.ts'),
  render: () => <contextToken.App />,
};

/** The browser has a session cookie. `credentials` says that it may travel; for an API on another origin it is `'include'`. */
export const CookieCredentials: Story = {
  parameters: sourceOf('CookieEndpoint.ts'),
  globals: { mechanism: 'cookie' },
  beforeEach: cookieCredentials.start,
  render: () => <cookieCredentials.App />,
};

/** With a session cookie, a request that changes something carries a token of a second cookie, so that other sites cannot send it. */
export const CsrfToken: Story = {
  name: 'CSRF token',
  parameters: sourceOf('CsrfEndpoint.ts'),
  globals: { mechanism: 'cookie' },
  beforeEach: csrfToken.start,
  render: () => <csrfToken.App />,
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
          app.server.expire();
          return Promise.resolve('The server refuses it now.');
        }}
      />
      <LogoutManagerApp />
    </>
  ),
};

/** A mechanism of your own in `createSession`: it signs the method, the path, the time and the body of each request. */
export const Hmac: Story = {
  name: 'HMAC signature',
  parameters: sourceOf('hmacSession.ts'),
  beforeEach: hmac.start,
  render: () => <hmac.App />,
};

/** The credential is a key that the user types. The login asks the server whose key it is, and then each request carries it. */
export const ApiKey: Story = {
  name: 'API key',
  parameters: sourceOf('apiKeySession.ts'),
  beforeEach: apiKey.start,
  render: () => <apiKey.App />,
};
