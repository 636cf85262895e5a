import type { Meta, StoryObj } from '@storybook/react-vite';
import { ResourceDetail } from '../../src/entries/widgets.js';
import { atStart } from '../support/atStart.js';
import { setupWidgetApp } from '../support/setupWidgetApp.js';
import { Articles } from './resources.js';

const { articles, Provider, start } = setupWidgetApp();

/** One record of a resource, with its actions. In the examples, `Articles` is a hookified resource, and Ada is signed in. */
const meta = {
  title: 'Widgets/ResourceDetail',
  component: ResourceDetail<typeof Articles>,
  args: {
    resource: Articles,
    params: { id: '1' },
    label: 'Article',
    renderItem: article => (
      <>
        <h3>{article.title}</h3>
        <p>{article.content}</p>
        <dl>
          <dt>Author</dt>
          <dd>{article.author}</dd>
        </dl>
      </>
    ),
  },
  render: args => <ResourceDetail {...args} />,
  decorators: [
    Story => (
      <Provider>
        <Story />
      </Provider>
    ),
  ],
  beforeEach: start('ada'),
  parameters: { docs: { story: { height: '200px' } } },
} satisfies Meta<typeof ResourceDetail<typeof Articles>>;

export default meta;
type Story = StoryObj<typeof ResourceDetail<typeof Articles>>;

/** `params` name the record. While they are null, nothing is fetched. */
export const Basic: Story = {};

/** `partialUpdate` sends a PATCH with the change. `update` sends a PUT, and `invalidate` fetches the record again. */
export const Edit: Story = {
  args: {
    renderItem: (article, { partialUpdate, pending }) => (
      <>
        <h3>{article.title}</h3>
        <button
          type="button"
          disabled={pending}
          onClick={() => void partialUpdate({ title: `${article.title}, revised` })}
        >
          Revise
        </button>
      </>
    ),
  },
};

/** `deleteMode` works as in a list. The slot `removed` is shown after the deletion. */
export const UndoDelete: Story = {
  args: {
    deleteMode: 'undo',
    getItemLabel: article => article.title,
    renderItem: (article, { remove }) => (
      <>
        <h3>{article.title}</h3>
        <button type="button" onClick={() => void remove()}>
          Delete
        </button>
      </>
    ),
    removed: <p>The article is deleted.</p>,
  },
};

/** There is no such record. The slot `notFound` replaces the text and its button. */
export const Empty: Story = {
  args: {
    params: { id: '99' },
    notFound: <p role="alert">There is no article 99.</p>,
  },
  parameters: { docs: { story: { height: '90px' } } },
};

/** The record is pending. After 300 ms, the widget says so; the slot `loading` replaces the text. */
export const Loading: Story = {
  beforeEach: atStart(() => void articles.hold()),
  parameters: { unanswered: true, docs: { story: { height: '220px' } } },
};

/** Article 3 is Grace's. The server answers 403, and Ada stays signed in. */
export const Refused: Story = {
  args: { params: { id: '3' } },
  parameters: { docs: { story: { height: '150px' } } },
};

/** There is no connection. The button tries again. */
export const Offline: Story = {
  beforeEach: atStart(() => articles.failNext('network')),
  parameters: { docs: { story: { height: '180px' } } },
};
