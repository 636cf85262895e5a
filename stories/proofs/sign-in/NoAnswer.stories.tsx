import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, userEvent, waitFor, within } from 'storybook/test';
import { ActionButton } from '../../support/ActionButton.js';
import { ArticlesDemo, AuthStatus, SignInButtons } from '../../support/ArticlesDemo.js';
import { hangingResponses } from '../../support/hangingResponses.js';
import { manualTimers } from '../../support/manualTimers.js';
import { requestsOnly } from '../../support/requestsOnly.js';
import { ownApi, setupCookieApp } from '../../support/setupCookieApp.js';
import { setupTokenApp } from '../../support/setupTokenApp.js';

const tokens = setupTokenApp({ url: ownApi });
const { sent } = tokens;
const cookies = setupCookieApp();

/** A check for a session, or a sign-out, that the server never answers. */
const meta = {
  title: 'Proofs/Sign-in',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly },
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

/** How long the server may take for a whoami or a logout. */
const timeouts = manualTimers(30_000);

/** The server never answers: she is signed out on this page at once, and after ten seconds the logout rejects. */
export const NoAnswer: Story = {
  parameters: {
    cookies: cookies.cookies,
    unanswered: true,
    expectedConsoleErrors: [/^NetworkError: (\S+: )?Unauthorized/],
  },
  beforeEach: [
    tokens.start('ada'),
    cookies.start('ada'),
    timeouts.start,
    hangingResponses(`${ownApi}/logout`, `${ownApi}/whoami`),
  ],
  render: () => (
    <>
      <section aria-label="A sign-out">
        <ActionButton label="Sign out of the first" act={() => tokens.session.logout().then(() => 'Signed out')} />
        <tokens.Provider>
          <AuthStatus />
        </tokens.Provider>
      </section>
      <section aria-label="A question who is there">
        <cookies.Provider>
          <AuthStatus />
          <SignInButtons />
          <ArticlesDemo articles={cookies.Articles} />
        </cookies.Provider>
      </section>
    </>
  ),
  play: async ({ canvas, step, journal }) => {
    const first = within(canvas.getByRole('region', { name: 'A sign-out' }));
    const second = within(canvas.getByRole('region', { name: 'A question who is there' }));
    await step('Ada signs out, and the page is signed out at once', async () => {
      await first.findByText('authenticated');
      await userEvent.click(first.getByRole('button'));
      await first.findByText('anonymous: signed-out');
      await waitFor(() => expect(journal.entries).toHaveLength(2));
    });
    await step('on a second page, the session is still restoring, and a request waits', async () => {
      await expect(second.getByText('restoring')).toBeInTheDocument();
      await expect(second.getByText('Fetching…')).toBeInTheDocument();
    });
    await step('thirty seconds are over: the logout rejects, since the server may not know of it', async () => {
      timeouts.end();
      await first.findByText('TimeoutError: No answer within 30000 ms.');
    });
    await step(
      'the second page is signed out, `error` says why, and the request is sent without a credential',
      async () => {
        await second.findByText('anonymous');
        await second.findByText(/^The server that issues the credentials could not be reached\./);
        await second.findByText('Refused: 401');
      },
    );
    await step('one logout, one whoami, one read without a cookie', () =>
      expect(journal).toHaveSent(
        [sent.get('/whoami'), sent.post('/logout').as('ada'), sent.get('/article').credentials('omit')],
        { anyOrder: true },
      ),
    );
  },
};
