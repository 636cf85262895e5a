import type { Meta, StoryObj } from '@storybook/react-vite';
import { useState, type ComponentProps } from 'react';
import { http, HttpResponse } from 'msw';
import { expect, fireEvent, fn, userEvent, waitFor, within } from 'storybook/test';
import { ResourceForm, type FieldOption } from '../../../src/entries/widgets.js';
import { setupWidgetApp } from '../../support/setupWidgetApp.js';
import { talkHandlers, talkRow, Talks } from '../../support/talks.js';
import { inCases } from '../../support/inCases.js';
import { below } from '../../support/below.js';
import { ownApi } from '../../support/setupCookieApp.js';

const app = setupWidgetApp();
const { sent } = app;
const talks = talkHandlers(app.auth, {
  validate: ({ level }) => (level === 'expert' ? { level: ['This is full.'] } : undefined),
});

const rooms = [
  { value: 1, label: 'Great hall' },
  { value: 2, label: 'Attic' },
];
const levels = [
  { value: 'beginner', label: 'For beginners' },
  { value: 'expert', label: 'For experts' },
];

/** Proves what each kind of field shows and sends. */
const meta = {
  title: 'Proofs/ResourceForm',
  tags: ['proof', '!autodocs'],
  component: ResourceForm<typeof Talks, 'push' | 'update' | 'partialUpdate'>,
  args: {
    resource: Talks,
    action: 'push',
    onSuccess: fn(),
    fields: [
      { name: 'title', label: 'Title', required: true, maxLength: 40, hint: 'At most 40 characters.' },
      { name: 'abstract', label: 'Abstract', type: 'textarea', placeholder: 'What is it about?' },
      { name: 'website', label: 'Website', type: 'url', pattern: 'https://.*' },
      { name: 'seats', label: 'Seats', type: 'number', min: 1, max: 500 },
      { name: 'day', label: 'Day', type: 'date', min: '2026-11-01' },
      { name: 'starts', label: 'Starts at', type: 'time' },
      { name: 'doorsOpenAt', label: 'Doors open', type: 'datetime-local' },
      { name: 'room', label: 'Room', type: 'select', options: rooms, placeholder: 'No room yet' },
      { name: 'level', label: 'Level', type: 'radio', options: levels, required: true, hint: 'Experts need no hint.' },
      { name: 'isRecorded', label: 'It may be recorded', type: 'checkbox' },
      { name: 'conference', type: 'hidden', value: 'compilers' },
    ],
  },
  decorators: below(app),
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

const moment = new Date('2026-11-22T14:00').toISOString();

/** Each kind of field has its input, and sends a value of its own type. */
export const EachKindOfField: Story = {
  play: async ({ canvas, step, args, hasSent }) => {
    await step(
      'a required field has a mark, which is not part of its name, and a hint describes its input',
      async () => {
        const title = await canvas.findByLabelText('Title');
        await expect(title).toHaveAccessibleDescription('At most 40 characters.');
        await expect(title.closest('.dca-field')).toHaveTextContent(/^Title \*/);
        await expect(canvas.getByLabelText('Website').closest('.dca-field')).toHaveTextContent(/^Website$/);
        await expect(canvas.getByRole('radiogroup', { name: 'Level' })).toHaveAccessibleDescription(
          'Experts need no hint.',
        );
        await expect(canvas.getByLabelText('Abstract')).toHaveAttribute('placeholder', 'What is it about?');
        await expect(canvas.getByLabelText('Room')).toHaveDisplayValue('No room yet');
      },
    );
    await step('Ada fills in the form', async () => {
      await userEvent.type(canvas.getByLabelText('Title'), 'On engines');
      await userEvent.type(canvas.getByLabelText('Abstract'), 'Note G.');
      await userEvent.type(canvas.getByLabelText('Website'), 'https://example.com');
      await userEvent.type(canvas.getByLabelText('Seats'), '250');
      await userEvent.type(canvas.getByLabelText('Day'), '2026-11-22');
      await userEvent.type(canvas.getByLabelText('Starts at'), '14:30');
      await userEvent.type(canvas.getByLabelText('Doors open'), '2026-11-22T14:00');
      await userEvent.selectOptions(canvas.getByLabelText('Room'), 'Great hall');
      await userEvent.click(canvas.getByRole('radio', { name: 'For beginners' }));
      await userEvent.click(canvas.getByLabelText('It may be recorded'));
      await userEvent.click(canvas.getByRole('button', { name: 'Create' }));
      await waitFor(() => expect(args.onSuccess).toHaveBeenCalledTimes(1));
    });
    await step('the form is empty for the next talk', async () => {
      for (const label of ['Title', 'Abstract', 'Website', 'Day', 'Starts at', 'Doors open', 'Room'])
        await expect(canvas.getByLabelText(label)).toHaveValue('');
      await expect(canvas.getByLabelText('Seats')).toHaveValue(null);
      await expect(canvas.getByRole('radio', { name: 'For beginners' })).not.toBeChecked();
      await expect(canvas.getByLabelText('It may be recorded')).not.toBeChecked();
    });
    await hasSent('one POST', [
      sent.post('/talk').as('ada').json({
        title: 'On engines',
        abstract: 'Note G.',
        website: 'https://example.com',
        seats: 250,
        day: '2026-11-22',
        starts: '14:30',
        doorsOpenAt: moment,
        room: 1,
        level: 'beginner',
        isRecorded: true,
        conference: 'compilers',
      }),
    ]);
  },
};

/** An empty text is an empty text; where there is no empty value, an empty input sends null. */
export const EmptyFields: Story = {
  play: async ({ canvas, step, args, hasSent }) => {
    await step('Ada fills in what is required', async () => {
      await userEvent.type(await canvas.findByLabelText('Title'), 'On engines');
      await userEvent.click(canvas.getByRole('radio', { name: 'For beginners' }));
      await userEvent.click(canvas.getByRole('button', { name: 'Create' }));
      await waitFor(() => expect(args.onSuccess).toHaveBeenCalledTimes(1));
    });
    await hasSent('one POST', [
      sent.post('/talk').as('ada').json({
        title: 'On engines',
        abstract: '',
        website: '',
        seats: null,
        day: null,
        starts: null,
        doorsOpenAt: null,
        room: null,
        level: 'beginner',
        isRecorded: false,
        conference: 'compilers',
      }),
    ]);
  },
};

/** The browser checks the limits of each field, and goes to the first one that is not valid. Nothing is sent. */
export const LimitsOfFields: Story = {
  play: async ({ canvas, step, hasSent }) => {
    await step('no level is chosen', async () => {
      await userEvent.type(await canvas.findByLabelText('Title'), 'On engines');
      await userEvent.click(canvas.getByRole('button', { name: 'Create' }));
      await waitFor(() => expect(canvas.getByRole('radio', { name: 'For beginners' })).toHaveFocus());
    });
    for (const [label, value] of [
      ['Website', 'http://example.com'],
      ['Seats', '501'],
      ['Day', '2026-10-31'],
      // A year of five digits, which is typed easily.
      ['Day', '20261-11-22'],
      ['Doors open', '20261-11-22T14:30'],
    ] as const) {
      await step(`${label} is not valid`, async () => {
        await userEvent.click(canvas.getByRole('radio', { name: 'For beginners' }));
        await fireEvent.change(canvas.getByLabelText(label), { target: { value } });
        await userEvent.click(canvas.getByRole('button', { name: 'Create' }));
        await waitFor(() => expect(canvas.getByLabelText(label)).toHaveFocus());
        await expect(canvas.getByLabelText(label)).toBeInvalid();
        await fireEvent.change(canvas.getByLabelText(label), { target: { value: '' } });
      });
    }
    await hasSent('nothing was sent', []);
  },
};

/** The server refuses a radio group: the group has the error, and its first button the focus. */
export const RefusedGroup: Story = {
  play: async ({ canvas, step, journal }) => {
    const group = () => canvas.getByRole('radiogroup', { name: 'Level' });
    await step('Ada chooses a level that is full', async () => {
      await userEvent.type(await canvas.findByLabelText('Title'), 'On engines');
      await userEvent.click(canvas.getByRole('radio', { name: 'For experts' }));
      await userEvent.click(canvas.getByRole('button', { name: 'Create' }));
      await waitFor(() => expect(canvas.getByRole('radio', { name: 'For beginners' })).toHaveFocus());
      await expect(group()).toHaveAttribute('aria-invalid', 'true');
      await expect(group()).toHaveAccessibleDescription('Experts need no hint. This is full.');
      await expect(canvas.getByRole('radio', { name: 'For experts' })).toBeChecked();
    });
    await step('she chooses another, and the error goes', async () => {
      await userEvent.click(canvas.getByRole('radio', { name: 'For beginners' }));
      await expect(group()).not.toHaveAttribute('aria-invalid');
      await expect(canvas.queryByText('This is full.')).not.toBeInTheDocument();
    });
    await step('one POST', () => expect(journal.entries).toHaveLength(1));
  },
};

const recordInEachKindOfField: Story = {
  args: { action: 'partialUpdate', params: { id: '1' }, initial: talkRow },
  play: async ({ canvas, step, args, hasSent }) => {
    await step('the inputs show the talk', async () => {
      await expect(await canvas.findByLabelText('Seats')).toHaveValue(40);
      await expect(canvas.getByLabelText('Day')).toHaveValue('2026-11-22');
      await expect(canvas.getByLabelText('Starts at')).toHaveValue('14:30');
      const doors = new Date(canvas.getByLabelText<HTMLInputElement>('Doors open').value);
      await expect(doors.toISOString()).toBe(talkRow.doorsOpenAt);
      await expect(canvas.getByLabelText('Room')).toHaveDisplayValue('Attic');
      await expect(canvas.getByRole('radio', { name: 'For beginners' })).toBeChecked();
      await expect(canvas.getByLabelText('It may be recorded')).toBeChecked();
    });
    await step('Ada takes the room away, and sees that it is saved', async () => {
      await userEvent.selectOptions(canvas.getByLabelText('Room'), 'No room yet');
      await userEvent.click(canvas.getByRole('button', { name: 'Save' }));
      await canvas.findByText('Saved.', { selector: '[role="status"] *' });
      await expect(args.onSuccess).toHaveBeenCalledTimes(1);
    });
    await step('the note goes when she types on', async () => {
      await userEvent.type(canvas.getByLabelText('Title'), '!');
      await expect(canvas.getByRole('status')).toBeEmptyDOMElement();
    });
    await hasSent('one PATCH', [sent.patch('/talk/1').as('ada').json({ room: null, conference: 'compilers' })]);
  },
};

const noOptionAnyMore: Story = {
  args: { action: 'update', params: { id: '1' }, initial: { ...talkRow, room: 9 } },
  play: async ({ canvas, step, args, hasSent }) => {
    await step('Ada changes the title', async () => {
      await expect(await canvas.findByLabelText('Room')).toHaveDisplayValue('9');
      await userEvent.type(canvas.getByLabelText('Title'), ' twice{Enter}');
      await waitFor(() => expect(args.onSuccess).toHaveBeenCalledTimes(1));
    });
    await hasSent('the PUT has the room as it came', [
      sent
        .put('/talk/1')
        .as('ada')
        .json({ ...talkRow, title: 'On moths twice', room: 9 }),
    ]);
  },
};

/** A record fills each kind of input, also with a value that is no option any more. */
export const RecordInEachKindOfField: Story = inCases({
  'a PATCH sends what has changed, and the hidden field': recordInEachKindOfField,
  'a value that is no option any more stays until the user chooses another': noOptionAnyMore,
});

/** An input of the app's own gets the value, the id, the error and the ids that describe it. */
export const OwnInput: Story = {
  args: {
    fields: [
      {
        name: 'level',
        label: 'Level',
        required: true,
        hint: 'Experts need no hint.',
        renderField: ({ value, onChange, error, inputProps }) => (
          <div className={error && 'wrong'}>
            <input {...inputProps} list="levels" value={value} onChange={event => onChange(event.target.value)} />
            <button type="button" onClick={() => onChange('beginner')}>
              For beginners
            </button>
          </div>
        ),
      },
    ],
  },
  play: async ({ canvas, step, args, hasSent }) => {
    const input = await canvas.findByLabelText('Level');
    await step('Ada’s level is refused: the input has the error and the focus', async () => {
      await expect(input).toBeRequired();
      await userEvent.type(input, 'expert{Enter}');
      await waitFor(() => expect(input).toHaveAccessibleDescription('Experts need no hint. This is full.'));
      await expect(input).toHaveFocus();
      await expect(input).toBeInvalid();
      await expect(input.parentElement).toHaveClass('wrong');
    });
    await step('another button sets it, and it is accepted', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'For beginners' }));
      await expect(input).not.toHaveAttribute('aria-invalid');
      await userEvent.click(canvas.getByRole('button', { name: 'Create' }));
      await waitFor(() => expect(args.onSuccess).toHaveBeenCalledTimes(1));
    });
    await hasSent('two POSTs', [
      sent.post('/talk').as('ada').json({ level: 'expert' }),
      sent.post('/talk').as('ada').json({ level: 'beginner' }),
    ]);
  },
};

/** A page that gives the form another record of the same key, and another field, at each press. */
function Changing(args: ComponentProps<typeof meta.component>) {
  const [count, setCount] = useState(0);
  return (
    <>
      <button type="button" onClick={() => setCount(count + 1)}>
        Render again
      </button>
      <ResourceForm
        {...args}
        initial={{ title: `Title ${count}`, abstract: `Abstract ${count}` }}
        fields={[
          { name: 'title', label: `Title, rendered ${count} times` },
          ...(count > 0 ? [{ name: 'abstract', label: 'Abstract' } as const] : []),
        ]}
      />
    </>
  );
}

/** The page renders again, with another record and one more field: what the user has typed stays, and the other fields follow the record. */
export const RendersAgain: Story = {
  args: { action: 'partialUpdate', params: { id: '1' } },
  render: args => <Changing {...args} />,
  play: async ({ canvas, step, args, hasSent }) => {
    await step('Ada types, and the page renders twice', async () => {
      await userEvent.type(await canvas.findByLabelText(/^Title/), ' of hers');
      await userEvent.click(canvas.getByRole('button', { name: 'Render again' }));
      await userEvent.click(canvas.getByRole('button', { name: 'Render again' }));
      await expect(canvas.getByLabelText('Title, rendered 2 times')).toHaveValue('Title 0 of hers');
      await expect(canvas.getByLabelText('Abstract')).toHaveValue('Abstract 2');
      await userEvent.click(canvas.getByRole('button', { name: 'Save' }));
      await waitFor(() => expect(args.onSuccess).toHaveBeenCalledTimes(1));
    });
    await hasSent('one PATCH, of the title', [sent.patch('/talk/1').as('ada').json({ title: 'Title 0 of hers' })]);
  },
};

const innerFields: Story = {
  args: {
    fields: [
      { name: 'speaker.name', label: 'Name' },
      { name: 'speaker.email', label: 'E-mail', type: 'email' },
    ],
  },
  beforeEach: ({ msw }) => {
    const bodies = [{ errors: { 'speaker.email': ['Unknown address.'] } }, { speaker: { email: ['Unknown host.'] } }];
    msw.use(
      http.post('/api/talk', () => {
        const body = bodies.shift();
        return body && HttpResponse.json(body, { status: 422 });
      }),
    );
  },
  play: async ({ canvas, step, journal, args }) => {
    const email = await canvas.findByLabelText('E-mail');
    await step('the server names the field with dots', async () => {
      await userEvent.type(canvas.getByLabelText('Name'), 'Ada');
      await userEvent.type(email, 'ada@example.com{Enter}');
      await waitFor(() => expect(email).toHaveAccessibleDescription('Unknown address.'));
      await expect(canvas.getByLabelText('Name')).not.toHaveAttribute('aria-invalid');
    });
    await step('the server names it with objects', async () => {
      await userEvent.type(email, '{Enter}');
      await waitFor(() => expect(email).toHaveAccessibleDescription('Unknown host.'));
      await expect(email).toHaveValue('ada@example.com');
    });
    await step('it is accepted', async () => {
      await userEvent.type(email, '{Enter}');
      await waitFor(() => expect(args.onSuccess).toHaveBeenCalledTimes(1));
    });
    await step('the same POST three times', () => {
      const post = sent
        .post('/talk')
        .as('ada')
        .json({ speaker: { name: 'Ada', email: 'ada@example.com' } });
      return expect(journal).toHaveSent([post, post, post]);
    });
  },
};

const innerFieldsOfARecord: Story = {
  render: args => (
    <>
      {(['partialUpdate', 'update'] as const).map(action => (
        <ResourceForm
          {...args}
          key={action}
          action={action}
          label={action}
          params={{ id: '1' }}
          initial={talkRow}
          fields={[{ name: 'speaker.email', label: 'E-mail' }]}
        />
      ))}
    </>
  ),
  play: async ({ canvas, step, args, hasSent }) => {
    for (const [index, action] of ['partialUpdate', 'update'].entries()) {
      await step(`${action} shows the address and changes it`, async () => {
        const email = within(await canvas.findByRole('form', { name: action })).getByLabelText('E-mail');
        await expect(email).toHaveValue('grace@example.com');
        await userEvent.type(email, '.net{Enter}');
        await waitFor(() => expect(args.onSuccess).toHaveBeenCalledTimes(index + 1));
      });
    }
    await hasSent('one PATCH, one PUT', [
      sent
        .patch('/talk/1')
        .as('ada')
        .json({ speaker: { email: 'grace@example.com.net' } }),
      sent
        .put('/talk/1')
        .as('ada')
        .json({ ...talkRow, speaker: { name: 'Grace Hopper', email: 'grace@example.com.net' } }),
    ]);
  },
};

/** Dots in a name lead into an object. */
export const InnerFields: Story = inCases({
  'the body has the object, and an error of its field is at the input': innerFields,
  'a PATCH sends the changed field of an object, a PUT the whole object': innerFieldsOfARecord,
});

const tracks = [
  { value: 1, label: 'Languages' },
  { value: 2, label: 'Machines' },
  { value: 3, label: 'People' },
];

const listFields: NonNullable<Story['args']>['fields'] = [
  { name: 'title', label: 'Title' },
  { name: 'tags', label: 'Tags', type: 'list' },
  { name: 'tracks', label: 'Tracks', type: 'select', multiple: true, options: tracks },
];

const lists: Story = {
  args: { fields: listFields },
  play: async ({ canvas, step, args, hasSent }) => {
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
    await hasSent('one POST', [
      sent
        .post('/talk')
        .as('ada')
        .json({ title: 'On engines', tags: ['compilers', 'note G'], tracks: [1, 3] }),
    ]);
  },
};

/** A record fills the lists. A PATCH sends a list that has changed as a whole, and not the other one. An option that is gone stays chosen. */
export const ListsOfARecord: Story = {
  args: {
    fields: listFields,
    action: 'partialUpdate',
    params: { id: '1' },
    initial: { ...talkRow, tags: ['moths', 'logs'], tracks: [9, 2] },
  },
  play: async ({ canvas, step, args, hasSent }) => {
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
    await hasSent('two PATCHes', [
      sent
        .patch('/talk/1')
        .as('ada')
        .json({ tags: ['moths', 'logs', 'tape'] }),
      sent
        .patch('/talk/1')
        .as('ada')
        .json({ tags: [], tracks: [9, 2, 3] }),
    ]);
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
  args: { fields: listFields },
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
  play: async ({ canvas, step, args, hasSent }) => {
    await step('Ada fills in the form', async () => {
      await userEvent.type(await canvas.findByLabelText('Tags'), 'moths{Enter}logs');
      await userEvent.selectOptions(canvas.getByLabelText('Tracks'), ['Languages', 'Machines']);
      await userEvent.click(canvas.getByRole('button', { name: 'Create' }));
      await waitFor(() => expect(args.onSuccess).toHaveBeenCalledTimes(1));
    });
    await hasSent('one POST', [
      sent.post('/talk').as('ada').body('form-data{tags=moths, tags=logs, tracks=1, tracks=2}'),
    ]);
  },
};

/** Texts are typed one on each line, and options are chosen. Both are sent as arrays, or as parts of the same name in a form with a file. */
export const Lists: Story = inCases({
  'both are sent as arrays, and the form is empty for the next talk': lists,
  'in a form with a file, each entry is a part, as in an HTML form': listsInParts,
});

const manyRooms: FieldOption[] = [
  { value: 1, label: 'Great hall' },
  { value: 2, label: 'Attic' },
  { value: 3, label: 'Library' },
];
const found: FieldOption[] = [{ value: 4, label: 'Cellar' }];

/** A form whose options come from a search: the next search has other ones. */
function SearchedOptions({ field }: { field: object }) {
  const [options, setOptions] = useState(manyRooms);
  return (
    <>
      <ResourceForm
        resource={Talks}
        action="partialUpdate"
        params={{ id: '1' }}
        initial={{ id: '1', room: 1, tracks: [1] }}
        fields={[{ label: 'Room', options, ...field } as never]}
      />
      <button type="button" onClick={() => setOptions(found)}>
        Search for a cellar
      </button>
    </>
  );
}

const selectAttic = (canvas: ReturnType<typeof within>) =>
  userEvent.selectOptions(canvas.getByLabelText('Room'), 'Attic');

const choiceSurvivesTheSearch = (
  field: object,
  choose: (canvas: ReturnType<typeof within>) => Promise<void>,
  body: object,
): Story => ({
  render: () => <SearchedOptions field={field} />,
  play: async ({ canvas, step, journal }) => {
    await step('the user chooses the attic, and then the options change', async () => {
      await choose(canvas as ReturnType<typeof within>);
      await userEvent.click(canvas.getByRole('button', { name: 'Search for a cellar' }));
    });
    await step('the choice is still shown by its name, and is sent', async () => {
      await expect(canvas.getByText('Attic')).toBeInTheDocument();
      await userEvent.click(canvas.getByRole('button', { name: 'Save' }));
      await canvas.findByText('Saved.');
      await expect(journal).toHaveSent([sent.patch('/talk/1').as('ada').json(body)]);
    });
  },
});

/** An option that was chosen before a search replaced the options is still shown by its name, and is sent. */
export const ChosenOptionIsSent: Story = inCases({
  'in a select': choiceSurvivesTheSearch({ name: 'room', type: 'select' }, selectAttic, { room: 2 }),
  'in a select of several': choiceSurvivesTheSearch({ name: 'tracks', type: 'select', multiple: true }, selectAttic, {
    tracks: [1, 2],
  }),
  'among radio buttons': choiceSurvivesTheSearch(
    { name: 'room', type: 'radio' },
    canvas => userEvent.click(canvas.getByLabelText('Attic')),
    { room: 2 },
  ),
});

/** A value that is not among the options is shown, and what is shown is sent. */
export const ValueThatIsNoOptionIsShownAndSent: Story = {
  render: () => (
    <>
      <ResourceForm
        resource={Talks}
        action="push"
        initial={{ level: 'paris' }}
        fields={[
          { name: 'title', label: 'Title' },
          { name: 'level', label: 'Level', type: 'radio', options: [{ value: 'expert', label: 'For experts' }] },
        ]}
      />
    </>
  ),
  play: async ({ canvas, journal }) => {
    await expect(canvas.getByRole('radio', { name: 'paris' })).toBeChecked();
    await userEvent.click(canvas.getByRole('button', { name: 'Create' }));
    await waitFor(() => expect(journal).toHaveSent([sent.post('/talk').as('ada').json({ title: '', level: 'paris' })]));
  },
};

/** A number that JavaScript cannot hold is refused with a sentence, and stays as it was typed. */
export const InexactNumberIsRefused: Story = {
  render: () => (
    <>
      <ResourceForm resource={Talks} action="push" fields={[{ name: 'seats', label: 'Seats', type: 'number' }]} />
    </>
  ),
  play: async ({ canvas, step, journal }) => {
    const input = canvas.getByLabelText<HTMLInputElement>('Seats');
    await step('the user types sixteen digits', async () => {
      // Not by `userEvent`, which types what JavaScript can hold.
      await fireEvent.change(input, { target: { value: '9007199254740993' } });
      await userEvent.click(canvas.getByRole('button', { name: 'Create' }));
    });
    await step('the browser says why it sends nothing, and the number is as it was typed', async () => {
      await expect(input.validationMessage).toBe('This number has too many digits to be saved as it is.');
      await expect(input.value).toBe('9007199254740993');
      await expect(journal).toHaveSent([]);
    });
    await step('one digit less can be sent', async () => {
      await fireEvent.change(input, { target: { value: '900719925474099' } });
      await userEvent.click(canvas.getByRole('button', { name: 'Create' }));
      await waitFor(() => expect(journal).toHaveSent([sent.post('/talk').as('ada').json({ seats: 900719925474099 })]));
    });
  },
};
