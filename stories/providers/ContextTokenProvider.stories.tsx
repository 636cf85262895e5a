import type { Meta, StoryObj } from '@storybook/react-vite';
import { ContextTokenProvider, hookifyResource } from '../../src/index.js';
import { articleResource } from '../support/articles.js';
import { ArticlesDemo, AuthStatus } from '../support/ArticlesDemo.js';
import { RequestLog } from '../support/RequestLog.js';
import { setupContextApp } from '../support/setupContextApp.js';
import { shown, sourceOf } from '../support/sourceOf.js';
import { BearerOfASdk } from './shown/BearerOfASdk.js';
import { SdkApp } from './shown/SdkApp.js';
import { AccountContext, TokenOfAContext } from './shown/TokenOfAContext.js';

const Articles = hookifyResource(articleResource());
const app = setupContextApp();
const bearerApp = setupContextApp({ server: { header: 'Authorization' } });

/** The type of an optional prop in the props table. The SDK gives the props, so the table cannot change them. */
function described(type: string) {
  return { control: false, table: { type: { summary: type } } } as const;
}

/**
 * A session whose token comes from a component above: an SDK such as Auth0's, or a context of your own.
 *
 * ```tsx
 * const { user, getAccessTokenSilently } = useAuth0();
 * <ContextTokenProvider
 *   subject={user?.sub ?? null}
 *   getToken={({ forceRefresh }) => getAccessTokenSilently({ cacheMode: forceRefresh ? 'off' : 'on' })}
 *   header="Authorization"
 * >
 *   …
 * </ContextTokenProvider>
 * ```
 */
const meta = {
  title: 'Providers/ContextTokenProvider',
  component: ContextTokenProvider,
  globals: { mechanism: 'context' },
  argTypes: {
    token: described('string | null'),
    getToken: described('({ forceRefresh }) => Promise<string | null | undefined>'),
    subject: described('string | null'),
    header: described('string'),
    trustedOrigins: described('readonly string[]'),
    onExpired: described('() => void | Promise<unknown>'),
  },
  beforeEach: app.start('ada'),
} satisfies Meta;

export default meta;
type Story = StoryObj;

/** The provider calls `getToken` when a request is sent. Sign in as Grace at the SDK (a mock of Auth0's), and `subject` changes. */
export const Basic: Story = {
  parameters: shown(300, 'SdkApp.tsx'),
  render: () => (
    <app.SdkProvider>
      <SdkApp />
    </app.SdkProvider>
  ),
};

/** A `token` that a context of your app has already. A new token of the same `subject` re-renders nothing below. */
export const TokenAsAValue: Story = {
  globals: { user: 'ada', network: 'fast' },
  parameters: sourceOf('TokenOfAContext.tsx'),
  beforeEach: () => void app.server.signIn('ada'),
  render: () => (
    <AccountContext.Provider value={{ id: 'ada', token: 'ada-1' }}>
      <TokenOfAContext>
        <AuthStatus />
        <ArticlesDemo articles={Articles} />
      </TokenOfAContext>
    </AccountContext.Provider>
  ),
};

/** `header` names the header. In `Authorization` the token follows the word `Bearer`: `'Authorization: token'` has another one. */
export const AuthorizationHeader: Story = {
  parameters: shown(360, 'BearerOfASdk.tsx'),
  beforeEach: bearerApp.start('ada'),
  render: (_, { journal }) => (
    <>
      <bearerApp.SdkProvider>
        <BearerOfASdk>
          <ArticlesDemo articles={Articles} />
        </BearerOfASdk>
      </bearerApp.SdkProvider>
      <RequestLog journal={journal} />
    </>
  ),
};
