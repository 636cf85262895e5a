import type { Meta, StoryObj } from '@storybook/react-vite';
import { http } from 'msw';
import { expect, userEvent, waitFor } from 'storybook/test';
import { ResourceList } from '../../../src/entries/widgets.js';
import { deleteTheFirst, goneForGood, setupDeleting } from '../../support/deleteArticles.js';
import { OutcomeLog } from '../../support/OutcomeLog.js';
import { Rename } from '../../support/Rename.js';
import { setupContextApp } from '../../support/setupContextApp.js';
import { ownApi } from '../../support/setupCookieApp.js';

const { app, listMeta } = setupDeleting();
const { sent } = app;

/** The page goes away while a deletion can still be undone. */
const meta = {
  title: 'Proofs/Deleting',
  tags: ['proof', '!autodocs'],
  ...listMeta,
} satisfies Meta<typeof listMeta.component>;

export default meta;
type Story = StoryObj<typeof meta>;

/** The page unloads before the time is over: the deletion is sent at once with `keepalive`, if the credential is available. */
export const PageGoesAway: Story = {
  play: async ({ canvas, step, journal, msw }) => {
    const outlives: boolean[] = [];
    msw.use(http.delete('/api/article/:id', ({ request }) => void outlives.push(request.keepalive)));
    await step('Ada deletes an article, and leaves the page', async () => {
      await deleteTheFirst(canvas);
      window.dispatchEvent(new PageTransitionEvent('pagehide'));
      await goneForGood(canvas);
      await expect(outlives).toEqual([true]);
    });
    await step('one DELETE', () =>
      expect(journal).toHaveSent([sent.get('/article').as('ada'), sent.delete('/article/1').as('ada')]),
    );
  },
};

const sdks = setupContextApp({ url: ownApi });

/** The page unloads while a fresh token is fetched: the deletion would need the token, which arrives too late. Nothing is deleted. */
export const PageGoesAwayDuringARefresh: Story = {
  beforeEach: sdks.start('ada'),
  render: args => (
    <OutcomeLog>
      <sdks.Provider>
        <Rename articles={sdks.Articles} ids={['2']}>
          Rename the second
        </Rename>
        <ResourceList {...args} resource={sdks.Articles} />
      </sdks.Provider>
    </OutcomeLog>
  ),
  play: async ({ canvas, step, journal }) => {
    const release = sdks.sdk.hold();
    await step(
      'Ada deletes an article; her token has expired, as a rename finds out, and the SDK is slow with a fresh one',
      async () => {
        await deleteTheFirst(canvas);
        sdks.server.expire();
        await userEvent.click(canvas.getByRole('button', { name: 'Rename the second' }));
        await waitFor(() => expect(sdks.sdk.held).toBe(1));
      },
    );
    await step('she leaves the page, and the deletion is dropped: the article is still there', async () => {
      window.dispatchEvent(new PageTransitionEvent('pagehide'));
      sdks.sdk.fail(new TypeError('Failed to fetch'));
      release();
      await canvas.findByText('On signing in');
      await expect(sdks.articles.rows().map(({ id }) => id)).toContain('1');
    });
    await step('no DELETE', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.patch('/article/2').as('ada').json({ title: 'Renamed 2' }),
      ]),
    );
  },
};
