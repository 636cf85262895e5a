import { useController } from '@data-client/react';
import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, userEvent, waitFor } from 'storybook/test';
import { Authenticated } from '../../../src/index.js';
import { ActionButton } from '../../support/ActionButton.js';
import { ArticlesDemo } from '../../support/ArticlesDemo.js';
import { manualTimers } from '../../support/manualTimers.js';
import { Rename } from '../../support/Rename.js';
import { setupSdkRefresh } from '../../support/setupRefreshCase.js';
import { requestsOnly } from '../../support/requestsOnly.js';

const app = setupSdkRefresh();
const { sent } = app;

/** Refreshes that exist with an SDK only. The SDK's own requests are its own business, so only requests for data are in the lists. */
const meta = {
  title: 'Proofs/Refresh',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly },
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

/** Ada signs out at the SDK while a fresh token is under way: the token is dropped when it arrives, and the waiting request is not sent again. */
export const SignOutDuringAnSdkRefresh: Story = {
  beforeEach: app.start('ada'),
  render: (_, { journal }) => (
    <app.Page journal={journal}>
      <Authenticated>
        <Rename articles={app.Articles} ids={['1']}>
          Rename mine
        </Rename>
        <ArticlesDemo articles={app.Articles} />
      </Authenticated>
    </app.Page>
  ),
  play: async ({ canvas, step, journal }) => {
    await step('Ada sees her articles', async () => {
      await canvas.findByText('On signing in');
    });
    app.server.expire();
    const release = app.sdk.hold();
    await step('her token has expired; a rename waits for a fresh one', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Rename mine' }));
      await waitFor(() => expect(app.sdk.held).toBe(1));
    });
    await step('she signs out, and the waiting call rejects at once', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign out' }));
      await canvas.findByText('anonymous: elsewhere');
      await canvas.findByText(
        'The user signed out while this request was under way, so its answer was dropped. Sign in, then start it again.',
      );
    });
    await step('the fresh token arrives, and she stays signed out; then Grace signs in', async () => {
      release();
      await waitFor(() => expect(app.sdk.held).toBe(0));
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Grace Hopper' }));
      await canvas.findByText('A compiler for everyone');
      await expect(canvas.getByText('3 for data, 0 to refresh')).toBeInTheDocument();
    });
    await step('the rename is not sent again, and no request carries the fresh token', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.patch('/article/1').as('ada').json({ title: 'Renamed 1' }),
        sent.get('/article').as('grace'),
      ]),
    );
  },
};

/** An SDK may take ten seconds for a token; the story ends that time by hand. */
const timeouts = manualTimers(10_000);

/** Renames an article, and shows the cause of a failure. */
function RenameOrWhy() {
  const controller = useController();
  const partialUpdate = app.Articles.usePartialUpdate();
  const rename = async () => {
    try {
      await controller.fetch(partialUpdate, { id: '1' }, { title: 'On knocking' });
      return 'Renamed';
    } catch (error) {
      const { name, cause } = error as Error;
      return `${name}, since: ${(cause as Error).message}`;
    }
  };
  return <ActionButton label="Rename, or say why not" act={rename} />;
}

/** The SDK does not answer within ten seconds, or the app's own code throws: the session goes on, and `error.cause` names the reason. */
export const WhyTheSdkCannotNow: Story = {
  beforeEach: [app.start('ada'), timeouts.start],
  render: (_, { journal }) => (
    <app.Page journal={journal}>
      <RenameOrWhy />
      <ArticlesDemo articles={app.Articles} />
    </app.Page>
  ),
  play: async ({ canvas, step, journal }) => {
    const rename = () => userEvent.click(canvas.getByRole('button', { name: 'Rename, or say why not' }));
    await step('Ada sees her articles', async () => {
      await canvas.findByText('On signing in');
    });
    app.server.expire();
    const release = app.sdk.hold();
    await step('her token has expired, and ten seconds pass before the SDK has a fresh one', async () => {
      await rename();
      await waitFor(() => expect(app.sdk.held).toBe(1));
      timeouts.end();
      await canvas.findByText('RefreshUnavailableError, since: No answer within 10000 ms.');
    });
    await step('she tries again, and the app’s own code throws', async () => {
      app.sdk.fail(new TypeError('options is undefined'));
      release();
      await rename();
      await canvas.findByText('RefreshUnavailableError, since: options is undefined');
      await expect(canvas.getByText('authenticated')).toBeInTheDocument();
    });
    await step('one request for each try', () => {
      const refused = sent.patch('/article/1').as('ada').json({ title: 'On knocking' });
      return expect(journal).toHaveSent([sent.get('/article').as('ada'), refused, refused]);
    });
  },
};
