import type { Meta, StoryObj } from '@storybook/react-vite';
import { http, HttpResponse } from 'msw';
import { useState } from 'react';
import { expect, fn, spyOn, userEvent, waitFor } from 'storybook/test';
import {
  Authenticated,
  ContextTokenProvider,
  createTokenSession,
  RestEndpoint,
  TokenAuthProvider,
  useAuth,
} from '../../../src/index.js';
import type { MockTokens } from '../../../src/testing/index.js';
import { ActionButton } from '../../support/ActionButton.js';
import { ada, api, grace } from '../../support/articles.js';
import { ArticlesDemo, SignInButtons, AuthStatus } from '../../support/ArticlesDemo.js';
import { setupTokenApp } from '../../support/setupTokenApp.js';
import { useRenderCount } from '../../support/useRenderCount.js';
import { useOutcomeLog, OutcomeLog } from '../../support/OutcomeLog.js';
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

/** Signs out, and shows the outcome above the provider, since the tree below is unmounted. */
function WayOut() {
  const { logout } = useAuth();
  const tell = useOutcomeLog();
  const leave = () =>
    logout().then(
      () => tell('The server was told.'),
      (error: Error) => tell(`The server was not told: ${error.message}`),
    );
  return (
    <button type="button" onClick={() => void leave()}>
      Leave
    </button>
  );
}

/** The server is down at the sign-out: this page is signed out, `logout` rejects with the reason, and `error` has it too. */
export const SignsOutWithoutTheServer: Story = {
  beforeEach: [
    app.start('ada'),
    ({ msw }) => {
      msw.use(http.post(`${api}/logout`, () => HttpResponse.error()));
    },
  ],
  render: () => (
    <OutcomeLog>
      <app.Provider>
        <AuthStatus />
        <SignInButtons />
        <Authenticated fallback={<p>Nobody is here.</p>}>
          <WayOut />
          <ArticlesDemo articles={app.Articles} />
        </Authenticated>
      </app.Provider>
    </OutcomeLog>
  ),
  play: async ({ canvas, step, journal }) => {
    await step('Ada sees her articles', async () => {
      await canvas.findByText('On signing in');
    });
    await step(
      'she signs out while the server is down: her articles are gone, and the page says that the server did not confirm it',
      async () => {
        await userEvent.click(canvas.getByRole('button', { name: 'Leave' }));
        await canvas.findByText('The server was not told: Failed to fetch');
        await expect(await canvas.findByRole('alert')).toHaveTextContent(
          /^You are signed out on this page, but the server has not confirmed it/,
        );
        await expect(canvas.getByRole('status')).toHaveTextContent('anonymous: signed-out');
        await expect(canvas.getByText('Nobody is here.')).toBeInTheDocument();
        await expect(canvas.queryByText('On signing in')).not.toBeInTheDocument();
      },
    );
    await step('Grace signs in, and the error is gone', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Grace Hopper' }));
      await canvas.findByText('A compiler for everyone');
      await expect(canvas.queryByRole('alert')).not.toBeInTheDocument();
    });
    await step('one logout, and nothing as Ada afterwards', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.post('/logout').as('ada'),
        sent.post('/login').json({ username: 'grace', password: 'hopper' }),
        sent.get('/article').as('grace'),
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

/** Calls the kit's sign-in under an SDK, which has its own. */
function SdkHasTheLogin() {
  const { login, enter } = useAuth();
  return (
    <>
      <ActionButton label="Sign in without the SDK" act={() => login().then(() => 'Signed in')} />
      <ActionButton label="Enter without the SDK" act={() => enter({ accessToken: 'a' }).then(() => 'Signed in')} />
    </>
  );
}

/** A method that the session was not made for rejects at once with the remedy. Nothing is sent. */
export const MistakesNameTheirRemedy: Story = {
  render: () => (
    <>
      <ActionButton
        label="Trust an origin without a scheme"
        act={async () => createTokenSession({ login: fn(), trustedOrigins: ['api.example.com'] }).getSnapshot().status}
      />
      <ContextTokenProvider token={null}>
        <SdkHasTheLogin />
      </ContextTokenProvider>
    </>
  ),
  play: async ({ canvas, step, journal }) => {
    await step('three mistakes, each with its error message', async () => {
      for (const button of canvas.getAllByRole('button')) await userEvent.click(button);
      await canvas.findByText(/^TypeError: trustedOrigins: "api\.example\.com" is not an origin\./);
      const noLogin = 'TypeError: This session has no login of its own: sign in with the SDK that gives it its token.';
      await waitFor(() => expect(canvas.getAllByText(noLogin)).toHaveLength(2));
    });
    await step('nothing was sent', () => expect(journal).toHaveSent([]));
  },
};

const denied = () => Promise.reject(new Error('Storage is denied here.'));
const homeless = setupTokenApp({ session: { storage: { get: denied, set: denied, remove: denied }, tabs: false } });
let visit = homeless.session;
const warn = fn();

/** A storage that fails costs one warning in the console: the session works without it, and ends with the page. */
export const SignsInWithoutItsStorage: Story = {
  beforeEach: [
    homeless.start(),
    () => {
      // A session warns once, and a story may be played again.
      visit.dispose();
      visit = homeless.anotherSession();
      warn.mockClear();
      const spy = spyOn(console, 'warn').mockImplementation(warn);
      return () => spy.mockRestore();
    },
  ],
  render: () => (
    <TokenAuthProvider session={visit}>
      <AuthStatus />
      <SignInButtons />
      <Authenticated>
        <ArticlesDemo articles={homeless.Articles} />
      </Authenticated>
    </TokenAuthProvider>
  ),
  play: async ({ canvas, step, journal }) => {
    await step('Ada signs in and sees her articles, although nothing can be stored', async () => {
      await canvas.findByText('anonymous');
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Ada Lovelace' }));
      await canvas.findByText('On signing in');
    });
    await step('one warning in the console', () =>
      expect(warn.mock.calls).toEqual([
        [
          'data-client-auth: the token storage failed, so this sign-in will not outlive the page. Check that storage is allowed and not full.',
        ],
      ]),
    );
    await step('one login, one list', () =>
      expect(journal).toHaveSent([
        sent.post('/login').json({ username: 'ada', password: 'lovelace' }),
        sent.get('/article').as('ada'),
      ]),
    );
  },
};
