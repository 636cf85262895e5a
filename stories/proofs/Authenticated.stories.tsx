import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, userEvent, waitFor } from 'storybook/test';
import { Authenticated, createTokenSession, TokenAuthProvider } from '../../src/index.js';
import { LoginForm, ResourceList } from '../../src/entries/widgets.js';
import { AuthStatus } from '../support/ArticlesDemo.js';
import { setupWidgetApp } from '../support/setupWidgetApp.js';

const app = setupWidgetApp();
const { sent } = app;

/** Proves what is shown, and fetched, with and without a user. */
const meta = {
  title: 'Proofs/Authenticated',
  tags: ['proof', '!autodocs'],
  component: Authenticated,
  args: {
    fallback: <LoginForm />,
    loading: <p role="status">One moment…</p>,
    children: (
      <ResourceList
        resource={app.Articles}
        label="Articles"
        renderItem={(article, { remove }) => (
          <>
            <span>{article.title}</span>{' '}
            <button type="button" onClick={() => void remove()}>
              Delete {article.title}
            </button>
          </>
        )}
      />
    ),
  },
  beforeEach: app.start('ada'),
  render: args => (
    <app.Provider>
      <Authenticated {...args} />
    </app.Provider>
  ),
} satisfies Meta<typeof Authenticated>;

export default meta;
type Story = StoryObj<typeof meta>;

/** The user is signed out: the fallback is shown, and the children fetch nothing before the login. */
export const Refused: Story = {
  beforeEach: app.start(),
  play: async ({ canvas, step, hasSent }) => {
    await step('the login form is shown, and no list', async () => {
      await canvas.findByRole('form', { name: 'Sign in' });
      await expect(canvas.queryByRole('region')).not.toBeInTheDocument();
    });
    await step('Ada signs in, and her articles replace the form', async () => {
      await userEvent.type(canvas.getByLabelText('User name'), 'ada');
      await userEvent.type(canvas.getByLabelText('Password'), 'lovelace{Enter}');
      await canvas.findByText('On signing in');
      await expect(canvas.queryByRole('form')).not.toBeInTheDocument();
    });
    await hasSent('first the login, then the list', [
      sent.post('/login').json({ username: 'ada', password: 'lovelace' }),
      sent.get('/article').as('ada'),
    ]);
  },
};

/** The user is signed out, and there is no fallback: the gate renders nothing. */
export const Empty: Story = {
  args: { fallback: undefined },
  beforeEach: app.start(),
  render: args => (
    <app.Provider>
      <AuthStatus />
      <Authenticated {...args} />
    </app.Provider>
  ),
  play: async ({ canvas, step, hasSent }) => {
    await step('there is no list and no form', async () => {
      await canvas.findByText('anonymous');
      await expect(canvas.queryByRole('region')).not.toBeInTheDocument();
      await expect(canvas.queryByRole('form')).not.toBeInTheDocument();
    });
    await hasSent('nothing was sent', []);
  },
};

const undecided = createTokenSession({
  login: () => Promise.resolve({ accessToken: 'ada-1' }),
  restore: () => new Promise(() => {}),
});

/** The session is still restoring: the gate shows neither the form nor the app. */
export const Loading: Story = {
  beforeEach: () => () => undecided.dispose(),
  render: args => (
    <TokenAuthProvider session={undecided}>
      <Authenticated {...args} />
    </TokenAuthProvider>
  ),
  play: async ({ canvas, step, hasSent }) => {
    await step('the user sees the loading text', async () => {
      await canvas.findByText('One moment…');
      await expect(canvas.queryByRole('form')).not.toBeInTheDocument();
      await expect(canvas.queryByRole('region')).not.toBeInTheDocument();
    });
    await hasSent('nothing was sent', []);
  },
};

/** The session ends while the app is in use: the gate shows the form again, with the reason. */
export const Expired: Story = {
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada sees her articles; the server revokes her login', async () => {
      await canvas.findByText('On signing in');
      app.server.revoke('ada');
    });
    await step('she deletes an article: the form appears, and her data is gone', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Delete On signing in' }));
      await canvas.findByText('Your session has ended. Sign in to continue.');
      await waitFor(() => expect(canvas.queryByText('On signing in')).not.toBeInTheDocument());
    });
    await hasSent('one refresh, which is refused; no second try, and no request without a token', [
      sent.get('/article').as('ada'),
      sent.delete('/article/1').as('ada'),
      sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' }),
    ]);
  },
};

/** No connection: the gate stays open. Only a refusal of the server ends a session. */
export const Offline: Story = {
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada sees her articles; the network fails, and her access token expires', async () => {
      await canvas.findByText('On signing in');
      app.server.expire();
      app.server.unavailable('network');
      await userEvent.click(canvas.getByRole('button', { name: 'Delete On signing in' }));
      await expect(await canvas.findByRole('alert')).toHaveTextContent('The server could not be reached.');
    });
    await step('she still sees her articles, and no form', async () => {
      await expect(canvas.getByText('On signing out')).toBeVisible();
      await expect(canvas.queryByRole('form')).not.toBeInTheDocument();
    });
    await step('the network works again, and she tries again', async () => {
      app.server.unavailable(false);
      await userEvent.click(canvas.getByRole('button', { name: 'Delete On signing in' }));
      await waitFor(() => expect(canvas.queryByText('On signing in')).not.toBeInTheDocument());
    });
    await hasSent('one refresh that fails, and one that succeeds', [
      sent.get('/article').as('ada'),
      sent.delete('/article/1').as('ada'),
      sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' }),
      sent.delete('/article/1').as('ada'),
      sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' }),
      sent.delete('/article/1').as('ada', 2),
    ]);
  },
};
