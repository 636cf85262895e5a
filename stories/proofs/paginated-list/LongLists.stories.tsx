import type { Meta, StoryObj } from '@storybook/react-vite';
import type { ReactNode } from 'react';
import { expect, userEvent, waitFor } from 'storybook/test';
import { nextPageNumber, PaginatedList } from '../../../src/entries/widgets.js';
import { resourceHandlers } from '../../../src/testing/index.js';
import { articleResource } from '../../support/articles.js';
import { ownApi } from '../../support/setupCookieApp.js';
import { manyArticles } from '../../support/manyArticles.js';
import { setupWidgetApp } from '../../support/setupWidgetApp.js';
import { below } from '../../support/below.js';

const PAGE = 100;
const app = setupWidgetApp({
  rows: manyArticles(10_000).rows,
  articles: { pagination: { style: 'page', size: PAGE } },
});
const { sent } = app;

const fivePages = resourceHandlers(articleResource(ownApi), manyArticles(5).rows, {
  auth: app.auth,
  pagination: { style: 'page', size: 2 },
});
const page = (number: number) => sent.get(number === 1 ? '/article' : `/article?page=${number}`).as('ada');
const pages = (last: number) => Array.from({ length: last }, (_, index) => page(index + 1));

/** Proves that a virtual list of 10,000 rows keeps fewer than 100 in the document. The server has 100 pages of 100 articles. */
const meta = {
  title: 'Proofs/PaginatedList',
  tags: ['proof', '!autodocs'],
  component: PaginatedList<typeof app.Articles>,
  args: {
    resource: app.Articles,
    next: nextPageNumber({ size: PAGE }),
    label: 'Articles',
    virtual: true,
    renderItem: (article): ReactNode => article.title,
  },
  decorators: below(app),
  beforeEach: app.start('ada'),
} satisfies Meta<typeof PaginatedList<typeof app.Articles>>;

export default meta;
type Story = StoryObj<typeof meta>;
type Canvas = Parameters<NonNullable<Story['play']>>[0]['canvas'];

const rowsOf = (canvas: Canvas) => canvas.getAllByRole('listitem');
/** Its number among all rows, as the row says it. */
const place = (row: HTMLElement) => Number(row.getAttribute('aria-posinset'));
/** The number of loaded rows, as every row says it. */
const loaded = (canvas: Canvas) => Number(rowsOf(canvas)[0]?.getAttribute('aria-setsize'));
const more = (canvas: Canvas) => canvas.findByRole('button', { name: /Load more|Loading more…/ });

/** Waits for a frame, after which scrolling is handled. */
const drawn = () => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)));

/** The rows that are at least partly visible. */
function seen(canvas: Canvas) {
  return rowsOf(canvas).filter(row => {
    const { top, bottom } = row.getBoundingClientRect();
    return bottom > 0 && top < window.innerHeight;
  });
}

async function scrollTo(top: number) {
  window.scrollTo(0, top);
  await drawn();
}

/** Ada prints two pages: all rows are on the paper, and afterwards the document has few again. */
export const Printed: Story = {
  play: async ({ canvas, step, hasSent }) => {
    await canvas.findByText('Article 1');
    (await more(canvas)).click();
    await canvas.findByText(`100 more loaded, ${2 * PAGE} in all.`);
    await expect(rowsOf(canvas).length).toBeLessThan(PAGE);
    await step('the browser is about to print', async () => {
      window.dispatchEvent(new Event('beforeprint'));
      await waitFor(() => expect(rowsOf(canvas)).toHaveLength(2 * PAGE));
    });
    await step('it has printed', async () => {
      window.dispatchEvent(new Event('afterprint'));
      await waitFor(() => expect(rowsOf(canvas).length).toBeLessThan(PAGE));
      await expect(canvas.getByText('Article 1')).toBeInTheDocument();
    });
    await hasSent('nothing was read for the paper', pages(2));
  },
};

/** Ada loads 10,000 rows, page after page; then she scrolls through the list. */
export const TenThousandRows: Story = {
  tags: ['slow'],
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada loads a hundred pages; the document never has a hundred rows', async () => {
      await canvas.findByText('Article 1');
      for (let number = 2; number <= 100; number++) {
        (await more(canvas)).click();
        await canvas.findByText(`100 more loaded, ${(number * PAGE).toLocaleString()} in all.`);
        await expect(rowsOf(canvas).length).toBeLessThan(100);
      }
      await expect(loaded(canvas)).toBe(10_000);
    });
    await step('the next page is empty: the list is complete', async () => {
      (await more(canvas)).click();
      await canvas.findByText(`All ${(10_000).toLocaleString()} loaded.`);
    });
    await step('she scrolls: the rows are there, in order, and fewer than 100', async () => {
      const height = document.documentElement.scrollHeight;
      for (const part of [0.1, 0.5, 0.9, 0.95, 0.5, 0.2, 1]) {
        await scrollTo(height * part);
        await waitFor(async () => {
          const places = seen(canvas).map(place);
          await expect(places.length).toBeGreaterThan(5);
          await expect(places).toEqual(places.map((_, step) => (places[0] ?? 0) + step));
          await expect(Math.abs((places[0] ?? 0) - 10_000 * part)).toBeLessThan(200);
        });
        await expect(rowsOf(canvas).length).toBeLessThan(100);
      }
    });
    await step('the last row says that it is the last', async () => {
      await expect(canvas.getByText('Article 10000')).toHaveAttribute('aria-posinset', '10000');
      await expect(canvas.getByText('Article 10000')).toHaveAttribute('aria-setsize', '10000');
    });
    await hasSent('a hundred pages and the empty one, each once', pages(101));
  },
};

const askedForKeys: string[] = [];

/** A page that is appended costs a walk over its own rows: those before it keep their keys. */
export const AppendWalksNewRowsOnly: Story = {
  args: {
    getItemKey: ({ id }) => {
      askedForKeys.push(id);
      return id;
    },
  },
  beforeEach: () => void askedForKeys.splice(0),
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada loads three pages: each row is asked once for its key', async () => {
      await canvas.findByText('Article 1');
      for (const number of [2, 3]) {
        await userEvent.click(await more(canvas));
        await canvas.findByText(`100 more loaded, ${number * PAGE} in all.`);
      }
      await expect(askedForKeys).toEqual(manyArticles(3 * PAGE).ids);
    });
    await hasSent('three pages, each once', pages(3));
  },
};

/** `paginated="scroll"`: scrolling near the end loads the next page, without a press. Each page is read once. */
export const LoadsWhatIsScrolledTo: Story = {
  args: { paginated: 'scroll' },
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada sees the first page, which fills the screen', async () => {
      await canvas.findByText('Article 1');
      await expect(loaded(canvas)).toBe(100);
    });
    await step(
      'she scrolls to the end three times; each time a page arrives, and the scroll position stays',
      async () => {
        for (let number = 2; number <= 4; number++) {
          await scrollTo(document.documentElement.scrollHeight);
          const last = seen(canvas).at(-1);
          const top = last?.getBoundingClientRect().top ?? NaN;
          await waitFor(() => expect(loaded(canvas)).toBe(number * PAGE));
          await expect(last?.isConnected).toBe(true);
          await expect(Math.abs((last?.getBoundingClientRect().top ?? NaN) - top)).toBeLessThan(2);
        }
      },
    );
    await hasSent('four pages, each once', pages(4));
  },
};

/** Pages shorter than the screen: they load one after the other until it is full. After a failure, the button loads the page. */
export const FillsTheScreen: Story = {
  args: { paginated: 'scroll', next: nextPageNumber({ size: 2 }) },
  beforeEach: ({ msw }) => msw.use(...fivePages.handlers),
  play: async ({ canvas, step, hasSent }) => {
    await step('five articles arrive in three pages, without a press', async () => {
      await canvas.findByText('All 5 loaded.');
      await expect(rowsOf(canvas)).toHaveLength(5);
    });
    await hasSent('three pages, each once', pages(3));
  },
};

/** A page that fails is not read again and again: the rows stay, and the button reads it. */
export const WaitsAfterAFailure: Story = {
  args: { paginated: 'scroll' },
  play: async ({ canvas, step, hasSent }) => {
    await step('the second page fails', async () => {
      await canvas.findByText('Article 1');
      app.articles.failNext('network');
      await scrollTo(document.documentElement.scrollHeight);
      await expect(await canvas.findByRole('alert')).toHaveTextContent('The server could not be reached.');
    });
    await step('scrolling sends nothing', async () => {
      await scrollTo(0);
      await scrollTo(document.documentElement.scrollHeight);
      await expect(canvas.getByRole('alert')).toBeVisible();
    });
    await step('she presses the button, and the page arrives', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Try again' }));
      await waitFor(() => expect(loaded(canvas)).toBe(200));
    });
    await hasSent('the second page twice', [page(1), page(2), page(2)]);
  },
};

/** The row with the focus stays in the document, and keeps the focus, wherever the list is scrolled to. */
export const KeepsTheFocus: Story = {
  args: {
    renderItem: article => (
      <>
        {article.title} <button type="button">Read {article.title}</button>
      </>
    ),
  },
  play: async ({ canvas, step, hasSent }) => {
    const button = await canvas.findByRole('button', { name: 'Read Article 5' });
    await step('the focus is on the fifth row’s button, and a page arrives: nothing moves', async () => {
      button.focus();
      const { top } = button.getBoundingClientRect();
      (await more(canvas)).click();
      await canvas.findByText('100 more loaded, 200 in all.');
      await expect(button).toHaveFocus();
      await expect(button.getBoundingClientRect().top).toBe(top);
    });
    await step('she scrolls far away with the mouse: the button is still there, and has the focus', async () => {
      await scrollTo(document.documentElement.scrollHeight);
      await waitFor(() => expect(seen(canvas).map(place)).toContain(200));
      await expect(canvas.queryByText('Article 60')).not.toBeInTheDocument();
      await expect(button).toHaveFocus();
    });
    await step('Tab goes to the next row', async () => {
      await userEvent.tab();
      await expect(document.activeElement).toHaveTextContent('Read Article 6');
    });
    await hasSent('two pages', pages(2));
  },
};

/** By keyboard alone: Tab enters the list, Page Down and Page Up go from row to row, also to rows that were not in the document before. */
export const LongListByKeyboard: Story = {
  tags: ['slow'],
  play: async ({ canvas, step, hasSent }) => {
    await step('Tab goes to the first row', async () => {
      await canvas.findByText('Article 1');
      await expect(canvas.queryByText('Article 90')).not.toBeInTheDocument();
      await userEvent.tab();
      await expect(canvas.getByText('Article 1')).toHaveFocus();
    });
    await step('Page Down goes on, row by row, to the last one', async () => {
      for (let number = 2; number <= 100; number++) {
        await userEvent.keyboard('{PageDown}');
        await expect(document.activeElement).toHaveTextContent(new RegExp(`^Article ${number}$`));
      }
      await waitFor(() => expect(seen(canvas).map(place)).toContain(100));
    });
    await step('Tab goes to the button, and Enter loads more', async () => {
      await userEvent.tab();
      await expect(canvas.getByRole('button', { name: 'Load more' })).toHaveFocus();
      await userEvent.keyboard('{Enter}');
      await canvas.findByText('100 more loaded, 200 in all.');
      await expect(canvas.getByRole('button', { name: 'Load more' })).toHaveFocus();
    });
    await step('Shift+Tab goes back to the row she was on, Page Down to the first of the new ones', async () => {
      await userEvent.tab({ shift: true });
      await expect(canvas.getByText('Article 100')).toHaveFocus();
      await userEvent.keyboard('{PageDown}');
      await expect(canvas.getByText('Article 101')).toHaveFocus();
      await userEvent.keyboard('{PageUp}{PageUp}');
      await expect(canvas.getByText('Article 99')).toHaveFocus();
    });
    await hasSent('two pages', pages(2));
  },
};

/** The list may be in a part of the page that scrolls on its own. Its rows may have any height, and none is lost. */
export const InAPartThatScrolls: Story = {
  tags: ['slow'],
  args: {
    paginated: 'scroll',
    renderItem: article => (
      <div style={{ paddingBlockEnd: `${(Number(article.id) * 37) % 90}px` }}>{article.title}</div>
    ),
  },
  decorators: [
    Story => (
      <div
        role="group"
        aria-label="A part that scrolls"
        tabIndex={0}
        style={{ blockSize: '60vh', overflow: 'auto', border: '1px solid' }}
      >
        <p style={{ blockSize: '120px' }}>What stands above the list.</p>
        <Story />
      </div>
    ),
  ],
  play: async ({ canvas, step, journal }) => {
    const part = await canvas.findByRole('group', { name: 'A part that scrolls' });
    await step('Ada scrolls through it, and sees each article', async () => {
      await canvas.findByText('Article 1');
      const met = new Set<number>();
      // The first page: less than a screen at a time, as a wheel does it.
      while (!met.has(PAGE)) {
        for (const row of seen(canvas)) met.add(place(row));
        await expect(rowsOf(canvas).length).toBeLessThan(100);
        part.scrollTop += part.clientHeight / 2;
        await drawn();
      }
      await expect([...met].filter(number => number <= PAGE)).toEqual(
        Array.from({ length: PAGE }, (_, step) => step + 1),
      );
    });
    await step('at the end the second page arrives; each article came once', async () => {
      part.scrollTop = part.scrollHeight;
      await waitFor(() => expect(loaded(canvas)).toBe(2 * PAGE));
      await expect(journal).toHaveSent(pages(2));
    });
  },
};
