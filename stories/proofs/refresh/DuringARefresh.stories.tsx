import { useController } from '@data-client/react';
import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, userEvent, waitFor } from 'storybook/test';
import { hookifyResource } from '../../../src/index.js';
import { ResourceDetail } from '../../../src/entries/widgets.js';
import { resourceHandlers } from '../../../src/testing/index.js';
import { ActionButton } from '../../support/ActionButton.js';
import { api, articleResource } from '../../support/articles.js';
import { CountedPage } from '../../support/CountedPage.js';
import { Rename } from '../../support/Rename.js';
import { requestsOnly } from '../../support/requestsOnly.js';
import { setupTokenApp } from '../../support/setupTokenApp.js';

const app = setupTokenApp();
const { sent } = app;

/** News, which everybody may read. Their class is that of the articles, so they have ids of their own: one id is one record in the store. */
const newsResource = articleResource(`${api}/news`);
const News = hookifyResource({ ...newsResource, get: newsResource.get.extend({ public: true }) });
const news = resourceHandlers(newsResource, [{ id: '9', title: 'The library is open', content: '', author: '' }]);

/** What other requests do while a refresh is under way. The session refreshes its token itself. */
const meta = {
  title: 'Proofs/Refresh',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly },
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

/** A public resource is read after an expiry as before it: only the refused request waits. */
export const PublicReadsGoOn: Story = {
  beforeEach: [
    app.start('ada'),
    ({ msw }) => msw.use(...news.handlers),
    () => app.server.refuseEverything(),
    () => void app.server.holdRefresh(),
  ],
  render: (_, { journal }) => (
    <CountedPage journal={journal} app={app} buttons={null}>
      <ResourceDetail resource={app.Articles} params={{ id: '1' }} renderItem={article => article.title} />
      <ResourceDetail resource={News} params={{ id: '9' }} renderItem={article => article.title} />
    </CountedPage>
  ),
  play: async ({ canvas, step, journal }) => {
    await step('the news are shown while Ada’s article waits for the refresh', async () => {
      const release = app.server.holdRefresh();
      await canvas.findByText('The library is open');
      await release.reached;
      release();
    });
    await step('the server ends Ada’s session: her article is gone, and the news are shown', async () => {
      await canvas.findByText('anonymous: expired');
      await canvas.findByText('Your session has ended. Sign in to continue.');
      await canvas.findByText('The library is open');
    });
    await step('the news were read once for each store; the refused article once more with the young token', () =>
      expect(journal).toHaveSent(
        [
          sent.get('/article/1').as('ada'),
          sent.get('/news/article/9').credentials('omit'),
          sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' }),
          sent.get('/article/1').as('ada', 2),
          sent.get('/article/1').as('ada', 2),
          sent.get('/news/article/9').credentials('omit'),
        ],
        { anyOrder: true },
      ),
    );
  },
};

/** Reads the second article by a direct call. */
function ReadSecond() {
  const controller = useController();
  const get = app.Articles.useGet();
  return <ActionButton label="Read the second" act={async () => (await controller.fetch(get, { id: '2' })).title} />;
}

/** A request that is started while a refresh is under way waits for it: it is sent once, with the new token. */
export const RequestStartsDuringARefresh: Story = {
  beforeEach: app.start('ada'),
  render: (_, { journal }) => (
    <CountedPage journal={journal} app={app} buttons={null}>
      <Rename articles={app.Articles} ids={['1']}>
        Rename the first
      </Rename>
      <ReadSecond />
    </CountedPage>
  ),
  play: async ({ canvas, step, journal }) => {
    const release = app.server.holdRefresh();
    await step('Ada’s token has expired, and her rename waits for the refresh', async () => {
      await canvas.findByText('authenticated');
      app.server.expire();
      await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
      await waitFor(() => expect(app.server.held).toBe(1));
    });
    await step('she reads another article, and the refresh is answered', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Read the second' }));
      release();
      await canvas.findByText('On signing out');
      await journal.settled();
    });
    await step('the rename is sent twice, the read once', () =>
      expect(journal).toHaveSent(
        [
          sent.patch('/article/1').as('ada').json({ title: 'Renamed 1' }),
          sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' }),
          sent.patch('/article/1').as('ada', 2).json({ title: 'Renamed 1' }),
          sent.get('/article/2').as('ada', 2),
        ],
        { anyOrder: true },
      ),
    );
  },
};
