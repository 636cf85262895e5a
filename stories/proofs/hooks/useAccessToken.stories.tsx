import type { Meta, StoryObj } from '@storybook/react-vite';
import { useEffect } from 'react';
import { expect, fn, userEvent } from 'storybook/test';
import { Authenticated, useAccessToken, useAuth } from '../../../src/index.js';
import { setupTokenApp } from '../../support/setupTokenApp.js';
import { useCountOf } from '../../support/useCountOf.js';
import { useRenderCount } from '../../support/useRenderCount.js';
import { requestsOnly } from '../../support/requestsOnly.js';

const app = setupTokenApp();
const { sent } = app;

/** In an app this is `new WebSocket(...)`; the returned function closes it. */
const openSocket = fn<(token: string) => () => void>();
const closeSocket = fn();

/** A WebSocket needs the token as a value, since it cannot read it at send time. The token itself is never on the page. */
function Socket() {
  const token = useAccessToken();
  const opened = useCountOf(token);
  const renders = useRenderCount();
  useEffect(() => (token === undefined ? undefined : openSocket(token)), [token]);
  return <p>{`Sockets opened: ${opened} (rendered ${renders} times)`}</p>;
}

/** Uses the session, but not the value of its token. */
function Neighbour() {
  const { status } = useAuth();
  const renders = useRenderCount();
  return <p>{`${status} (rendered ${renders} times)`}</p>;
}

/** Proves that `useAccessToken()` re-renders its own component at each new token, and no other. */
const meta = {
  title: 'Proofs/Hooks',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly },
  render: () => (
    <app.Provider>
      <button type="button" onClick={() => void app.session.refresh()}>
        Refresh
      </button>
      <Authenticated>
        <Socket />
        <Neighbour />
      </Authenticated>
    </app.Provider>
  ),
  beforeEach: context => {
    openSocket.mockReset().mockReturnValue(closeSocket);
    closeSocket.mockReset();
    return app.start('ada')(context);
  },
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

/** A refresh renders the component that uses the token, and nothing beside it. */
export const RendersAtEachToken: Story = {
  play: async ({ canvas, step, journal }) => {
    await step('a socket is opened with Ada’s first token', async () => {
      await canvas.findByText('Sockets opened: 1 (rendered 1 times)');
      await expect(openSocket.mock.calls).toEqual([['ada-1']]);
    });
    await step(
      'she gets a second token: another socket is opened with it, and only the component with the token renders again',
      async () => {
        await userEvent.click(canvas.getByRole('button', { name: 'Refresh' }));
        await canvas.findByText('Sockets opened: 2 (rendered 2 times)');
        await expect(openSocket.mock.calls).toEqual([['ada-1'], ['ada-2']]);
        await expect(closeSocket).toHaveBeenCalledTimes(1);
        await expect(canvas.getByText('authenticated (rendered 1 times)')).toBeInTheDocument();
      },
    );
    await step('no token is on the page', () => expect(document.body).not.toHaveTextContent(/ada-\d/));
    await step('one refresh', () =>
      expect(journal).toHaveSent([sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' })]),
    );
  },
};
