import type { Meta, StoryObj } from '@storybook/react-vite';
import { nextCursor, nextLink, nextPageNumber, PaginatedList } from '../../src/entries/widgets.js';
import { type MockPagination } from '../../src/testing/index.js';
import { articleHandlers } from '../support/articles.js';
import { atStart } from '../support/atStart.js';
import { essays } from '../support/essays.js';
import { ownApi } from '../support/setupCookieApp.js';
import { manyArticles } from '../support/manyArticles.js';
import { setupWidgetApp } from '../support/setupWidgetApp.js';
import { Articles, CursorArticles, LinkedArticles } from './resources.js';

const { articles, auth, Provider, start } = setupWidgetApp({
  rows: essays,
  articles: { pagination: { style: 'page', size: 4 } },
});

/** The same articles from a server with other pages. */
const servedIn = (pagination: MockPagination, served = essays) => {
  const server = articleHandlers(auth, { url: ownApi, rows: served, pagination });
  return atStart(({ msw }) => {
    server.reset();
    msw.use(...server.handlers);
  });
};

/**
 * A `ResourceList` that loads further pages. `next` says how to find the next page; without `next`, the widget detects it
 * from the response. In the examples, `Articles` is a hookified resource with a `paginationField`.
 */
const meta = {
  title: 'Widgets/PaginatedList',
  component: PaginatedList<typeof Articles>,
  args: {
    resource: Articles,
    next: nextPageNumber({ size: 4 }),
    label: 'Articles',
    renderItem: article => article.title,
  },
  render: args => <PaginatedList {...args} />,
  decorators: [
    Story => (
      <Provider>
        <Story />
      </Provider>
    ),
  ],
  beforeEach: start('ada'),
  parameters: { docs: { story: { height: '300px' } } },
} satisfies Meta<typeof PaginatedList<typeof Articles>>;

export default meta;
type Story = StoryObj<typeof meta>;

/** A button loads the next page, `?page=2`. With `size`, a shorter page is known to be the last one. */
export const Basic: Story = {};

/**
 * With `paginated="scroll"`, the next page loads when the user scrolls near the end. With `virtual`, only those
 * of these 10,000 rows that are near the visible part are in the document.
 */
export const OnView: Story = {
  args: {
    next: nextPageNumber({ size: 100 }),
    paginated: 'scroll',
    virtual: true,
  },
  beforeEach: servedIn({ style: 'page', size: 100 }, manyArticles(10_000).rows),
  parameters: { scrolls: true },
};

/** A server that answers `{ results, cursor }`, as the schema of the resource’s list says. `nextCursor` requests the next page with that cursor. */
export const ByCursor: Story = {
  render: () => (
    <PaginatedList
      resource={CursorArticles}
      next={nextCursor()}
      label="Articles"
      renderItem={article => article.title}
    />
  ),
  beforeEach: servedIn({ style: 'cursor', size: 4 }),
};

/** A server that answers `{ results, next }` with a link, as Django REST framework does. `nextLink` uses only the search params of the link. */
export const ByNextLink: Story = {
  render: () => (
    <PaginatedList resource={LinkedArticles} next={nextLink()} label="Articles" renderItem={article => article.title} />
  ),
  beforeEach: servedIn({ style: 'next-link', size: 4 }),
};

/**
 * `paginated="pages"` shows one page at a time, above the numbers of the pages. The list has the number itself; an app that
 * keeps it in the URL passes `paginated={{ page, onPageChange }}`.
 */
export const NumberedPages: Story = {
  render: () => (
    <PaginatedList resource={LinkedArticles} paginated="pages" label="Articles" renderItem={article => article.title} />
  ),
  beforeEach: servedIn({ style: 'next-link', size: 4 }, manyArticles(40).rows),
};

/** A list without rows has no button. The slot `empty` replaces the picture and the text. */
export const Empty: Story = {
  beforeEach: servedIn({ style: 'page', size: 4 }, []),
  parameters: { docs: { story: { height: '190px' } } },
};

/** The first page is pending. After 300 ms, the list says so. */
export const Loading: Story = {
  beforeEach: atStart(() => void articles.hold()),
  parameters: { unanswered: true, docs: { story: { height: '230px' } } },
};

/** The server answers 403. The button tries again. If a later page fails, the rows stay, and `renderError` replaces the text below them. */
export const Refused: Story = {
  beforeEach: atStart(() => articles.failNext(403)),
  parameters: { docs: { story: { height: '160px' } } },
};

/** There is no connection. The button tries again. */
export const Offline: Story = {
  beforeEach: atStart(() => articles.failNext('network')),
  parameters: { docs: { story: { height: '180px' } } },
};
