import type { Meta, StoryObj } from '@storybook/react-vite';
import { http, HttpResponse } from 'msw';
import { expect, fn, userEvent, waitFor } from 'storybook/test';
import { ResourceForm } from '../../../src/entries/widgets.js';
import { ownApi } from '../../support/setupCookieApp.js';
import { setupWidgetApp } from '../../support/setupWidgetApp.js';
import { talkHandlers, talkRow, Talks } from '../../support/talks.js';
import { inCases } from '../../support/inCases.js';

const app = setupWidgetApp();
const { sent } = app;
const talks = talkHandlers(app.auth);

const tracks = [
  { value: 1, label: 'Languages' },
  { value: 2, label: 'Machines' },
  { value: 3, label: 'People' },
];

/** Proves the fields that send a list. */
const meta = {
  title: 'Proofs/ResourceForm',
  tags: ['proof', '!autodocs'],
  component: ResourceForm<typeof Talks, 'push' | 'update' | 'partialUpdate'>,
  args: {
    resource: Talks,
    action: 'push',
    onSuccess: fn(),
    fields: [
      { name: 'title', label: 'Title' },
      { name: 'tags', label: 'Tags', type: 'list' },
      { name: 'tracks', label: 'Tracks', type: 'select', multiple: true, options: tracks },
    ],
  },
  decorators: [
    Story => (
      <app.Provider>
        <Story />
      </app.Provider>
    ),
  ],
  beforeEach: [
    app.start('ada'),
    ({ msw }) => {
      talks.reset();
      msw.use(...talks.handlers);
    },
  ],
} satisfies Meta<typeof ResourceForm<typeof Talks, 'push' | 'update' | 'partialUpdate'>>;

export default meta;
type Story = StoryObj<typeof meta>;

const lists: Story = {
  play: async ({ canvas, step, journal, args }) => {
    await step('a hint says how to type more than one', async () =>
      expect(await canvas.findByLabelText('Tags')).toHaveAccessibleDescription('One per line.'),
    );
    await step('Ada fills in the form with the keyboard', async () => {
      await userEvent.type(canvas.getByLabelText('Title'), 'On engines');
      await userEvent.tab();
      await userEvent.keyboard(' compilers{Enter}{Enter}note G {Enter}');
      await userEvent.tab();
      await expect(canvas.getByLabelText('Tracks')).toHaveFocus();
      await userEvent.selectOptions(canvas.getByLabelText('Tracks'), ['Languages', 'People']);
      await userEvent.click(canvas.getByRole('button', { name: 'Create' }));
      await waitFor(() => expect(args.onSuccess).toHaveBeenCalledTimes(1));
      await waitFor(() => expect(canvas.getByLabelText('Tags')).toHaveValue(''));
      await expect(canvas.getByLabelText('Tracks')).toHaveValue([]);
    });
    await step('one POST', () =>
      expect(journal).toHaveSent([
        sent
          .post('/talk')
          .as('ada')
          .json({ title: 'On engines', tags: ['compilers', 'note G'], tracks: [1, 3] }),
      ]),
    );
  },
};

/** A record fills the lists. A PATCH sends a list that has changed as a whole, and not the other one. An option that is gone stays chosen. */
export const ListsOfARecord: Story = {
  args: {
    action: 'partialUpdate',
    params: { id: '1' },
    initial: { ...talkRow, tags: ['moths', 'logs'], tracks: [9, 2] },
  },
  play: async ({ canvas, step, journal, args }) => {
    const save = async (times: number) => {
      await userEvent.click(canvas.getByRole('button', { name: 'Save' }));
      await waitFor(() => expect(args.onSuccess).toHaveBeenCalledTimes(times));
    };
    await step('the inputs show the talk', async () => {
      await expect(await canvas.findByLabelText('Tags')).toHaveValue('moths\nlogs');
      await expect(canvas.getByLabelText('Tracks')).toHaveValue(['9', '2']);
    });
    await step('Ada adds a tag', async () => {
      await userEvent.type(canvas.getByLabelText('Tags'), '{Enter}tape');
      await save(1);
    });
    await step('she removes all tags, and chooses a track', async () => {
      await userEvent.clear(canvas.getByLabelText('Tags'));
      await userEvent.selectOptions(canvas.getByLabelText('Tracks'), ['People']);
      await save(2);
    });
    await step('two PATCHes', () =>
      expect(journal).toHaveSent([
        sent
          .patch('/talk/1')
          .as('ada')
          .json({ tags: ['moths', 'logs', 'tape'] }),
        sent
          .patch('/talk/1')
          .as('ada')
          .json({ tags: [], tracks: [9, 2, 3] }),
      ]),
    );
  },
};

const refusals = [
  { tags: { 1: ['Only letters.'] } },
  { tags: [[], ['Only letters.']] },
  { errors: { 'tags[1]': ['Only letters.'] } },
  { errors: { 'tags.1': ['Only letters.'] } },
];

/** The server refuses one entry, in the words of four frameworks: the message names the entry, and goes when the user types. */
export const RefusedEntries: Story = {
  beforeEach: ({ msw }) => {
    let answers = 0;
    msw.use(http.post(`${ownApi}/talk`, () => HttpResponse.json(refusals[answers++], { status: 422 })));
  },
  play: async ({ canvas, step, journal }) => {
    const tags = await canvas.findByLabelText('Tags');
    await userEvent.type(tags, 'moths{Enter}c++');
    for (const refusal of refusals)
      await step(JSON.stringify(refusal), async () => {
        await userEvent.click(canvas.getByRole('button', { name: 'Create' }));
        await waitFor(() => expect(tags).toHaveAccessibleDescription('One per line. c++: Only letters.'));
        await waitFor(() => expect(tags).toHaveFocus());
        await expect(tags).toBeInvalid();
        await userEvent.type(tags, '+');
        await expect(tags).toHaveAccessibleDescription('One per line.');
        await userEvent.type(tags, '{Backspace}');
      });
    await step('four POSTs', () => expect(journal.entries).toHaveLength(refusals.length));
  },
};

const listsInParts: Story = {
  args: {
    fields: [
      { name: 'tags', label: 'Tags', type: 'list' },
      { name: 'tracks', label: 'Tracks', type: 'select', multiple: true, options: tracks },
      { name: 'slides', label: 'Slides', type: 'file' },
    ],
  },
  play: async ({ canvas, step, journal, args }) => {
    await step('Ada fills in the form', async () => {
      await userEvent.type(await canvas.findByLabelText('Tags'), 'moths{Enter}logs');
      await userEvent.selectOptions(canvas.getByLabelText('Tracks'), ['Languages', 'Machines']);
      await userEvent.click(canvas.getByRole('button', { name: 'Create' }));
      await waitFor(() => expect(args.onSuccess).toHaveBeenCalledTimes(1));
    });
    await step('one POST', () =>
      expect(journal).toHaveSent([
        sent.post('/talk').as('ada').body('form-data{tags=moths, tags=logs, tracks=1, tracks=2}'),
      ]),
    );
  },
};

/** Texts are typed one on each line, and options are chosen. Both are sent as arrays, or as parts of the same name in a form with a file. */
export const Lists: Story = inCases({
  'both are sent as arrays, and the form is empty for the next talk': lists,
  'in a form with a file, each entry is a part, as in an HTML form': listsInParts,
});
