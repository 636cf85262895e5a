import type { Meta, StoryObj } from '@storybook/react-vite';
import { http, HttpResponse } from 'msw';
import { useState } from 'react';
import { expect, userEvent, waitFor } from 'storybook/test';
import { Authenticated, RestEndpoint, useAuth } from '../../../src/index.js';
import type { MockTokens } from '../../../src/testing/index.js';
import { ActionButton } from '../../support/ActionButton.js';
import { ada, api, grace } from '../../support/articles.js';
import { ArticlesDemo } from '../../support/ArticlesDemo.js';
import { setupTokenApp } from '../../support/setupTokenApp.js';
import { useRenderCount } from '../../support/useRenderCount.js';
import { requestsOnly } from '../../support/requestsOnly.js';

const app = setupTokenApp();
const { sent } = app;

/** Shows who is signed in, and how often this was rendered. */
function Greeting() {
  const { status, reason, user, logout } = useAuth<typeof app.session>();
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
    await app.session.refresh();
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
  const { login, error } = useAuth<typeof app.session>();
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

/** Proves that `useAuth()` re-renders for a change of the status, and never for a refresh. */
const meta = {
  title: 'Proofs/Hooks',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly },
  render: () => (
    <app.Provider>
      <Greeting />
      <Refresh />
    </app.Provider>
  ),
  beforeEach: app.start('ada'),
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

/** Signing out changes the status, and names the reason. */
export const ReturnsTheUser: Story = {
  play: async ({ canvas, step, journal }) => {
    await step('Ada is signed in', async () => {
      await canvas.findByText('authenticated, Ada Lovelace');
    });
    await step('she signs out, and the page names the reason', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign out' }));
      await canvas.findByText('anonymous, signed-out');
    });
    await step('the server gets the logout', () => waitFor(() => expect(app.server.counts.logouts).toBe(1)));
    await step('one logout, with her token', () => expect(journal).toHaveSent([sent.post('/logout').as('ada')]));
  },
};

/** A refresh gives a new token, and no component that uses the hook renders again. */
export const DoesNotRenderOnARefresh: Story = {
  play: async ({ canvas, step, journal }) => {
    await step('Ada is signed in; the hook has rendered for “restoring” and for her', async () => {
      await canvas.findByText('authenticated, Ada Lovelace');
      await expect(canvas.getByText('Rendered 2 times')).toBeInTheDocument();
    });
    await step('two refreshes later, it has not rendered again', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Refresh' }));
      await canvas.findByText('Refreshed 1 times');
      await userEvent.click(canvas.getByRole('button', { name: 'Refresh' }));
      await canvas.findByText('Refreshed 2 times');
      await expect(canvas.getByText('Rendered 2 times')).toBeInTheDocument();
    });
    await step('each refresh uses the refresh token of the one before', () =>
      expect(journal).toHaveSent([
        sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' }),
        sent.post('/refresh').json({ refreshToken: 'ada-refresh-2' }),
      ]),
    );
  },
};

/** A login that fails changes no status: `error` has the reason until a login succeeds. */
export const SaysWhyALoginFailed: Story = {
  beforeEach: app.start(),
  render: () => (
    <app.Provider>
      <Greeting />
      <Login />
    </app.Provider>
  ),
  play: async ({ canvas, step, journal }) => {
    await step('a wrong password is refused', async () => {
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
        sent.post('/login').json({ username: 'ada', password: 'guess' }),
        sent.post('/login').json({ username: 'ada', password: 'lovelace' }),
      ]),
    );
  },
};

const register = new RestEndpoint({ urlPrefix: api, path: '/register', method: 'POST', public: true });
const enters = new Set<unknown>();

/** Registers Ada, and signs her in with the answer. */
function Registration() {
  const { status, enter } = useAuth<typeof app.session>();
  enters.add(enter);
  const signUp = async () => `Welcome, ${(await enter((await register({ username: 'ada' })) as MockTokens))?.name}`;
  return (
    <>
      <p role="status">{status}</p>
      <ActionButton label="Register" act={signUp} />
    </>
  );
}

/** `enter` signs in with the answer of a registration, and no login is sent. It is the same function at every render. */
export const EntersAfterARegistration: Story = {
  beforeEach: [
    app.start(),
    ({ msw }) => {
      enters.clear();
      msw.use(http.post(`${api}/register`, () => HttpResponse.json(app.server.signIn('ada'), { status: 201 })));
    },
  ],
  render: () => (
    <app.Provider>
      <Registration />
      <Authenticated>
        <ArticlesDemo articles={app.Articles} />
      </Authenticated>
    </app.Provider>
  ),
  play: async ({ canvas, step, journal }) => {
    await step('Ada registers, and sees her articles', async () => {
      await canvas.findByText('anonymous');
      await userEvent.click(canvas.getByRole('button', { name: 'Register' }));
      await canvas.findByText('Welcome, Ada Lovelace');
      await canvas.findByText('authenticated');
      await canvas.findByText('On signing in');
    });
    await step('`enter` was the same function before and after', () => expect(enters.size).toBe(1));
    await step('the registration without a token, and the list with hers', () =>
      expect(journal).toHaveSent([sent.post('/register').json({ username: 'ada' }), sent.get('/article').as('ada')]),
    );
  },
};

/** Calls `login` twice at once, as two presses in two places of a page do. */
function TwoLogins() {
  const { login } = useAuth<typeof app.session>();
  const signIn = ({ id, name, password }: typeof ada) => login({ username: id, password }).then(() => name);
  const both = async () => {
    const outcomes = await Promise.allSettled([signIn(ada), signIn(grace)]);
    return outcomes.map(outcome => (outcome.status === 'fulfilled' ? outcome.value : String(outcome.reason))).join(' ');
  };
  return <ActionButton label="Both at once" act={both} />;
}

/** Of two logins the last call wins. The first is never sent, and rejects with an `AbortError`. */
export const TheLastLoginWins: Story = {
  beforeEach: app.start(),
  render: () => (
    <app.Provider>
      <Greeting />
      <TwoLogins />
    </app.Provider>
  ),
  play: async ({ canvas, step, journal }) => {
    await step('Ada and Grace sign in at once: Grace is signed in', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Both at once' }));
      await canvas.findByText(
        'AbortError: Another login or logout was started after this one, and it wins. Grace Hopper',
      );
      await canvas.findByText('authenticated, Grace Hopper');
    });
    await step('one login', () =>
      expect(journal).toHaveSent([sent.post('/login').json({ username: 'grace', password: 'hopper' })]),
    );
  },
};
