import { useController, useSuspense } from '@data-client/react';
import type { Meta, StoryObj } from '@storybook/react-vite';
import { useEffect, useState } from 'react';
import { expect, userEvent, waitFor, within } from 'storybook/test';
import { Authenticated } from '../../../src/index.js';
import { ArticlesDemo, SignInButtons, AuthStatus } from '../../support/ArticlesDemo.js';
import { Rename } from '../../support/Rename.js';
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

/** A list is fetched without a token when Ada signs in: it is fetched again with her token, and the tree stays mounted. */
export const SignsInWhileAListIsUnderWay: Story = {
  beforeEach: app.start(),
  play: async ({ canvas, step, journal }) => {
    const release = app.articles.hold();
    await step('the list is under way without a token', async () => {
      await canvas.findByText('Fetching…');
      await waitFor(() => expect(app.articles.held).toBe(1));
    });
    await step('Ada signs in; her list is fetched before the first answer, and then both answers arrive', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Ada Lovelace' }));
      await waitFor(() => expect(app.articles.held).toBe(2));
      release();
      await canvas.findByText('On signing in');
    });
    await step('one list without a token, one with Ada’s', async () => {
      await expect(canvas.getByRole('status')).toHaveTextContent('authenticated');
      await expect(journal).toHaveSent([
        sent.get('/article'),
        sent.post('/login').json({ username: 'ada', password: 'lovelace' }),
        sent.get('/article').as('ada'),
      ]);
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
  play: async ({ canvas, step, journal }) => {
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
    await step('one list, between a login and a logout', () =>
      expect(journal).toHaveSent([
        sent.post('/login').json({ username: 'ada', password: 'lovelace' }),
        sent.get('/article').as('ada'),
        sent.post('/logout').as('ada'),
      ]),
    );
  },
};

/** Reads one article by a direct call, and aborts it when it unmounts. */
function GivesUp() {
  const get = app.Articles.useGet();
  const tell = useOutcomeLog();
  useEffect(() => {
    const mounted = new AbortController();
    get
      .extend({ signal: mounted.signal })({ id: '2' })
      .then(
        article => tell(`Read ${article.title}`),
        (error: Error) => tell(error.message),
      );
    return () => mounted.abort(new Error('The reader has left.'));
  }, [get, tell]);
  return <p>Reading the second</p>;
}

function Reader() {
  const [isOpen, open] = useState(false);
  return (
    <>
      <button type="button" onClick={() => open(!isOpen)}>
        {isOpen ? 'Leave' : 'Read the second'}
      </button>
      {isOpen && <GivesUp />}
    </>
  );
}

/** A component unmounts while its request waits for a refresh: its request is not sent again, the other one is. */
export const UnmountsDuringARefresh: Story = {
  beforeEach: app.start('ada'),
  render: () => (
    <OutcomeLog>
      <app.Provider>
        <AuthStatus />
        <Reader />
        <Rename articles={app.Articles} ids={['1']}>
          Rename the first
        </Rename>
      </app.Provider>
    </OutcomeLog>
  ),
  play: async ({ canvas, step, journal }) => {
    await canvas.findByText('authenticated');
    app.server.expire();
    const answer = app.articles.hold();
    const release = app.server.holdRefresh();
    await step('Ada’s token has expired; a component’s read and a rename wait for one refresh', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Read the second' }));
      await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
      await waitFor(() => expect(app.articles.held).toBe(2));
      answer();
      await waitFor(() => expect(app.server.held).toBe(1));
      await waitFor(() => expect(journal.entries.filter(({ status }) => status === 401)).toHaveLength(2));
    });
    await step('the component unmounts, and its call rejects at once', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Leave' }));
      await canvas.findByText('The reader has left.');
    });
    await step('the refresh is answered, and the article is renamed', async () => {
      release();
      await canvas.findByText('Renamed 1');
    });
    await step('the read was sent once, the rename twice', () =>
      expect(journal).toHaveSent(
        [
          sent.get('/article/2').as('ada'),
          sent.patch('/article/1').as('ada').json({ title: 'Renamed 1' }),
          sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' }),
          sent.patch('/article/1').as('ada', 2).json({ title: 'Renamed 1' }),
        ],
        { anyOrder: true },
      ),
    );
  },
};
