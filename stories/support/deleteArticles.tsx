import type { Meta, StoryContext } from '@storybook/react-vite';
import type { ReactNode } from 'react';
import { expect, userEvent, waitFor } from 'storybook/test';
import { ResourceList } from '../../src/entries/widgets.js';
import type { Article } from './articles.js';
import { manualTimers } from './manualTimers.js';
import { setupWidgetApp } from './setupWidgetApp.js';
import { below } from './below.js';

type Canvas = StoryContext['canvas'];

/** The note in the row of the first article while its deletion can be undone. */
export const IS_DELETED = '“On signing in” is deleted.';

/** Renders a row: its title, and a button that deletes it. */
export const titleAndDelete = (article: Article, { remove }: { remove: () => Promise<unknown> }): ReactNode => (
  <>
    <span>{article.title}</span>{' '}
    <button type="button" onClick={() => void remove()}>
      Delete {article.title}
    </button>
  </>
);

/** Ada deletes the first article: a note takes its place, and nothing is sent. */
export async function deleteTheFirst(canvas: Canvas) {
  await userEvent.click(await canvas.findByRole('button', { name: 'Delete On signing in' }));
  await canvas.findByText(IS_DELETED);
  await expect(canvas.queryByText('On signing in')).not.toBeInTheDocument();
  await waitFor(() => expect(canvas.getByRole('button', { name: 'Undo' })).toHaveFocus());
}

/** Waits until only one row is left. */
export const goneForGood = (canvas: Canvas) => waitFor(() => expect(canvas.getAllByRole('listitem')).toHaveLength(1));

/** Ada's articles in a list whose deletions can be undone for 8 seconds; a story ends that time by hand. */
export function setupDeleting() {
  const app = setupWidgetApp();
  const undoTimers = manualTimers(8_000);
  const listMeta = {
    component: ResourceList<typeof app.Articles>,
    args: {
      resource: app.Articles,
      label: 'Articles',
      deleteMode: 'undo',
      getItemLabel: article => article.title,
      renderItem: titleAndDelete,
    },
    decorators: [below(app)],
    beforeEach: [app.start('ada'), undoTimers.start],
  } satisfies Meta<typeof ResourceList<typeof app.Articles>>;
  return { app, undoTimers, listMeta };
}
