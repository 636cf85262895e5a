import type { Meta, StoryObj } from '@storybook/react-vite';
import { useState } from 'react';
import { expect, userEvent, waitFor } from 'storybook/test';
import { PaginatedList, ResourceList } from '../../../src/entries/widgets.js';
import { manualTimers } from '../../support/manualTimers.js';
import { setupPagedApp } from '../../support/setupPagedApp.js';

/**
 * Records what a list announces: each text that comes into its status region. Screen readers announce a text only if the region was there,
 * empty, before. So the recording starts when the region is empty, and throws if it is not.
 */
async function recordStatus(find: () => Promise<HTMLElement>) {
  const region = await find();
  if (region.textContent !== '') throw new Error(`The region has a text already: ${region.textContent}`);
  const announced: string[] = [];
  const observer = new MutationObserver(() => {
    if (region.textContent !== '') announced.push(region.textContent);
  });
  observer.observe(region, { childList: true, characterData: true, subtree: true });
  return {
    region,
    /** The texts of this element, without those of another one that would have replaced it. */
    get announced(): readonly string[] {
      if (!region.isConnected) throw new Error('The region was removed.');
      return announced;
    },
    stop: () => observer.disconnect(),
  };
}

const { app, page, listMeta } = setupPagedApp();
const { sent } = app;
const first = sent.get('/article').as('ada');

/** Progress is shown after 300 ms, and an announced text is removed after 7 s; these stories end those times by hand. */
const delays = manualTimers(300);
const reading = manualTimers(7_000);
/** A text is written after 100 ms; the story of what is not announced ends that time by hand. */
const writing = manualTimers(100);

/** Proves what a list says to a screen reader: in one region, which is there before its first text and stays. */
const meta = {
  title: 'Proofs/PaginatedList',
  tags: ['proof', '!autodocs'],
  ...listMeta,
  args: { ...listMeta.args, getItemLabel: article => article.title },
  beforeEach: [listMeta.beforeEach, delays.start, reading.start],
} satisfies Meta<typeof listMeta.component>;

export default meta;
type Story = StoryObj<typeof meta>;
type Canvas = Parameters<NonNullable<Story['play']>>[0]['canvas'];

const record = (canvas: Canvas) => recordStatus(() => canvas.findByRole('status'));
const press = async (canvas: Canvas, name: string) => userEvent.click(await canvas.findByRole('button', { name }));

/** The region is there while the list loads. A slow list says so once, and then how many rows it has. */
export const AnnouncesASlowList: Story = {
  tags: ['slow'],
  beforeEach: () => void app.articles.hold(),
  play: async ({ canvas, step, hasSent }) => {
    const status = await record(canvas);
    await step('the list takes long', async () => {
      await waitFor(() => expect(app.articles.held).toBe(1));
      await waitFor(() => expect(delays.running).toBe(1));
      delays.end();
      await waitFor(() => expect(status.announced).toEqual(['Loading…']));
      await expect(canvas.getByText('Loading…').closest('[role=status]')).toBeNull();
    });
    await step('it arrives', async () => {
      app.articles.hold()();
      await waitFor(() => expect(status.announced).toEqual(['Loading…', '2 loaded.']));
    });
    await step('the region is empty again when there was time to hear the text', async () => {
      reading.end();
      await waitFor(() => expect(status.region).toBeEmptyDOMElement());
      status.stop();
    });
    await hasSent('one GET', [first]);
  },
};

/** A fast first answer is read with the page. Each further page is announced, and the last one by the note, which gets the focus. */
export const AnnouncesFurtherPages: Story = {
  beforeEach: writing.start,
  play: async ({ canvas, step, hasSent }) => {
    const status = await record(canvas);
    await step('Ada loads the second page', async () => {
      await press(canvas, 'Load more');
      await canvas.findByText('2 more loaded, 4 in all.');
      await waitFor(() => expect(writing.running).toBe(1));
      writing.end();
      await waitFor(() => expect(status.announced).toEqual(['2 more loaded, 4 in all.']));
    });
    await step('she loads the last one: the focus moves to the note, which is read then', async () => {
      await press(canvas, 'Load more');
      await waitFor(() => expect(canvas.getByText('All 5 loaded.')).toHaveFocus());
      await waitFor(() => expect(writing.running).toBe(1));
      writing.end();
      await expect(status.region).toHaveTextContent('2 more loaded, 4 in all.');
      status.stop();
    });
    await hasSent('three pages', [first, page('page=2'), page('page=3')]);
  },
};

/** A filter of the app's own. */
function Filtered(args: NonNullable<Parameters<NonNullable<Story['render']>>[0]>) {
  const [title, setTitle] = useState<string>();
  const { Articles } = app;
  const props = { ...args, resource: Articles, params: { title } };
  return (
    <>
      <button type="button" onClick={() => setTitle('On tokens')}>
        Tokens
      </button>
      <button type="button" onClick={() => setTitle('On trains')}>
        Trains
      </button>
      <PaginatedList {...props} />
    </>
  );
}

/** Other rows are announced by their number. While they take long, that is said first. */
export const AnnouncesAFilter: Story = {
  render: args => <Filtered {...args} />,
  play: async ({ canvas, step, hasSent }) => {
    const status = await record(canvas);
    await step('Ada filters: one row', async () => {
      await canvas.findByText('On signing in');
      await press(canvas, 'Tokens');
      await waitFor(() => expect(status.announced).toEqual(['All 1 loaded.']));
    });
    await step('another filter takes long', async () => {
      const release = app.articles.hold();
      await press(canvas, 'Trains');
      await waitFor(() => expect(app.articles.held).toBe(1));
      await waitFor(() => expect(delays.running).toBe(1));
      delays.end();
      await waitFor(() => expect(status.announced).toEqual(['All 1 loaded.', 'Updating…']));
      release();
    });
    await step('no row matches', async () => {
      await waitFor(() => expect(status.announced).toEqual(['All 1 loaded.', 'Updating…', 'No matches.']));
      status.stop();
    });
    await hasSent('three GETs', [first, page('title=On+tokens'), page('title=On+trains')]);
  },
};

/** After an error, which is an alert, the rows are announced. */
export const AnnouncesRowsAfterAnError: Story = {
  beforeEach: () => app.articles.failNext(403),
  play: async ({ canvas, step, hasSent }) => {
    const status = await record(canvas);
    await step('the error is an alert', async () => {
      await expect(await canvas.findByRole('alert')).toHaveTextContent('You do not have access to this.');
    });
    await step('the next try succeeds', async () => {
      await press(canvas, 'Try again');
      await waitFor(() => expect(status.announced).toEqual(['2 loaded.']));
      status.stop();
    });
    await hasSent('two GETs', [first, first]);
  },
};

/** A created row, and a deleted one: one text each, although the note and the rows change too. */
export const AnnouncesChanges: Story = {
  args: { create: { push: [{ name: 'title', label: 'Title' }] } },
  play: async ({ canvas, step, hasSent }) => {
    const status = await record(canvas);
    await step('Ada creates an article', async () => {
      await canvas.findByText('On signing in');
      await userEvent.type(canvas.getByRole('textbox', { name: 'Title' }), 'On trains');
      await press(canvas, 'Create');
      await waitFor(() => expect(status.announced).toEqual(['“On trains” is created.']));
    });
    await step('she deletes another one', async () => {
      await press(canvas, 'Delete On signing in');
      await waitFor(() => expect(canvas.queryByText('On signing in')).not.toBeInTheDocument());
      await waitFor(() => expect(status.announced).toEqual(['“On trains” is created.', '“On signing in” is deleted.']));
      status.stop();
    });
    await hasSent('a POST and a DELETE', [
      first,
      sent.post('/article').json({ title: 'On trains' }).as('ada'),
      sent.delete('/article/1').as('ada'),
    ]);
  },
};

/** With `deleteMode="undo"`, the deletion is announced when the bar replaces the row, and so is its end. The same again is announced again. */
export const AnnouncesAnUndoneDeletion: Story = {
  render: ({ renderItem, getItemLabel }) => (
    <ResourceList
      resource={app.Articles}
      params={{ title: 'On tokens' }}
      deleteMode="undo"
      renderItem={renderItem}
      getItemLabel={getItemLabel}
    />
  ),
  play: async ({ canvas, step, hasSent }) => {
    const status = await record(canvas);
    const IS_DELETED = '“On tokens” is deleted.';
    const IS_BACK = '“On tokens” is not deleted.';
    await step('Ada deletes an article, and undoes it', async () => {
      await press(canvas, 'Delete On tokens');
      await waitFor(() => expect(status.announced).toEqual([IS_DELETED]));
      await press(canvas, 'Undo');
      await waitFor(() => expect(status.announced).toEqual([IS_DELETED, IS_BACK]));
    });
    await step('once more', async () => {
      await press(canvas, 'Delete On tokens');
      await waitFor(() => expect(status.announced).toEqual([IS_DELETED, IS_BACK, IS_DELETED]));
      await press(canvas, 'Undo');
      await waitFor(() => expect(status.announced).toEqual([IS_DELETED, IS_BACK, IS_DELETED, IS_BACK]));
      status.stop();
    });
    await hasSent('one GET', [page('title=On+tokens')]);
  },
};
