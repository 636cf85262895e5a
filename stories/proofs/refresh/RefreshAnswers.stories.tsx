import type { Meta, StoryObj } from '@storybook/react-vite';
import { http, HttpResponse } from 'msw';
import { expect, userEvent, waitFor, within } from 'storybook/test';
import { createTokenSession, RestEndpoint, TokenAuthProvider } from '../../../src/index.js';
import { requestLines } from '../../../src/testing/index.js';
import { ActionButton } from '../../support/ActionButton.js';
import { api } from '../../support/articles.js';
import { AuthStatus } from '../../support/ArticlesDemo.js';
import { hangingResponses } from '../../support/hangingResponses.js';
import { manualTimers } from '../../support/manualTimers.js';
import { requestsOnly } from '../../support/requestsOnly.js';

const sent = requestLines({ prefix: api });

/** The possible answers to a refresh. */
const meta = {
  title: 'Proofs/Refresh',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly },
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

const signInAda = async () => ({ accessToken: 'ada-1', refreshToken: 'ada-refresh-1', user: { id: 'ada' } });

/** A session of Ada's with this refresh function, or with none. */
const renewedBy = (refresh?: () => Promise<unknown>) =>
  createTokenSession({ login: signInAda, restore: signInAda, ...(refresh && { refresh }) });
const renewal = (answer: string) =>
  new RestEndpoint({ urlPrefix: api, path: `/refresh/${answer}`, method: 'POST', body: undefined });

/** The possible answers to a refresh, each in a session of its own. */
const REFUSALS = {
  'status 400': renewedBy(() => renewal('400')()),
  'status 401': renewedBy(() => renewal('401')()),
  'status 403': renewedBy(() => renewal('403')()),
  'an OAuth error': renewedBy(() =>
    Promise.reject(Object.assign(new Error('The grant has ended.'), { error: 'invalid_grant' })),
  ),
};
const FAILURES = {
  'status 503': renewedBy(() => renewal('503')()),
  offline: renewedBy(() => renewal('offline')()),
  'no answer': renewedBy(() => renewal('silent')()),
};
const ANSWERS = { ...REFUSALS, ...FAILURES, 'no refresh option': renewedBy() };

/** How long a refresh may take. */
const timeouts = manualTimers(10_000);

const EXPIRED =
  'AbortError: The session has expired: the server refused its credentials. Sign in again, then start the request again.';
const UNAVAILABLE =
  'RefreshUnavailableError: The server that issues the credentials could not be reached. This signs no user out: try again when the network is back.';

/**
 * The outcomes of `session.refresh()`. 400, 401, 403 and an OAuth error end the session. Any other failure, such as
 * no answer in ten seconds, keeps it. A session without a `refresh` option rejects with an error that says so.
 */
export const EveryAnswer: Story = {
  parameters: { unanswered: true },
  beforeEach: [
    timeouts.start,
    ({ msw }) => {
      for (const session of Object.values(ANSWERS)) session.dispose();
      msw.use(
        http.post(`${api}/refresh/offline`, () => HttpResponse.error()),
        http.post(`${api}/refresh/:status`, ({ params }) => new HttpResponse(null, { status: Number(params.status) })),
      );
    },
    hangingResponses(`${api}/refresh/silent`),
  ],
  render: () => (
    <>
      {Object.entries(ANSWERS).map(([label, session]) => (
        <section key={label} aria-label={label}>
          <ActionButton label={`Refresh: ${label}`} act={() => session.refresh().then(() => 'Refreshed')} />
          <TokenAuthProvider session={session}>
            <AuthStatus />
          </TokenAuthProvider>
        </section>
      ))}
    </>
  ),
  play: async ({ canvas, step, journal }) => {
    const at = (label: string) => within(canvas.getByRole('region', { name: label }));
    const refresh = (label: string) => userEvent.click(at(label).getByRole('button'));
    await step('Ada is signed in to every session', async () => {
      await waitFor(() => expect(canvas.getAllByText('authenticated')).toHaveLength(Object.keys(ANSWERS).length));
    });
    await step('a refusal ends the session', async () => {
      for (const label of Object.keys(REFUSALS)) {
        await refresh(label);
        await at(label).findByText(EXPIRED);
        await at(label).findByText('anonymous: expired');
      }
    });
    await step('any other failure keeps it', async () => {
      for (const label of ['status 503', 'offline']) {
        await refresh(label);
        await at(label).findByText(UNAVAILABLE);
        await expect(at(label).getByText('authenticated')).toBeInTheDocument();
      }
    });
    await step('no answer in ten seconds keeps it too', async () => {
      await refresh('no answer');
      await waitFor(() => expect(journal.entries).toHaveLength(6));
      await expect(timeouts.running).toBe(1);
      timeouts.end();
      await at('no answer').findByText(UNAVAILABLE);
      await expect(at('no answer').getByText('authenticated')).toBeInTheDocument();
    });
    await step('a session without a `refresh` option says what is missing, and stays signed in', async () => {
      await refresh('no refresh option');
      await at('no refresh option').findByText(
        'TypeError: This session cannot refresh its credential: give it a `refresh` option.',
      );
      await expect(at('no refresh option').getByText('authenticated')).toBeInTheDocument();
    });
    await step('one try each', () =>
      expect(journal).toHaveSent(
        ['400', '401', '403', '503', 'offline', 'silent'].map(answer => sent.post(`/refresh/${answer}`)),
      ),
    );
  },
};
