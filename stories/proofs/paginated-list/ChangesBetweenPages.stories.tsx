import { useController } from '@data-client/react';
import type { Meta, StoryObj } from '@storybook/react-vite';
import type { ReactNode } from 'react';
import { http, HttpResponse } from 'msw';
import { expect, userEvent, waitFor } from 'storybook/test';
import { hookifyResource, resource } from '../../../src/index.js';
import { PaginatedList } from '../../../src/entries/widgets.js';
import { Article } from '../../support/articles.js';
import { fetchAgain } from '../../support/fetchAgain.js';
import { manyArticles } from '../../support/manyArticles.js';
import { ownApi } from '../../support/setupCookieApp.js';
import { setupWidgetApp } from '../../support/setupWidgetApp.js';
import { below } from '../../support/below.js';

const app = setupWidgetApp({ rows: manyArticles(5).rows, articles: { pagination: { style: 'page', size: 2 } } });
const { sent } = app;
const list = sent.get('/article').as('ada');
const page = (number: number) => sent.get(`/article?page=${number}`).as('ada');

/** Proves that a list that changes while it is half loaded has no gap and no row twice, and that it is fetched again when it has to be. */
const meta = {
  title: 'Proofs/PaginatedList',
  tags: ['proof', '!autodocs'],
  component: PaginatedList<typeof app.Articles>,
  args: {
    resource: app.Articles,
    label: 'Articles',
    create: { push: [{ name: 'title', label: 'Title' }] },
    renderHeader: fetchAgain,
    renderItem: (article, { remove }): ReactNode => (
      <>
        <span>{article.title}</span>{' '}
        <button type="button" onClick={() => void remove()}>
          Delete {article.title}
        </button>
      </>
    ),
  },
  decorators: below(app),
  beforeEach: app.start('ada'),
} satisfies Meta<typeof PaginatedList<typeof app.Articles>>;

export default meta;
type Story = StoryObj<typeof meta>;
type Canvas = Parameters<NonNullable<Story['play']>>[0]['canvas'];

const titles = (canvas: Canvas) =>
  canvas.getAllByRole('listitem').map(row => row.querySelector('span')?.textContent ?? '');
const loadMore = async (canvas: Canvas) => userEvent.click(await canvas.findByRole('button', { name: 'Load more' }));

/**
 * One row is deleted, and one is created at the end. The number of rows is as before, but a row has moved from the third page to the second:
 * the loaded pages are fetched again with the next one. The created row comes from the server, too, and is shown once.
 */
export const OneDeletedOneCreated: Story = {
  play: async ({ canvas, step, hasSent }) => {
    await step('two pages; Ada deletes the fourth article, and writes another', async () => {
      await loadMore(canvas);
      await userEvent.click(await canvas.findByRole('button', { name: 'Delete Article 4' }));
      await waitFor(() => expect(titles(canvas)).toEqual(['Article 1', 'Article 2', 'Article 3']));
      await userEvent.type(canvas.getByLabelText('Title'), 'On gaps{Enter}');
      await waitFor(() => expect(titles(canvas)).toEqual(['Article 1', 'Article 2', 'Article 3', 'On gaps']));
    });
    await step('the fifth article has moved to the second page, and the new one is on the third', async () => {
      await loadMore(canvas);
      await canvas.findByText('1 more loaded, 5 in all.');
    });
    await step('there is no fourth page', async () => {
      await loadMore(canvas);
      await canvas.findByText('All 5 loaded.');
      await expect(titles(canvas)).toEqual(['Article 1', 'Article 2', 'Article 3', 'Article 5', 'On gaps']);
    });
    await hasSent('each page in turn', [
      list,
      page(2),
      sent.delete('/article/4').as('ada'),
      sent.post('/article').as('ada').json({ title: 'On gaps' }),
      list,
      page(2),
      page(3),
      page(4),
    ]);
  },
};

/** What the recipe “Refresh on focus” does when the user comes back. */
function Refresh(): ReactNode {
  const controller = useController();
  return (
    <button type="button" onClick={() => void controller.expireAll({ testKey: () => true })}>
      Refresh
    </button>
  );
}

/** A list that is fetched again asks for all its pages in order, and its rows stay until they are there: also the text that Ada has typed. */
export const KeepsItsPages: Story = {
  args: {
    resource: app.Articles,
    renderHeader: () => <Refresh />,
    renderItem: ({ id, title }) => <input aria-label={`Note ${id}`} placeholder={title} />,
  },
  play: async ({ canvas, step, journal, hasSent }) => {
    await step('Ada loads two pages, and types into the last row', async () => {
      await loadMore(canvas);
      await userEvent.type(await canvas.findByLabelText('Note 4'), 'Ask Grace');
    });
    await step('the list is fetched again: the rows stay', async () => {
      const release = app.articles.hold();
      await userEvent.click(canvas.getByRole('button', { name: 'Refresh' }));
      await waitFor(() => expect(app.articles.held).toBe(1));
      await expect(canvas.getAllByRole('textbox', { name: /Note/ })).toHaveLength(4);
      release();
    });
    await step('she goes on from the third page', async () => {
      await waitFor(() => expect(journal).toHaveSent([list, page(2), list, page(2)]));
      await expect(canvas.getByLabelText('Note 4')).toHaveValue('Ask Grace');
      await loadMore(canvas);
      await canvas.findByLabelText('Note 5');
    });
    await hasSent('each page twice, and the third one once', [list, page(2), list, page(2), page(3)]);
  },
};

/** The server is too busy when the list is fetched again: the rows stay, below the error, and “Try again” works. */
export const BusyServer: Story = {
  args: { resource: app.Articles, renderHeader: () => <Refresh /> },
  play: async ({ canvas, step, msw, hasSent }) => {
    await canvas.findByText('Article 1');
    await step('the server answers 429', async () => {
      msw.use(http.get(`${ownApi}/article`, () => HttpResponse.json({}, { status: 429 }), { once: true }));
      await userEvent.click(canvas.getByRole('button', { name: 'Refresh' }));
      await canvas.findByRole('alert');
      await expect(titles(canvas)).toEqual(['Article 1', 'Article 2']);
    });
    await step('Ada presses “Try again”', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Try again' }));
      await waitFor(() => expect(canvas.queryByRole('alert')).not.toBeInTheDocument());
    });
    await hasSent('three requests', [list, list, list]);
  },
};

/** The network is gone when the list loads. When it is back, the list loads without a press. */
export const NetworkIsBack: Story = {
  beforeEach: ({ msw }) => msw.use(http.get(`${ownApi}/article`, () => HttpResponse.error(), { once: true })),
  play: async ({ canvas, step, hasSent }) => {
    await canvas.findByRole('alert');
    await step('the browser has a network again', async () => {
      window.dispatchEvent(new Event('online'));
      await canvas.findByText('Article 1');
      await expect(canvas.queryByRole('alert')).not.toBeInTheDocument();
    });
    await hasSent('two requests', [list, list]);
  },
};

/** The second page is on its way when the list is fetched again: both requests are sent, and the page of before is dropped. */
export const FetchedAgainDuringAPage: Story = {
  play: async ({ canvas, step, hasSent }) => {
    await step('the second page is on its way, and Ada presses “Fetch again”', async () => {
      const button = await canvas.findByRole('button', { name: 'Load more' });
      const release = app.articles.hold();
      await userEvent.click(button);
      await waitFor(() => expect(app.articles.held).toBe(1));
      await userEvent.click(canvas.getByRole('button', { name: 'Fetch again' }));
      await waitFor(() => expect(app.articles.held).toBe(2));
      release();
    });
    await step('the first page is shown, and the list goes on from it', async () => {
      await waitFor(() => expect(canvas.getByRole('list')).toHaveAttribute('aria-busy', 'false'));
      await expect(titles(canvas)).toEqual(['Article 1', 'Article 2']);
      await loadMore(canvas);
      await canvas.findByText('2 more loaded, 4 in all.');
    });
    await hasSent('the list twice, the second page twice', [list, page(2), list, page(2)]);
  },
};

/** The endpoint lets the browser cache its answers. */
const Cacheable = hookifyResource(
  resource({
    urlPrefix: ownApi,
    path: '/article/:id',
    schema: Article,
    paginationField: 'page',
    requestInit: { cache: 'default' },
  }),
);
let caches: RequestCache[] = [];

/** “Fetch again” asks the server, although the endpoint lets the browser answer from its HTTP cache. So do the pages after it. */
export const FetchedAgainPastTheCache: Story = {
  args: { resource: Cacheable, create: undefined },
  beforeEach: ({ msw }) => {
    caches = [];
    msw.use(
      http.get(`${ownApi}/article`, ({ request }) => {
        caches.push(request.cache);
        return HttpResponse.json(manyArticles(2).rows, { headers: { 'Cache-Control': 'private, max-age=60' } });
      }),
    );
  },
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada presses “Fetch again”, then “Load more”', async () => {
      await canvas.findByText('Article 2');
      await userEvent.click(canvas.getByRole('button', { name: 'Fetch again' }));
      await waitFor(() => expect(caches).toHaveLength(2));
      await waitFor(() => expect(canvas.getByRole('list')).toHaveAttribute('aria-busy', 'false'));
      await loadMore(canvas);
      await canvas.findByText('2 loaded.');
    });
    await step('the first answer may come from the cache, the others may not', () =>
      expect(caches).toEqual(['default', 'no-cache', 'no-cache']),
    );
    await hasSent('the list twice, and a page', [list, list, page(2)]);
  },
};
