import type { Meta, StoryObj } from '@storybook/react-vite';
import { useState } from 'react';
import { http, HttpResponse } from 'msw';
import { expect, userEvent, waitFor } from 'storybook/test';
import { hookifyResource, resource } from '../../../src/index.js';
import { PaginatedList } from '../../../src/entries/widgets.js';
import { Article } from '../../support/articles.js';
import { fetchAgain } from '../../support/fetchAgain.js';
import { createGate } from '../../../src/testing/index.js';
import { manyArticles } from '../../support/manyArticles.js';
import { ownApi } from '../../support/setupCookieApp.js';
import { setupWidgetApp } from '../../support/setupWidgetApp.js';
import { inCases } from '../../support/inCases.js';
import { below } from '../../support/below.js';

const app = setupWidgetApp({ rows: manyArticles(7).rows, articles: { pagination: { style: 'next-link', size: 2 } } });
const { sent } = app;
const Articles = hookifyResource(
  resource({ urlPrefix: ownApi, path: '/article/:id', schema: Article, rows: 'results' }),
);
const OptimisticArticles = hookifyResource(
  resource({ urlPrefix: ownApi, path: '/article/:id', schema: Article, rows: 'results', optimistic: true }),
);
const searchParams: { title?: string } = {};
const FilteredArticles = hookifyResource(
  resource({ urlPrefix: ownApi, path: '/article/:id', schema: Article, rows: 'results', searchParams }),
);
const page = (number: number) => sent.get(`/article?page=${number}`).as('ada');

/** Proves a list that shows one page at a time, with a server that counts its rows, and with one that says nothing. */
const meta = {
  title: 'Proofs/PaginatedList',
  tags: ['proof', '!autodocs'],
  component: PaginatedList<typeof Articles>,
  args: {
    resource: Articles,
    paginated: 'pages',
    label: 'Articles',
    renderItem: (article, { remove }) => (
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
} satisfies Meta<typeof PaginatedList<typeof Articles>>;

export default meta;
type Story = StoryObj<typeof meta>;
type Canvas = Parameters<NonNullable<Story['play']>>[0]['canvas'];

const press = async (canvas: Canvas, name: string) => userEvent.click(await canvas.findByRole('button', { name }));
const shows = (canvas: Canvas, titles: readonly string[]) =>
  waitFor(() =>
    expect(canvas.queryAllByRole('listitem').map(row => row.querySelector('span')?.textContent)).toEqual(titles),
  );
const pageButtons = (canvas: Canvas) =>
  canvas
    .getAllByRole('button', { name: /^(Page|Previous|Next)/ })
    .map(button => `${button.textContent}${button.getAttribute('aria-disabled') === 'true' ? ' (off)' : ''}`);

/** Ada walks through the pages: each is requested once, the focus stays on the pressed button, and a page that was shown comes from the store. */
export const OnePageAtATime: Story = {
  play: async ({ canvas, step, hasSent }) => {
    const note = await canvas.findByText('1–2 of 7');
    const status = canvas.getByRole('status');
    await step('the first of four pages', async () => {
      await expect(pageButtons(canvas)).toEqual(['Previous (off)', '1', '2', '3', '4', 'Next']);
      await expect(canvas.getByRole('button', { name: 'Page 1' })).toHaveAttribute('aria-current', 'page');
    });
    await step('Next shows the second page in its place, announces its rows, and keeps the focus', async () => {
      await press(canvas, 'Next');
      await waitFor(() => expect(note).toHaveTextContent('3–4 of 7'));
      await expect(note).toBeInTheDocument();
      // The same element: screen readers announce a text that appears in it.
      await waitFor(() => expect(status).toHaveTextContent('3–4 of 7'));
      await expect(status).toBeInTheDocument();
      await shows(canvas, ['Article 3', 'Article 4']);
      await expect(canvas.getByRole('button', { name: 'Next' })).toHaveFocus();
    });
    await step('the last page is shorter, and has no next one', async () => {
      await press(canvas, 'Page 4');
      await canvas.findByText('7 of 7');
      await expect(pageButtons(canvas)).toEqual(['Previous', '1', '2', '3', '4', 'Next (off)']);
      await press(canvas, 'Next');
    });
    await step('back on the second page, which is there already', async () => {
      await press(canvas, 'Page 2');
      await shows(canvas, ['Article 3', 'Article 4']);
    });
    await hasSent('three pages, three requests', [page(1), page(2), page(4)]);
  },
};

const deletedRow: Story = {
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada has seen the second page, and deletes a row of the first one', async () => {
      await press(canvas, 'Next');
      await shows(canvas, ['Article 3', 'Article 4']);
      await press(canvas, 'Previous');
      await press(canvas, 'Delete Article 2');
      await shows(canvas, ['Article 1', 'Article 3']);
      await canvas.findByText('1–2 of 6');
      await expect(pageButtons(canvas)).toEqual(['Previous (off)', '1', '2', '3', 'Next']);
    });
    await step('the second page has moved on', async () => {
      await press(canvas, 'Next');
      await shows(canvas, ['Article 4', 'Article 5']);
    });
    await hasSent('the pages again, once each', [
      page(1),
      page(2),
      sent.delete('/article/2').as('ada'),
      page(1),
      page(2),
    ]);
  },
};

/** The server reads a deletion, and deletes later. */
const deletions = createGate();

const optimisticDeletion: Story = {
  args: { resource: OptimisticArticles },
  beforeEach: ({ msw }) => msw.use(http.delete(`${ownApi}/article/:id`, async () => void (await deletions.pass()))),
  play: async ({ canvas, step, hasSent }) => {
    await canvas.findByText('1–2 of 7');
    const release = deletions.hold();
    await step('the row goes before the server has deleted it', async () => {
      await press(canvas, 'Delete Article 2');
      await shows(canvas, ['Article 1']);
      await waitFor(() => expect(deletions.held).toBe(1));
    });
    await step('then the next row moves up', async () => {
      release();
      await shows(canvas, ['Article 1', 'Article 3']);
    });
    await hasSent('the page again, after the deletion', [page(1), sent.delete('/article/2').as('ada'), page(1)]);
  },
};

const lastRowOfTheLastPage: Story = {
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada deletes the only row of the fourth page', async () => {
      await press(canvas, 'Page 4');
      await press(canvas, 'Delete Article 7');
      await shows(canvas, ['Article 5', 'Article 6']);
      await canvas.findByText('5–6 of 6');
      await expect(pageButtons(canvas)).toEqual(['Previous', '1', '2', '3', 'Next (off)']);
    });
    await hasSent('one request for each page', [page(1), page(4), sent.delete('/article/7').as('ada'), page(3)]);
  },
};

const createdRow: Story = {
  args: { create: { push: [{ name: 'title', label: 'Title' }] } },
  play: async ({ canvas, step, hasSent }) => {
    // The form is shown before the first page is requested: without this wait, the POST may be sent first.
    await canvas.findByText('1–2 of 7');
    await step('Ada writes an article: the total grows', async () => {
      await userEvent.type(await canvas.findByLabelText('Title'), 'On pages{Enter}');
      await canvas.findByText('1–2 of 8');
      await shows(canvas, ['Article 1', 'Article 2']);
    });
    await hasSent('the page again, after the POST', [
      page(1),
      sent.post('/article').as('ada').json({ title: 'On pages' }),
      page(1),
    ]);
  },
};

/** A row comes or goes: the shown page is fetched again, and the others when they are shown. No gap, no row twice. */
export const ChangedRows: Story = inCases({
  'a deletion moves a row of the next page into this one': deletedRow,
  'with an optimistic resource, the row goes at once, and the page is fetched again when the server has deleted it':
    optimisticDeletion,
  'the last row of the last page goes: the page before is shown, and the one that no longer exists is not requested':
    lastRowOfTheLastPage,
  'a new row is sent without the number of a page, and the server puts it at the end': createdRow,
});

/** “Fetch again” fetches the shown page, and the others when they are shown. */
export const FetchAgain: Story = {
  args: { renderHeader: fetchAgain },
  play: async ({ canvas, step, journal, hasSent }) => {
    await step('the second page, and back', async () => {
      await press(canvas, 'Next');
      await shows(canvas, ['Article 3', 'Article 4']);
      await press(canvas, 'Previous');
      await shows(canvas, ['Article 1', 'Article 2']);
    });
    await step('Ada fetches again, and goes on', async () => {
      await press(canvas, 'Fetch again');
      await waitFor(() => expect(journal.entries).toHaveLength(3));
      await press(canvas, 'Next');
      await waitFor(() => expect(journal.entries).toHaveLength(4));
    });
    await hasSent('both pages twice', [page(1), page(2), page(1), page(2)]);
  },
};

/** The list has the number itself: another filter shows its first page, and its own buttons. */
export const AnotherFilter: Story = {
  render: function AnotherFilter() {
    const [title, setTitle] = useState<string>();
    return (
      <>
        <PaginatedList
          resource={FilteredArticles}
          params={title === undefined ? {} : { title }}
          paginated="pages"
          label="Articles"
          renderItem={article => <span>{article.title}</span>}
        />
        <button type="button" onClick={() => setTitle('Article 3')}>
          Only article 3
        </button>
      </>
    );
  },
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada is on the third page', async () => {
      await press(canvas, 'Page 3');
      await shows(canvas, ['Article 5', 'Article 6']);
    });
    await step('the filter leaves one row, on its first page', async () => {
      await press(canvas, 'Only article 3');
      await shows(canvas, ['Article 3']);
      await waitFor(() => expect(canvas.queryByRole('navigation')).not.toBeInTheDocument());
    });
    await hasSent('no third page of the filtered list', [
      page(1),
      page(3),
      sent.get('/article?page=1&title=Article+3').as('ada'),
    ]);
  },
};

/** The app has the number, e.g. in the URL, and may write what it likes. */
export const NumberOfTheApp: Story = {
  render: function NumberOfTheApp(args) {
    const [shown, setShown] = useState(3);
    return (
      <>
        <PaginatedList {...args} paginated={{ page: shown, onPageChange: setShown }} />
        <button type="button" onClick={() => setShown(-1)}>
          A wrong URL
        </button>
        <output>{shown}</output>
      </>
    );
  },
  play: async ({ canvas, step, hasSent }) => {
    await step('the list begins at the third page', async () => {
      await canvas.findByText('5–6 of 7');
      await expect(pageButtons(canvas)).toEqual(['Previous', '1', '2', '3', '4', 'Next']);
    });
    await step('the app hears of the fourth page', async () => {
      await press(canvas, 'Next');
      await canvas.findByText('7 of 7');
      await expect(canvas.getByText('4', { selector: 'output' })).toBeVisible();
    });
    await step('a number that is none shows the first page', async () => {
      await press(canvas, 'A wrong URL');
      await shows(canvas, ['Article 1', 'Article 2']);
    });
    await hasSent('three pages', [page(3), page(4), page(1)]);
  },
};

/** A page fails: the buttons stay, so the user can try again or go back. */
export const FailedPage: Story = {
  play: async ({ canvas, step, hasSent }) => {
    await step('the second page fails', async () => {
      await canvas.findByText('1–2 of 7');
      app.articles.failNext(503);
      await press(canvas, 'Next');
      await expect(await canvas.findByRole('alert')).toHaveTextContent('The server has a problem');
      await expect(pageButtons(canvas)).toEqual(['Previous', '1', '2', '3', '4', 'Next']);
    });
    await step('Ada goes back, and on again', async () => {
      await press(canvas, 'Previous');
      await shows(canvas, ['Article 1', 'Article 2']);
      await press(canvas, 'Next');
      await press(canvas, 'Try again');
      await shows(canvas, ['Article 3', 'Article 4']);
    });
    await hasSent('the failed page twice', [page(1), page(2), page(2)]);
  },
};

/** The server finds no such page: an old link, or others have deleted its rows. The list says so, and a button leads to the first page. */
export const PageThatIsGone: Story = {
  render: function PageThatIsGone(args) {
    const [shown, setShown] = useState(9);
    return <PaginatedList {...args} paginated={{ page: shown, onPageChange: setShown }} />;
  },
  play: async ({ canvas, step, hasSent }) => {
    await step('the page is empty for the user, and the first page can be chosen', async () => {
      await expect(await canvas.findByRole('alert')).toHaveTextContent('This page is empty.');
      await expect(pageButtons(canvas)).toEqual(['Previous', '1', '8', '9', 'Next (off)']);
    });
    await step('Ada goes to the first page', async () => {
      await press(canvas, 'Page 1');
      await shows(canvas, ['Article 1', 'Article 2']);
      await expect(pageButtons(canvas)).toEqual(['Previous (off)', '1', '2', '3', '4', 'Next']);
    });
    await hasSent('each page once', [page(9), page(1)]);
  },
};

/** While a page is on its way, the rows before it stay, and say that they are not the newest. */
export const PageUnderWay: Story = {
  play: async ({ canvas, step, hasSent }) => {
    await canvas.findByText('1–2 of 7');
    const release = app.articles.hold();
    await step('the chosen page is marked, and the rows of the first page stay', async () => {
      await press(canvas, 'Page 3');
      await expect(canvas.getByRole('button', { name: 'Page 3' })).toHaveAttribute('aria-current', 'page');
      await waitFor(() => expect(canvas.getByRole('list')).toHaveAttribute('aria-busy', 'true'));
      await shows(canvas, ['Article 1', 'Article 2']);
    });
    await step('its rows arrive', async () => {
      release();
      await shows(canvas, ['Article 5', 'Article 6']);
      await expect(canvas.getByRole('list')).toHaveAttribute('aria-busy', 'false');
    });
    await hasSent('two requests', [page(1), page(3)]);
  },
};

const silent = manyArticles(3).rows;

/** The server answers a bare list: no number of pages is claimed, and the page after the last row is empty. */
export const ServerThatSaysNothing: Story = {
  render: () => (
    <PaginatedList
      resource={app.Articles}
      paginated="pages"
      label="Articles"
      renderItem={({ title }) => <span>{title}</span>}
    />
  ),
  beforeEach: ({ msw }) =>
    msw.use(
      http.get(`${ownApi}/article`, ({ request }) => {
        const number = Number(new URL(request.url).searchParams.get('page'));
        return HttpResponse.json(silent.slice((number - 1) * 2, number * 2));
      }),
    ),
  play: async ({ canvas, step, hasSent }) => {
    await step('the first page, and no word about how many there are', async () => {
      await canvas.findByText('Page 1', { selector: '.dca-note' });
      await expect(pageButtons(canvas)).toEqual(['Previous (off)', '1', 'Next']);
    });
    await step('after the last row comes an empty page, which leads back', async () => {
      await press(canvas, 'Next');
      await shows(canvas, ['Article 3']);
      await press(canvas, 'Next');
      await canvas.findByText('This page is empty.');
      await waitFor(() => expect(canvas.getByRole('status')).toHaveTextContent('This page is empty.'));
      await expect(pageButtons(canvas)).toEqual(['Previous', '1', '2', '3', 'Next (off)']);
      await press(canvas, 'Previous');
      await shows(canvas, ['Article 3']);
    });
    await hasSent('three requests', [page(1), page(2), page(3)]);
  },
};
