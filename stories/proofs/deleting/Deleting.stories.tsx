import type { Meta, StoryObj } from '@storybook/react-vite';
import { useState, type ReactNode } from 'react';
import { expect, fireEvent, userEvent, waitFor, within } from 'storybook/test';
import { PaginatedList, ResourceDetail, ResourceList } from '../../../src/entries/widgets.js';
import { fetchAgain } from '../../support/fetchAgain.js';
import { manyArticles } from '../../support/manyArticles.js';
import { recordText } from '../../support/recordText.js';
import {
  deleteTheFirst,
  goneForGood,
  IS_DELETED,
  setupDeleting,
  titleAndDelete,
} from '../../support/deleteArticles.js';
import { setupWidgetApp } from '../../support/setupWidgetApp.js';
import { inCases } from '../../support/inCases.js';
import { http } from 'msw';
import { OutcomeLog } from '../../support/OutcomeLog.js';
import { Rename } from '../../support/Rename.js';
import { setupContextApp } from '../../support/setupContextApp.js';
import { ownApi } from '../../support/setupCookieApp.js';

const { app, undoTimers, listMeta } = setupDeleting();
const { sent } = app;
const many = setupWidgetApp({ rows: manyArticles(200).rows });

/** Proves when each `deleteMode` sends the request, and that nobody deletes in the name of another user. */
const meta = {
  title: 'Proofs/Deleting',
  tags: ['proof', '!autodocs'],
  ...listMeta,
} satisfies Meta<typeof listMeta.component>;

export default meta;
type Story = StoryObj<typeof meta>;

/** A dialog asks first. The focus is on the safe answer, and after the deletion on the next row. */
export const Confirmed: Story = {
  args: { deleteMode: 'confirm' },
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada presses Delete, and a dialog asks her', async () => {
      await userEvent.click(await canvas.findByRole('button', { name: 'Delete On signing in' }));
      const dialog = await canvas.findByRole('alertdialog', { name: 'Delete “On signing in”?' });
      await expect(dialog).toBeVisible();
      await waitFor(() => expect(within(dialog).getByRole('button', { name: 'Cancel' })).toHaveFocus());
      await expect(canvas.getByText('On signing in')).toBeInTheDocument();
    });
    await step('she confirms: the article is gone, and the focus is on the next one', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Delete' }));
      await goneForGood(canvas);
      await expect(canvas.queryByRole('alertdialog')).not.toBeInTheDocument();
      await expect(canvas.getByRole('listitem')).toHaveFocus();
    });
    await hasSent('one DELETE', [sent.get('/article').as('ada'), sent.delete('/article/1').as('ada')]);
  },
};

/** Cancel or Escape changes nothing, and the focus returns to the button. The next dialog can be confirmed. */
export const NotConfirmed: Story = {
  args: { deleteMode: 'confirm' },
  play: async ({ canvas, step, hasSent }) => {
    const ask = async () => {
      await userEvent.click(await canvas.findByRole('button', { name: 'Delete On signing in' }));
      return canvas.findByRole<HTMLDialogElement>('alertdialog');
    };
    const isAsBefore = async () => {
      await waitFor(() => expect(canvas.queryByRole('alertdialog')).not.toBeInTheDocument());
      await waitFor(() => expect(canvas.getByRole('button', { name: 'Delete On signing in' })).toHaveFocus());
    };
    await step('Ada presses Delete, and cancels the dialog', async () => {
      await userEvent.click(within(await ask()).getByRole('button', { name: 'Cancel' }));
      await isAsBefore();
    });
    await step('she presses Delete, and closes the dialog with Escape', async () => {
      const dialog = await ask();
      dialog.close();
      // Closed is not gone: the browser reports it in a later task.
      await waitFor(() => expect(dialog).not.toBeInTheDocument());
      await isAsBefore();
    });
    await step('she presses Delete once more, and confirms', async () => {
      await userEvent.click(within(await ask()).getByRole('button', { name: 'Delete' }));
      await goneForGood(canvas);
    });
    await hasSent('one DELETE', [sent.get('/article').as('ada'), sent.delete('/article/1').as('ada')]);
  },
};

/** The second press of a double click, which must not count. The first one has put another control under the pointer. */
async function pressAgain(control: Element) {
  await expect(await fireEvent.click(control, { detail: 2 })).toBe(false);
}

const doubleClick: Story = {
  args: { deleteMode: 'immediate' },
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada double-clicks Delete, and the server answers between the two presses', async () => {
      await userEvent.click(await canvas.findByRole('button', { name: 'Delete On signing in' }));
      await goneForGood(canvas);
      await pressAgain(canvas.getByRole('button', { name: 'Delete On signing out' }));
    });
    await hasSent('one DELETE, of the article that she has pressed', [
      sent.get('/article').as('ada'),
      sent.delete('/article/1').as('ada'),
    ]);
    await step('she deletes the other one too', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Delete On signing out' }));
      await waitFor(() => expect(canvas.queryAllByRole('listitem')).toHaveLength(0));
    });
  },
};

const doubleClickAtTheDialog: Story = {
  args: { deleteMode: 'confirm' },
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada double-clicks Delete, and the dialog asks her', async () => {
      await userEvent.click(await canvas.findByRole('button', { name: 'Delete On signing in' }));
      await pressAgain(within(await canvas.findByRole('alertdialog')).getByRole('button', { name: 'Delete' }));
      await expect(canvas.getByRole('alertdialog')).toBeVisible();
    });
    await step('she double-clicks Delete in the dialog, which was above a button of another row', async () => {
      await userEvent.click(within(canvas.getByRole('alertdialog')).getByRole('button', { name: 'Delete' }));
      await goneForGood(canvas);
      await pressAgain(canvas.getByRole('button', { name: 'Delete On signing out' }));
      await expect(canvas.queryByRole('alertdialog')).not.toBeInTheDocument();
    });
    await hasSent('one DELETE', [sent.get('/article').as('ada'), sent.delete('/article/1').as('ada')]);
  },
};

const doubleClickAndUndo: Story = {
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada double-clicks Delete: Undo is under her pointer at the second press', async () => {
      await deleteTheFirst(canvas);
      await pressAgain(canvas.getByRole('button', { name: 'Undo' }));
      await expect(canvas.getByText(IS_DELETED)).toBeVisible();
    });
    await step(
      'she undoes it, and deletes it by Enter, which she holds: Undo has the focus when the key repeats',
      async () => {
        await userEvent.click(canvas.getByRole('button', { name: 'Undo' }));
        (await canvas.findByRole('button', { name: 'Delete On signing in' })).focus();
        await userEvent.keyboard('{Enter}');
        const undo = await canvas.findByRole('button', { name: 'Undo' });
        await waitFor(() => expect(undo).toHaveFocus());
        await expect(await fireEvent.keyDown(undo, { key: 'Enter', repeat: true })).toBe(false);
        await expect(await fireEvent.keyDown(undo, { key: 'Tab', repeat: true })).toBe(true);
      },
    );
    await step('she presses Enter once more', async () => {
      await userEvent.keyboard('{Enter}');
      await canvas.findByText('On signing in');
    });
    await hasSent('one GET, and nothing more', [sent.get('/article').as('ada')]);
  },
};

const doubleClickInADetail: Story = {
  render: ({ deleteMode, getItemLabel, renderItem }) => (
    <ResourceDetail
      resource={app.Articles}
      params={{ id: '1' }}
      deleteMode={deleteMode}
      getItemLabel={getItemLabel}
      renderItem={renderItem}
    />
  ),
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada double-clicks Delete, and it stays deleted', async () => {
      await deleteTheFirst(canvas);
      await pressAgain(canvas.getByRole('button', { name: 'Undo' }));
      await expect(canvas.getByText(IS_DELETED)).toBeVisible();
    });
    await step('she undoes it by a press of its own', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Undo' }));
      await canvas.findByText('On signing in');
    });
    await hasSent('one GET, and nothing more', [sent.get('/article/1').as('ada')]);
  },
};

/** The second press of a double click does not count, whatever is under the pointer by then. */
export const DoubleClick: Story = inCases({
  'the next row: one row is deleted': doubleClick,
  'the dialog: the deletion is not confirmed; and the row behind the dialog': doubleClickAtTheDialog,
  'Undo: the deletion stays, also when a key is held for too long': doubleClickAndUndo,
  'Undo in a detail': doubleClickInADetail,
});

/** Undone in time: the row is back with the focus, and nothing was sent. */
export const Undone: Story = {
  play: async ({ canvas, step, hasSent }) => {
    await step(
      'Ada deletes an article; the focus is on the button that undoes it, which says what it undoes',
      async () => {
        await deleteTheFirst(canvas);
        await expect(canvas.getByRole('button', { name: 'Undo' })).toHaveAccessibleDescription(IS_DELETED);
        await waitFor(() => expect(canvas.getByRole('status')).toHaveTextContent(IS_DELETED));
      },
    );
    await step('she undoes it: the row is back, and has the focus', async () => {
      await userEvent.keyboard('{Enter}');
      await canvas.findByText('On signing in');
      await expect(canvas.getAllByRole('listitem')[0]).toHaveFocus();
      await expect(undoTimers.running).toBe(0);
    });
    await hasSent('one GET, and nothing more', [sent.get('/article').as('ada')]);
  },
};

/** Not undone in time: the deletion is sent then. The row does not come back while the answer is under way. */
export const TimeIsOver: Story = {
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada deletes an article, and goes on to the next', async () => {
      await deleteTheFirst(canvas);
      await userEvent.click(canvas.getByText('On signing out'));
      await expect(undoTimers.running).toBe(1);
    });
    const texts = recordText(canvas.getByRole('list'));
    await step('the time is over, and there is no Undo any more', async () => {
      const release = app.articles.hold();
      undoTimers.end();
      await waitFor(() => expect(app.articles.held).toBe(1));
      await expect(canvas.queryByRole('button', { name: 'Undo' })).not.toBeInTheDocument();
      await expect(canvas.getByText(IS_DELETED)).toBeVisible();
      release();
    });
    await step('the answer arrives: the note is gone, and the row never came back', async () => {
      await goneForGood(canvas);
      texts.stop();
      await expect(texts.since(IS_DELETED).filter(text => text.includes('Delete On signing in'))).toEqual([]);
    });
    await hasSent('one DELETE', [sent.get('/article').as('ada'), sent.delete('/article/1').as('ada')]);
  },
};

/** The time stops while the pointer or the focus is at the note, and starts again afterwards. */
export const TimeStandsStill: Story = {
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada deletes an article, and tabs on: the time runs', async () => {
      await deleteTheFirst(canvas);
      await userEvent.tab();
      await expect(undoTimers.running).toBe(1);
    });
    await step('her pointer moves to the note: the time stops until it leaves', async () => {
      await userEvent.hover(canvas.getByText(IS_DELETED));
      await expect(undoTimers.running).toBe(0);
      await userEvent.unhover(canvas.getByText(IS_DELETED));
      await expect(undoTimers.running).toBe(1);
    });
    await step('the focus moves to the note: the time stops until it leaves', async () => {
      await userEvent.tab({ shift: true });
      await expect(canvas.getByRole('button', { name: 'Undo' })).toHaveFocus();
      await expect(undoTimers.running).toBe(0);
      await userEvent.tab();
      await expect(undoTimers.running).toBe(1);
    });
    await step('the time is over', async () => {
      undoTimers.end();
      await goneForGood(canvas);
    });
    await hasSent('one DELETE', [sent.get('/article').as('ada'), sent.delete('/article/1').as('ada')]);
  },
};

/** A line shows the time that is left, and the bar is as high as the row: nothing below it moves. */
export const TimeIsShown: Story = {
  args: {
    renderItem: ({ title }, { remove }) => (
      <>
        <div>
          {title}
          <p>By Ada Lovelace</p>
        </div>
        <button type="button" onClick={() => void remove()}>
          Delete {title}
        </button>
      </>
    ),
  },
  play: async ({ canvas, step, hasSent }) => {
    const readTop = async () => (await canvas.findByText('On signing out')).getBoundingClientRect().top;
    const findLine = () =>
      canvas
        .getByRole('list')
        .getAnimations({ subtree: true })
        .find(({ effect }) => effect?.getComputedTiming().duration === 8_000);
    await step('Ada deletes an article of two lines: the row below stays where it is', async () => {
      const before = await readTop();
      await deleteTheFirst(canvas);
      await canvas.findByText(IS_DELETED);
      await expect(Math.abs((await readTop()) - before)).toBeLessThan(0.5);
    });
    await step('the line runs, and stops with the time', async () => {
      await userEvent.tab();
      await waitFor(() => expect(findLine()?.playState).toBe('running'));
      await userEvent.hover(canvas.getByText(IS_DELETED));
      await waitFor(() => expect(findLine()).toBeUndefined());
    });
    await step('it starts again with the time', async () => {
      await userEvent.unhover(canvas.getByText(IS_DELETED));
      await waitFor(() => expect(findLine()?.playState).toBe('running'));
      await expect(Number(findLine()?.currentTime)).toBeLessThan(4_000);
    });
    await step('the time is over', async () => {
      undoTimers.end();
      await goneForGood(canvas);
    });
    await hasSent('one DELETE', [sent.get('/article').as('ada'), sent.delete('/article/1').as('ada')]);
  },
};

/** The server refuses the deletion: the row is back with the reason, and can be deleted again. */
export const RefusedAfterwards: Story = {
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada deletes an article, and the server fails', async () => {
      await deleteTheFirst(canvas);
      await userEvent.click(canvas.getByText('On signing out'));
      app.articles.failNext(500);
      undoTimers.end();
    });
    await step('the row is back, with the reason', async () => {
      await canvas.findByText('On signing in');
      await expect(await canvas.findByRole('alert')).toHaveTextContent(
        'The server has a problem. Try again in a while.',
      );
    });
    await step('she deletes it again, and it is gone', async () => {
      await deleteTheFirst(canvas);
      await userEvent.tab();
      undoTimers.end();
      await goneForGood(canvas);
      await expect(canvas.queryByRole('alert')).not.toBeInTheDocument();
    });
    await hasSent('two DELETEs', [
      sent.get('/article').as('ada'),
      sent.delete('/article/1').as('ada'),
      sent.delete('/article/1').as('ada'),
    ]);
  },
};

const listGoesAway: Story = {
  render: args => <Closable>{<ResourceList {...args} />}</Closable>,
  play: async ({ canvas, step, hasSent }) => {
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
    await hasSent('one DELETE', [sent.get('/article').as('ada'), sent.delete('/article/1').as('ada')]);
  },
};

const providerGoesAway: Story = {
  render: args => (
    <Closable>
      <app.Provider>
        <ResourceList {...args} />
      </app.Provider>
    </Closable>
  ),
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada deletes an article, and closes the list with its provider', async () => {
      await deleteTheFirst(canvas);
      await userEvent.click(canvas.getByRole('button', { name: 'Close' }));
      await waitFor(() => expect(app.articles.rows().map(row => row.id)).not.toContain('1'));
    });
    await hasSent('one DELETE', [sent.get('/article').as('ada'), sent.delete('/article/1').as('ada')]);
  },
};

/** What shows the row unmounts before the time is over: the deletion is sent at once. */
export const ListGoesAway: Story = inCases({
  'the list': listGoesAway,
  'the provider, with its store': providerGoesAway,
});

/** A failure removes the rows for a while: the time goes on, and the note comes back with the rows. */
export const RowsGoAwayForAWhile: Story = {
  args: { renderHeader: fetchAgain },
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada deletes an article, and fetches the list again, which fails', async () => {
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
    await hasSent('three reads, no DELETE', [
      sent.get('/article').as('ada'),
      sent.get('/article').as('ada'),
      sent.get('/article').as('ada'),
    ]);
  },
};

/** Two deletions at once: the dialogs come one after the other. */
export const TwoQuestions: Story = {
  args: { deleteMode: 'confirm' },
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada deletes both articles', async () => {
      const buttons = [
        await canvas.findByRole('button', { name: 'Delete On signing in' }),
        canvas.getByRole('button', { name: 'Delete On signing out' }),
      ];
      buttons.forEach(button => button.click());
    });
    await step('she confirms the first, and cancels the second', async () => {
      const first = await canvas.findByRole('alertdialog', { name: 'Delete “On signing in”?' });
      await userEvent.click(within(first).getByRole('button', { name: 'Delete' }));
      const second = await canvas.findByRole('alertdialog', { name: 'Delete “On signing out”?' });
      await waitFor(() => expect(within(second).getByRole('button', { name: 'Cancel' })).toHaveFocus());
      await userEvent.click(within(second).getByRole('button', { name: 'Cancel' }));
      await waitFor(() => expect(canvas.queryByRole('alertdialog')).not.toBeInTheDocument());
      await goneForGood(canvas);
    });
    await hasSent('one DELETE', [sent.get('/article').as('ada'), sent.delete('/article/1').as('ada')]);
  },
};

/** In a virtual list only the rows near the visible part are in the document: the note waits wherever the list is scrolled to. */
export const InALongList: Story = {
  beforeEach: many.start('ada'),
  render: args => (
    <many.Provider>
      <PaginatedList {...args} virtual />
    </many.Provider>
  ),
  play: async ({ canvas, step, hasSent }) => {
    const shown = () => canvas.getAllByRole('listitem');
    await step('Ada deletes the fifth of two hundred articles, and scrolls to the end', async () => {
      await userEvent.click(await canvas.findByRole('button', { name: 'Delete Article 5' }));
      await userEvent.hover(await canvas.findByText('“Article 5” is deleted.'));
      await expect(undoTimers.running).toBe(0);
      shown().at(-1)?.focus();
      window.scrollTo(0, document.documentElement.scrollHeight);
      await waitFor(() => expect(canvas.queryByText('“Article 5” is deleted.')).not.toBeInTheDocument());
    });
    await step('the focus and the pointer have left the note: the time runs', () =>
      waitFor(() => expect(undoTimers.running).toBe(1)),
    );
    await step('she scrolls back, and undoes the deletion', async () => {
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
      undoTimers.end();
      await waitFor(() => expect(shown()[0]).toHaveAttribute('aria-setsize', '199'));
      await expect(canvas.getByRole('button', { name: 'Delete Article 6' })).toHaveFocus();
    });
    await hasSent('one DELETE', [sent.get('/article').as('ada'), sent.delete('/article/5').as('ada')]);
  },
};

const oneRecord: Story = {
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
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada deletes the article, and undoes it: the focus stays with it', async () => {
      await deleteTheFirst(canvas);
      await userEvent.click(canvas.getByRole('button', { name: 'Undo' }));
      await canvas.findByText('On signing in');
      await expect(canvas.getByRole('article')).toHaveFocus();
    });
    await step('she deletes it again, and lets the time pass', async () => {
      await deleteTheFirst(canvas);
      canvas.getByRole('article').focus();
      undoTimers.end();
      await canvas.findByText('Deleted.');
      await expect(canvas.getByRole('article')).toHaveFocus();
    });
    await hasSent('one DELETE', [sent.get('/article/1').as('ada'), sent.delete('/article/1').as('ada')]);
  },
};

const oneRecordConfirmed: Story = {
  render: () => (
    <ResourceDetail
      resource={app.Articles}
      label="Article"
      params={{ id: '1' }}
      deleteMode="confirm"
      renderItem={titleAndDelete}
    />
  ),
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada presses Delete, and a dialog asks her', async () => {
      await userEvent.click(await canvas.findByRole('button', { name: 'Delete On signing in' }));
      await canvas.findByRole('alertdialog', { name: 'Delete this?' });
    });
    await step('she confirms', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Delete' }));
      await canvas.findByText('Deleted.');
      await expect(canvas.getByRole('article')).toHaveFocus();
    });
    await hasSent('one DELETE', [sent.get('/article/1').as('ada'), sent.delete('/article/1').as('ada')]);
  },
};

/** One record is deleted as a row is; afterwards the `removed` slot is shown. */
export const OneRecord: Story = inCases({
  'the note takes its place': oneRecord,
  'a dialog asks first': oneRecordConfirmed,
});

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

/** The page unloads before the time is over: the deletion is sent at once with `keepalive`, if the credential is available. */
export const PageGoesAway: Story = {
  play: async ({ canvas, step, msw, hasSent }) => {
    const outlives: boolean[] = [];
    msw.use(http.delete('/api/article/:id', ({ request }) => void outlives.push(request.keepalive)));
    await step('Ada deletes an article, and leaves the page', async () => {
      await deleteTheFirst(canvas);
      window.dispatchEvent(new PageTransitionEvent('pagehide'));
      await goneForGood(canvas);
      await expect(outlives).toEqual([true]);
    });
    await hasSent('one DELETE', [sent.get('/article').as('ada'), sent.delete('/article/1').as('ada')]);
  },
};

const sdks = setupContextApp({ url: ownApi });

/** The page unloads while a fresh token is fetched: the deletion would need the token, which arrives too late. Nothing is deleted. */
export const PageGoesAwayDuringARefresh: Story = {
  beforeEach: sdks.start('ada'),
  render: args => (
    <OutcomeLog>
      <sdks.Provider>
        <Rename articles={sdks.Articles} ids={['2']}>
          Rename the second
        </Rename>
        <ResourceList {...args} resource={sdks.Articles} />
      </sdks.Provider>
    </OutcomeLog>
  ),
  play: async ({ canvas, step, hasSent }) => {
    const release = sdks.sdk.hold();
    await step(
      'Ada deletes an article; her token has expired, as a rename finds out, and the SDK is slow with a fresh one',
      async () => {
        await deleteTheFirst(canvas);
        sdks.server.expire();
        await userEvent.click(canvas.getByRole('button', { name: 'Rename the second' }));
        await waitFor(() => expect(sdks.sdk.held).toBe(1));
      },
    );
    await step('she leaves the page, and the deletion is dropped: the article is still there', async () => {
      window.dispatchEvent(new PageTransitionEvent('pagehide'));
      sdks.sdk.fail(new TypeError('Failed to fetch'));
      release();
      await canvas.findByText('On signing in');
      await expect(sdks.articles.rows().map(({ id }) => id)).toContain('1');
    });
    await hasSent('no DELETE', [
      sent.get('/article').as('ada'),
      sent.patch('/article/2').as('ada').json({ title: 'Renamed 2' }),
    ]);
  },
};
