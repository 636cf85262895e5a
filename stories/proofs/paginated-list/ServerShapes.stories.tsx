import type { Meta, StoryObj } from '@storybook/react-vite';
import { http, HttpResponse } from 'msw';
import { expect, userEvent, waitFor } from 'storybook/test';
import { Collection, hookifyResource, resource } from '../../../src/index.js';
import { nextPageNumber, PaginatedList } from '../../../src/entries/widgets.js';
import { Article } from '../../support/articles.js';
import { manyArticles } from '../../support/manyArticles.js';
import { recordText } from '../../support/recordText.js';
import { ownApi } from '../../support/setupCookieApp.js';
import { setupWidgetApp } from '../../support/setupWidgetApp.js';
import { inCases } from '../../support/inCases.js';
import { below } from '../../support/below.js';

const app = setupWidgetApp();
const { sent } = app;
const { rows } = manyArticles(5);

const base = resource({ urlPrefix: ownApi, path: '/article/:id', schema: Article, paginationField: 'page' });
const Unpaged = hookifyResource(
  resource({ urlPrefix: ownApi, path: '/article/:id', schema: Article }).extend('getList', {
    schema: { items: new Collection([Article]) },
  }),
);
const Items = hookifyResource(base.extend('getList', { schema: { items: new Collection([Article]) } }));

/** The server of a story: answers the list by the search params of the request, and by how many it has answered. */
const serve = (answer: (params: URLSearchParams, index: number) => object) => {
  let answers = 0;
  return http.get(`${ownApi}/article`, ({ request }) =>
    HttpResponse.json(answer(new URL(request.url).searchParams, answers++)),
  );
};
const list = sent.get('/article').as('ada');
const page = (search: string) => sent.get(`/article?${search}`).as('ada');

/** Proves what a list without `next` says and requests, with servers that name their pages, and with servers that do not. */
const meta = {
  title: 'Proofs/PaginatedList',
  tags: ['proof', '!autodocs'],
  component: PaginatedList<typeof Items>,
  args: { resource: Items, label: 'Articles', paginated: 'scroll', renderItem: article => article.title },
  decorators: below(app),
  beforeEach: app.start('ada'),
} satisfies Meta<typeof PaginatedList<typeof Items>>;

export default meta;
type Story = StoryObj<typeof meta>;

/** `{ items, total, page, pages }`: five articles, two on a page. */
const numberedPages = serve(params => {
  const number = Number(params.get('page') ?? 1);
  return { items: rows.slice((number - 1) * 2, number * 2), total: 5, page: number, pages: 3 };
});

/** The total counts while a page is on its way: screen readers announce each page once, and no count in between. */
export const AnnouncedOnce: Story = {
  args: { paginated: 'append' },
  beforeEach: ({ msw }) => msw.use(numberedPages),
  play: async ({ canvas, step, hasSent }) => {
    const note = recordText(await canvas.findByText('2 of 5 loaded.'));
    await step('Ada presses the button, page after page', async () => {
      const button = canvas.getByRole('button', { name: 'Load more' });
      await userEvent.click(button);
      await canvas.findByText('2 more loaded, 4 of 5.');
      await userEvent.click(button);
      await canvas.findByText('All 5 loaded.');
    });
    await step('three texts', () =>
      expect(note.since('2')).toEqual(['2 of 5 loaded.', '2 more loaded, 4 of 5.', 'All 5 loaded.']),
    );
    note.stop();
    await hasSent('each page once', [list, page('page=2'), page('page=3')]);
  },
};

const totalWithoutAWay: Story = {
  render: ({ label, renderItem }) => <PaginatedList resource={Unpaged} label={label} renderItem={renderItem} />,
  beforeEach: ({ msw }) => msw.use(serve(() => ({ items: rows, total: 200 }))),
  play: async ({ canvas, step, hasSent }) => {
    await step('five of two hundred', async () => {
      await canvas.findByText('5 of 200 loaded.');
      await expect(canvas.queryByRole('button')).not.toBeInTheDocument();
    });
    await hasSent('one GET', [list]);
  },
};

const nextEndsBeforeTheTotal: Story = {
  args: { next: nextPageNumber({ size: 100 }) },
  beforeEach: ({ msw }) => msw.use(serve(() => ({ items: rows, total: 200 }))),
  play: async ({ canvas, step, hasSent }) => {
    await step('five of two hundred', async () => {
      await canvas.findByText('5 of 200 loaded.');
      await expect(canvas.queryByText(/All/)).not.toBeInTheDocument();
    });
    await hasSent('one GET', [list]);
  },
};

const samePageAgain: Story = {
  beforeEach: ({ msw }) => msw.use(serve(() => ({ items: rows, total: 200, page: 1, pages: 40 }))),
  play: async ({ canvas, step, hasSent }) => {
    await step('five of two hundred, and no button', async () => {
      await canvas.findByText('5 of 200 loaded.');
      // There is one until the same page comes again.
      await waitFor(() => expect(canvas.queryByRole('button')).not.toBeInTheDocument());
      await expect(canvas.getAllByRole('listitem')).toHaveLength(5);
    });
    await hasSent('the second page once', [list, page('page=2')]);
  },
};

/** A total without a way to the next page: the list says how much of it is there, and never “all”. */
export const FiveOfTwoHundred: Story = inCases({
  'the answer names no next page': totalWithoutAWay,
  '`next` counts pages of a hundred, and the server sends five: the total of the response wins': nextEndsBeforeTheTotal,
  'the server sends the first page again: it is asked once': samePageAgain,
});

/** Always another cursor, and never another row: loading on view stops. A press of the button asks again. */
export const CursorsWithoutEnd: Story = {
  beforeEach: ({ msw }) => msw.use(serve((_, index) => ({ items: rows, nextCursor: `c${index + 1}` }))),
  play: async ({ canvas, step, journal }) => {
    await step('the first cursor brings no new article, and loading stops', async () => {
      await canvas.findByText('0 more loaded, 5 in all.');
      await expect(canvas.getAllByRole('listitem')).toHaveLength(5);
      await expect(journal).toHaveSent([list, page('page=c1')]);
    });
    await step('Ada presses the button', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Load more' }));
      await waitFor(() => expect(journal).toHaveSent([list, page('page=c1'), page('page=c2')]));
    });
  },
};

/** Two lists of the same articles on one page: each page is requested once for both. */
export const TwoListsOfOne: Story = {
  render: args => (
    <>
      <PaginatedList {...args} label="Left" />
      <PaginatedList {...args} label="Right" />
    </>
  ),
  beforeEach: ({ msw }) => msw.use(numberedPages),
  play: async ({ canvas, step, hasSent }) => {
    await step('both lists are complete', async () => {
      await waitFor(() => expect(canvas.getAllByText('All 5 loaded.')).toHaveLength(2));
      await expect(canvas.getAllByRole('listitem')).toHaveLength(10);
    });
    await hasSent('each page once', [list, page('page=2'), page('page=3')]);
  },
};

const Wrapped = hookifyResource(
  resource({ urlPrefix: ownApi, path: '/article/:id', schema: Article, paginationField: 'page', rows: 'data.items' }),
);

/** `rows: 'data.items'`: the rows are two objects deep, and the facts about the page are beside them and above. */
export const RowsInAnObject: Story = {
  render: ({ label, renderItem }) => <PaginatedList resource={Wrapped} label={label} renderItem={renderItem} />,
  beforeEach: ({ msw }) =>
    msw.use(
      serve(params => {
        const number = Number(params.get('page') ?? 1);
        return {
          meta: { pages: 3, page: number },
          data: { items: rows.slice((number - 1) * 2, number * 2), total: 5 },
        };
      }),
    ),
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada loads all pages', async () => {
      await canvas.findByText('Article 2');
      await userEvent.click(await canvas.findByRole('button', { name: 'Load more' }));
      await canvas.findByText('2 more loaded, 4 of 5.');
      await userEvent.click(canvas.getByRole('button', { name: 'Load more' }));
      await canvas.findByText('All 5 loaded.');
    });
    await hasSent('each page once', [list, page('page=2'), page('page=3')]);
  },
};

/** Without `rows`, an object in place of the list: a sentence for the user, and in the console the name of the option. */
export const ObjectInPlaceOfTheList: Story = {
  parameters: { expectedConsoleErrors: [/^NotAListError: GET \/article expected a list.*rows: 'results'/] },
  render: ({ label }) => <PaginatedList resource={app.Articles} label={label} renderItem={article => article.title} />,
  beforeEach: ({ msw }) =>
    msw.use(serve(() => ({ count: 250, next: '/article?page=2', previous: null, results: rows }))),
  play: async ({ canvas, step, hasSent }) => {
    await step('no row, and no “all”', async () => {
      await expect(await canvas.findByRole('alert')).toHaveTextContent(
        /^The server sent something that this page cannot show\.$/,
      );
      await expect(canvas.queryByText(/loaded/)).not.toBeInTheDocument();
    });
    await hasSent('one GET', [list]);
  },
};
