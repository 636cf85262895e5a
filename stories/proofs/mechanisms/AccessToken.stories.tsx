import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, userEvent, waitFor } from 'storybook/test';
import { RestEndpoint } from '../../../src/index.js';
import { AsyncTokenEndpoint } from '../../mechanisms/shown/AsyncTokenEndpoint.js';
import { setAuthToken } from '../../mechanisms/shown/authToken.js';
import { FunctionTokenEndpoint } from '../../mechanisms/shown/FunctionTokenEndpoint.js';
import { StaticTokenEndpoint } from '../../mechanisms/shown/StaticTokenEndpoint.js';
import { vault } from '../../mechanisms/shown/vault.js';
import { ActionButton } from '../../support/ActionButton.js';
import { articlesBy, RenameFirst, Titles } from '../../support/PlainArticles.js';
import { PlainStore } from '../../support/PlainStore.js';
import { keepInClass, setupTokenLogin, SignIn } from './setupTokenLogin.js';

const { adaSignsIn, meta: loginMeta, sent, server } = setupTokenLogin();

/** Proves the second mechanism of data-client's guide: `getHeaders` returns the given headers plus `Access-Token`, from three sources. */
const meta = {
  title: 'Proofs/Mechanisms',
  tags: ['proof', '!autodocs'],
  ...loginMeta,
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

const staticArticles = articlesBy(StaticTokenEndpoint);

/** The first source: a static member of the endpoint class, set after login. */
export const StaticMember: Story = {
  render: () => (
    <SignIn store={keepInClass}>
      <Titles by={staticArticles.getList} />
    </SignIn>
  ),
  play: async ({ canvas, step, journal }) => {
    await step('Ada signs in, and sees the list', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in' }));
      await canvas.findByText('On signing in');
    });
    await step('the login without a token, the list with it', () =>
      expect(journal).toHaveSent([adaSignsIn, sent.get('/article').as('ada')]),
    );
  },
};

const functionArticles = articlesBy(FunctionTokenEndpoint);

/** The second source: `getAuthToken()`, a synchronous function that each request calls. */
export const SynchronousFunction: Story = {
  render: () => (
    <SignIn store={setAuthToken}>
      <Titles by={functionArticles.getList} />
      <ActionButton
        label="Another token"
        act={async () => {
          setAuthToken(server.signIn('ada').accessToken);
          return 'Stored';
        }}
      />
      <RenameFirst by={functionArticles.partialUpdate} />
    </SignIn>
  ),
  play: async ({ canvas, step, journal }) => {
    await step('Ada signs in, and sees the list', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in' }));
      await canvas.findByText('On signing in');
    });
    await step('the app stores another token, and she renames an article', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Another token' }));
      await canvas.findByText('Stored');
      await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
      await canvas.findByText('Now called On knocking');
    });
    await step('each request carries the token that the function returned at that moment', () =>
      expect(journal).toHaveSent([
        adaSignsIn,
        sent.get('/article').as('ada'),
        sent.patch('/article/1').as('ada', 2).json({ title: 'On knocking' }),
      ]),
    );
  },
};

const asyncArticles = articlesBy(AsyncTokenEndpoint);

function Vault() {
  return (
    <button type="button" onClick={() => vault.unlock(server.signIn('ada').accessToken)}>
      Unlock
    </button>
  );
}

/** The third source: an asynchronous function, awaited in an async `getHeaders`. The request is sent after it has resolved. */
export const AsynchronousFunction: Story = {
  render: () => (
    <>
      <Vault />
      <PlainStore>
        <Titles by={asyncArticles.getList} />
      </PlainStore>
    </>
  ),
  play: async ({ canvas, step, journal }) => {
    await step('the screen waits for the vault', async () => {
      await canvas.findByText('Fetching…');
    });
    await step('the owner unlocks the vault, and sees the list', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Unlock' }));
      await canvas.findByText('On signing in');
    });
    await step('one GET, with the token of the vault', () =>
      expect(journal).toHaveSent([sent.get('/article').as('ada')]),
    );
  },
};

const stockArticles = articlesBy(RestEndpoint);

/** “When no token is set, the headers are returned unchanged”: the request is the one that a plain `RestEndpoint` sends. */
export const NoToken: Story = {
  parameters: { expectedConsoleErrors: [/^NetworkError: (\S+: )?Unauthorized/] },
  render: () => (
    <>
      <PlainStore>
        <Titles by={staticArticles.getList} />
      </PlainStore>
      <PlainStore>
        <Titles by={stockArticles.getList} />
      </PlainStore>
    </>
  ),
  play: async ({ canvas, step, journal }) => {
    await step('the server refuses both requests', async () => {
      await waitFor(() => expect(canvas.getAllByText(/^401: (\S+: )?Unauthorized$/)).toHaveLength(2));
    });
    await step('both requests have the same headers, and no token', async () => {
      await expect(journal).toHaveSent(
        [
          sent.get('/article').headers({ 'content-type': 'application/json' }),
          sent.get('/article').headers({ 'content-type': 'application/json' }),
        ],
        { headers: ['content-type'] },
      );
      const [first, second] = journal.entries;
      await expect(first?.headers).toEqual(second?.headers);
    });
  },
};
