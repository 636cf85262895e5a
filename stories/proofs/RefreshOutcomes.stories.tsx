import { useController } from '@data-client/react';
import type { Meta, StoryObj } from '@storybook/react-vite';
import { http, HttpResponse } from 'msw';
import { expect, userEvent, waitFor, within } from 'storybook/test';
import {
  createTokenSession,
  hookifyResource,
  ResourceDetail,
  RestEndpoint,
  TokenAuthProvider,
} from '../../src/index.js';
import { resourceHandlers } from '../../src/testing/index.js';
import { ActionButton } from '../support/ActionButton.js';
import { staggeredResponses } from '../support/staggeredResponses.js';
import { api, articleResource } from '../support/articles.js';
import { SignInButtons, AuthStatus } from '../support/ArticlesDemo.js';
import { manualTimers } from '../support/manualTimers.js';
import { manyArticles } from '../support/manyArticles.js';
import { hangingResponses } from '../support/hangingResponses.js';
import { Rename } from '../support/Rename.js';
import { setupTokenApp } from '../support/setupTokenApp.js';
import { RequestLog } from '../support/RequestLog.js';
import { requestsOnly } from '../support/requestsOnly.js';

/** How many widgets meet the same expired token. */
const WIDGETS = 20;
const { ids, rows: twenty } = manyArticles(WIDGETS);

const many = setupTokenApp({ rows: twenty });
const { sent } = many;
const app = setupTokenApp();

/** News, which everybody may read. */
const newsResource = articleResource(`${api}/news`);
const News = hookifyResource({ ...newsResource, get: newsResource.get.extend({ public: true }) });
const news = resourceHandlers(newsResource, [{ id: '1', title: 'The library is open', content: '', author: '' }]);

/** What a refresh comes to, and what happens to requests meanwhile. The session refreshes its token itself. */
const meta = {
  title: 'Proofs/Refresh',
  tags: ['proof', '!autodocs'],
  parameters: requestsOnly,
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

const readEach = (token: number) => ids.map(id => sent.get(`/article/${id}`).as('ada', token));

/**
 * The same where no gate takes the widgets away: after the end of the session they stand on nobody's store and ask for nothing, until
 * somebody signs in, or a reader presses “Try again”.
 */
export const RefusedForGoodWithoutAGate: Story = {
  beforeEach: [many.start('ada'), staggeredResponses(api, WIDGETS), () => many.server.refuseEverything()],
  render: (_, { journal }) => (
    <>
      <RequestLog journal={journal} />
      <many.Provider>
        <AuthStatus />
        <SignInButtons />
        {ids.map(id => (
          <ResourceDetail key={id} resource={many.Articles} params={{ id }} renderItem={article => article.title} />
        ))}
      </many.Provider>
    </>
  ),
  play: async ({ canvas, step, journal }) => {
    await step(
      'the server refuses twenty reads of Ada’s, renews her token, and refuses the new one as well: the session ends',
      async () => {
        await canvas.findByText('anonymous: expired', undefined, { timeout: 5_000 });
      },
    );
    await step('each widget says so, and asks for nothing', async () => {
      await waitFor(
        () => expect(canvas.getAllByText('Your session has ended. Sign in to go on.')).toHaveLength(WIDGETS),
        { timeout: 5_000 },
      );
      await expect(canvas.getByText('40 for data, 1 to refresh')).toBeInTheDocument();
    });
    await step('one of them is told to try as nobody, and is refused', async () => {
      const [button] = canvas.getAllByRole('button', { name: 'Try again' });
      await userEvent.click(button!);
      await canvas.findByText('Sign in to go on.', undefined, { timeout: 5_000 });
    });
    await step('the server has come to its senses; Ada signs in, and all of them show their article', async () => {
      many.server.refuseEverything(false);
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Ada Lovelace' }));
      await waitFor(() => expect(canvas.getAllByText(/^Article \d+$/)).toHaveLength(WIDGETS), { timeout: 5_000 });
    });
    await step('forty requests as Ada, the one that was asked for as nobody, and nothing more until she was back', () =>
      expect(journal).toHaveSent(
        [
          ...readEach(1),
          sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' }),
          ...readEach(2),
          sent.get('/article/1'),
          sent.post('/login').json({ username: 'ada', password: 'lovelace' }),
          ...readEach(3),
        ],
        { anyOrder: true },
      ),
    );
  },
};

/** What everybody may read is read after an expiry as before it: only what was refused waits. */
export const PublicReadsGoOn: Story = {
  beforeEach: [app.start('ada'), ({ msw }) => msw.use(...news.handlers), () => app.server.refuseEverything()],
  render: () => (
    <app.Provider>
      <AuthStatus />
      <ResourceDetail resource={app.Articles} params={{ id: '1' }} renderItem={article => article.title} />
      <ResourceDetail resource={News} params={{ id: '1' }} renderItem={article => article.title} />
    </app.Provider>
  ),
  play: async ({ canvas, step, journal }) => {
    await step('the server ends Ada’s session: her article is gone, the news are there', async () => {
      await canvas.findByText('anonymous: expired');
      await canvas.findByText('Your session has ended. Sign in to go on.');
      await canvas.findByText('The library is open');
    });
    await step('the news were read once for each store', () =>
      expect(journal).toHaveSent(
        [
          sent.get('/article/1').as('ada'),
          sent.get('/news/article/1').credentials('omit'),
          sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' }),
          sent.get('/article/1').as('ada', 2),
          sent.get('/news/article/1').credentials('omit'),
        ],
        { anyOrder: true },
      ),
    );
  },
};

/** A session of Ada's whose refresh is this one, or none. */
const renewedBy = (refresh?: () => Promise<unknown>) =>
  createTokenSession({
    login: async () => undefined,
    restore: async () => ({ accessToken: 'ada-1', refreshToken: 'ada-refresh-1', user: { id: 'ada' } }),
    ...(refresh && { refresh }),
  });
const renewal = (answer: string) =>
  new RestEndpoint({ urlPrefix: api, path: `/refresh/${answer}`, method: 'POST', body: undefined });

/** What a refresh may come to, each in a session of its own. */
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
const patience = manualTimers(10_000);

const EXPIRED =
  'AbortError: The session has expired: the server refused its credentials. Sign in again, then start the request again.';
const UNAVAILABLE =
  'RefreshUnavailableError: The server that issues the credentials could not be reached. This signs no user out: try again when the network is back.';

/**
 * What `session.refresh()` comes to. 400, 401, 403 and an OAuth error are a “no”, which ends the session; anything else, no answer
 * in ten seconds among it, is a “not now”, which keeps it; and a session without a `refresh` says so.
 */
export const EveryAnswer: Story = {
  beforeEach: [
    patience.start,
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
    await step('Ada is signed in everywhere', async () => {
      await waitFor(() => expect(canvas.getAllByText('authenticated')).toHaveLength(Object.keys(ANSWERS).length));
    });
    await step('a “no” ends the session', async () => {
      for (const label of Object.keys(REFUSALS)) {
        await refresh(label);
        await at(label).findByText(EXPIRED);
        await at(label).findByText('anonymous: expired');
      }
    });
    await step('a “not now” keeps it', async () => {
      for (const label of ['status 503', 'offline']) {
        await refresh(label);
        await at(label).findByText(UNAVAILABLE);
        await expect(at(label).getByText('authenticated')).toBeInTheDocument();
      }
    });
    await step('no answer at all is a “not now” when ten seconds are over', async () => {
      await refresh('no answer');
      await waitFor(() => expect(journal.entries).toHaveLength(6));
      await expect(patience.running).toBe(1);
      patience.end();
      await at('no answer').findByText(UNAVAILABLE);
      await expect(at('no answer').getByText('authenticated')).toBeInTheDocument();
    });
    await step('a session without a `refresh` says what is missing, and nobody is signed out', async () => {
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

/** Reads the second article by a direct call. */
function ReadSecond() {
  const controller = useController();
  const get = app.Articles.useGet();
  return <ActionButton label="Read the second" act={async () => (await controller.fetch(get, { id: '2' })).title} />;
}

/** A request that is started while a refresh is under way waits for it: it is sent once, with the new token. */
export const StartsMeanwhile: Story = {
  beforeEach: app.start('ada'),
  render: () => (
    <app.Provider>
      <Rename articles={app.Articles} ids={['1']}>
        Rename the first
      </Rename>
      <AuthStatus />
      <ReadSecond />
    </app.Provider>
  ),
  play: async ({ canvas, step, journal }) => {
    const release = app.server.holdRefresh();
    await step('Ada’s token has expired, and a rename has met it', async () => {
      await canvas.findByText('authenticated');
      app.server.expireAccessTokens();
      await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
      await waitFor(() => expect(app.server.held).toBe(1));
    });
    await step('she reads another article, and the refresh is answered', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Read the second' }));
      release();
      await canvas.findByText('On signing out');
      await journal.settled();
    });
    await step('the rename was sent twice, the read once', () =>
      expect(journal).toHaveSent(
        [
          sent.patch('/article/1').as('ada').json({ title: 'Renamed 1' }),
          sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' }),
          sent.patch('/article/1').as('ada', 2).json({ title: 'Renamed 1' }),
          sent.get('/article/2').as('ada', 2),
        ],
        { anyOrder: true },
      ),
    );
  },
};
