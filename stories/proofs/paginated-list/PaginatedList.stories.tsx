import type { Meta, StoryObj } from '@storybook/react-vite';
import { http, HttpResponse } from 'msw';
import { useState } from 'react';
import { expect, userEvent, waitFor } from 'storybook/test';
import { PaginatedList } from '../../../src/entries/widgets.js';
import { ownApi } from '../../support/setupCookieApp.js';
import { setupPagedApp } from '../../support/setupPagedApp.js';
import { inCases } from '../../support/inCases.js';

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

const empty: Story = {
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

const noMatches: Story = {
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

/** A list without rows says so, once, and has no button. */
export const Empty: Story = inCases({
  'there is nothing yet': empty,
  'no row matches the filter': noMatches,
});

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
