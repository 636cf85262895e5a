import type { Meta, StoryObj } from '@storybook/react-vite';
import { ActionButton } from '../support/ActionButton.js';
import { SignInButtons } from '../support/ArticlesDemo.js';
import { inTokenProvider } from '../support/inTokenProvider.js';
import { RequestLog } from '../support/RequestLog.js';
import { shown } from '../support/sourceOf.js';
import { Greeting } from './shown/Greeting.js';
import { OneArticle } from './shown/OneArticle.js';
import { renameAll } from './shown/renameAll.js';
import { TenantArticles } from './shown/TenantArticles.js';
import { token } from './tokenExamples.js';

/**
 * The hooks work below any of the three providers. You need none of them to send credentials: hookified resources and the widgets
 * find the session themselves.
 */
const meta = {
  title: 'Providers/Hooks',
  globals: { mechanism: 'token' },
  decorators: inTokenProvider(token.session),
  beforeEach: token.start('ada'),
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

/** `useAuth()` says who is signed in and why a session has ended, and signs in and out. A refresh does not re-render it. */
export const UseAuth: Story = {
  name: 'useAuth',
  parameters: shown(120, 'Greeting.tsx'),
  render: () => (
    <>
      <Greeting />
      <SignInButtons />
    </>
  ),
};

/** `useEndpoint(endpoint)` gives one endpoint the session of the nearest provider, without `hookifyResource`. */
export const UseEndpoint: Story = {
  name: 'useEndpoint',
  parameters: shown(120, 'OneArticle.tsx'),
  render: () => <OneArticle id="1" />,
};

/** `useAuthInit()` is the default `useInit` of `hookifyResource`. Spread it to add headers of your own. */
export const UseAuthInit: Story = {
  name: 'useAuthInit',
  parameters: shown(130, 'TenantArticles.tsx'),
  render: () => <TenantArticles />,
};

/** `authEndpoint(session)` binds a resource to a session by its class, for loaders, workers and other code outside React. */
export const AuthEndpoint: Story = {
  name: 'authEndpoint, outside React',
  parameters: shown(230, 'renameAll.ts'),
  render: (_, { journal }) => (
    <>
      <ActionButton label="Rename all" act={async () => `Renamed ${await renameAll('On knocking')} articles.`} />
      <RequestLog journal={journal} />
    </>
  ),
};
