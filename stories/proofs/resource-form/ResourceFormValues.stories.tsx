import type { Meta, StoryObj } from '@storybook/react-vite';
import { useState } from 'react';
import { expect, fireEvent, userEvent, waitFor, type within } from 'storybook/test';
import { ResourceForm, type FieldOption } from '../../../src/entries/widgets.js';
import { inCases } from '../../support/inCases.js';
import { setupWidgetApp } from '../../support/setupWidgetApp.js';
import { talkHandlers, Talks } from '../../support/talks.js';

const app = setupWidgetApp();
const { sent } = app;
const talks = talkHandlers(app.auth);

const rooms: FieldOption[] = [
  { value: 1, label: 'Great hall' },
  { value: 2, label: 'Attic' },
  { value: 3, label: 'Library' },
];
const found: FieldOption[] = [{ value: 4, label: 'Cellar' }];

/** A form whose options come from a search: the next search has other ones. */
function SearchedOptions({ field }: { field: object }) {
  const [options, setOptions] = useState(rooms);
  return (
    <app.Provider>
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
    </app.Provider>
  );
}

/** Proves that a form sends what the user has entered and chosen. */
const meta = {
  title: 'Proofs/ResourceForm',
  tags: ['proof', '!autodocs'],
  beforeEach: [
    app.start('ada'),
    ({ msw }) => {
      talks.reset();
      msw.use(...talks.handlers);
    },
  ],
} satisfies Meta;
export default meta;

type Story = StoryObj;

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
    <app.Provider>
      <ResourceForm
        resource={Talks}
        action="push"
        initial={{ level: 'paris' }}
        fields={[
          { name: 'title', label: 'Title' },
          { name: 'level', label: 'Level', type: 'radio', options: [{ value: 'expert', label: 'For experts' }] },
        ]}
      />
    </app.Provider>
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
    <app.Provider>
      <ResourceForm resource={Talks} action="push" fields={[{ name: 'seats', label: 'Seats', type: 'number' }]} />
    </app.Provider>
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
