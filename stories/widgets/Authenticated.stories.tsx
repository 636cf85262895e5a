import type { Meta, StoryObj } from '@storybook/react-vite';
import { Authenticated, createTokenSession, TokenAuthProvider } from '../../src/index.js';
import { lock, type ExpiryLock } from '../../src/entries/lock.js';
import { LoginForm, ResourceList } from '../../src/entries/widgets.js';
import { endedSession } from '../support/endedSession.js';
import { setupWidgetApp } from '../support/setupWidgetApp.js';
import { Articles } from './resources.js';

const { Provider, start } = setupWidgetApp();

/**
 * Shows its children while a user is signed in, and else the `fallback`. It hides content but does not protect data: the
 * server must refuse requests that a user is not allowed to make.
 */
const meta = {
  title: 'Widgets/Authenticated',
  component: Authenticated,
  args: {
    fallback: <LoginForm />,
    loading: <p role="status">One moment…</p>,
    children: <ResourceList resource={Articles} label="Articles" renderItem={article => article.title} />,
  },
  decorators: [
    (Story, context) => (
      <Provider onExpiry={context.parameters.onExpiry as ExpiryLock | undefined}>
        <Story />
      </Provider>
    ),
  ],
  beforeEach: start('ada'),
  parameters: { docs: { story: { height: '400px' } } },
} satisfies Meta<typeof Authenticated>;

export default meta;
type Story = StoryObj<typeof meta>;

/** Ada is signed in: her articles are shown. */
export const Basic: Story = {
  parameters: { docs: { story: { height: '160px' } } },
};

/** No user is signed in: the `fallback` is shown, and nothing below `Authenticated` is fetched. Sign in as `ada` with `lovelace`. */
export const SignedOut: Story = {
  beforeEach: start(),
};

const undecided = createTokenSession({
  login: () => Promise.resolve({ accessToken: 'never' }),
  restore: () => new Promise(() => {}),
});

/** The session checks for an existing session: `loading` is shown. */
export const Loading: Story = {
  decorators: [
    Story => (
      <TokenAuthProvider session={undecided}>
        <Story />
      </TokenAuthProvider>
    ),
  ],
  beforeEach: () => () => undecided.dispose(),
  parameters: { docs: { story: { height: '80px' } } },
};

/** The session has ended on the server. The form is shown again, and says why. */
export const Expired: Story = {
  // Its first input takes the focus, and would take it from the docs page.
  tags: ['!autodocs'],
  beforeEach: endedSession,
};

/** The session has ended on the server, and the provider has `onExpiry={lock()}`: the page waits for Ada below the dialog. */
export const Locked: Story = {
  tags: ['!autodocs'],
  args: { locked: <LoginForm title={null} /> },
  beforeEach: endedSession,
  parameters: { onExpiry: lock(), docs: { story: { inline: false, height: '420px' } } },
};
