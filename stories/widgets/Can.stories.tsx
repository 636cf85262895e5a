import type { Meta, StoryObj } from '@storybook/react-vite';
import { Can } from '../../src/entries/permissions.js';
import { ResourceForm, ResourceList, RowActions } from '../../src/entries/widgets.js';
import { setupPermissions } from '../support/setupPermissions.js';
import { setupWidgetApp } from '../support/setupWidgetApp.js';
import { Articles } from './resources.js';

const { auth, Provider, start } = setupWidgetApp();

/** Ada edits all articles, deletes the first one only, and changes no author. */
const server = setupPermissions(auth, ({ action, on, field }) => {
  if (field === 'author') return { allowed: false, reason: 'Only the editor changes the author.' };
  return action !== 'delete' || { allowed: on?.id === '1', reason: 'Published articles are not deleted.' };
});

/**
 * Shows its children to users who may do something. All questions of one render are sent with one request, and nothing that is denied is
 * ever shown. The provider has the prop `can`; [Permissions](?path=/docs/build-permissions--docs) says what it takes.
 */
const meta = {
  title: 'Widgets/Can',
  component: Can,
  decorators: [
    Story => (
      <Provider can={server.can}>
        <Story />
      </Provider>
    ),
  ],
  args: { action: 'delete', children: null },
  argTypes: { children: { control: false } },
  beforeEach: server.start(start('ada')),
  parameters: { docs: { story: { height: '210px' } } },
} satisfies Meta<typeof Can>;

export default meta;
type Story = StoryObj<typeof meta>;

/** The actions of rows. The second row may not be deleted, and says why. */
export const InRows: Story = {
  render: () => (
    <ResourceList
      resource={Articles}
      label="Articles"
      renderItem={(article, { partialUpdate, remove }) => (
        <>
          <span>{article.title}</span>
          <RowActions itemLabel={article.title}>
            <Can action="update" on={article}>
              <button type="button" onClick={() => void partialUpdate({ title: `${article.title}!` })}>
                Revise
              </button>
            </Can>
            <Can action="delete" on={article} fallback={({ reason }) => <small>{reason}</small>}>
              <button type="button" onClick={() => void remove()}>
                Delete
              </button>
            </Can>
          </RowActions>
        </>
      )}
    />
  ),
};

/** A form asks about itself and its fields, without a prop. The author may not be changed. */
export const InAForm: Story = {
  parameters: { docs: { story: { height: '300px' } } },
  render: () => (
    <ResourceForm
      resource={Articles}
      action="partialUpdate"
      params={{ id: '1' }}
      fields={[
        { name: 'title', label: 'Title' },
        { name: 'author', label: 'Author' },
      ]}
    />
  ),
};
