import type { Meta, StoryObj } from '@storybook/react-vite';
import { http, HttpResponse } from 'msw';
import { useState } from 'react';
import { expect, userEvent, waitFor } from 'storybook/test';
import { nextPageNumber, PaginatedList } from '../../../src/entries/widgets.js';
import { ownApi } from '../../support/setupCookieApp.js';
import { setupPagedApp } from '../../support/setupPagedApp.js';

const { app, page, listMeta } = setupPagedApp();
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
  beforeEach: ({ msw }) => msw.use(http.get(`${ownApi}/article`, () => HttpResponse.json([]))),
  play: async ({ canvas, step, journal }) => {
    await step('the reader sees that there are none', async () => {
      await expect(await canvas.findByText('Nothing here yet.')).toBeVisible();
      await waitFor(() => expect(canvas.getByRole('status')).toHaveTextContent('Nothing here yet.'));
      await expect(canvas.queryByRole('button')).not.toBeInTheDocument();
    });
    await step('one GET', () => expect(journal).toHaveSent([sent.get('/article').as('ada')]));
  },
};

/** A filter that no row matches: the list says so, and no button. */
export const NoMatches: Story = {
  args: { params: { author: 'katherine' } },
  play: async ({ canvas, step, journal }) => {
    await step('the reader sees that nothing matches, and not that there is nothing yet', async () => {
      await expect(await canvas.findByText('No matches.')).toBeVisible();
      await waitFor(() => expect(canvas.getByRole('status')).toHaveTextContent('No matches.'));
      await expect(canvas.queryByText('Nothing here yet.')).not.toBeInTheDocument();
      await expect(canvas.queryByRole('button')).not.toBeInTheDocument();
    });
    await step('one GET', () => expect(journal).toHaveSent([page('author=katherine')]));
  },
};

export const Loading: Story = {
  parameters: { unanswered: true },
  beforeEach: () => void app.articles.hold(),
  play: async ({ canvas, step, journal }) => {
    await step('the reader sees that it is loading', async () => {
      await expect(await canvas.findByText('Loading…')).toBeVisible();
      await waitFor(() => expect(canvas.getByRole('status')).toHaveTextContent('Loading…'));
      await waitFor(() => expect(app.articles.held).toBe(1));
    });
    await step('one GET is under way', () => expect(journal).toHaveSent([sent.get('/article').as('ada')]));
  },
};

export const Refused: Story = {
  beforeEach: () => app.articles.failNext(403),
  play: async ({ canvas, step, journal }) => {
    await step('the page announces the refusal', async () => {
      await expect(await canvas.findByRole('alert')).toHaveTextContent('You do not have access to this.');
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
      app.server.expire();
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
      await canvas.findByText('You do not have access to this.');
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

/** A deleted row moves the later rows up: the loaded pages are fetched again with the next one, and no row is lost. */
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
        sent.get('/article').as('ada'),
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
