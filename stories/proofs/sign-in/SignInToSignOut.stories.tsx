import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, userEvent, waitFor, within } from 'storybook/test';
import { setupContextApp } from '../../support/setupContextApp.js';
import { csrf, setupCookieApp, ownApi } from '../../support/setupCookieApp.js';
import { SdkSignInButtons } from '../../support/ArticlesDemo.js';
import { setupTokenApp } from '../../support/setupTokenApp.js';
import { requestsOnly } from '../../support/requestsOnly.js';
import { smallAppUnder, signInByForm } from '../../support/smallAppUnder.js';

const tokens = setupTokenApp({ url: ownApi });
const { sent } = tokens;
const cookies = setupCookieApp();
const contexts = setupContextApp({ url: ownApi });

/** One visit: sign in, read, write, continue after an expiry, sign out. */
const meta = {
  title: 'Proofs/Sign-in',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly },
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;
type Play = NonNullable<Story['play']>;
type Canvas = Parameters<Play>[0]['canvas'];

/** Reads, writes and renames, under each mechanism. */
async function writeAnArticle(canvas: Canvas) {
  await userEvent.type(canvas.getByLabelText('Title'), 'On writing');
  await userEvent.click(canvas.getByRole('button', { name: 'Create' }));
  await within(canvas.getByRole('region', { name: 'My articles' })).findByText('On writing');
}

async function rename(canvas: Canvas) {
  await userEvent.click(canvas.getByRole('button', { name: 'Rename On signing in' }));
  await canvas.findByText('On knocking');
}

/** With a token: a wrong password first, then a visit in which the token expires once. */
export const WithAToken: Story = {
  beforeEach: tokens.start(),
  render: smallAppUnder(tokens),
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada mistypes her password, and sees the error', async () => {
      await signInByForm(canvas, 'lovelance');
      await canvas.findByText('The user name or the password is wrong.');
      await expect(canvas.getByText('anonymous')).toBeInTheDocument();
    });
    await step('she signs in and sees her articles', async () => {
      await signInByForm(canvas, 'lovelace');
      await canvas.findByText('On signing in');
    });
    await step('she writes a third article', () => writeAnArticle(canvas));
    await step('her token expires, and she renames the first article without noticing', async () => {
      tokens.server.expire();
      await rename(canvas);
      await expect(canvas.getByText('4 for data, 1 to refresh')).toBeInTheDocument();
    });
    await step('she signs out: the login form is shown, and none of her data', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign out' }));
      await canvas.findByText('anonymous: signed-out');
      await canvas.findByLabelText('Password');
      await expect(canvas.queryByText('On knocking')).not.toBeInTheDocument();
    });
    await step('the server gets the logout', () => waitFor(() => expect(tokens.server.counts.logouts).toBe(1)));
    await hasSent('her requests carry the current token; login and refresh carry none', [
      sent.post('/login').json({ username: 'ada', password: 'lovelance' }),
      sent.post('/login').json({ username: 'ada', password: 'lovelace' }),
      sent.get('/article').as('ada'),
      sent.post('/article').as('ada').json({ title: 'On writing' }),
      sent.patch('/article/1').as('ada').json({ title: 'On knocking' }),
      sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' }),
      sent.patch('/article/1').as('ada', 2).json({ title: 'On knocking' }),
      sent.post('/logout').as('ada', 2),
    ]);
  },
};

/** With a cookie: the same visit, in which the CSRF token becomes stale once. */
export const WithACookie: Story = {
  parameters: { cookies: cookies.cookies },
  beforeEach: cookies.start(),
  render: smallAppUnder(cookies),
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada signs in and sees her articles', async () => {
      await signInByForm(canvas, 'lovelace');
      await canvas.findByText('On signing in');
    });
    await step('she writes a third article', () => writeAnArticle(canvas));
    await step(
      'the server expects another CSRF token, and she renames the first article without noticing',
      async () => {
        cookies.server.expireCsrf();
        await rename(canvas);
      },
    );
    await step('she signs out: the login form is shown, and none of her data', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign out' }));
      await canvas.findByText('anonymous: signed-out');
      await canvas.findByLabelText('Password');
      await expect(canvas.queryByText('On knocking')).not.toBeInTheDocument();
    });
    await step('the server gets the logout', () => waitFor(() => expect(cookies.server.counts.logouts).toBe(1)));
    await hasSent('every write carries the current CSRF token', [
      sent.get('/whoami'),
      sent.get('/csrf'),
      sent.post('/login').headers(csrf(1)).json({ username: 'ada', password: 'lovelace' }),
      sent.get('/article'),
      sent.post('/article').headers(csrf(2)).json({ title: 'On writing' }),
      sent.patch('/article/1').headers(csrf(2)).json({ title: 'On knocking' }),
      sent.get('/csrf'),
      sent.get('/whoami'),
      sent.patch('/article/1').headers(csrf(3)).json({ title: 'On knocking' }),
      sent.post('/logout').headers(csrf(3)),
    ]);
  },
};

/** With the token of an SDK: the same visit; the SDK signs in and out. */
export const WithAContextToken: Story = {
  beforeEach: contexts.start(),
  render: smallAppUnder({ ...contexts, signIn: <SdkSignInButtons />, signOut: <SdkSignInButtons /> }),
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada signs in at the SDK and sees her articles', async () => {
      await userEvent.click(await canvas.findByRole('button', { name: 'Sign in as Ada Lovelace' }));
      await canvas.findByText('On signing in');
    });
    await step('she writes a third article', () => writeAnArticle(canvas));
    await step('her token expires, and she renames the first article without noticing', async () => {
      contexts.server.expire();
      await rename(canvas);
    });
    await step('she signs out: the sign-in is shown, and none of her data', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign out' }));
      await canvas.findByText('anonymous: elsewhere');
      await expect(canvas.queryByText('On knocking')).not.toBeInTheDocument();
    });
    await hasSent('no refresh of the session: the SDK gets the token', [
      sent.get('/article').as('ada'),
      sent.post('/article').as('ada').json({ title: 'On writing' }),
      sent.patch('/article/1').as('ada').json({ title: 'On knocking' }),
      sent.patch('/article/1').as('ada', 2).json({ title: 'On knocking' }),
    ]);
  },
};
