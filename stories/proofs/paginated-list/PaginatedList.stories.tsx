import type { Meta, StoryObj } from '@storybook/react-vite';
import { http, HttpResponse } from 'msw';
import { useState } from 'react';
import { expect, userEvent, waitFor } from 'storybook/test';
import { nextCursor, nextLink, PaginatedList, withLinkHeader } from '../../../src/entries/widgets.js';
import { ownApi } from '../../support/setupCookieApp.js';
import { setupPagedApp } from '../../support/setupPagedApp.js';
import { inCases } from '../../support/inCases.js';
import { Collection, hookifyResource, resource } from '../../../src/index.js';
import { resourceHandlers, type MockPagination, type RequestLine } from '../../../src/testing/index.js';
import { Article, articleResource } from '../../support/articles.js';

const { app, rows, page, listMeta } = setupPagedApp();
const { sent } = app;

/** Proves each state of a list that grows by pages. There are five articles, two on a page. */
const meta = {
  title: 'Proofs/PaginatedList',
  tags: ['proof', '!autodocs'],
  ...listMeta,
} satisfies Meta<typeof listMeta.component>;

export default meta;
type Story = StoryObj<typeof meta>;
type Canvas = Parameters<NonNullable<Story['play']>>[0]['canvas'];

const more = (canvas: Canvas) => canvas.findByRole('button', { name: 'Load more' });

const empty: Story = {
  beforeEach: ({ msw }) => msw.use(http.get(`${ownApi}/article`, () => HttpResponse.json([]))),
  play: async ({ canvas, step, hasSent }) => {
    await step('the reader sees that there are none', async () => {
      await expect(await canvas.findByText('Nothing here yet.')).toBeVisible();
      await waitFor(() => expect(canvas.getByRole('status')).toHaveTextContent('Nothing here yet.'));
      await expect(canvas.queryByRole('button')).not.toBeInTheDocument();
    });
    await hasSent('one GET', [sent.get('/article').as('ada')]);
  },
};

const noMatches: Story = {
  args: { params: { author: 'katherine' } },
  play: async ({ canvas, step, hasSent }) => {
    await step('the reader sees that nothing matches, and not that there is nothing yet', async () => {
      await expect(await canvas.findByText('No matches.')).toBeVisible();
      await waitFor(() => expect(canvas.getByRole('status')).toHaveTextContent('No matches.'));
      await expect(canvas.queryByText('Nothing here yet.')).not.toBeInTheDocument();
      await expect(canvas.queryByRole('button')).not.toBeInTheDocument();
    });
    await hasSent('one GET', [page('author=katherine')]);
  },
};

/** A list without rows says so, once, and has no button. */
export const Empty: Story = inCases({
  'there is nothing yet': empty,
  'no row matches the filter': noMatches,
});

/** The token expires between two pages: the second page is read twice with one refresh between, and the reader notices nothing. */
export const Expired: Story = {
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada sees the first page; her token expires; she loads the second', async () => {
      await canvas.findByText('On signing in');
      app.server.expire();
      await userEvent.click(await more(canvas));
      await canvas.findByText('On cookies');
    });
    await hasSent('one refresh', [
      sent.get('/article').as('ada'),
      page('page=2'),
      sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' }),
      sent.get('/article?page=2').as('ada', 2),
    ]);
  },
};

/** A page fails: the rows stay, the button reads it again, and the list goes on from there. */
export const Offline: Story = {
  play: async ({ canvas, step, hasSent }) => {
    await step('the second page fails, and the first one stays', async () => {
      const button = await more(canvas);
      app.articles.failNext('network');
      await userEvent.click(button);
      await expect(await canvas.findByRole('alert')).toHaveTextContent('The server could not be reached.');
      await expect(canvas.getAllByRole('listitem')).toHaveLength(2);
    });
    await step('a retry is refused, and the first page stays', async () => {
      app.articles.failNext(403);
      await userEvent.click(canvas.getByRole('button', { name: 'Try again' }));
      await canvas.findByText('You do not have access to this.');
      await expect(canvas.getAllByRole('listitem')).toHaveLength(2);
    });
    await step('the next retry succeeds', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Try again' }));
      await canvas.findByText('On cookies');
      await expect(canvas.queryByRole('alert')).not.toBeInTheDocument();
      await expect(canvas.getAllByRole('listitem')).toHaveLength(4);
    });
    await hasSent('the same page three times', [
      sent.get('/article').as('ada'),
      page('page=2'),
      page('page=2'),
      page('page=2'),
    ]);
  },
};

let announced: string[] = [];
const loaded = (more: number, total: number) => {
  announced.push(`${more} more of ${total}`);
  return `${more} more of ${total}`;
};

/** Two presses are one request and one announcement. While it is under way, the button is busy and keeps the focus. */
export const PressedTwice: Story = {
  args: { labels: { loaded } },
  beforeEach: () => {
    announced = [];
  },
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada presses twice, and the button is busy', async () => {
      const button = await more(canvas);
      const release = app.articles.hold();
      await userEvent.dblClick(button);
      await expect(await canvas.findByRole('button', { name: 'Loading more…' })).toHaveAttribute(
        'aria-disabled',
        'true',
      );
      await expect(canvas.getByRole('button', { name: 'Loading more…' })).toHaveFocus();
      await waitFor(() => expect(app.articles.held).toBe(1));
      release();
    });
    await step('four articles are shown', async () => {
      await canvas.findByText('On cookies');
      await expect(canvas.getAllByRole('listitem')).toHaveLength(4);
    });
    await step('the page is announced once', async () => {
      await canvas.findByText('2 more of 4');
      await waitFor(() => expect(canvas.getByRole('button', { name: 'Load more' })).toBeVisible());
      await expect(announced).toEqual(['2 more of 4']);
    });
    await hasSent('the second page is read once', [sent.get('/article').as('ada'), page('page=2')]);
  },
};

/** The list remembers its loaded pages after it unmounts, like its rows. */
export const ComesBackWhereItWas: Story = {
  render: function Leaves(args) {
    const [isThere, setThere] = useState(true);
    return (
      <>
        <button type="button" onClick={() => setThere(!isThere)}>
          {isThere ? 'Leave' : 'Come back'}
        </button>
        {isThere && <PaginatedList {...args} />}
      </>
    );
  },
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada loads two pages, leaves, and comes back', async () => {
      await userEvent.click(await more(canvas));
      await canvas.findByText('On cookies');
      await userEvent.click(canvas.getByRole('button', { name: 'Leave' }));
      await expect(canvas.queryByText('On cookies')).not.toBeInTheDocument();
      await userEvent.click(canvas.getByRole('button', { name: 'Come back' }));
      await expect(canvas.getAllByRole('listitem')).toHaveLength(4);
    });
    await step('she loads the third page', async () => {
      await userEvent.click(await more(canvas));
      await canvas.findByText('All 5 loaded.');
    });
    await hasSent('no page is read twice', [sent.get('/article').as('ada'), page('page=2'), page('page=3')]);
  },
};

/** The same articles, with another kind of pages. */
const pagedBy = (pagination: MockPagination) =>
  resourceHandlers(articleResource(ownApi), rows, { auth: app.auth, pagination: { size: 2, ...pagination } });

const list = sent.get('/article').as('ada');
const byNumber = [list, page('page=2'), page('page=3')];

/** Ada presses the button until all is loaded: two articles, four, five. The total is that of the server, if it says it. */
const readsToTheEnd = (args: object, pagination: MockPagination, lines: RequestLine[], total?: number): Story => ({
  args,
  beforeEach: ({ msw }) => msw.use(...pagedBy(pagination).handlers),
  play: async ({ canvas, journal }) => {
    await expect(await canvas.findAllByRole('listitem')).toHaveLength(2);
    if (total) await canvas.findByText(`2 of ${total} loaded.`);
    await userEvent.click(await more(canvas));
    await canvas.findByText('On cookies');
    await canvas.findByText(total ? `2 more loaded, 4 of ${total}.` : '2 more loaded, 4 in all.');
    await userEvent.click(await more(canvas));
    await canvas.findByText('On clocks');
    await canvas.findByText('All 5 loaded.');
    await expect(canvas.getAllByRole('listitem').map(row => row.querySelector('span')?.textContent)).toEqual(
      rows.map(row => row.title),
    );
    await expect(canvas.queryByRole('button', { name: 'Load more' })).not.toBeInTheDocument();
    await expect(journal).toHaveSent(lines);
  },
});

const byCursor = hookifyResource(
  resource({ urlPrefix: ownApi, path: '/article/:id', schema: Article, paginationField: 'cursor' }).extend('getList', {
    schema: { results: new Collection([Article]), cursor: '' },
  }),
);

const byNextLink = hookifyResource(
  resource({ urlPrefix: ownApi, path: '/article/:id', schema: Article, paginationField: 'page' }).extend('getList', {
    schema: { results: new Collection([Article]), next: '' },
  }),
);

const byLinkHeader = hookifyResource(
  withLinkHeader(resource({ urlPrefix: ownApi, path: '/article/:id', schema: Article, paginationField: 'page' })),
);

/** The links point to another host, as behind a proxy or in an attack. */
const linkOrigin = 'https://elsewhere.example';

const readsByLink = readsToTheEnd(
  { resource: byLinkHeader, next: undefined, create: { push: [{ name: 'title', label: 'Title' }] } },
  { style: 'link-header', linkOrigin },
  byNumber,
);
const byLink: Story = {
  ...readsByLink,
  play: async context => {
    const { canvas, journal } = context;
    await readsByLink.play?.(context);
    await userEvent.type(canvas.getByLabelText('Title'), 'On ends{Enter}');
    await canvas.findByText('All 6 loaded.');
    await expect(canvas.getAllByRole('listitem').at(-1)).toHaveTextContent('On ends');
    await expect(journal).toHaveSent([...byNumber, sent.post('/article').as('ada').json({ title: 'On ends' })]);
  },
};

/** Each page is read once, by what the answer before it says, and from the resource’s own address: no credential goes to the host of a link. */
export const EachKindOfPage: Story = inCases({
  '`?page=2` after a bare list: with the `size` of a page, a shorter page is the last one': readsToTheEnd(
    {},
    { style: 'page' },
    byNumber,
  ),
  '`{ results, cursor }`: the next request sends the cursor, until it is null': readsToTheEnd(
    { resource: byCursor, next: nextCursor() },
    { style: 'cursor' },
    [list, page('cursor=2'), page('cursor=4')],
  ),
  '`{ results, next }` with an absolute link, as in Django REST framework: its search params are used': readsToTheEnd(
    { resource: byNextLink, next: nextLink() },
    { style: 'next-link', linkOrigin },
    byNumber,
    5,
  ),
  'without `next`, a link in the answer is recognized, also when it repeats search params of the list': readsToTheEnd(
    { resource: byNextLink, next: undefined, params: { author: 'ada', limit: 2 } },
    { style: 'next-link' },
    [page('author=ada&limit=2'), page('author=ada&limit=2&page=2'), page('author=ada&limit=2&page=3')],
    5,
  ),
  'a bare list, and the header `Link` names the next page, as at GitHub; the list creates rows like any other': byLink,
  'a header tells the number of all rows, as at GitLab': readsToTheEnd(
    { resource: byLinkHeader, next: undefined },
    { style: 'link-header', totalHeader: 'X-Total' },
    byNumber,
    5,
  ),
});

/** A list whose first answer has this link, and whose second answer has none. */
const linkedTo = (link: string) => {
  let answers = 0;
  return http.get(`${ownApi}/article`, () =>
    HttpResponse.json({ results: rows.slice(0, 2), next: answers++ === 0 ? link : null }),
  );
};

/** A link that is no address, or has no search params, is announced like a failed page, and the rows stay. A retry reads the page before again. */
export const BrokenLink: Story = {
  parameters: {
    expectedConsoleErrors: [
      /^data-client-auth: NextLinkError: The next link "https:\/\/\[elsewhere\/article\?page=2" is not an address\./,
    ],
  },
  beforeEach: ({ msw }) => msw.use(linkedTo('https://[elsewhere/article?page=2')),
  render: ({ label }) => (
    <PaginatedList
      resource={byNextLink}
      next={nextLink()}
      label={label}
      renderItem={article => <span>{article.title}</span>}
    />
  ),
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada sees the first page, and an error in place of the next one', async () => {
      await canvas.findByText('On signing out');
      await expect(canvas.getByRole('alert')).toHaveTextContent(
        'Something went wrong on this page. Try again, or reload the page.',
      );
    });
    await step('a retry gets an answer without the broken link', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Try again' }));
      await canvas.findByText('All 2 loaded.');
      await expect(canvas.queryByRole('alert')).not.toBeInTheDocument();
      await expect(canvas.getAllByRole('listitem')).toHaveLength(2);
    });
    await hasSent('the list twice', [sent.get('/article').as('ada'), sent.get('/article').as('ada')]);
  },
};

/** The link to the last page tells the number of pages, as at GitHub, so that the last one can be chosen at once. */
export const NumbersFromTheLastLink: Story = {
  beforeEach: ({ msw }) => msw.use(...pagedBy({ style: 'link-header' }).handlers),
  render: ({ label }) => (
    <PaginatedList
      resource={byLinkHeader}
      paginated="pages"
      label={label}
      renderItem={article => <span>{article.title}</span>}
    />
  ),
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada sees three pages, and opens the last one', async () => {
      await userEvent.click(await canvas.findByRole('button', { name: 'Page 3' }));
      await canvas.findByText('On clocks');
      await expect(canvas.getAllByRole('listitem')).toHaveLength(1);
      await expect(canvas.getByRole('button', { name: 'Next' })).toHaveAttribute('aria-disabled', 'true');
    });
    await hasSent('the first and the last page', [page('page=1'), page('page=3')]);
  },
};
