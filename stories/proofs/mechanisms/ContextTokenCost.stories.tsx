import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, userEvent, waitFor } from 'storybook/test';
import { createCounter, RenderCounter } from '../../support/RenderCounter.js';
import { requestsOnly } from '../../support/requestsOnly.js';
import { setupArticleApi } from '../../support/setupRestApi.js';
import { RowsBelowContext, RowsBelowProvider } from './CountedRows.js';
import { WithToken } from './WithToken.js';

const app = setupArticleApi();
const { sent } = app;
const contextRows = createCounter();
const providerRows = createCounter();

/** Counts the renders below a token in a context, beside those below the kit's provider. */
const meta = {
  title: 'Proofs/Mechanisms',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly },
  beforeEach: context => {
    contextRows.reset();
    providerRows.reset();
    return app.start(context);
  },
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

/**
 * “Keeping non-displayed state such as tokens in a context is discouraged. It causes extra re-renders.” Below such a
 * context, a new token renders every row that can write. Below the kit's provider the endpoint reads the token when
 * it sends, so a new token renders no row, and is sent all the same.
 */
export const TheCostOfAContext: Story = {
  render: () => (
    <WithToken app={app}>
      {accessToken => (
        <>
          <section aria-label="Token in a context">
            <RenderCounter label="Row renders with a context" counter={contextRows} />
            <RowsBelowContext accessToken={accessToken} counter={contextRows} />
          </section>
          <section aria-label="Token in a session">
            <RenderCounter label="Row renders with ContextTokenProvider" counter={providerRows} />
            <RowsBelowProvider accessToken={accessToken} counter={providerRows} />
          </section>
        </>
      )}
    </WithToken>
  ),
  play: async ({ canvas, step, journal }) => {
    await step('Ada sees four rows on either side, each rendered once', async () => {
      await canvas.findByText('Row renders with a context: 4');
      await canvas.findByText('Row renders with ContextTokenProvider: 4');
    });
    await step('a new token renders the four rows below the context again, and none below the provider', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'New token' }));
      await canvas.findByText('Row renders with a context: 8');
      await expect(canvas.getByText(/^Row renders with ContextTokenProvider/)).toHaveTextContent(/: 4$/);
    });
    await step('she renames an article on either side', async () => {
      for (const button of canvas.getAllByRole('button', { name: 'Rename 1' })) await userEvent.click(button);
      await waitFor(() => expect(canvas.getAllByText('On knocking')).toHaveLength(2));
    });
    await step('both lists are read with the old token, and both writes are sent with the new one', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.get('/article').as('ada'),
        sent.patch('/article/1').as('ada', 2).json({ title: 'On knocking' }),
        sent.patch('/article/1').as('ada', 2).json({ title: 'On knocking' }),
      ]),
    );
  },
};
