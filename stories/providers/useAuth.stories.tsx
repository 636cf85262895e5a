import type { Meta, StoryObj } from '@storybook/react-vite';
import { useState } from 'react';
import { expect, userEvent, waitFor } from 'storybook/test';
import { useAuth } from '../../src/index.js';
import { tokenWorld } from '../support/tokenWorld.js';
import { useRenderCount } from '../support/useRenderCount.js';

const world = tokenWorld();

/** Who is there, and how often this was rendered to say it. */
function Greeting() {
  const { status, reason, user, logout } = useAuth<typeof world.session>();
  const renders = useRenderCount();
  return (
    <section aria-label="Greeting">
      <p role="status">{[status, reason, user?.name].filter(Boolean).join(', ')}</p>
      <p>{`Rendered ${renders} times`}</p>
      <button type="button" onClick={() => void logout()}>
        Sign out
      </button>
    </section>
  );
}

/** Refreshes through the session object, which any code may hold. */
function Refresh() {
  const [refreshes, setRefreshes] = useState(0);
  const refresh = async () => {
    await world.session.refresh();
    setRefreshes(count => count + 1);
  };
  return (
    <p>
      <button type="button" onClick={() => void refresh()}>
        Refresh
      </button>
      {`Refreshed ${refreshes} times`}
    </p>
  );
}

/** Signs in with a password that may be wrong. */
function Login() {
  const { login, error } = useAuth<typeof world.session>();
  const submit = (password: string) => void login({ username: 'ada', password }).catch(() => {});
  return (
    <section aria-label="Login">
      <button type="button" onClick={() => submit('guess')}>
        Guess
      </button>
      <button type="button" onClick={() => submit('lovelace')}>
        Sign in
      </button>
      {error && <p role="alert">{error.message}</p>}
    </section>
  );
}

/** `useAuth()` tells who is signed in and why nobody is, and signs in and out. It re-renders on these, never on a refresh. */
const meta = {
  title: 'Providers/useAuth',
  render: () => (
    <world.Provider>
      <Greeting />
      <Refresh />
    </world.Provider>
  ),
  beforeEach: world.start('ada'),
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

/** Signing out changes the status, and names the reason. */
export const TellsWhoIsSignedIn: Story = {
  play: async ({ canvas, step, journal }) => {
    await step('Ada is signed in', async () => {
      await canvas.findByText('authenticated, Ada Lovelace');
    });
    await step('she signs out, and the reason is told', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign out' }));
      await canvas.findByText('anonymous, signed-out');
    });
    await step('the server is told', () => waitFor(() => expect(world.server.counts.logouts).toBe(1)));
    await step('one logout, with her token', () => expect(journal).toHaveSent(['POST https://api.example.com/logout  same-origin  access-token: ada-1']));
  },
};

/** A refresh gives a new token, and no component that uses the hook renders again. */
export const DoesNotRenderOnARefresh: Story = {
  play: async ({ canvas, step, journal }) => {
    await step('Ada is signed in; the hook has rendered for “restoring” and for her', async () => {
      await canvas.findByText('authenticated, Ada Lovelace');
      await expect(canvas.getByText('Rendered 2 times')).toBeInTheDocument();
    });
    await step('two refreshes later, that is still so', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Refresh' }));
      await canvas.findByText('Refreshed 1 times');
      await userEvent.click(canvas.getByRole('button', { name: 'Refresh' }));
      await canvas.findByText('Refreshed 2 times');
      await expect(canvas.getByText('Rendered 2 times')).toBeInTheDocument();
    });
    await step('each refresh spent the token of the one before', () =>
      expect(journal).toHaveSent([
        'POST https://api.example.com/refresh  same-origin  {"refreshToken":"ada-refresh-1"}',
        'POST https://api.example.com/refresh  same-origin  {"refreshToken":"ada-refresh-2"}',
      ]));
  },
};

/** A login that fails changes no status: `error` tells why, until one succeeds. */
export const TellsWhyALoginFailed: Story = {
  beforeEach: world.start(),
  render: () => (
    <world.Provider>
      <Greeting />
      <Login />
    </world.Provider>
  ),
  play: async ({ canvas, step, journal }) => {
    await step('a guessed password is refused', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Guess' }));
      await expect(await canvas.findByRole('alert')).toHaveTextContent('Unauthorized');
      await expect(canvas.getByRole('status')).toHaveTextContent(/^anonymous$/);
    });
    await step('the right one signs in, and the error is gone', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in' }));
      await canvas.findByText('authenticated, Ada Lovelace');
      await expect(canvas.queryByRole('alert')).not.toBeInTheDocument();
    });
    await step('two logins, and no refresh for the 401 of the first', () =>
      expect(journal).toHaveSent([
        'POST https://api.example.com/login  same-origin  {"username":"ada","password":"guess"}',
        'POST https://api.example.com/login  same-origin  {"username":"ada","password":"lovelace"}',
      ]));
  },
};
