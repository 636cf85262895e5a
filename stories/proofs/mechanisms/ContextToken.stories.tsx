import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, userEvent, waitFor } from 'storybook/test';
import { TokenContext } from '../../mechanisms/shown/TokenContext.js';
import { PlainStore } from '../../support/PlainStore.js';
import { requestsOnly } from '../../support/requestsOnly.js';
import { setupArticleApi } from '../../support/setupRestApi.js';
import { Extended, Hookified } from './ContextArticle.js';
import { WithToken } from './WithToken.js';

const app = setupArticleApi();
const { sent } = app;

/** Proves the third mechanism of data-client's guide, a token from a context. */
const meta = {
  title: 'Proofs/Mechanisms',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly },
  beforeEach: app.start,
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

/** With `hookifyResource`: its `useInit` reads the context, and every endpoint of the hooks carries the token of its render. */
export const ContextTokenByHookifyResource: Story = {
  render: () => (
    <PlainStore>
      <WithToken app={app}>
        {accessToken => (
          <TokenContext.Provider value={accessToken}>
            <Hookified />
          </TokenContext.Provider>
        )}
      </WithToken>
    </PlainStore>
  ),
  play: async ({ canvas, step, journal }) => {
    await step('Ada sees her article', async () => {
      await canvas.findByText('On signing in');
    });
    await step('the context gets a new token, and she renames it', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'New token' }));
      await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
      await canvas.findByText('Now called On knocking');
    });
    await step('each request carries the token of its render; nothing is read twice', () =>
      expect(journal).toHaveSent([
        sent.get('/article/1').as('ada'),
        sent.patch('/article/1').as('ada', 2).json({ title: 'On knocking' }),
      ]),
    );
  },
};

/** Without `hookifyResource`: a hook calls `endpoint.extend({ accessToken })`, memoized on (endpoint, accessToken), for `Controller.fetch`. */
export const ContextTokenByExtend: Story = {
  render: () => (
    <PlainStore>
      <WithToken app={app}>
        {accessToken => (
          <TokenContext.Provider value={accessToken}>
            <Extended />
          </TokenContext.Provider>
        )}
      </WithToken>
    </PlainStore>
  ),
  play: async ({ canvas, step, journal }) => {
    await step('Ada sees her article', async () => {
      await canvas.findByText('On signing in');
    });
    await step('a new render makes no new endpoint', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Rendered 1' }));
      await canvas.findByRole('button', { name: 'Rendered 2' });
      await expect(canvas.getByText(/^Endpoints so far/)).toHaveTextContent(/^Endpoints so far: 1$/);
    });
    await step('a new token makes a new endpoint, and she renames the article with it', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'New token' }));
      await canvas.findByText('Endpoints so far: 2');
      await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
      await canvas.findByText('Now called On knocking');
    });
    await step('each request carries the token of its render; nothing is read twice', () =>
      expect(journal).toHaveSent([
        sent.get('/article/1').as('ada'),
        sent.patch('/article/1').as('ada', 2).json({ title: 'On knocking' }),
      ]),
    );
  },
};

/** The user is signed out: neither way sends the header, not even an empty one, and the server answers 401. */
export const SignedOutAtTheSdk: Story = {
  parameters: {
    expectedConsoleErrors: [/^NetworkError: (\S+: )?Unauthorized/],
  },
  render: () => (
    <>
      <PlainStore>
        <Hookified />
      </PlainStore>
      <PlainStore>
        <Extended />
      </PlainStore>
    </>
  ),
  play: async ({ canvas, step, journal }) => {
    await step('the server refuses both', () =>
      waitFor(() => expect(canvas.getAllByText(/^401: (\S+: )?Unauthorized$/)).toHaveLength(2)),
    );
    await step('two GETs without the header', () =>
      expect(journal).toHaveSent([sent.get('/article/1'), sent.get('/article/1')]),
    );
  },
};
