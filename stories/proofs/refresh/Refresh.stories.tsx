import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, userEvent, waitFor } from 'storybook/test';
import { Authenticated } from '../../../src/index.js';
import { resourceHandlers } from '../../../src/testing/index.js';
import { api, articleHooks, articleResource, rows } from '../../support/articles.js';
import { ArticlesDemo } from '../../support/ArticlesDemo.js';
import { manyArticles } from '../../support/manyArticles.js';
import { ManyDetails } from '../../support/ManyDetails.js';
import { Rename } from '../../support/Rename.js';
import { requestsOnly } from '../../support/requestsOnly.js';
import { setupSdkRefresh, setupTokenRefresh, type RefreshCase } from '../../support/setupRefreshCase.js';
import { staggeredResponses } from '../../support/staggeredResponses.js';
import { inCases } from '../../support/inCases.js';
import { ResourceDetail } from '../../../src/entries/widgets.js';
import { CountedPage } from '../../support/CountedPage.js';
import { setupTokenApp } from '../../support/setupTokenApp.js';

/**
 * The server refuses the access token: one refresh for all requests, or one end of the session. Each story runs with a session that
 * refreshes its token itself, and with an SDK that does so. The counts are above the page.
 */
const meta = {
  title: 'Proofs/Refresh',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly },
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

const WIDGETS = 20;
const { ids, rows: twenty } = manyArticles(WIDGETS);
const twoHundred = manyArticles(200);

const token = setupTokenRefresh();
const manyTokens = setupTokenRefresh(twenty);
const crowd = setupTokenRefresh(twoHundred.rows);
const sdk = setupSdkRefresh();
const manySdk = setupSdkRefresh(twenty);

const readEach = ({ sent }: Pick<RefreshCase, 'sent'>, tokenNumber: number, of = ids) =>
  of.map(id => sent.get(`/article/${id}`).as('ada', tokenNumber));

const refusals = (journal: { entries: readonly { status: number | undefined }[] }) =>
  journal.entries.filter(({ status }) => status === 401);

/** The token has expired before twenty or more widgets read with it. */
function burst(app: RefreshCase, of: readonly string[], label: string): Story {
  return {
    beforeEach: [app.start('ada'), staggeredResponses(api, of.length)],
    render: (_, { journal }) => (
      <app.Page journal={journal}>
        <Authenticated>
          <ManyDetails articles={app.Articles} ids={of}>
            {label}
          </ManyDetails>
        </Authenticated>
      </app.Page>
    ),
    play: async ({ canvas, step, journal, hasSent }) => {
      const button = await canvas.findByRole('button', { name: label });
      await step('Ada’s token expires; she opens the widgets, and each shows its article', async () => {
        app.server.expire();
        await userEvent.click(button);
        await waitFor(
          () => expect(journal.entries.filter(({ status }) => status === 200)).toHaveLength(of.length + 1),
          {
            timeout: 15_000,
          },
        );
        await waitFor(() => expect(canvas.getAllByText(/^Article \d+$/)).toHaveLength(of.length), { timeout: 10_000 });
        await expect(canvas.queryByRole('alert')).not.toBeInTheDocument();
        await expect(canvas.getByText('authenticated')).toBeInTheDocument();
        await app.seesCounts(canvas, { data: 2 * of.length, refreshes: 1, signIns: 0 });
      });
      await hasSent(
        'each widget reads twice, with the old token and with the new one, and there is one refresh',
        [...readEach(app, 1, [...of]), ...app.refreshLines, ...readEach(app, 2, [...of])],
        {
          anyOrder: true,
        },
      );
    },
  };
}

/** Twenty widgets read with an expired token, and their 401s arrive one after the other: one refresh, forty requests, twenty results. */
export const Burst = burst(manyTokens, ids, 'Show twenty');

/** Two hundred widgets: still one refresh, and each request is sent twice. */
export const BurstOfTwoHundred: Story = { ...burst(crowd, twoHundred.ids, 'Show two hundred'), tags: ['slow'] };

/** Twenty widgets read with a token of the SDK that expires on the way: one fresh token, forty requests, twenty results. */
export const BurstBySdk: Story = {
  // The SDK issues its first token only when the first request is sent, so it cannot have expired before.
  beforeEach: [manySdk.start('ada'), staggeredResponses(api, WIDGETS, manySdk.server.expire)],
  render: (_, { journal }) => (
    <manySdk.Page journal={journal}>
      <ManyDetails articles={manySdk.Articles} ids={ids}>
        Show twenty
      </ManyDetails>
    </manySdk.Page>
  ),
  play: async ({ canvas, step, journal, hasSent }) => {
    const release = manySdk.holdRefresh();
    await step('Ada opens twenty widgets, and her token expires before the server answers', async () => {
      await userEvent.click(await canvas.findByRole('button', { name: 'Show twenty' }));
      await waitFor(() => expect(refusals(journal).length).toBeGreaterThan(5), { timeout: 5_000 });
    });
    await step('the SDK returns a fresh token, and each widget shows its article', async () => {
      release();
      await waitFor(() => expect(canvas.getAllByText(/^Article \d+$/)).toHaveLength(WIDGETS), { timeout: 5_000 });
      await manySdk.seesCounts(canvas, { data: 40, refreshes: 1, signIns: 0 });
      await expect(canvas.queryByRole('alert')).not.toBeInTheDocument();
      await expect(canvas.getByText('authenticated')).toBeInTheDocument();
    });
    await hasSent(
      'each widget reads twice, with the old token and with the fresh one',
      [...readEach(manySdk, 1), ...readEach(manySdk, 2)],
      { anyOrder: true },
    );
  },
};

const notesApi = `${api}/notes`;
const Notes = articleHooks(notesApi);

function lateRefusal(app: RefreshCase): Story {
  const notes = resourceHandlers(articleResource(notesApi), rows, { auth: app.server });
  return {
    beforeEach: [
      app.start('ada'),
      ({ msw }) => {
        notes.reset();
        msw.use(...notes.handlers);
      },
    ],
    render: (_, { journal }) => (
      <app.Page journal={journal}>
        <Rename articles={Notes} ids={['1']}>
          Rename the note
        </Rename>
        <ArticlesDemo articles={app.Articles} />
      </app.Page>
    ),
    play: async ({ canvas, step, hasSent }) => {
      await step('Ada sees her articles', async () => {
        await canvas.findByText('On signing in');
      });
      app.server.expire();
      const release = notes.hold();
      await step('she renames a note with the expired token, and the server does not answer yet', async () => {
        await userEvent.click(canvas.getByRole('button', { name: 'Rename the note' }));
        await waitFor(() => expect(notes.held).toBe(1));
      });
      await step('she renames an article, which refreshes the token', async () => {
        await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
        await canvas.findByText('On knocking');
      });
      await step('the 401 for the note arrives, and the note is renamed', async () => {
        release();
        await canvas.findByText('Renamed 1');
        await app.seesCounts(canvas, { data: 5, refreshes: 1, signIns: 0 });
      });
      await hasSent('one refresh for both', [
        app.sent.get('/article').as('ada'),
        app.sent.patch('/notes/article/1').as('ada').json({ title: 'Renamed 1' }),
        app.sent.patch('/article/1').as('ada').json({ title: 'On knocking' }),
        ...app.refreshLines,
        app.sent.patch('/article/1').as('ada', 2).json({ title: 'On knocking' }),
        app.sent.patch('/notes/article/1').as('ada', 2).json({ title: 'Renamed 1' }),
      ]);
    },
  };
}

/** A refusal for the old token arrives after the new token: the request is sent again at once, without another refresh. */
export const LateRefusal: Story = inCases({
  'a 401 for the old token arrives after the refresh: the request is sent again at once, without a second refresh':
    lateRefusal(token),
  'a 401 for the old token arrives after the SDK’s fresh one: the request is sent again at once, and the SDK is not called':
    lateRefusal(sdk),
});

function refusedWithRequestsWaiting(app: RefreshCase, options?: { anyOrder: boolean }): Story {
  return {
    beforeEach: app.start('ada'),
    render: (_, { journal }) => (
      <app.Page journal={journal}>
        <Authenticated>
          <Rename articles={app.Articles} ids={ids}>
            Rename twenty
          </Rename>
        </Authenticated>
      </app.Page>
    ),
    play: async ({ canvas, step, journal, hasSent }) => {
      const button = await canvas.findByRole('button', { name: 'Rename twenty' });
      app.endLogin();
      const release = app.holdRefresh();
      await step('Ada’s login has ended; she renames twenty articles, which wait for one refresh', async () => {
        await userEvent.click(button);
        await app.seesCounts(canvas, { data: WIDGETS, refreshes: 1, signIns: 0 });
        await waitFor(() => expect(refusals(journal)).toHaveLength(WIDGETS));
        await expect(canvas.queryByRole('listitem')).not.toBeInTheDocument();
      });
      await step('the refresh is refused: the session ends, and all twenty calls reject with the reason', async () => {
        release();
        await canvas.findByText('anonymous: expired');
        await waitFor(() =>
          expect(
            canvas.getAllByText(
              'The session has expired: the server refused its credentials. Sign in again, then start the request again.',
            ),
          ).toHaveLength(WIDGETS),
        );
        await app.seesCounts(canvas, { data: WIDGETS, refreshes: 1, signIns: 1 });
      });
      await step('Grace signs in without a reload', async () => {
        await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Grace Hopper' }));
        await canvas.findByText('authenticated');
        await expect(canvas.getAllByRole('listitem')).toHaveLength(WIDGETS);
      });
      await hasSent(
        'twenty requests, one refresh, and no request is sent again',
        [
          ...ids.map(id =>
            app.sent
              .patch(`/article/${id}`)
              .as('ada')
              .json({ title: `Renamed ${id}` }),
          ),
          ...app.refreshLines,
          ...app.loginLines('grace', 'hopper'),
        ],
        options,
      );
    },
  };
}

/** The refresh is refused while requests wait for it: none is sent, and each call rejects. */
export const RefusedWithRequestsWaiting: Story = inCases({
  'the refresh is refused while twenty requests wait for it: all reject with the same error, none is sent again, the session ends once':
    refusedWithRequestsWaiting(manyTokens),
  'the SDK asks for a new sign-in while twenty requests wait for its token: all reject with the same error, and none is sent again':
    refusedWithRequestsWaiting(manySdk, { anyOrder: true }),
});

function unavailable(app: RefreshCase): Story {
  return {
    beforeEach: app.start('ada'),
    render: (_, { journal }) => (
      <app.Page journal={journal}>
        <ArticlesDemo articles={app.Articles} />
      </app.Page>
    ),
    play: async ({ canvas, step, hasSent }) => {
      await step('Ada sees her articles', async () => {
        await canvas.findByText('On signing in');
      });
      await step(
        'her token expires and the refresh fails: the rename fails, and she stays signed in with her articles',
        async () => {
          app.server.expire();
          app.failRefresh();
          await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
          await canvas.findByText(
            'Renamed: The server that issues the credentials could not be reached. This signs no user out: try again when the network is back.',
          );
          await expect(canvas.getByText('authenticated')).toBeInTheDocument();
          await expect(canvas.getByText('On signing in')).toBeInTheDocument();
        },
      );
      await step('refreshes work again, and she renames the article', async () => {
        app.failRefresh(false);
        await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
        await canvas.findByText('On knocking');
        await app.seesCounts(canvas, { data: 4, refreshes: 2, signIns: 0 });
      });
      await hasSent('one refresh for each rename', [
        app.sent.get('/article').as('ada'),
        app.sent.patch('/article/1').as('ada').json({ title: 'On knocking' }),
        ...app.refreshLines,
        app.sent.patch('/article/1').as('ada').json({ title: 'On knocking' }),
        ...app.refreshLines,
        app.sent.patch('/article/1').as('ada', 2).json({ title: 'On knocking' }),
      ]);
    },
  };
}

/** The new token cannot be had now: the request fails, the user stays signed in, and a later try succeeds. */
export const Unavailable: Story = inCases({
  'the server of the tokens is down: the user stays signed in, the data stays on the screen, and a later try succeeds':
    unavailable(token),
  'the SDK cannot reach its server: the user stays signed in, the data stays on the screen, and a later try succeeds':
    unavailable(sdk),
});

function refusedForGood(app: RefreshCase): Story {
  return {
    beforeEach: [app.start('ada'), staggeredResponses(api, WIDGETS)],
    render: (_, { journal }) => (
      <app.Page journal={journal}>
        <Authenticated>
          <ManyDetails articles={app.Articles} ids={ids}>
            Show twenty
          </ManyDetails>
        </Authenticated>
      </app.Page>
    ),
    play: async ({ canvas, step, journal }) => {
      const button = await canvas.findByRole('button', { name: 'Show twenty' });
      app.server.refuseEverything();
      const release = app.holdRefresh();
      await step('the server refuses twenty reads of Ada’s', async () => {
        await userEvent.click(button);
        await waitFor(() => expect(refusals(journal)).toHaveLength(WIDGETS), { timeout: 3_000 });
      });
      await step('she gets a new token, and the server refuses it too: the session ends, once', async () => {
        release();
        await canvas.findByText('anonymous: expired', undefined, { timeout: 3_000 });
        await app.seesCounts(canvas, { data: 41, refreshes: 1, signIns: 1 });
      });
      await step('the server accepts tokens again, and Grace signs in', async () => {
        app.server.refuseEverything(false);
        await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Grace Hopper' }));
        await canvas.findByText('authenticated');
      });
      await step(
        'each widget reads twice with one refresh between, one tries once more after a second, and nothing is sent afterwards',
        async () => {
          await app.seesCounts(canvas, { data: 41, refreshes: 1, signIns: 1 });
          const late = readEach(app, 2, ['1']);
          await expect(journal).toHaveSent(
            [
              ...readEach(app, 1),
              ...app.refreshLines,
              ...readEach(app, 2),
              ...late,
              ...app.loginLines('grace', 'hopper'),
            ],
            { anyOrder: true },
          );
        },
      );
    },
  };
}

/** The refresh is refused: the session ends once, and nothing is sent again. */
export const RefusedForGood: Story = inCases({
  'each refresh succeeds, and the server refuses the new token too: twenty widgets try twice each, and then nothing more is sent':
    refusedForGood(manyTokens),
  'the SDK returns a fresh token, and the server refuses it too: twenty widgets try twice each, and then nothing more is sent':
    refusedForGood(manySdk),
});

const many = setupTokenApp({ rows: twenty });

/** Without a gate the widgets stay mounted: after the end of the session they fetch nothing until a user signs in, or presses “Try again”. */
export const RefusedForGoodWithoutAGate: Story = {
  tags: ['slow'],
  beforeEach: [many.start('ada'), staggeredResponses(api, WIDGETS), () => many.server.refuseEverything()],
  render: (_, { journal }) => (
    <CountedPage journal={journal} app={many}>
      {ids.map(id => (
        <ResourceDetail key={id} resource={many.Articles} params={{ id }} renderItem={article => article.title} />
      ))}
    </CountedPage>
  ),
  play: async ({ canvas, step, hasSent }) => {
    await step(
      'the server refuses twenty reads of Ada’s, refreshes her token, and refuses the new one too: the session ends',
      async () => {
        await canvas.findByText('anonymous: expired', undefined, { timeout: 5_000 });
      },
    );
    await step('each widget says so, and fetches nothing', async () => {
      await waitFor(
        () => expect(canvas.getAllByText('Your session has ended. Sign in to continue.')).toHaveLength(WIDGETS),
        { timeout: 5_000 },
      );
      await expect(canvas.getByText('41 for data, 1 to refresh')).toBeInTheDocument();
    });
    await step('a user presses “Try again” in one of them, and the request without a token is refused', async () => {
      const [button] = canvas.getAllByRole('button', { name: 'Try again' });
      await userEvent.click(button!);
      await canvas.findByText('Sign in to continue.', undefined, { timeout: 5_000 });
    });
    await step('the server accepts tokens again; Ada signs in, and each widget shows its article', async () => {
      many.server.refuseEverything(false);
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Ada Lovelace' }));
      await waitFor(() => expect(canvas.getAllByText(/^Article \d+$/)).toHaveLength(WIDGETS), { timeout: 5_000 });
    });
    await hasSent(
      'forty-one requests as Ada, the retry without a token, and then nothing until her login',
      [
        ...readEach(many, 1),
        many.sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' }),
        ...readEach(many, 2),
        // One of the refused requests tries once more, a second later.
        many.sent.get('/article/1').as('ada', 2),
        many.sent.get('/article/1'),
        many.sent.post('/login').json({ username: 'ada', password: 'lovelace' }),
        ...readEach(many, 3),
      ],
      { anyOrder: true },
    );
  },
};
