import type { Meta, StoryObj } from '@storybook/react-vite';
import { useState, type ReactNode } from 'react';
import { expect, userEvent, waitFor, within } from 'storybook/test';
import { PaginatedList, ResourceDetail, ResourceList } from '../../src/index.js';
import { fetchAgain } from '../support/fetchAgain.js';
import { manualTimers } from '../support/manualTimers.js';
import { manyArticles } from '../support/manyArticles.js';
import { recordText } from '../support/recordText.js';
import { deleteTheFirst, goneForGood, IS_DELETED, titleAndDelete } from '../support/deleteArticles.js';
import { setupWidgetApp } from '../support/setupWidgetApp.js';

const app = setupWidgetApp();
const { sent } = app;
const many = setupWidgetApp({ rows: manyArticles(200).rows });

/** A deletion can be undone for 8 seconds; these stories tell when they are over. */
const patience = manualTimers(8_000);

/** Proves when each `deleteMode` sends the request, and that nobody deletes in the name of another user. */
const meta = {
  title: 'Proofs/Deleting',
  tags: ['proof', '!autodocs'],
  component: ResourceList<typeof app.Articles>,
  args: {
    resource: app.Articles,
    label: 'Articles',
    deleteMode: 'undo',
    getItemLabel: article => article.title,
    renderItem: titleAndDelete,
  },
  decorators: [
    Story => (
      <app.Provider>
        <Story />
      </app.Provider>
    ),
  ],
  beforeEach: context => {
    const stop = app.start('ada')(context);
    const release = patience.start();
    return () => {
      stop?.();
      release();
    };
  },
} satisfies Meta<typeof ResourceList<typeof app.Articles>>;

export default meta;
type Story = StoryObj<typeof meta>;

/** A dialog asks; the focus is on the answer that does no harm, and afterwards on the next row. */
export const Confirmed: Story = {
  args: { deleteMode: 'confirm' },
  play: async ({ canvas, step, journal }) => {
    await step('Ada wants to delete an article, and is asked', async () => {
      await userEvent.click(await canvas.findByRole('button', { name: 'Delete On signing in' }));
      const dialog = await canvas.findByRole('alertdialog', { name: 'Delete “On signing in”?' });
      await expect(dialog).toBeVisible();
      await waitFor(() => expect(within(dialog).getByRole('button', { name: 'Cancel' })).toHaveFocus());
      await expect(canvas.getByText('On signing in')).toBeInTheDocument();
    });
    await step('she says yes: it is gone, and the focus is on the next one', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Delete' }));
      await goneForGood(canvas);
      await expect(canvas.queryByRole('alertdialog')).not.toBeInTheDocument();
      await expect(canvas.getByRole('listitem')).toHaveFocus();
    });
    await step('one DELETE', () =>
      expect(journal).toHaveSent([sent.get('/article').as('ada'), sent.delete('/article/1').as('ada')]),
    );
  },
};

/** A no, or Escape: nothing happens, and the focus is where it was. Asked again, it can be a yes. */
export const NotConfirmed: Story = {
  args: { deleteMode: 'confirm' },
  play: async ({ canvas, step, journal }) => {
    const ask = async () => {
      await userEvent.click(await canvas.findByRole('button', { name: 'Delete On signing in' }));
      return canvas.findByRole<HTMLDialogElement>('alertdialog');
    };
    const isAsBefore = async () => {
      await waitFor(() => expect(canvas.queryByRole('alertdialog')).not.toBeInTheDocument());
      await waitFor(() => expect(canvas.getByRole('button', { name: 'Delete On signing in' })).toHaveFocus());
    };
    await step('Ada is asked, and says no', async () => {
      await userEvent.click(within(await ask()).getByRole('button', { name: 'Cancel' }));
      await isAsBefore();
    });
    await step('she is asked, and closes the dialog, as Escape does', async () => {
      (await ask()).close();
      await isAsBefore();
    });
    await step('she is asked once more, and says yes', async () => {
      await userEvent.click(within(await ask()).getByRole('button', { name: 'Delete' }));
      await goneForGood(canvas);
    });
    await step('one DELETE', () =>
      expect(journal).toHaveSent([sent.get('/article').as('ada'), sent.delete('/article/1').as('ada')]),
    );
  },
};

/** Undone in time: the row is back, with the focus, and nothing was ever sent. */
export const Undone: Story = {
  play: async ({ canvas, step, journal }) => {
    await step(
      'Ada deletes an article; the focus is on the button that undoes it, which says what it undoes',
      async () => {
        await deleteTheFirst(canvas);
        await expect(canvas.getByRole('button', { name: 'Undo' })).toHaveAccessibleDescription(IS_DELETED);
        await expect(canvas.getByRole('status')).toHaveTextContent(IS_DELETED);
      },
    );
    await step('she undoes it: the row is there again, and has the focus', async () => {
      await userEvent.keyboard('{Enter}');
      await canvas.findByText('On signing in');
      await expect(canvas.getAllByRole('listitem')[0]).toHaveFocus();
      await expect(patience.running).toBe(0);
    });
    await step('one GET, and nothing more', () => expect(journal).toHaveSent([sent.get('/article').as('ada')]));
  },
};

/** Not undone in time: it is deleted then. The row does not come back while the answer is on its way. */
export const TimeIsOver: Story = {
  play: async ({ canvas, step, journal }) => {
    await step('Ada deletes an article, and goes on to the next', async () => {
      await deleteTheFirst(canvas);
      await userEvent.click(canvas.getByText('On signing out'));
      await expect(patience.running).toBe(1);
    });
    const texts = recordText(canvas.getByRole('list'));
    await step('the time is over: there is nothing to undo any more', async () => {
      const release = app.articles.hold();
      patience.end();
      await waitFor(() => expect(app.articles.held).toBe(1));
      await expect(canvas.queryByRole('button', { name: 'Undo' })).not.toBeInTheDocument();
      await expect(canvas.getByText(IS_DELETED)).toBeVisible();
      release();
    });
    await step('the answer is there: so is the end of the note, and the row was never seen again', async () => {
      await goneForGood(canvas);
      texts.stop();
      await expect(texts.since(IS_DELETED).filter(text => text.includes('Delete On signing in'))).toEqual([]);
    });
    await step('one DELETE', () =>
      expect(journal).toHaveSent([sent.get('/article').as('ada'), sent.delete('/article/1').as('ada')]),
    );
  },
};

/** The time stands still while the pointer or the keyboard is at the note, and begins anew afterwards. */
export const TimeStandsStill: Story = {
  play: async ({ canvas, step, journal }) => {
    await step('Ada deletes an article, and goes on by keyboard: the time runs', async () => {
      await deleteTheFirst(canvas);
      await userEvent.tab();
      await expect(patience.running).toBe(1);
    });
    await step('her pointer comes near: it stands still, until it goes away', async () => {
      await userEvent.hover(canvas.getByText(IS_DELETED));
      await expect(patience.running).toBe(0);
      await userEvent.unhover(canvas.getByText(IS_DELETED));
      await expect(patience.running).toBe(1);
    });
    await step('her keyboard comes back: it stands still as long as it stays', async () => {
      await userEvent.tab({ shift: true });
      await expect(canvas.getByRole('button', { name: 'Undo' })).toHaveFocus();
      await expect(patience.running).toBe(0);
      await userEvent.tab();
      await expect(patience.running).toBe(1);
    });
    await step('the time is over', async () => {
      patience.end();
      await goneForGood(canvas);
    });
    await step('one DELETE', () =>
      expect(journal).toHaveSent([sent.get('/article').as('ada'), sent.delete('/article/1').as('ada')]),
    );
  },
};

/** The server refuses what was not undone: the row is back, and says why; it can be deleted again. */
export const RefusedAfterwards: Story = {
  play: async ({ canvas, step, journal }) => {
    await step('Ada deletes an article, and the server has a problem', async () => {
      await deleteTheFirst(canvas);
      await userEvent.click(canvas.getByText('On signing out'));
      app.articles.failNext(500);
      patience.end();
    });
    await step('the row is back, and says why', async () => {
      await canvas.findByText('On signing in');
      await expect(await canvas.findByRole('alert')).toHaveTextContent(
        'The server has a problem. Try again in a while.',
      );
    });
    await step('she deletes it again, and this time it is', async () => {
      await deleteTheFirst(canvas);
      await userEvent.tab();
      patience.end();
      await goneForGood(canvas);
      await expect(canvas.queryByRole('alert')).not.toBeInTheDocument();
    });
    await step('two DELETEs', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.delete('/article/1').as('ada'),
        sent.delete('/article/1').as('ada'),
      ]),
    );
  },
};

/** A list that goes away takes the time to undo with it: it is deleted then. */
export const ListGoesAway: Story = {
  render: args => <Closable>{<ResourceList {...args} />}</Closable>,
  play: async ({ canvas, step, journal }) => {
    await step('Ada deletes an article, and closes the list', async () => {
      await deleteTheFirst(canvas);
      await userEvent.click(canvas.getByRole('button', { name: 'Close' }));
      await waitFor(() => expect(app.articles.rows().map(row => row.id)).not.toContain('1'));
    });
    await step('she opens it again: the article is gone', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Open' }));
      await goneForGood(canvas);
      await expect(canvas.getByText('On signing out')).toBeVisible();
    });
    await step('one DELETE', () =>
      expect(journal).toHaveSent([sent.get('/article').as('ada'), sent.delete('/article/1').as('ada')]),
    );
  },
};

/** The provider may go away with the list, and its store with it: the deletion is sent all the same. */
export const ProviderGoesAway: Story = {
  render: args => (
    <Closable>
      <app.Provider>
        <ResourceList {...args} />
      </app.Provider>
    </Closable>
  ),
  play: async ({ canvas, step, journal }) => {
    await step('Ada deletes an article, and closes everything', async () => {
      await deleteTheFirst(canvas);
      await userEvent.click(canvas.getByRole('button', { name: 'Close' }));
      await waitFor(() => expect(app.articles.rows().map(row => row.id)).not.toContain('1'));
    });
    await step('one DELETE', () =>
      expect(journal).toHaveSent([sent.get('/article').as('ada'), sent.delete('/article/1').as('ada')]),
    );
  },
};

/** A failure that takes the rows away for a while ends no time: the note is back with them. */
export const RowsGoAwayForAWhile: Story = {
  args: { renderHeader: fetchAgain },
  play: async ({ canvas, step, journal }) => {
    await step('Ada deletes an article, and has the list fetched again, which fails', async () => {
      await deleteTheFirst(canvas);
      app.articles.failNext(503);
      await userEvent.click(canvas.getByRole('button', { name: 'Fetch again' }));
      await canvas.findByRole('alert');
    });
    await step('she tries again: the rows are back, and so is the note', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Try again' }));
      await userEvent.click(await canvas.findByRole('button', { name: 'Undo' }));
      await canvas.findByText('On signing in');
    });
    await step('three reads, no DELETE', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.get('/article').as('ada'),
        sent.get('/article').as('ada'),
      ]),
    );
  },
};

/** Two that are asked about at once: one question after the other. */
export const TwoQuestions: Story = {
  args: { deleteMode: 'confirm' },
  play: async ({ canvas, step, journal }) => {
    await step('both articles are to be deleted', async () => {
      const buttons = [
        await canvas.findByRole('button', { name: 'Delete On signing in' }),
        canvas.getByRole('button', { name: 'Delete On signing out' }),
      ];
      buttons.forEach(button => button.click());
    });
    await step('yes to the first, no to the second', async () => {
      const first = await canvas.findByRole('alertdialog', { name: 'Delete “On signing in”?' });
      await userEvent.click(within(first).getByRole('button', { name: 'Delete' }));
      const second = await canvas.findByRole('alertdialog', { name: 'Delete “On signing out”?' });
      await waitFor(() => expect(within(second).getByRole('button', { name: 'Cancel' })).toHaveFocus());
      await userEvent.click(within(second).getByRole('button', { name: 'Cancel' }));
      await waitFor(() => expect(canvas.queryByRole('alertdialog')).not.toBeInTheDocument());
      await goneForGood(canvas);
    });
    await step('one DELETE', () =>
      expect(journal).toHaveSent([sent.get('/article').as('ada'), sent.delete('/article/1').as('ada')]),
    );
  },
};

/** In a long list, of which those rows are in the document that are near what is seen: the note waits wherever it is scrolled to. */
export const InALongList: Story = {
  beforeEach: many.start('ada'),
  render: args => (
    <many.Provider>
      <PaginatedList {...args} />
    </many.Provider>
  ),
  play: async ({ canvas, step, journal }) => {
    const shown = () => canvas.getAllByRole('listitem');
    await step('Ada deletes the fifth of two hundred articles, and scrolls to the end', async () => {
      await userEvent.click(await canvas.findByRole('button', { name: 'Delete Article 5' }));
      await userEvent.hover(await canvas.findByText('“Article 5” is deleted.'));
      await expect(patience.running).toBe(0);
      shown().at(-1)?.focus();
      window.scrollTo(0, document.documentElement.scrollHeight);
      await waitFor(() => expect(canvas.queryByText('“Article 5” is deleted.')).not.toBeInTheDocument());
    });
    await step('nobody is at the note any more: the time runs', () => waitFor(() => expect(patience.running).toBe(1)));
    await step('she scrolls back: it can still be undone', async () => {
      shown()[0]?.focus();
      window.scrollTo(0, 0);
      await userEvent.click(await canvas.findByRole('button', { name: 'Undo' }));
      await canvas.findByText('Article 5');
      await waitFor(() => expect(document.activeElement).toHaveTextContent('Article 5'));
    });
    await step('she deletes it again, and goes on to the next; the time is over', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Delete Article 5' }));
      await canvas.findByText('“Article 5” is deleted.');
      await userEvent.tab();
      patience.end();
      await waitFor(() => expect(shown()[0]).toHaveAttribute('aria-setsize', '199'));
      await expect(canvas.getByRole('button', { name: 'Delete Article 6' })).toHaveFocus();
    });
    await step('one DELETE', () =>
      expect(journal).toHaveSent([sent.get('/article').as('ada'), sent.delete('/article/5').as('ada')]),
    );
  },
};

/** One record: the note stands in its place, and what is shown afterwards is `removed`. */
export const OneRecord: Story = {
  render: () => (
    <ResourceDetail
      resource={app.Articles}
      label="Article"
      params={{ id: '1' }}
      deleteMode="undo"
      getItemLabel={article => article.title}
      renderItem={titleAndDelete}
    />
  ),
  play: async ({ canvas, step, journal }) => {
    await step('Ada deletes the article, and undoes it: the focus stays with it', async () => {
      await deleteTheFirst(canvas);
      await userEvent.click(canvas.getByRole('button', { name: 'Undo' }));
      await canvas.findByText('On signing in');
      await expect(canvas.getByRole('article')).toHaveFocus();
    });
    await step('she deletes it again, and lets the time pass', async () => {
      await deleteTheFirst(canvas);
      canvas.getByRole('article').focus();
      patience.end();
      await canvas.findByText('Deleted.');
      await expect(canvas.getByRole('article')).toHaveFocus();
    });
    await step('one DELETE', () =>
      expect(journal).toHaveSent([sent.get('/article/1').as('ada'), sent.delete('/article/1').as('ada')]),
    );
  },
};

/** One record, with a dialog before. */
export const OneRecordConfirmed: Story = {
  render: () => (
    <ResourceDetail
      resource={app.Articles}
      label="Article"
      params={{ id: '1' }}
      deleteMode="confirm"
      renderItem={titleAndDelete}
    />
  ),
  play: async ({ canvas, step, journal }) => {
    await step('Ada deletes the article, and is asked', async () => {
      await userEvent.click(await canvas.findByRole('button', { name: 'Delete On signing in' }));
      await canvas.findByRole('alertdialog', { name: 'Delete this?' });
    });
    await step('she says yes', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Delete' }));
      await canvas.findByText('Deleted.');
      await expect(canvas.getByRole('article')).toHaveFocus();
    });
    await step('one DELETE', () =>
      expect(journal).toHaveSent([sent.get('/article/1').as('ada'), sent.delete('/article/1').as('ada')]),
    );
  },
};

/** A list that can be closed and opened. */
function Closable({ children }: { children: ReactNode }) {
  const [isOpen, setOpen] = useState(true);
  return (
    <>
      <button type="button" onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'Close' : 'Open'}
      </button>
      {isOpen && children}
    </>
  );
}
