import type { Meta, StoryObj } from '@storybook/react-vite';
import { DemoApp as IssueTracker, start } from './support/setupDemoApp.js';

/** The app of `examples/issue-tracker`, on a mock server. */
const meta = {
  title: 'Demo app',
  tags: ['!autodocs'],
  // In a frame as high as the list, what has a fixed place in the window would be out of sight: the warning, the lock.
  parameters: { layout: 'fullscreen', scrolls: true, docs: { story: { height: '640px' } } },
  globals: { mechanism: 'token' },
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

/** An issue tracker: sign-in, list, filter, detail, edit, undo, expiry, permissions, a password dialog, an idle warning, live comments, attachments, the app as another user sees it, and a switch of the user. */
export const DemoApp: Story = {
  name: 'Demo app',
  beforeEach: start('ada'),
  render: () => <IssueTracker />,
};
