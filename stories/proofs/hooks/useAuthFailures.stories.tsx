import type { Meta, StoryObj } from '@storybook/react-vite';
import { http, HttpResponse } from 'msw';
import { expect, fn, spyOn, userEvent, waitFor } from 'storybook/test';
import {
  Authenticated,
  ContextTokenProvider,
  createTokenSession,
  TokenAuthProvider,
  useAuth,
} from '../../../src/index.js';
import { ActionButton } from '../../support/ActionButton.js';
import { api } from '../../support/articles.js';
import { ArticlesDemo, AuthStatus, SignInButtons } from '../../support/ArticlesDemo.js';
import { OutcomeLog, useOutcomeLog } from '../../support/OutcomeLog.js';
import { requestsOnly } from '../../support/requestsOnly.js';
import { setupTokenApp } from '../../support/setupTokenApp.js';

const app = setupTokenApp();
const { sent } = app;

/** Proves what `useAuth()` returns and does when the server, the storage or the app itself is at fault. */
const meta = {
  title: 'Proofs/Hooks',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly },
  beforeEach: app.start('ada'),
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

/** Signs out, and shows the outcome above the provider, since the tree below is unmounted. */
function WayOut() {
  const { logout } = useAuth();
  const tell = useOutcomeLog();
  const leave = () =>
    logout().then(
      () => tell('The server has confirmed it.'),
      (error: Error) => tell(`The server has not confirmed it: ${error.message}`),
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
        <Authenticated fallback={<p>No user is signed in.</p>}>
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
        await canvas.findByText('The server has not confirmed it: Failed to fetch');
        await expect(await canvas.findByRole('alert')).toHaveTextContent(
          /^You are signed out on this page, but the server has not confirmed it/,
        );
        await expect(canvas.getByRole('status')).toHaveTextContent('anonymous: signed-out');
        await expect(canvas.getByText('No user is signed in.')).toBeInTheDocument();
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
const homeless = setupTokenApp({
  session: { storage: { in: { get: denied, set: denied, remove: denied }, tabs: false } },
});
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
    await step('at most one warning in the console: only the development build has it', async () => {
      const warning =
        'data-client-auth: the token storage failed, so this sign-in will not outlive the page. Check that storage is allowed and not full.';
      await expect([[], [[warning]]]).toContainEqual(warn.mock.calls);
    });
    await step('one login, one list', () =>
      expect(journal).toHaveSent([
        sent.post('/login').json({ username: 'ada', password: 'lovelace' }),
        sent.get('/article').as('ada'),
      ]),
    );
  },
};
