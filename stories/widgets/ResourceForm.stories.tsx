import type { Meta, StoryObj } from '@storybook/react-vite';
import { http, HttpResponse } from 'msw';
import { ResourceForm, ResourceList } from '../../src/entries/widgets.js';
import { atStart } from '../support/atStart.js';
import { ownApi } from '../support/setupCookieApp.js';
import { setupWidgetApp } from '../support/setupWidgetApp.js';
import { talkHandlers, Talks } from '../support/talks.js';
import { Articles } from './resources.js';

const { auth, Provider, start } = setupWidgetApp({
  articles: { validate: ({ title }) => (title === '' ? { title: ['A title is needed.'] } : undefined) },
});

/**
 * A form that creates or changes a record. Lists and details elsewhere on the page update. In the examples, `Articles` is a
 * hookified resource, and Ada is signed in.
 */
const meta = {
  title: 'Widgets/ResourceForm',
  component: ResourceForm<typeof Articles, 'push' | 'unshift' | 'update' | 'partialUpdate'>,
  args: {
    resource: Articles,
    action: 'push',
    fields: [
      { name: 'title', label: 'Title' },
      { name: 'content', label: 'Content', type: 'textarea' },
    ],
  },
  render: args => <ResourceForm {...args} />,
  decorators: [
    Story => (
      <Provider>
        <Story />
      </Provider>
    ),
  ],
  beforeEach: start('ada'),
  parameters: { docs: { story: { height: '310px' } } },
} satisfies Meta<typeof ResourceForm<typeof Articles, 'push' | 'unshift' | 'update' | 'partialUpdate'>>;

export default meta;
type Story = StoryObj<typeof meta>;

/** `action="push"` creates a record at the end of its list, `"unshift"` at its start. The list is another widget, and shows the new row. */
export const Basic: Story = {
  render: args => (
    <>
      <ResourceForm {...args} />
      <ResourceList resource={Articles} label="Articles" renderItem={article => article.title} />
    </>
  ),
  parameters: { docs: { story: { height: '420px' } } },
};

/** `action="partialUpdate"` changes the record that `params` name. The PATCH has only the changed fields. */
export const Edit: Story = {
  args: {
    action: 'partialUpdate',
    params: { id: '1' },
    initial: { title: 'On signing in', content: 'Knock, and say who you are.' },
    submitLabel: 'Save changes',
  },
};

/** `action="update"` replaces the record. The PUT has all of `initial`, with the changes. */
export const Replace: Story = {
  args: {
    action: 'update',
    params: { id: '1' },
    initial: { id: '1', title: 'On signing in', content: 'Knock, and say who you are.', author: 'ada' },
    fields: [{ name: 'title', label: 'Title', required: true }],
  },
  parameters: { docs: { story: { height: '170px' } } },
};

/** Leave the title empty: the server answers 422 and names the field. The error is shown at the field, which gets the focus. */
export const FieldErrors: Story = {};

/** If your server has its own format for errors, `getFieldErrors` reads it. This server refuses the first title. */
export const OwnFieldErrors: Story = {
  args: {
    fields: [{ name: 'title', label: 'Title' }],
    getFieldErrors: body => ({ title: [(body as { problem: string }).problem] }),
  },
  beforeEach: atStart(({ msw }) =>
    msw.use(
      http.post(
        `${ownApi}/article`,
        () => HttpResponse.json({ problem: 'There is an article with this title.' }, { status: 422 }),
        { once: true },
      ),
    ),
  ),
  parameters: { docs: { story: { height: '250px' } } },
};

/** Without `initial`, the form reads the record with `get`: from the store, else from the server. */
export const ReadsItsRecord: Story = {
  args: { action: 'partialUpdate', params: { id: '1' } },
};

const talks = talkHandlers(auth);
const startTalks = atStart(({ msw }) => {
  talks.reset();
  msw.use(...talks.handlers);
});

/**
 * The `type` of a field is that of its input, and decides what else the field takes. A number input sends a number, a checkbox a boolean, a
 * select and a radio group the `value` of the option. A select with `multiple`, and a list of texts, send an array.
 */
export const InputTypes: Story = {
  render: () => (
    <ResourceForm
      resource={Talks}
      action="push"
      fields={[
        { name: 'title', label: 'Title', required: true, maxLength: 60, placeholder: 'On …' },
        { name: 'abstract', label: 'Abstract', type: 'textarea', hint: 'Two or three sentences.' },
        { name: 'website', label: 'Website', type: 'url', autoComplete: 'url' },
        { name: 'seats', label: 'Seats', type: 'number', min: 1, max: 500 },
        { name: 'day', label: 'Day', type: 'date', min: '2026-01-01' },
        { name: 'starts', label: 'Starts at', type: 'time' },
        { name: 'doorsOpenAt', label: 'Doors open', type: 'datetime-local' },
        {
          name: 'room',
          label: 'Room',
          type: 'select',
          placeholder: 'No room yet',
          options: [
            { value: 1, label: 'Great hall' },
            { value: 2, label: 'Attic' },
          ],
        },
        {
          name: 'level',
          label: 'Level',
          type: 'radio',
          required: true,
          options: [
            { value: 'beginner', label: 'For beginners' },
            { value: 'expert', label: 'For experts' },
          ],
        },
        {
          name: 'tracks',
          label: 'Tracks',
          type: 'select',
          multiple: true,
          size: 3,
          options: [
            { value: 1, label: 'Languages' },
            { value: 2, label: 'Machines' },
            { value: 3, label: 'People' },
          ],
        },
        { name: 'tags', label: 'Tags', type: 'list', placeholder: 'compilers' },
        { name: 'isRecorded', label: 'It may be recorded', type: 'checkbox' },
        { name: 'conference', type: 'hidden', value: 'compilers' },
      ]}
    />
  ),
  beforeEach: startTalks,
  parameters: { docs: { story: { height: '1340px' } } },
};

/** A form with a file field sends `multipart/form-data`. */
export const Files: Story = {
  render: () => (
    <ResourceForm
      resource={Talks}
      action="push"
      fields={[
        { name: 'title', label: 'Title', required: true },
        {
          name: 'slides',
          label: 'Slides',
          type: 'file',
          accept: '.pdf',
          multiple: true,
          hint: 'One or more PDF files.',
        },
      ]}
    />
  ),
  beforeEach: startTalks,
  parameters: { docs: { story: { height: '270px' } } },
};

/** Dots in a name lead into an object: the body is `{ speaker: { name, email } }`. */
export const InnerFields: Story = {
  render: () => (
    <ResourceForm
      resource={Talks}
      action="partialUpdate"
      params={{ id: '1' }}
      fields={[
        { name: 'speaker.name', label: 'Name' },
        { name: 'speaker.email', label: 'E-mail', type: 'email' },
      ]}
    />
  ),
  beforeEach: startTalks,
  parameters: { docs: { story: { height: '250px' } } },
};

/** `renderField` renders an input of your own. The label, the hint and the error stay around it, and `inputProps` connects it with them. */
export const OwnInput: Story = {
  render: () => (
    <ResourceForm
      resource={Talks}
      action="push"
      fields={[
        { name: 'title', label: 'Title', required: true },
        {
          name: 'seats',
          label: 'Seats',
          type: 'number',
          hint: 'As many as the room has.',
          renderField: ({ value, onChange, inputProps }) => (
            <div>
              <input
                {...inputProps}
                type="range"
                min="10"
                max="500"
                step="10"
                value={value || '10'}
                onChange={event => onChange(event.target.value)}
              />
              <output htmlFor={inputProps.id}>{value || 'not chosen yet'}</output>
            </div>
          ),
        },
      ]}
    />
  ),
  beforeEach: startTalks,
  parameters: { docs: { story: { height: '330px' } } },
};

/**
 * An action that neither creates nor edits: `changePassword` is an endpoint of the resource. After a success the form is empty and says so.
 * The current password is “lovelace”.
 */
export const OwnAction: Story = {
  render: () => (
    <ResourceForm
      resource={Talks}
      action="changePassword"
      submitLabel="Change password"
      success="Your password is changed."
      fields={[
        {
          name: 'current',
          label: 'Current password',
          type: 'password',
          autoComplete: 'current-password',
          required: true,
        },
        {
          name: 'next',
          label: 'New password',
          type: 'password',
          autoComplete: 'new-password',
          minLength: 8,
          required: true,
          hint: 'At least 8 characters.',
        },
      ]}
    />
  ),
  beforeEach: atStart(({ msw }) =>
    msw.use(
      http.post(`${ownApi}/password`, async ({ request }) => {
        const { current } = (await request.json()) as { current: string };
        if (current === 'lovelace') return HttpResponse.json({ changedAt: '2026-11-22' });
        return HttpResponse.json({ errors: { current: ['This is not your password.'] } }, { status: 422 });
      }),
    ),
  ),
  parameters: { docs: { story: { height: '300px' } } },
};
