import type { Meta, StoryObj } from '@storybook/react-vite';
import type { ComponentType } from 'react';
import { TokenAuthProvider } from '../../src/index.js';
import { managers, type Identity, type StoreManager } from '../../src/entries/managers.js';
import { ActionButton } from '../support/ActionButton.js';
import { ArticlesDemo, AuthStatus } from '../support/ArticlesDemo.js';
import { setupManagersApp } from '../support/setupManagersApp.js';
import { shown } from '../support/sourceOf.js';

const app = setupManagersApp();
const { Articles, feed, Followed, notes, Provider, recipes, SignInButtons } = app;

/**
 * Managers of data-client, one set for each identity: the prop `managers` of each provider. [Your managers](?path=/docs/advanced-your-managers--docs)
 * says when it is called.
 *
 * ```tsx
 * <TokenAuthProvider session={session} managers={managers(() => [new LoggingManager(console.log)])}>
 * ```
 */
const meta = {
  title: 'Providers/Your managers',
  component: TokenAuthProvider,
  parameters: { cookies: app.cookies },
  beforeEach: app.start('ada'),
} satisfies Meta;

export default meta;
type Story = StoryObj;

let pushed = 0;

/** Sends a record to the socket of each user, and to those who follow the article. */
function push() {
  const title = `Pushed, number ${++pushed}`;
  for (const user of ['ada', 'grace'])
    for (const socket of [user, `${user}, fast`])
      feed.send(socket, { id: user === 'ada' ? '1' : '3', title, author: user });
  feed.publish('2', { id: '2', title, author: 'ada' });
  return Promise.resolve(`${feed.counts().open} sockets are open.`);
}

const PushButton = () => <ActionButton label="Let the server push" act={push} />;

/** The articles under a provider with this manager. */
function withManager(
  create: (identity: Identity) => StoreManager,
  Extra?: ComponentType,
): NonNullable<Story['render']> {
  const own = managers(identity => [create(identity)]);
  return () => (
    <Provider managers={own}>
      <AuthStatus />
      <SignInButtons />
      {Extra && <Extra />}
      <ArticlesDemo articles={Articles} />
      <notes.Notes label="What the manager did" />
    </Provider>
  );
}

/** `LoggingManager` logs each action of the store. */
export const Logging: Story = {
  parameters: shown(410, 'LoggingManager.ts'),
  render: withManager(recipes.logging),
};

/** `ErrorReportManager` sends each failed response to an error tracker, with the user whom it failed for. Set the network to offline in the toolbar and rename an article. */
export const ErrorReports: Story = {
  parameters: shown(450, 'ErrorReportManager.ts', 'readAction.ts'),
  render: withManager(recipes.errors),
};

/** `MetricsManager` measures how long each request takes. */
export const Metrics: Story = {
  parameters: shown(450, 'MetricsManager.ts', 'readAction.ts'),
  render: withManager(recipes.metrics),
};

/** `ToastManager` says whether a change has succeeded. Rename an article. */
export const Toasts: Story = {
  parameters: shown(450, 'ToastManager.ts', 'readAction.ts'),
  render: withManager(recipes.toasts),
};

/** `RefreshManager` fetches what is shown again when you come back to the page. Switch to another window and back. */
export const RefreshOnFocus: Story = {
  parameters: shown(450, 'RefreshManager.ts'),
  render: withManager(recipes.refresh),
};

/** `TabSyncManager` fetches what is shown again after a change in another tab of the same user. Open this story twice, and rename an article. */
export const SynchronizedTabs: Story = {
  parameters: shown(450, 'TabSyncManager.ts', 'readAction.ts'),
  render: withManager(recipes.tabs),
};

/** `PersistManager` keeps the list in `localStorage`, under the name of its user, and removes it when the user leaves. With one key for all users, as a store without sessions has it, the next user would see it. */
export const Persistence: Story = {
  parameters: shown(450, 'PersistManager.ts', 'readAction.ts'),
  render: withManager(recipes.persistence),
};

/** `StreamManager` writes what a socket sends into the store. Sign in as Grace: the socket of Ada is closed before hers is opened. */
export const Stream: Story = {
  parameters: shown(490, 'StreamManager.ts'),
  render: withManager(recipes.stream, PushButton),
};

/** `BatchingStreamManager` collects the messages of a fast socket, and writes 20 times a second. */
export const BatchedStream: Story = {
  parameters: shown(490, 'BatchingStreamManager.ts'),
  render: withManager(recipes.batching, PushButton),
};

/** `ClockManager` writes the time into the store. */
export const Clock: Story = {
  parameters: shown(490, 'ClockManager.ts'),
  render: withManager(recipes.clock, app.Clock),
};

/** `PushSubscriptionManager` serves `useSubscription` of an article without polling. A component that is mounted while no user is signed in stays subscribed when one signs in. */
export const PushSubscriptions: Story = {
  parameters: shown(490, 'PushSubscriptionManager.ts'),
  render: withManager(recipes.push, () => (
    <>
      <PushButton />
      <Followed />
    </>
  )),
};
