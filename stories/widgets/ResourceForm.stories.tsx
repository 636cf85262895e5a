import type { Meta, StoryObj } from '@storybook/react-vite';
import { http, HttpResponse } from 'msw';
import { Entity, hookifyResource, resource, ResourceForm, ResourceList } from '../../src/index.js';
import { resourceHandlers } from '../../src/testing/index.js';
import { atStart } from '../support/atStart.js';
import { ownApi } from '../support/setupCookieApp.js';
import { setupWidgetApp } from '../support/setupWidgetApp.js';
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

class Talk extends Entity {
  id = '';
  title = '';
  email = '';
  date = '';
  seats = 0;
  isPublic = false;
}

const talkResource = resource({ urlPrefix: ownApi, path: '/talk/:id', schema: Talk });
const Talks = hookifyResource(talkResource);
const talks = resourceHandlers(talkResource, [], { auth });

/** The `type` of a field is that of its input. A checkbox gives a boolean, and a number input gives a number. */
export const InputTypes: Story = {
  render: () => (
    <ResourceForm
      resource={Talks}
      action="push"
      fields={[
        { name: 'title', label: 'Title', required: true },
        { name: 'email', label: 'E-mail', type: 'email', autoComplete: 'email' },
        { name: 'date', label: 'Date', type: 'date' },
        { name: 'seats', label: 'Seats', type: 'number' },
        { name: 'isPublic', label: 'Open to the public', type: 'checkbox' },
      ]}
    />
  ),
  beforeEach: atStart(({ msw }) => {
    talks.reset();
    msw.use(...talks.handlers);
  }),
  parameters: { docs: { story: { height: '480px' } } },
};
