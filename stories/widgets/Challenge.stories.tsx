import type { Meta, StoryObj } from '@storybook/react-vite';
import { Challenge } from '../../src/entries/step-up.js';
import { ResourceList } from '../../src/entries/widgets.js';
import { challenge, setupStepUp } from '../support/setupStepUp.js';
import { setupWidgetApp } from '../support/setupWidgetApp.js';
import { Articles } from './resources.js';

const app = setupWidgetApp({ extensions: [challenge()] });
const server = setupStepUp(() => app.auth);

/**
 * Asks the user for a password or a code when the server wants more than a sign-in. Requests that wait are sent again after the answer, and
 * reject when the user cancels. The session has the extension `stepUp()`; [Step-up](?path=/docs/build-step-up--docs) says what it takes.
 */
const meta = {
  title: 'Widgets/Challenge',
  component: Challenge,
  decorators: [
    Story => (
      <app.Provider>
        <Story />
      </app.Provider>
    ),
  ],
  argTypes: { fields: { control: false }, title: { control: false }, children: { control: false } },
  beforeEach: server.start(app.start('ada')),
  parameters: { cookies: app.cookies, docs: { story: { height: '360px' } } },
} satisfies Meta<typeof Challenge>;

export default meta;
type Story = StoryObj<typeof meta>;

/** Delete an article: the server asks for the password first, which is `lovelace`. Type another one, or press Escape. */
export const BeforeADeletion: Story = {
  render: () => (
    <>
      <ResourceList
        resource={Articles}
        label="Articles"
        renderItem={(article, { remove }) => (
          <>
            <span>{article.title}</span>{' '}
            <button type="button" className="dca-button" onClick={() => void remove().catch(() => undefined)}>
              Delete
            </button>
          </>
        )}
      />
      <Challenge>{() => 'Deleting needs your password. It is “lovelace”.'}</Challenge>
    </>
  ),
};
