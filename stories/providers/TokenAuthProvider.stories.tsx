import type { Meta, StoryObj } from '@storybook/react-vite';
import { TokenAuthProvider } from '../../src/index.js';
import { ActionButton } from '../support/ActionButton.js';
import { articleHooks } from '../support/articles.js';
import { ArticlesDemo, AuthStatus, SignInButtons } from '../support/ArticlesDemo.js';
import { RequestLog } from '../support/RequestLog.js';
import { shown } from '../support/sourceOf.js';
import { LoginFormApp } from './shown/LoginFormApp.js';
import { RestoredApp } from './shown/RestoredApp.js';
import { TokenApp } from './shown/TokenApp.js';
import { bearer, restored, stored, token } from './tokenExamples.js';

const Articles = articleHooks();

/**
 * A session whose token travels in a header. Make it once, outside React:
 *
 * ```ts
 * const session = createTokenSession({
 *   login: new RestEndpoint({ urlPrefix: api, path: '/login', method: 'POST' }), // answers { accessToken, refreshToken?, user? }
 *   refresh: new RestEndpoint({ urlPrefix: api, path: '/refresh', method: 'POST' }), // gets { refreshToken }, answers alike
 *   logout: new RestEndpoint({ urlPrefix: api, path: '/logout', method: 'POST', body: undefined }),
 *   header: 'Authorization', // sends “Bearer …”; without it, Access-Token
 *   storage: 'session', // or 'local', or a store of your own; without it, memory
 *   trustedOrigins: [api], // who gets the token; without it, the page's origin and each endpoint's urlPrefix
 * });
 * ```
 *
 * Further options: `restore` (a user may be signed in already), `parseTokens` (answers of another shape),
 * `timeout`. Your editor shows the documentation of each.
 */
const meta = {
  title: 'Providers/TokenAuthProvider',
  component: TokenAuthProvider,
  globals: { mechanism: 'token' },
  render: () => <TokenApp />,
} satisfies Meta;

export default meta;
type Story = StoryObj;

/**
 * Each request carries the token of the user who is signed in. Sign in as Grace: the provider mounts everything below it again, on an
 * empty store.
 */
export const Basic: Story = {
  parameters: shown(300, 'tokenSession.ts', 'TokenApp.tsx'),
  beforeEach: token.start('ada'),
};

/** `<LoginForm />` calls the session's `login`. The user name is `ada`, the password is `lovelace`. */
export const WithALoginForm: Story = {
  parameters: shown(380, 'LoginFormApp.tsx'),
  render: () => <LoginFormApp />,
  beforeEach: token.start(),
};

/**
 * `restore` checks for an existing session, here by a refresh token in a cookie. Requests wait for the check, and `<Authenticated>` shows
 * `loading`. This server never answers: after ten seconds (`timeout`) the login form says so, and offers to try again.
 */
export const Loading: Story = {
  parameters: { ...shown(80, 'restoredSession.ts', 'RestoredApp.tsx'), unanswered: true },
  render: () => <RestoredApp />,
  beforeEach: [restored.start(), () => void restored.server.holdRefresh()],
};

/** The server refuses the token, and the refresh as well: the session ends, and `reason` is `expired`. */
export const Expired: Story = {
  parameters: shown(150, 'TokenApp.tsx'),
  beforeEach: [token.start('ada'), () => token.server.revoke('ada')],
};

/**
 * Let the access token expire, and then rename an article. The server answers 401, the session refreshes once and sends the request
 * again, and the screen does not change.
 */
export const Refresh: Story = {
  parameters: shown(500, 'tokenSession.ts', 'TokenApp.tsx'),
  beforeEach: token.start('ada'),
  render: (_, { journal }) => (
    <>
      <ActionButton
        label="Expire the access token"
        act={() => {
          token.server.expire();
          return Promise.resolve('The server refuses it now.');
        }}
      />
      <TokenApp />
      <RequestLog journal={journal} />
    </>
  ),
};

/** `header` names the header. In `Authorization` the token follows the word `Bearer`: `'Authorization: token'` has another one. */
export const AuthorizationHeader: Story = {
  parameters: shown(550, 'bearerSession.ts'),
  render: (_, { journal }) => (
    <>
      <TokenAuthProvider session={bearer.session}>
        <ArticlesDemo articles={Articles} />
      </TokenAuthProvider>
      <RequestLog journal={journal} />
    </>
  ),
  beforeEach: bearer.start('ada'),
};

/**
 * `storage` decides what a reload of the page leaves: nothing without it, `'session'` the tokens of this tab, `'local'` those that all
 * tabs share. A sign-out removes them.
 */
export const Storage: Story = {
  parameters: shown(200, 'storedSession.ts'),
  render: () => (
    <TokenAuthProvider session={stored.session}>
      <AuthStatus />
      <SignInButtons />
    </TokenAuthProvider>
  ),
  beforeEach: stored.start('ada'),
};
