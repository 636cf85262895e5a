import type { Meta, StoryObj } from '@storybook/react-vite';
import { http, HttpResponse } from 'msw';
import { expect, userEvent, waitFor } from 'storybook/test';
import { RestEndpoint } from '../../../src/index.js';
import type { RequestLine } from '../../../src/testing/index.js';
import { csrf, setupCookieApp, ownApi } from '../../support/setupCookieApp.js';
import type { StoryStart } from '../../support/StoryStart.js';
import { setupTokenApp } from '../../support/setupTokenApp.js';
import { requestsOnly } from '../../support/requestsOnly.js';
import { smallAppUnder, signInByForm } from '../../support/smallAppUnder.js';

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
function couldNotCheck(check: RequestLine, read: RequestLine): Pick<Story, 'play'> {
  return {
    play: async ({ canvas, step, journal }) => {
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
      await step('three checks, then her articles', () => expect(journal).toHaveSent([check, check, check, read]));
    },
  };
}

/** With a cookie: a captive portal answers `whoami` with its own page and status 200. */
export const CheckAnsweredByAnotherServer: Story = {
  parameters: { cookies: cookies.cookies },
  beforeEach: [cookies.start('ada'), answeredOtherwise('get', '/whoami', 2, wifiPage)],
  render: smallAppUnder(cookies),
  ...couldNotCheck(sent.get('/whoami'), sent.get('/article')),
};

/** With a cookie: the server answers `whoami` with 500. */
export const CheckUnavailable: Story = {
  parameters: { cookies: cookies.cookies },
  beforeEach: [cookies.start('ada'), answeredOtherwise('get', '/whoami', 2, brokenServer)],
  render: smallAppUnder(cookies),
  ...couldNotCheck(sent.get('/whoami'), sent.get('/article')),
};

/** With a token: the `restore` option gets a page of a captive portal. */
export const RestoreAnsweredByAnotherServer: Story = {
  beforeEach: [
    restored.start(),
    ({ msw }) => msw.use(http.post(`${ownApi}/restore`, () => HttpResponse.json(restored.server.signIn('ada')))),
    answeredOtherwise('post', '/restore', 2, wifiPage),
  ],
  render: smallAppUnder(restored),
  ...couldNotCheck(sent.post('/restore'), sent.get('/article').as('ada')),
};

/** The server does not confirm the sign-out: Ada is signed out on this page at once, and the form offers to send it again. */
export const SignOutUnavailable: Story = {
  parameters: { cookies: cookies.cookies },
  beforeEach: [cookies.start('ada'), answeredOtherwise('post', '/logout', 2, brokenServer)],
  render: smallAppUnder(cookies),
  play: async ({ canvas, step, journal }) => {
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
    await step('three logouts with her cookie; each further one asks first whose cookie it is', () =>
      expect(journal).toHaveSent([
        sent.get('/whoami'),
        sent.get('/article'),
        sent.post('/logout').headers(csrf(1)),
        ...[sent.get('/whoami'), sent.post('/logout').headers(csrf(1))],
        ...[sent.get('/whoami'), sent.post('/logout').headers(csrf(1))],
      ]),
    );
  },
};

/** With a token and without a connection: the next login removes the message, a wrong password does not. */
export const SignOutOffline: Story = {
  beforeEach: [tokens.start('ada'), answeredOtherwise('post', '/logout', 1, () => HttpResponse.error())],
  render: smallAppUnder(tokens),
  play: async ({ canvas, step, journal }) => {
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
    await step('each logout carries the token of its session', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.post('/logout').as('ada'),
        sent.post('/login').json({ username: 'ada', password: 'lovelance' }),
        sent.post('/login').json({ username: 'ada', password: 'lovelace' }),
        sent.get('/article').as('ada', 2),
        sent.post('/logout').as('ada', 2),
      ]),
    );
  },
};
