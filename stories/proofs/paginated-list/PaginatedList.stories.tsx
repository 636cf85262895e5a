import type { Meta, StoryObj } from '@storybook/react-vite';
import { http, HttpResponse } from 'msw';
import { useState } from 'react';
import { expect, userEvent, waitFor } from 'storybook/test';
import {
  Collection,
  hookifyResource,
  nextCursor,
  nextLink,
  nextPageNumber,
  PaginatedList,
  resource,
  withLinkHeader,
} from '../../../src/index.js';
import { resourceHandlers, type MockPagination } from '../../../src/testing/index.js';
import { Article, articleResource, type ArticleRow } from '../../support/articles.js';
import { ownApi } from '../../support/setupCookieApp.js';
import { setupWidgetApp } from '../../support/setupWidgetApp.js';
import { ArticleLine } from '../../support/ArticleLine.js';

const titles = ['On signing in', 'On signing out', 'On tokens', 'On cookies', 'On clocks'];
const rows: ArticleRow[] = titles.map((title, place) => ({ id: String(place + 1), title, content: '', author: 'ada' }));
const app = setupWidgetApp({ rows, articles: { pagination: { style: 'page', size: 2 } } });
const { sent } = app;

/** The same articles, with another kind of pages. */
const pagedBy = (pagination: MockPagination) =>
  resourceHandlers(articleResource(ownApi), rows, { auth: app.auth, pagination: { size: 2, ...pagination } });
const page = (search: string) => sent.get(`/article?${search}`).as('ada');

/** Proves each state of a list that grows by pages, and the ways in which servers tell the next page. There are five articles, two on a page. */
const meta = {
  title: 'Proofs/PaginatedList',
  tags: ['proof', '!autodocs'],
  component: PaginatedList<typeof app.Articles>,
  args: {
    resource: app.Articles,
    next: nextPageNumber({ size: 2 }),
    label: 'Articles',
    renderItem: (article, { update, partialUpdate, remove }) => (
      <ArticleLine article={article} update={update} partialUpdate={partialUpdate} remove={remove} />
    ),
  },
  decorators: [
    Story => (
      <app.Provider>
        <Story />
      </app.Provider>
    ),
  ],
  beforeEach: app.start('ada'),
} satisfies Meta<typeof PaginatedList<typeof app.Articles>>;

export default meta;
type Story = StoryObj<typeof meta>;
type Canvas = Parameters<NonNullable<Story['play']>>[0]['canvas'];

const more = (canvas: Canvas) => canvas.findByRole('button', { name: 'Load more' });

/** Ada presses the button until all is loaded: two articles, four, five. */
async function readToTheEnd(canvas: Canvas) {
  await expect(await canvas.findAllByRole('listitem')).toHaveLength(2);
  await userEvent.click(await more(canvas));
  await canvas.findByText('On cookies');
  await canvas.findByText('2 more loaded, 4 in all.');
  await userEvent.click(await more(canvas));
  await canvas.findByText('On clocks');
  await canvas.findByText('All 5 loaded.');
  await expect(canvas.getAllByRole('listitem').map(row => row.querySelector('span')?.textContent)).toEqual(titles);
  await expect(canvas.queryByRole('button', { name: 'Load more' })).not.toBeInTheDocument();
}

export const Basic: Story = {
  play: async ({ canvas, step, journal }) => {
    await step('Ada sees the first page, and a button for the next', async () => {
      await canvas.findByText('On signing out');
      await more(canvas);
      await expect(canvas.getAllByRole('listitem')).toHaveLength(2);
    });
    await step('one GET, with her token', () => expect(journal).toHaveSent([sent.get('/article').as('ada')]));
  },
};

/** No rows: no button either. */
export const Empty: Story = {
  args: { params: { author: 'nobody' } },
  play: async ({ canvas, step, journal }) => {
    await step('the reader sees that there are none', async () => {
      await canvas.findByText('Nothing here yet.');
      await expect(canvas.queryByRole('button')).not.toBeInTheDocument();
    });
    await step('one GET', () => expect(journal).toHaveSent([page('author=nobody')]));
  },
};

export const Loading: Story = {
  beforeEach: () => void app.articles.hold(),
  play: async ({ canvas, step, journal }) => {
    await step('the reader sees that it is loading', async () => {
      await expect(await canvas.findByRole('status')).toHaveTextContent('Loading…');
      await waitFor(() => expect(app.articles.held).toBe(1));
    });
    await step('one GET is under way', () => expect(journal).toHaveSent([sent.get('/article').as('ada')]));
  },
};

export const Refused: Story = {
  beforeEach: () => app.articles.failNext(403),
  play: async ({ canvas, step, journal }) => {
    await step('the page announces the refusal', async () => {
      await expect(await canvas.findByRole('alert')).toHaveTextContent('You are not allowed to do this.');
    });
    await step('the next try succeeds: the first page, and a button for the next', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Try again' }));
      await canvas.findByText('On signing out');
      await expect(canvas.queryByRole('alert')).not.toBeInTheDocument();
      await userEvent.click(await more(canvas));
      await canvas.findByText('On cookies');
    });
    await step('the first page twice, the second once', () =>
      expect(journal).toHaveSent([sent.get('/article').as('ada'), sent.get('/article').as('ada'), page('page=2')]),
    );
  },
};

/** The token expires between two pages: the second page is read twice with one refresh between, and the reader notices nothing. */
export const Expired: Story = {
  play: async ({ canvas, step, journal }) => {
    await step('Ada sees the first page; her token expires; she loads the second', async () => {
      await canvas.findByText('On signing in');
      app.server.expireAccessTokens();
      await userEvent.click(await more(canvas));
      await canvas.findByText('On cookies');
    });
    await step('one refresh', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        page('page=2'),
        sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' }),
        sent.get('/article?page=2').as('ada', 2),
      ]),
    );
  },
};

/** A page fails: the rows stay, the button reads it again, and the list goes on from there. */
export const Offline: Story = {
  play: async ({ canvas, step, journal }) => {
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
      await canvas.findByText('You are not allowed to do this.');
      await expect(canvas.getAllByRole('listitem')).toHaveLength(2);
    });
    await step('the next retry succeeds', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Try again' }));
      await canvas.findByText('On cookies');
      await expect(canvas.queryByRole('alert')).not.toBeInTheDocument();
      await expect(canvas.getAllByRole('listitem')).toHaveLength(4);
    });
    await step('the same page three times', () =>
      expect(journal).toHaveSent([sent.get('/article').as('ada'), page('page=2'), page('page=2'), page('page=2')]),
    );
  },
};

/** `?page=2` after a bare list. With the `size` of a page, a shorter page is the last one. */
export const ByPageNumber: Story = {
  play: async ({ canvas, step, journal }) => {
    await step('Ada loads all pages', () => readToTheEnd(canvas));
    await step('three pages, each once', () =>
      expect(journal).toHaveSent([sent.get('/article').as('ada'), page('page=2'), page('page=3')]),
    );
  },
};

const byCursor = hookifyResource(
  resource({ urlPrefix: ownApi, path: '/article/:id', schema: Article, paginationField: 'cursor' }).extend('getList', {
    schema: { results: new Collection([Article]), cursor: '' },
  }),
);

/** The answer is `{ results, cursor }`: the next request sends the cursor, until it is null. */
export const ByCursor: Story = {
  beforeEach: ({ msw }) => msw.use(...pagedBy({ style: 'cursor' }).handlers),
  render: ({ label }) => (
    <PaginatedList
      resource={byCursor}
      next={nextCursor()}
      label={label}
      renderItem={article => <span>{article.title}</span>}
    />
  ),
  play: async ({ canvas, step, journal }) => {
    await step('Ada loads all pages', () => readToTheEnd(canvas));
    await step('each page is read by the cursor of the page before', () =>
      expect(journal).toHaveSent([sent.get('/article').as('ada'), page('cursor=2'), page('cursor=4')]),
    );
  },
};

const byNextLink = hookifyResource(
  resource({ urlPrefix: ownApi, path: '/article/:id', schema: Article, paginationField: 'page' }).extend('getList', {
    schema: { results: new Collection([Article]), next: '' },
  }),
);

/**
 * The answer is `{ results, next }` with an absolute link, as in Django REST framework. Here the links point to
 * another host, as behind a proxy or in an attack: only their search params are used, so no credential goes there.
 */
export const ByNextLink: Story = {
  beforeEach: ({ msw }) =>
    msw.use(...pagedBy({ style: 'next-link', linkOrigin: 'https://elsewhere.example' }).handlers),
  render: ({ label }) => (
    <PaginatedList
      resource={byNextLink}
      next={nextLink()}
      label={label}
      renderItem={article => <span>{article.title}</span>}
    />
  ),
  play: async ({ canvas, step, journal }) => {
    await step('Ada loads all pages', () => readToTheEnd(canvas));
    await step('every page is read from the resource’s own address', () =>
      expect(journal).toHaveSent([sent.get('/article').as('ada'), page('page=2'), page('page=3')]),
    );
  },
};

/** A list whose first answer has this link, and whose second answer has none. */
const linkedTo = (link: string) => {
  let answers = 0;
  return http.get(`${ownApi}/article`, () =>
    HttpResponse.json({ results: rows.slice(0, 2), next: answers++ === 0 ? link : null }),
  );
};

/** A link that is no address, or has no search params, is announced like a failed page, and the rows stay. A retry reads the page before again. */
export const BrokenLink: Story = {
  beforeEach: ({ msw }) => msw.use(linkedTo('https://[elsewhere/article?page=2')),
  render: ({ label }) => (
    <PaginatedList
      resource={byNextLink}
      next={nextLink()}
      label={label}
      renderItem={article => <span>{article.title}</span>}
    />
  ),
  play: async ({ canvas, step, journal }) => {
    await step('Ada sees the first page, and an error in place of the next one', async () => {
      await canvas.findByText('On signing out');
      await expect(canvas.getByRole('alert')).toHaveTextContent(
        'The next link "https://[elsewhere/article?page=2" is not an address. Tell PaginatedList the next page by a `next` function of your own.',
      );
    });
    await step('a retry gets an answer without the broken link', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Try again' }));
      await canvas.findByText('All 2 loaded.');
      await expect(canvas.queryByRole('alert')).not.toBeInTheDocument();
      await expect(canvas.getAllByRole('listitem')).toHaveLength(2);
    });
    await step('the list twice', () =>
      expect(journal).toHaveSent([sent.get('/article').as('ada'), sent.get('/article').as('ada')]),
    );
  },
};

const byLinkHeader = hookifyResource(
  withLinkHeader(resource({ urlPrefix: ownApi, path: '/article/:id', schema: Article, paginationField: 'page' })),
);

/** The answer is a bare list, and the header `Link` names the next page, as at GitHub. The list creates rows like any other. */
export const ByLinkHeader: Story = {
  beforeEach: ({ msw }) =>
    msw.use(...pagedBy({ style: 'link-header', linkOrigin: 'https://elsewhere.example' }).handlers),
  render: ({ label }) => (
    <PaginatedList
      resource={byLinkHeader}
      label={label}
      create="push"
      fields={[{ name: 'title', label: 'Title' }]}
      renderItem={article => <span>{article.title}</span>}
    />
  ),
  play: async ({ canvas, step, journal }) => {
    await step('Ada loads all pages', () => readToTheEnd(canvas));
    await step('she writes a sixth article, which is at the end', async () => {
      await userEvent.type(canvas.getByLabelText('Title'), 'On ends{Enter}');
      await canvas.findByText('All 6 loaded.');
      await expect(canvas.getAllByRole('listitem').at(-1)).toHaveTextContent('On ends');
    });
    await step('three pages, and one POST', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        page('page=2'),
        page('page=3'),
        sent.post('/article').as('ada').json({ title: 'On ends' }),
      ]),
    );
  },
};

/** Without `next`, a link in the answer is recognized, also when it repeats some of the list's own search params. */
export const ByTheAnswer: Story = {
  beforeEach: ({ msw }) => msw.use(...pagedBy({ style: 'next-link' }).handlers),
  render: ({ label }) => (
    <PaginatedList
      resource={byNextLink}
      params={{ author: 'ada', limit: 2 }}
      label={label}
      renderItem={article => <span>{article.title}</span>}
    />
  ),
  play: async ({ canvas, step, journal }) => {
    await step('Ada loads all pages', () => readToTheEnd(canvas));
    await step('her search params are on every page', () =>
      expect(journal).toHaveSent([
        page('author=ada&limit=2'),
        page('author=ada&limit=2&page=2'),
        page('author=ada&limit=2&page=3'),
      ]),
    );
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
  play: async ({ canvas, step, journal }) => {
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
    await step('the second page is read once', () =>
      expect(journal).toHaveSent([sent.get('/article').as('ada'), page('page=2')]),
    );
  },
};

/** By keyboard: the button keeps the focus from page to page, and at the end the note gets it. */
export const ByKeyboard: Story = {
  play: async ({ canvas, step, journal }) => {
    await step('Ada presses Enter on the button, page after page', async () => {
      (await more(canvas)).focus();
      await userEvent.keyboard('{Enter}');
      await canvas.findByText('On cookies');
      await waitFor(() => expect(canvas.getByRole('button', { name: 'Load more' })).toHaveFocus());
      await userEvent.keyboard('{Enter}');
      await canvas.findByText('On clocks');
    });
    await step('at the end the focus is on the note', () =>
      waitFor(() => expect(canvas.getByText('All 5 loaded.')).toHaveFocus()),
    );
    await step('three pages', () =>
      expect(journal).toHaveSent([sent.get('/article').as('ada'), page('page=2'), page('page=3')]),
    );
  },
};

/** A deleted row moves the later rows up: the page into which one has moved is read again, and no row is lost. */
export const DeletesBetweenPages: Story = {
  args: { next: nextPageNumber({ size: 2 }) },
  play: async ({ canvas, step, journal }) => {
    await step('Ada loads the second page and deletes an article', async () => {
      await userEvent.click(await more(canvas));
      await userEvent.click(await canvas.findByRole('button', { name: 'Delete On cookies' }));
      await waitFor(() => expect(canvas.getAllByRole('listitem')).toHaveLength(3));
    });
    await step('the last article has moved to the second page, and is shown', async () => {
      await userEvent.click(await more(canvas));
      await canvas.findByText('1 more loaded, 4 in all.');
      await canvas.findByText('On clocks');
    });
    await step('there is no third page: the list is complete', async () => {
      await userEvent.click(await more(canvas));
      await canvas.findByText('All 4 loaded.');
    });
    await step('each page in turn', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        page('page=2'),
        sent.delete('/article/4').as('ada'),
        page('page=2'),
        page('page=3'),
      ]),
    );
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
  play: async ({ canvas, step, journal }) => {
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
    await step('no page is read twice', () =>
      expect(journal).toHaveSent([sent.get('/article').as('ada'), page('page=2'), page('page=3')]),
    );
  },
};
