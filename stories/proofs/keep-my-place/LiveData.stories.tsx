import { AsyncBoundary, useLive } from '@data-client/react';
import type { Meta, StoryObj } from '@storybook/react-vite';
import { http, HttpResponse } from 'msw';
import { StrictMode, useMemo } from 'react';
import { expect, screen, userEvent, waitFor, within } from 'storybook/test';
import { Authenticated } from '../../../src/index.js';
import { lock } from '../../../src/entries/lock.js';
import { managers, type Identity } from '../../../src/entries/managers.js';
import { LoginForm } from '../../../src/entries/widgets.js';
import { StreamManager } from '../../providers/shown/managers/StreamManager.js';
import { articleResource } from '../../support/articles.js';
import { createMockFeed } from '../../support/createMockFeed.js';
import { ownApi } from '../../support/setupCookieApp.js';
import type { Mechanism } from '../../support/linesUnder.js';
import { setupWidgetApp } from '../../support/setupWidgetApp.js';
import { inCases } from '../../support/inCases.js';

const POLL_MS = 50;
const app = setupWidgetApp();
const onExpiry = lock();
const feed = createMockFeed();
const streams = managers(({ subject = 'signed out' }: Identity) => [
  new StreamManager(() => feed.open(subject), articleResource(ownApi).get),
]);

/** Reads an article again and again. */
function Polled() {
  const get = app.Articles.useGet();
  const polled = useMemo(() => get.extend({ pollFrequency: POLL_MS }), [get]);
  return <p>{useLive(polled, { id: '1' }).title}</p>;
}

/** What runs by itself stops while the session is locked, and begins again for the same user. */
const meta = {
  title: 'Proofs/Keep my place/Live data',
  tags: ['proof', '!autodocs'],
  parameters: { cookies: app.cookies },
  beforeEach: [app.start('ada'), () => feed.reset()],
  render: () => (
    <StrictMode>
      <app.Provider onExpiry={onExpiry} managers={streams}>
        <Authenticated fallback={<LoginForm />} locked={<LoginForm />}>
          <AsyncBoundary fallback={null}>
            <Polled />
          </AsyncBoundary>
        </Authenticated>
      </app.Provider>
    </StrictMode>
  ),
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

function stopsAndBegins(mechanism: Mechanism): Story {
  return {
    globals: { mechanism },
    play: async ({ canvas, msw, step, journal }) => {
      const reads = () => journal.entries.filter(({ url }) => url.endsWith('/article/1')).length;
      let atLock = 0;
      let openedBefore = 0;
      await step('Ada’s article is read again and again, and her socket is open', async () => {
        await canvas.findByText('On signing in');
        await waitFor(() => expect(reads()).toBeGreaterThan(2));
        await expect(feed.counts().open).toBe(1);
        openedBefore = feed.counts().opened;
      });
      await step('the server has ended her session: no socket, and nothing is read while she signs in', async () => {
        const refuse = () => HttpResponse.json({}, { status: 401 });
        msw.use(
          ...[http.get('/api/article/1', refuse, { once: true }), http.post('/api/refresh', refuse, { once: true })],
          http.get('/api/whoami', refuse, { once: true }),
        );
        const form = within(await screen.findByRole('dialog', { name: /^Your session has ended/ }));
        await expect(feed.counts().open).toBe(0);
        atLock = reads();
        const lockedAt = performance.now();
        await userEvent.type(form.getByLabelText('User name'), 'ada');
        await userEvent.type(form.getByLabelText('Password'), 'lovelace');
        await waitFor(() => expect(performance.now() - lockedAt).toBeGreaterThan(4 * POLL_MS));
        await expect(reads()).toBe(atLock);
        await userEvent.click(form.getByRole('button', { name: 'Sign in' }));
      });
      await step('both begin again: one socket more, and reads', async () => {
        await waitFor(() => expect(feed.counts().open).toBe(1));
        await expect(feed.counts().opened).toBe(openedBefore + 1);
        await waitFor(() => expect(reads()).toBeGreaterThan(atLock + 2));
        await expect(canvas.getByText('On signing in')).toBeVisible();
      });
    },
  };
}

/** While the page is locked there is no socket and no polling; both begin again after the sign-in. */
export const LiveDataAtALock: Story = inCases({
  'with tokens': stopsAndBegins('token'),
  'with a cookie': stopsAndBegins('cookie'),
});
