import { useController } from '@data-client/react';
import type { Meta, StoryObj } from '@storybook/react-vite';
import type { ReactNode } from 'react';
import { expect, userEvent, waitFor } from 'storybook/test';
import { Authenticated } from '../../src/index.js';
import { resourceHandlers, type RequestJournal } from '../../src/testing/index.js';
import { ActionButton } from '../support/ActionButton.js';
import { staggeredResponses } from '../support/staggeredResponses.js';
import { api, articleHooks, articleResource, rows } from '../support/articles.js';
import { setupContextApp } from '../support/setupContextApp.js';
import { ArticlesDemo, SdkSignInButtons, AuthStatus } from '../support/ArticlesDemo.js';
import { manualTimers } from '../support/manualTimers.js';
import { manyArticles } from '../support/manyArticles.js';
import { ManyDetails } from '../support/ManyDetails.js';
import { Rename } from '../support/Rename.js';
import { createCounter, RenderCounter } from '../support/RenderCounter.js';
import { RequestLog } from '../support/RequestLog.js';
import { OutcomeLog } from '../support/OutcomeLog.js';
import { requestsOnly } from '../support/requestsOnly.js';

/** How many widgets meet the same expired token. */
const WIDGETS = 20;
const { ids, rows: twenty } = manyArticles(WIDGETS);
const signInsAskedFor = createCounter();

const many = setupContextApp({ rows: twenty, onExpired: signInsAskedFor.add });
const { sent } = many;
const app = setupContextApp({ onExpired: signInsAskedFor.add });

/** Notes, so that one resource can be slow while the other is not. */
const notesApi = `${api}/notes`;
const Notes = articleHooks(notesApi);
const notes = resourceHandlers(articleResource(notesApi), rows, { auth: app.server });

interface PageProps {
  journal: RequestJournal;
  of: typeof app;
  children: ReactNode;
}

/** The counts, and below them what stands below the provider. */
function Page({ journal, of, children }: PageProps) {
  return (
    <>
      <RequestLog journal={journal} />
      <RenderCounter label="Fresh tokens asked of the SDK" tally={of.sdk.fresh} />
      <RenderCounter label="Sign-ins asked of the SDK" tally={signInsAskedFor} />
      <OutcomeLog>
        <of.Provider>
          <AuthStatus />
          <SdkSignInButtons />
          {children}
        </of.Provider>
      </OutcomeLog>
    </>
  );
}

/**
 * What happens when the server refuses the token of an SDK: the SDK is asked once for a fresh one, past its cache, whoever waits for it.
 * Its own requests are its own business, so nothing but data is on the list.
 */
const meta = {
  title: 'Proofs/Refresh',
  tags: ['proof', '!autodocs'],
  parameters: requestsOnly,
  beforeEach: signInsAskedFor.reset,
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

const each = (method: string, rest: string, body = (_id: string) => '') =>
  ids.map(id => `${method} https://api.example.com/article/${id}  same-origin  ${rest}${body(id)}`);

/** Twenty widgets meet one expired token, their 401s arriving one after the other: one fresh token, forty requests, twenty results. */
export const BurstBySdk: Story = {
  beforeEach: [many.start('ada'), staggeredResponses(api, WIDGETS, many.server.expireAccessTokens)],
  render: (_, { journal }) => (
    <Page journal={journal} of={many}>
      <ManyDetails articles={many.Articles} ids={ids}>
        Show twenty
      </ManyDetails>
    </Page>
  ),
  play: async ({ canvas, step, journal }) => {
    const release = many.sdk.hold();
    await step('Ada opens a page of twenty widgets, and her token expires on the way', async () => {
      await userEvent.click(await canvas.findByRole('button', { name: 'Show twenty' }));
      await waitFor(() => expect(journal.entries.filter(({ status }) => status === 401).length).toBeGreaterThan(5), {
        timeout: 5_000,
      });
    });
    await step('the SDK takes its time with a fresh one; then all of them show their article', async () => {
      release();
      await waitFor(() => expect(canvas.getAllByText(/^Article \d+$/)).toHaveLength(WIDGETS), { timeout: 5_000 });
      await expect(canvas.getByText('40 for data, 0 to refresh')).toBeInTheDocument();
      await expect(canvas.getByText('Fresh tokens asked of the SDK: 1')).toBeInTheDocument();
      await expect(canvas.getByText('Sign-ins asked of the SDK: 0')).toBeInTheDocument();
      await expect(canvas.queryByRole('alert')).not.toBeInTheDocument();
      await expect(canvas.getByText('authenticated')).toBeInTheDocument();
    });
    await step('each read twice, once with the old token and once with the fresh one', () =>
      expect(journal).toHaveSent([...each('GET', 'access-token: ada-1'), ...each('GET', 'access-token: ada-2')], {
        anyOrder: true,
      }),
    );
  },
};

/** A 401 for the old token arrives when there is a fresh one already: the request is sent again at once, and the SDK is left alone. */
export const LateRefusalBySdk: Story = {
  beforeEach: [
    app.start('ada'),
    ({ msw }) => {
      notes.reset();
      msw.use(...notes.handlers);
    },
  ],
  render: (_, { journal }) => (
    <Page journal={journal} of={app}>
      <Rename articles={Notes} ids={['1']}>
        Rename the note
      </Rename>
      <ArticlesDemo articles={app.Articles} />
    </Page>
  ),
  play: async ({ canvas, step, journal }) => {
    await step('Ada sees her articles', async () => {
      await canvas.findByText('On signing in');
    });
    app.server.expireAccessTokens();
    const release = notes.hold();
    await step('she renames a note with the expired token, and the answer dawdles', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Rename the note' }));
      await waitFor(() => expect(notes.held).toBe(1));
    });
    await step('meanwhile she renames an article, which gets a fresh token', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
      await canvas.findByText('On knocking');
    });
    await step('the late 401 arrives, and the note is renamed all the same', async () => {
      release();
      await canvas.findByText('Renamed 1');
      await expect(canvas.getByText('5 for data, 0 to refresh')).toBeInTheDocument();
      await expect(canvas.getByText('Fresh tokens asked of the SDK: 1')).toBeInTheDocument();
    });
    await step('one fresh token for both', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.patch('/notes/article/1').as('ada').json({ title: 'Renamed 1' }),
        sent.patch('/article/1').as('ada').json({ title: 'On knocking' }),
        sent.patch('/article/1').as('ada', 2).json({ title: 'On knocking' }),
        sent.patch('/notes/article/1').as('ada', 2).json({ title: 'Renamed 1' }),
      ]),
    );
  },
};

/** Ada's sign-in at the SDK is over, as it says when twenty requests wait for a fresh token: all are told the same, and none is replayed. */
export const RefusedWithRequestsWaitingForTheSdk: Story = {
  beforeEach: many.start('ada'),
  render: (_, { journal }) => (
    <Page journal={journal} of={many}>
      <Authenticated>
        <Rename articles={many.Articles} ids={ids}>
          Rename twenty
        </Rename>
      </Authenticated>
    </Page>
  ),
  play: async ({ canvas, step, journal }) => {
    const button = await canvas.findByRole('button', { name: 'Rename twenty' });
    many.server.refuseEverything();
    const release = many.sdk.hold();
    await step(
      'the server refuses Ada’s token; she renames twenty articles, which wait for one fresh token',
      async () => {
        await userEvent.click(button);
        await canvas.findByText('Fresh tokens asked of the SDK: 1');
        await waitFor(() => expect(journal.entries.filter(({ status }) => status === 401)).toHaveLength(WIDGETS));
        await expect(canvas.queryByRole('listitem')).not.toBeInTheDocument();
      },
    );
    await step('the SDK wants a new sign-in: the session ends, and all twenty are told why', async () => {
      many.sdk.fail(Object.assign(new Error('Login required'), { error: 'login_required' }));
      release();
      await canvas.findByText('anonymous: expired');
      await waitFor(() =>
        expect(
          canvas.getAllByText(
            'The session has expired: the server refused its credentials. Sign in again, then start the request again.',
          ),
        ).toHaveLength(WIDGETS),
      );
      await expect(canvas.getByText('Sign-ins asked of the SDK: 1')).toBeInTheDocument();
    });
    await step('Grace can sign in without a reload', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Grace Hopper' }));
      await canvas.findByText('authenticated');
      await expect(canvas.getAllByRole('listitem')).toHaveLength(WIDGETS);
    });
    await step('twenty requests, one question, no replay', async () => {
      await expect(canvas.getByText('Fresh tokens asked of the SDK: 1')).toBeInTheDocument();
      await expect(journal).toHaveSent(
        each('PATCH', 'access-token: ada-1', id => `  {"title":"Renamed ${id}"}`),
        { anyOrder: true },
      );
    });
  },
};

/** The SDK cannot reach its server: nobody is signed out, what was read stays on the screen, and later all goes on. */
export const SdkUnavailable: Story = {
  beforeEach: app.start('ada'),
  render: (_, { journal }) => (
    <Page journal={journal} of={app}>
      <ArticlesDemo articles={app.Articles} />
    </Page>
  ),
  play: async ({ canvas, step, journal }) => {
    await step('Ada sees her articles', async () => {
      await canvas.findByText('On signing in');
    });
    await step(
      'her token expires while the SDK is offline: her act fails, and she stays signed in with what she sees',
      async () => {
        app.server.expireAccessTokens();
        app.sdk.fail(new TypeError('Failed to fetch'));
        await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
        await canvas.findByText(
          'Renamed: The server that issues the credentials could not be reached. This signs no user out: try again when the network is back.',
        );
        await expect(canvas.getByText('authenticated')).toBeInTheDocument();
        await expect(canvas.getByText('On signing in')).toBeInTheDocument();
      },
    );
    await step('the network is back, and she does it again', async () => {
      app.sdk.fail();
      await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
      await canvas.findByText('On knocking');
      await expect(canvas.getByText('4 for data, 0 to refresh')).toBeInTheDocument();
      await expect(canvas.getByText('Fresh tokens asked of the SDK: 2')).toBeInTheDocument();
      await expect(canvas.getByText('Sign-ins asked of the SDK: 0')).toBeInTheDocument();
    });
    await step('one question for each act', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.patch('/article/1').as('ada').json({ title: 'On knocking' }),
        sent.patch('/article/1').as('ada').json({ title: 'On knocking' }),
        sent.patch('/article/1').as('ada', 2).json({ title: 'On knocking' }),
      ]),
    );
  },
};

/** The SDK gives a fresh token, and the server refuses it all the same: twenty widgets try twice each, and then there is silence. */
export const RefusedForGoodBySdk: Story = {
  beforeEach: [many.start('ada'), staggeredResponses(api, WIDGETS)],
  render: (_, { journal }) => (
    <Page journal={journal} of={many}>
      <Authenticated>
        <ManyDetails articles={many.Articles} ids={ids}>
          Show twenty
        </ManyDetails>
      </Authenticated>
    </Page>
  ),
  play: async ({ canvas, step, journal }) => {
    const button = await canvas.findByRole('button', { name: 'Show twenty' });
    many.server.refuseEverything();
    const release = many.sdk.hold();
    await step('the server refuses twenty reads of Ada’s', async () => {
      await userEvent.click(button);
      await waitFor(() => expect(journal.entries.filter(({ status }) => status === 401)).toHaveLength(WIDGETS), {
        timeout: 3_000,
      });
    });
    await step('the SDK gives a fresh token, which is refused as well: the session ends, once', async () => {
      release();
      await canvas.findByText('anonymous: expired', undefined, { timeout: 3_000 });
      await expect(canvas.getByText('40 for data, 0 to refresh')).toBeInTheDocument();
      await expect(canvas.getByText('Sign-ins asked of the SDK: 1')).toBeInTheDocument();
    });
    await step('the server has come to its senses, and Grace signs in', async () => {
      many.server.refuseEverything(false);
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Grace Hopper' }));
      await canvas.findByText('authenticated');
    });
    await step('each was tried twice, with one fresh token between, and nothing afterwards', async () => {
      await expect(canvas.getByText('Fresh tokens asked of the SDK: 1')).toBeInTheDocument();
      await expect(journal).toHaveSent([...each('GET', 'access-token: ada-1'), ...each('GET', 'access-token: ada-2')], {
        anyOrder: true,
      });
    });
  },
};

/** Ada signs out at the SDK while a fresh token is under way: it is thrown away when it comes, and what waited is not sent again. */
export const SignOutMeanwhileBySdk: Story = {
  beforeEach: app.start('ada'),
  render: (_, { journal }) => (
    <Page journal={journal} of={app}>
      <Authenticated>
        <Rename articles={app.Articles} ids={['1']}>
          Rename mine
        </Rename>
        <ArticlesDemo articles={app.Articles} />
      </Authenticated>
    </Page>
  ),
  play: async ({ canvas, step, journal }) => {
    await step('Ada sees her articles', async () => {
      await canvas.findByText('On signing in');
    });
    app.server.expireAccessTokens();
    const release = app.sdk.hold();
    await step('her token has expired; a rename waits for a fresh one', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Rename mine' }));
      await waitFor(() => expect(app.sdk.held).toBe(1));
    });
    await step('she signs out, and the waiting caller is told so at once', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign out' }));
      await canvas.findByText('anonymous: elsewhere');
      await canvas.findByText(
        'The person signed out while this request was under way, so its answer was dropped. Sign in, then start it again.',
      );
    });
    await step('the fresh token comes, and she stays signed out; then Grace signs in', async () => {
      release();
      await waitFor(() => expect(app.sdk.held).toBe(0));
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Grace Hopper' }));
      await canvas.findByText('A compiler for everyone');
      await expect(canvas.getByText('3 for data, 0 to refresh')).toBeInTheDocument();
    });
    await step('the rename was not sent again, and no request carried the fresh token', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.patch('/article/1').as('ada').json({ title: 'Renamed 1' }),
        sent.get('/article').as('grace'),
      ]),
    );
  },
};

/** An SDK may take ten seconds for a token; the story tells when they are over. */
const patience = manualTimers(10_000);

/** Renames an article, and says of a failure what it was caused by. */
function RenameOrWhy() {
  const controller = useController();
  const partialUpdate = app.Articles.usePartialUpdate();
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

/** The SDK does not answer within ten seconds, or fails by a mistake of the app's: “not now” as well, and `error.cause` tells what it was. */
export const WhyTheSdkCannotNow: Story = {
  beforeEach: [app.start('ada'), patience.start],
  render: (_, { journal }) => (
    <Page journal={journal} of={app}>
      <RenameOrWhy />
      <ArticlesDemo articles={app.Articles} />
    </Page>
  ),
  play: async ({ canvas, step, journal }) => {
    const rename = () => userEvent.click(canvas.getByRole('button', { name: 'Rename, or say why not' }));
    await step('Ada sees her articles', async () => {
      await canvas.findByText('On signing in');
    });
    app.server.expireAccessTokens();
    const release = app.sdk.hold();
    await step('her token has expired, and ten seconds are over before the SDK has a fresh one', async () => {
      await rename();
      await waitFor(() => expect(app.sdk.held).toBe(1));
      patience.end();
      await canvas.findByText('RefreshUnavailableError, since: No answer within 10000 ms.');
    });
    await step('she tries again, and the app’s own code fails', async () => {
      app.sdk.fail(new TypeError('options is undefined'));
      release();
      await rename();
      await canvas.findByText('RefreshUnavailableError, since: options is undefined');
      await expect(canvas.getByText('authenticated')).toBeInTheDocument();
    });
    await step('one request for each try', () => {
      const refused = sent.patch('/article/1').as('ada').json({ title: 'On knocking' });
      return expect(journal).toHaveSent([sent.get('/article').as('ada'), refused, refused]);
    });
  },
};
