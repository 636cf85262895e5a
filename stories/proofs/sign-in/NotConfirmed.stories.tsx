import type { Meta, StoryObj } from '@storybook/react-vite';
import { http, HttpResponse } from 'msw';
import { expect, userEvent, waitFor, within } from 'storybook/test';
import { RestEndpoint } from '../../../src/index.js';
import type { RequestLine } from '../../../src/testing/index.js';
import { csrf, ownApi, setupCookieApp } from '../../support/setupCookieApp.js';
import type { StoryStart } from '../../support/StoryStart.js';
import { setupTokenApp } from '../../support/setupTokenApp.js';
import { requestsOnly } from '../../support/requestsOnly.js';
import { signInByForm, smallAppUnder } from '../../support/smallAppUnder.js';
import { inCases } from '../../support/inCases.js';
import { ActionButton } from '../../support/ActionButton.js';
import { ArticlesDemo, AuthStatus, SignInButtons } from '../../support/ArticlesDemo.js';
import { hangingResponses } from '../../support/hangingResponses.js';
import { manualTimers } from '../../support/manualTimers.js';

const tokens = setupTokenApp({ url: ownApi });
const { sent } = tokens;
const cookies = setupCookieApp();

/** A check for a session, or a sign-out, that the server does not confirm: what the page says, and how it is tried again. */
const meta = {
  title: 'Proofs/Sign-in',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly },
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

/** Answers these requests in the server's place so many times; after that, the server answers. */
function answeredOtherwise(method: 'get' | 'post', path: string, times: number, answer: () => Response): StoryStart {
  return ({ msw }) => {
    let left = times;
    msw.use(http[method](`${ownApi}${path}`, () => (left-- > 0 ? answer() : undefined)));
  };
}

const wifiPage = () => HttpResponse.html('<!doctype html><title>Wi-Fi</title><p>Accept our terms.');
const brokenServer = () => HttpResponse.json({ message: 'The server has a problem.' }, { status: 500 });

const NOT_CHECKED = /^We could not check if you are signed in\./;
const NOT_CONFIRMED = /^You are signed out on this page, but the server did not confirm it\./;

const restored = setupTokenApp({
  url: ownApi,
  session: { restore: new RestEndpoint({ urlPrefix: ownApi, path: '/restore', method: 'POST', body: undefined }) },
});

/** Ada has a session. The first two checks fail, the third one finds her. */
function checksThreeTimes(check: RequestLine, read: RequestLine): Pick<Story, 'play'> {
  return {
    play: async ({ canvas, step, journal, hasSent }) => {
      const form = await canvas.findByRole('form', { name: 'Sign in' });
      const button = () => canvas.getByRole('button', { name: 'Try again' });
      await step('the form says that the check failed', async () => {
        await expect(form).toHaveAccessibleDescription(NOT_CHECKED);
        await expect(canvas.getByText('anonymous')).toBeInTheDocument();
      });
      await step('Ada types her name, then tries again; the check fails again', async () => {
        await userEvent.type(canvas.getByLabelText('User name'), 'ada');
        await userEvent.click(button());
        await waitFor(() => expect(journal.entries).toHaveLength(2));
        await waitFor(() => expect(button().parentElement).toHaveAttribute('aria-busy', 'false'));
      });
      await step('the message stays, and so do her text and the focus', async () => {
        await expect(form).toHaveAccessibleDescription(NOT_CHECKED);
        await expect(canvas.getByLabelText('User name')).toHaveValue('ada');
        await expect(button()).toHaveFocus();
      });
      await step('she tries again, and sees her articles', async () => {
        await userEvent.click(button());
        await canvas.findByText('authenticated');
        await canvas.findByText('On signing in');
        await expect(canvas.queryByText(NOT_CHECKED)).not.toBeInTheDocument();
      });
      await hasSent('three checks, then her articles', [check, check, check, read]);
    },
  };
}

const checkAnsweredByAnotherServer: Story = {
  parameters: { cookies: cookies.cookies },
  beforeEach: [cookies.start('ada'), answeredOtherwise('get', '/whoami', 2, wifiPage)],
  render: smallAppUnder(cookies),
  ...checksThreeTimes(sent.get('/whoami'), sent.get('/article')),
};

const checkUnavailable: Story = {
  parameters: { cookies: cookies.cookies },
  beforeEach: [cookies.start('ada'), answeredOtherwise('get', '/whoami', 2, brokenServer)],
  render: smallAppUnder(cookies),
  ...checksThreeTimes(sent.get('/whoami'), sent.get('/article')),
};

const restoreAnsweredByAnotherServer: Story = {
  beforeEach: [
    restored.start(),
    ({ msw }) => msw.use(http.post(`${ownApi}/restore`, () => HttpResponse.json(restored.server.signIn('ada')))),
    answeredOtherwise('post', '/restore', 2, wifiPage),
  ],
  render: smallAppUnder(restored),
  ...checksThreeTimes(sent.post('/restore'), sent.get('/article').as('ada')),
};

/** Ada has a session, and the first two checks fail: the form says so, and keeps her text and the focus. The third one finds her. */
export const CouldNotCheck: Story = inCases({
  'with a cookie: a captive portal answers `whoami` with its own page and status 200': checkAnsweredByAnotherServer,
  'with a cookie: the server answers `whoami` with 500': checkUnavailable,
  'with a token: the `restore` option gets a page of a captive portal': restoreAnsweredByAnotherServer,
});

/** The server does not confirm the sign-out: Ada is signed out on this page at once, and the form offers to send it again. */
export const SignOutUnavailable: Story = {
  parameters: { cookies: cookies.cookies },
  beforeEach: [cookies.start('ada'), answeredOtherwise('post', '/logout', 2, brokenServer)],
  render: smallAppUnder(cookies),
  play: async ({ canvas, step, journal, hasSent }) => {
    const button = () => canvas.getByRole('button', { name: 'Try again' });
    await step('Ada signs out: the form is shown, and none of her data', async () => {
      await canvas.findByText('On signing in');
      await userEvent.click(canvas.getByRole('button', { name: 'Sign out' }));
      await canvas.findByText('anonymous: signed-out');
      await expect(canvas.queryByText('On signing in')).not.toBeInTheDocument();
    });
    await step('the form says that the server did not confirm it', async () => {
      await canvas.findByText(NOT_CONFIRMED);
      await expect(canvas.getByRole('form', { name: 'Sign in' })).toHaveAccessibleDescription(NOT_CONFIRMED);
    });
    await step('she presses the button twice, the server fails again, and the message stays', async () => {
      await userEvent.dblClick(button());
      await waitFor(() => expect(journal.entries).toHaveLength(5));
      await waitFor(() => expect(button().parentElement).toHaveAttribute('aria-busy', 'false'));
      await expect(canvas.getByText(NOT_CONFIRMED)).toBeVisible();
      await expect(button()).toHaveFocus();
    });
    await step('she tries again, the server ends the session, and the next key goes into the form', async () => {
      await userEvent.click(button());
      await waitFor(() => expect(canvas.queryByText(NOT_CONFIRMED)).not.toBeInTheDocument());
      await expect(canvas.getByLabelText('User name')).toHaveFocus();
      await expect(cookies.server.counts.logouts).toBe(1);
    });
    await hasSent('three logouts with her cookie; each further one asks first whose cookie it is', [
      sent.get('/whoami'),
      sent.get('/article'),
      sent.post('/logout').headers(csrf(1)),
      ...[sent.get('/whoami'), sent.post('/logout').headers(csrf(1))],
      ...[sent.get('/whoami'), sent.post('/logout').headers(csrf(1))],
    ]);
  },
};

/** With a token and without a connection: the next login removes the message, a wrong password does not. */
export const SignOutOffline: Story = {
  beforeEach: [tokens.start('ada'), answeredOtherwise('post', '/logout', 1, () => HttpResponse.error())],
  render: smallAppUnder(tokens),
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada signs out, and the form says that the server did not confirm it', async () => {
      await canvas.findByText('On signing in');
      await userEvent.click(canvas.getByRole('button', { name: 'Sign out' }));
      await canvas.findByText(NOT_CONFIRMED);
    });
    await step('a wrong password: the form shows both messages', async () => {
      await signInByForm(canvas, 'lovelance');
      await expect(await canvas.findByRole('alert')).toHaveTextContent('The user name or the password is wrong.');
      await expect(canvas.getByText(NOT_CONFIRMED)).toBeVisible();
    });
    await step('she signs in, and out again: the message is gone', async () => {
      await signInByForm(canvas, 'lovelace');
      await canvas.findByText('On signing in');
      await userEvent.click(canvas.getByRole('button', { name: 'Sign out' }));
      await canvas.findByText('anonymous: signed-out');
      await waitFor(() => expect(tokens.server.counts.logouts).toBe(1));
      await expect(canvas.queryByText(NOT_CONFIRMED)).not.toBeInTheDocument();
    });
    await hasSent('each logout carries the token of its session', [
      sent.get('/article').as('ada'),
      sent.post('/logout').as('ada'),
      sent.post('/login').json({ username: 'ada', password: 'lovelance' }),
      sent.post('/login').json({ username: 'ada', password: 'lovelace' }),
      sent.get('/article').as('ada', 2),
      sent.post('/logout').as('ada', 2),
    ]);
  },
};

/** How long the server may take for a whoami or a logout. */
const timeouts = manualTimers(30_000);

/** The server never answers: she is signed out on this page at once, and after ten seconds the logout rejects. */
export const NoAnswer: Story = {
  parameters: {
    cookies: cookies.cookies,
    unanswered: true,
    expectedConsoleErrors: [/^NetworkError: (\S+: )?Unauthorized/],
  },
  beforeEach: [
    tokens.start('ada'),
    cookies.start('ada'),
    timeouts.start,
    hangingResponses(`${ownApi}/logout`, `${ownApi}/whoami`),
  ],
  render: () => (
    <>
      <section aria-label="A sign-out">
        <ActionButton label="Sign out of the first" act={() => tokens.session.logout().then(() => 'Signed out')} />
        <tokens.Provider>
          <AuthStatus />
        </tokens.Provider>
      </section>
      <section aria-label="A question who is there">
        <cookies.Provider>
          <AuthStatus />
          <SignInButtons />
          <ArticlesDemo articles={cookies.Articles} />
        </cookies.Provider>
      </section>
    </>
  ),
  play: async ({ canvas, step, journal, hasSent }) => {
    const first = within(canvas.getByRole('region', { name: 'A sign-out' }));
    const second = within(canvas.getByRole('region', { name: 'A question who is there' }));
    await step('Ada signs out, and the page is signed out at once', async () => {
      await first.findByText('authenticated');
      await userEvent.click(first.getByRole('button'));
      await first.findByText('anonymous: signed-out');
      await waitFor(() => expect(journal.entries).toHaveLength(2));
    });
    await step('on a second page, the session is still restoring, and a request waits', async () => {
      await expect(second.getByText('restoring')).toBeInTheDocument();
      await expect(second.getByText('Fetching…')).toBeInTheDocument();
    });
    await step('thirty seconds are over: the logout rejects, since the server may not know of it', async () => {
      timeouts.end();
      await first.findByText('TimeoutError: No answer within 30000 ms.');
    });
    await step(
      'the second page is signed out, `error` says why, and the request is sent without a credential',
      async () => {
        await second.findByText('anonymous');
        await second.findByText(/^The server that issues the credentials could not be reached\./);
        await second.findByText('Refused: 401');
      },
    );
    await hasSent(
      'one logout, one whoami, one read without a cookie',
      [sent.get('/whoami'), sent.post('/logout').as('ada'), sent.get('/article').credentials('omit')],
      { anyOrder: true },
    );
  },
};
