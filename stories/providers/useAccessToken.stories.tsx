import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, userEvent } from 'storybook/test';
import { Authenticated, useAccessToken, useAuth } from '../../src/index.js';
import { tokenWorld } from '../support/tokenWorld.js';
import { useRenderCount } from '../support/useRenderCount.js';

const world = tokenWorld();

/** What cannot ask at send time needs the token as a value: the address of a WebSocket, for one. */
function SocketAddress() {
  const token = useAccessToken();
  const renders = useRenderCount();
  return <p>{`wss://api.example.com?token=${token} (rendered ${renders} times)`}</p>;
}

/** Uses the session, but not the value of its token. */
function Neighbour() {
  const { status } = useAuth();
  const renders = useRenderCount();
  return <p>{`${status} (rendered ${renders} times)`}</p>;
}

/**
 * `useAccessToken()` gives the token as a value and renders again at each new one. To send it, nothing of this is needed; the
 * specification discourages it for state that is not displayed.
 */
const meta = {
  title: 'Providers/useAccessToken',
  render: () => (
    <world.Provider>
      <button type="button" onClick={() => void world.session.refresh()}>
        Refresh
      </button>
      <Authenticated>
        <SocketAddress />
        <Neighbour />
      </Authenticated>
    </world.Provider>
  ),
  beforeEach: world.start('ada'),
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

/** A refresh renders what shows the token, and nothing beside it. */
export const RendersAtEachToken: Story = {
  play: async ({ canvas, step, journal }) => {
    await step('Ada’s first token is there', async () => {
      await canvas.findByText('wss://api.example.com?token=ada-1 (rendered 1 times)');
    });
    await step('she gets a second, and only what shows it renders again', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Refresh' }));
      await canvas.findByText('wss://api.example.com?token=ada-2 (rendered 2 times)');
      await expect(canvas.getByText('authenticated (rendered 1 times)')).toBeInTheDocument();
    });
    await step('one refresh', () =>
      expect(journal).toHaveSent(['POST https://api.example.com/refresh  same-origin  {"refreshToken":"ada-refresh-1"}']));
  },
};
