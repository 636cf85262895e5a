import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, userEvent } from 'storybook/test';
import { journalMatchers } from '../../../src/testing/index.js';
import { login } from '../../mechanisms/shown/login.js';
import { StaticTokenEndpoint } from '../../mechanisms/shown/StaticTokenEndpoint.js';
import { ActionButton } from '../../support/ActionButton.js';
import { articlesBy, RenameFirst, Titles } from '../../support/PlainArticles.js';
import { keepInClass, setupTokenLogin, SignIn } from './setupTokenLogin.js';

const { adaSignsIn, meta: loginMeta, sent } = setupTokenLogin();
const articles = articlesBy(StaticTokenEndpoint);

/** Proves the login step of data-client's guide, and what the requests after it carry. */
const meta = {
  title: 'Proofs/Mechanisms',
  tags: ['proof', '!autodocs'],
  ...loginMeta,
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

/** “The request carries the headers `Access-Token` and `Content-Type: application/json`”, a read as well as a write. */
export const BesideTheContentType: Story = {
  render: () => (
    <SignIn store={keepInClass}>
      <Titles by={articles.getList} />
      <RenameFirst by={articles.partialUpdate} />
    </SignIn>
  ),
  play: async ({ canvas, step, journal }) => {
    await step('Ada signs in, sees the list, and renames an article', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in' }));
      await canvas.findByText('On signing in');
      await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
      await canvas.findByText('Now called On knocking');
    });
    await step('both headers, on both requests', () =>
      expect(journal).toHaveSent(
        [
          sent
            .post('/login')
            .headers({ 'content-type': 'application/json' })
            .json({ username: 'ada', password: 'lovelace' }),
          sent.get('/article').as('ada').headers({ 'content-type': 'application/json' }),
          sent
            .patch('/article/1')
            .as('ada')
            .headers({ 'content-type': 'application/json' })
            .json({ title: 'On knocking' }),
        ],
        { headers: ['content-type'] },
      ),
    );
  },
};

/** “The login step returns an object with an `accessToken` field”: a plain endpoint, called directly, whose answer the application stores. */
export const LoginStep: Story = {
  render: () => (
    <ActionButton
      label="Sign in"
      act={async () => {
        const answer = await login({ username: 'ada', password: 'lovelace' });
        return `The answer has the fields ${Object.keys(answer).join(', ')}`;
      }}
    />
  ),
  play: async ({ canvas, step, journal }) => {
    await step('Ada signs in, and the answer has the field', async () => {
      await userEvent.click(await canvas.findByRole('button', { name: 'Sign in' }));
      await canvas.findByText(/^The answer has the fields accessToken\b/);
    });
    await step('one POST, without a token', () => expect(journal).toHaveSent([adaSignsIn]));
  },
};

/** A refused login stores no token, so no further request is sent. */
export const LoginRefused: Story = {
  render: () => (
    <SignIn store={keepInClass} password="byron">
      <Titles by={articles.getList} />
    </SignIn>
  ),
  play: async ({ canvas, step, journal }) => {
    await step('a user types a wrong password, and sees the refusal', async () => {
      await userEvent.click(await canvas.findByRole('button', { name: 'Sign in' }));
      await canvas.findByText(/^NetworkError: (\S+: )?Unauthorized$/);
      await expect(StaticTokenEndpoint.accessToken).toBeUndefined();
    });
    await step('one login, and nothing after it', () =>
      expect(journal).toHaveSent([sent.post('/login').json({ username: 'ada', password: 'byron' })]),
    );
  },
};

/**
 * The journal of requests compares real secrets and prints none: in its lines, and in a difference, each is a short hash. A token that a
 * mock server has issued is no secret.
 */
export const NoSecretIsPrinted: Story = {
  render: (_, { journal }) => (
    <SignIn store={keepInClass}>
      <Titles by={articles.getList} />
      <div style={{ whiteSpace: 'pre-wrap' }}>
        <ActionButton label="Print" act={async () => journal.lines().join('\n')} />
        <ActionButton
          label="Compare"
          act={async () => {
            const { message } = await journalMatchers.toHaveSent(journal, [
              sent.get('/article').headers({ 'access-token': 'of-a-real-server' }),
            ]);
            return message();
          }}
        />
      </div>
    </SignIn>
  ),
  play: async ({ canvas, canvasElement, step, journal }) => {
    const login = 'POST https://api.example.com/login same-origin {"username":"ada","password":"‹rsvm›"}';
    const get = 'GET https://api.example.com/article same-origin access-token:';
    await step('Ada signs in, and sees the list', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in' }));
      await canvas.findByText('On signing in');
    });
    await step('the page shows what was sent, without her password', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Print' }));
      await canvas.findByText(`${login} ${get} ada-1`);
    });
    await step('the difference to another list: the token of another server cannot be read', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Compare' }));
      await canvas.findByText(
        `Requests differ: 1 missing, 2 unexpected, 0 as expected (- expected but not sent, + sent but not expected): - ${get} ‹fj2j› + ${login} + ${get} ada-1`,
      );
      await expect(canvasElement).not.toHaveTextContent(/of-a-real-server|lovelace/);
    });
    await step('what was sent', () => expect(journal).toHaveSent([adaSignsIn, sent.get('/article').as('ada')]));
  },
};
