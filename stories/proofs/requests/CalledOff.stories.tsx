import { useController, useSuspense } from '@data-client/react';
import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, userEvent, waitFor, within } from 'storybook/test';
import { Authenticated } from '../../../src/index.js';
import { ArticlesDemo, SignInButtons, AuthStatus } from '../../support/ArticlesDemo.js';
import { setupTokenApp } from '../../support/setupTokenApp.js';
import { useOutcomeLog, OutcomeLog } from '../../support/OutcomeLog.js';
import { requestsOnly } from '../../support/requestsOnly.js';

const app = setupTokenApp();
const { sent } = app;

/** Reads three articles by `controller.fetch`, and shows the outcome of each. */
function ReadThree() {
  const controller = useController();
  const tell = useOutcomeLog();
  const get = app.Articles.useGet();
  const read = () => {
    for (const id of ['1', '2', '3']) {
      controller.fetch(get, { id }).then(
        article => tell(`${id}: ${article.title}`),
        (error: Error) => tell(`${id}: ${error.message}`),
      );
    }
  };
  return (
    <button type="button" onClick={read}>
      Read three
    </button>
  );
}

/** What becomes of requests whose identity ends while they are under way: whoever waits for them is told. */
const meta = {
  title: 'Proofs/Requests',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly },
  render: () => (
    <OutcomeLog>
      <app.Provider>
        <AuthStatus />
        <SignInButtons />
        <ReadThree />
        <ArticlesDemo articles={app.Articles} />
      </app.Provider>
    </OutcomeLog>
  ),
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

const SIGNED_OUT =
  'The user signed out while this request was under way, so its answer was dropped. Sign in, then start it again.';

/** Three reads are under way when Ada signs out: each rejects at once, although the server never answers. */
export const ReadsSettleAtSignOut: Story = {
  // React writes what the boundary of `ArticlesDemo` shows to the console as well.
  parameters: { unanswered: true, expectedConsoleErrors: [/^NetworkError: (\S+: )?Unauthorized/] },
  beforeEach: app.start('ada'),
  play: async ({ canvas, step, journal }) => {
    await step('Ada sees her articles, and reads three of them', async () => {
      await canvas.findByText('On signing in');
      app.articles.hold();
      await userEvent.click(canvas.getByRole('button', { name: 'Read three' }));
      await waitFor(() => expect(app.articles.held).toBe(3));
    });
    await step('she signs out, and each call rejects', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign out' }));
      const told = within(canvas.getByRole('list', { name: 'What the callers were told' }));
      await waitFor(() => expect(told.getAllByRole('listitem')).toHaveLength(3));
      await expect(told.getAllByRole('listitem').map(item => item.textContent)).toEqual(
        ['1', '2', '3'].map(id => `${id}: ${SIGNED_OUT}`),
      );
    });
    await step('the logout, and one list without a token', async () => {
      await waitFor(() => expect(app.articles.held).toBe(4));
      await expect(journal).toHaveSent(
        [
          sent.get('/article').as('ada'),
          sent.get('/article/1').as('ada'),
          sent.get('/article/2').as('ada'),
          sent.get('/article/3').as('ada'),
          sent.post('/logout').as('ada'),
          sent.get('/article'),
        ],
        { anyOrder: true },
      );
    });
  },
};

/** A list without a boundary of its own: it suspends the whole tree below the provider. */
function BareTitles() {
  const list = useSuspense(app.Articles.useGetList());
  return <p>{list.map(({ title }) => title).join(', ')}</p>;
}

/** A list without a boundary suspends the whole tree right after the login: it is still fetched only once. */
export const SuspendsTheWholeTree: Story = {
  beforeEach: app.start(),
  render: () => (
    <app.Provider>
      <AuthStatus />
      <SignInButtons />
      <Authenticated>
        <BareTitles />
      </Authenticated>
    </app.Provider>
  ),
  play: async ({ canvas, step, hasSent }) => {
    const release = app.articles.hold();
    await step('Ada signs in, and the server does not answer her list yet', async () => {
      await canvas.findByText('anonymous');
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Ada Lovelace' }));
      await waitFor(() => expect(app.articles.held).toBe(1));
    });
    await step('the answer arrives, and the list stays', async () => {
      release();
      await canvas.findByText('On signing in, On signing out');
      await userEvent.click(canvas.getByRole('button', { name: 'Sign out' }));
      await canvas.findByText('anonymous: signed-out');
      await waitFor(() => expect(app.server.counts.logouts).toBe(1));
    });
    await hasSent('one list, between a login and a logout', [
      sent.post('/login').json({ username: 'ada', password: 'lovelace' }),
      sent.get('/article').as('ada'),
      sent.post('/logout').as('ada'),
    ]);
  },
};
