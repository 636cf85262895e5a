import { useController } from '@data-client/react';
import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, userEvent, waitFor, within } from 'storybook/test';
import { createTokenSession, hookifyResource, RestEndpoint, TokenAuthProvider } from '../../../src/index.js';
import { ResourceDetail } from '../../../src/entries/widgets.js';
import { resourceHandlers } from '../../../src/testing/index.js';
import { ActionButton } from '../../support/ActionButton.js';
import { api, articleResource } from '../../support/articles.js';
import { CountedPage } from '../../support/CountedPage.js';
import { Rename } from '../../support/Rename.js';
import { requestsOnly } from '../../support/requestsOnly.js';
import { setupTokenApp } from '../../support/setupTokenApp.js';
import { http, HttpResponse } from 'msw';
import { ArticlesDemo, AuthStatus } from '../../support/ArticlesDemo.js';
import { hangingResponses } from '../../support/hangingResponses.js';
import { manualTimers } from '../../support/manualTimers.js';
import { setupSdkRefresh } from '../../support/setupRefreshCase.js';

const app = setupTokenApp();
const { sent } = app;

/** News, which everybody may read. Their class is that of the articles, so they have ids of their own: one id is one record in the store. */
const newsResource = articleResource(`${api}/news`);
const News = hookifyResource({ ...newsResource, get: newsResource.get.extend({ public: true }) });
const news = resourceHandlers(newsResource, [{ id: '9', title: 'The library is open', content: '', author: '' }]);

/** What other requests do while a refresh is under way, and what its answers mean. The session refreshes its token itself. */
const meta = {
  title: 'Proofs/Refresh',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly },
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

/** A public resource is read after an expiry as before it: only the refused request waits. */
export const PublicReadsGoOn: Story = {
  beforeEach: [
    app.start('ada'),
    ({ msw }) => msw.use(...news.handlers),
    () => app.server.refuseEverything(),
    () => void app.server.holdRefresh(),
  ],
  render: (_, { journal }) => (
    <CountedPage journal={journal} app={app} buttons={null}>
      <ResourceDetail resource={app.Articles} params={{ id: '1' }} renderItem={article => article.title} />
      <ResourceDetail resource={News} params={{ id: '9' }} renderItem={article => article.title} />
    </CountedPage>
  ),
  play: async ({ canvas, step, hasSent }) => {
    await step('the news are shown while Ada’s article waits for the refresh', async () => {
      const release = app.server.holdRefresh();
      await canvas.findByText('The library is open');
      await release.reached;
      release();
    });
    await step('the server ends Ada’s session: her article is gone, and the news are shown', async () => {
      await canvas.findByText('anonymous: expired');
      await canvas.findByText('Your session has ended. Sign in to continue.');
      await canvas.findByText('The library is open');
    });
    await hasSent(
      'the news were read once for each store; the refused article once more with the young token',
      [
        sent.get('/article/1').as('ada'),
        sent.get('/news/article/9').credentials('omit'),
        sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' }),
        sent.get('/article/1').as('ada', 2),
        sent.get('/article/1').as('ada', 2),
        sent.get('/news/article/9').credentials('omit'),
      ],
      { anyOrder: true },
    );
  },
};

/** Reads the second article by a direct call. */
function ReadSecond() {
  const controller = useController();
  const get = app.Articles.useGet();
  return <ActionButton label="Read the second" act={async () => (await controller.fetch(get, { id: '2' })).title} />;
}

/** A request that is started while a refresh is under way waits for it: it is sent once, with the new token. */
export const RequestStartsDuringARefresh: Story = {
  beforeEach: app.start('ada'),
  render: (_, { journal }) => (
    <CountedPage journal={journal} app={app} buttons={null}>
      <Rename articles={app.Articles} ids={['1']}>
        Rename the first
      </Rename>
      <ReadSecond />
    </CountedPage>
  ),
  play: async ({ canvas, step, journal, hasSent }) => {
    const release = app.server.holdRefresh();
    await step('Ada’s token has expired, and her rename waits for the refresh', async () => {
      await canvas.findByText('authenticated');
      app.server.expire();
      await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
      await waitFor(() => expect(app.server.held).toBe(1));
    });
    await step('she reads another article, and the refresh is answered', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Read the second' }));
      release();
      await canvas.findByText('On signing out');
      await journal.settled();
    });
    await hasSent(
      'the rename is sent twice, the read once',
      [
        sent.patch('/article/1').as('ada').json({ title: 'Renamed 1' }),
        sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' }),
        sent.patch('/article/1').as('ada', 2).json({ title: 'Renamed 1' }),
        sent.get('/article/2').as('ada', 2),
      ],
      { anyOrder: true },
    );
  },
};

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
  play: async ({ canvas, step, journal, hasSent }) => {
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
    await hasSent(
      'one try each',
      ['400', '401', '403', '503', 'offline', 'silent'].map(answer => sent.post(`/refresh/${answer}`)),
    );
  },
};

const sdk = setupSdkRefresh();

/** Renames an article, and shows the cause of a failure. */
function RenameOrWhy() {
  const controller = useController();
  const partialUpdate = sdk.Articles.usePartialUpdate();
  const rename = async () => {
    try {
      await controller.fetch(partialUpdate, { id: '1' }, { title: 'On knocking' });
      return 'Renamed';
    } catch (error) {
      const { name, cause } = error as Error;
      return `${name}, since: ${(cause as Error).message}`;
    }
  };
  return <ActionButton label="Rename, or say why not" act={rename} />;
}

/** The SDK does not answer within ten seconds, or the app's own code throws: the session goes on, and `error.cause` names the reason. */
export const WhyTheSdkCannotNow: Story = {
  beforeEach: [sdk.start('ada'), timeouts.start],
  render: (_, { journal }) => (
    <sdk.Page journal={journal}>
      <RenameOrWhy />
      <ArticlesDemo articles={sdk.Articles} />
    </sdk.Page>
  ),
  play: async ({ canvas, step, journal }) => {
    const rename = () => userEvent.click(canvas.getByRole('button', { name: 'Rename, or say why not' }));
    await step('Ada sees her articles', async () => {
      await canvas.findByText('On signing in');
    });
    sdk.server.expire();
    const release = sdk.sdk.hold();
    await step('her token has expired, and ten seconds pass before the SDK has a fresh one', async () => {
      await rename();
      await waitFor(() => expect(sdk.sdk.held).toBe(1));
      timeouts.end();
      await canvas.findByText('RefreshUnavailableError, since: No answer within 10000 ms.');
    });
    await step('she tries again, and the app’s own code throws', async () => {
      sdk.sdk.fail(new TypeError('options is undefined'));
      release();
      await rename();
      await canvas.findByText('RefreshUnavailableError, since: options is undefined');
      await expect(canvas.getByText('authenticated')).toBeInTheDocument();
    });
    await step('one request for each try', () => {
      const refused = sdk.sent.patch('/article/1').as('ada').json({ title: 'On knocking' });
      return expect(journal).toHaveSent([sdk.sent.get('/article').as('ada'), refused, refused]);
    });
  },
};
