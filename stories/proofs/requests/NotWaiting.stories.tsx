import { useController } from '@data-client/react';
import type { Meta, StoryObj } from '@storybook/react-vite';
import { http, HttpResponse } from 'msw';
import { useRef } from 'react';
import { expect, userEvent, waitFor } from 'storybook/test';
import { RestEndpoint, useEndpoint } from '../../../src/index.js';
import type { ArticleHooks } from '../../support/ArticlesDemo.js';
import { CountedPage } from '../../support/CountedPage.js';
import { useOutcomeLog } from '../../support/OutcomeLog.js';
import { requestsOnly } from '../../support/requestsOnly.js';
import { setupAppsByMechanism, type MechanismApp } from '../../support/setupAppsByMechanism.js';
import { ownApi } from '../../support/setupCookieApp.js';
import { inCases } from '../../support/inCases.js';

const { token: tokens, cookie: cookies, context: contexts } = setupAppsByMechanism({ restores: false });

/** Renames two articles at once; the first can be aborted. */
function RenameTwo({ articles }: { articles: ArticleHooks }) {
  const controller = useController();
  const partialUpdate = articles.usePartialUpdate();
  const tell = useOutcomeLog();
  const giveUp = useRef<AbortController>(undefined);
  const rename = (id: string, signal?: AbortSignal) =>
    controller.fetch(partialUpdate.extend({ signal }), { id }, { title: `Renamed ${id}` }).then(
      () => tell(`Renamed ${id}`),
      (error: Error) => tell(error.message),
    );
  const both = () => {
    giveUp.current = new AbortController();
    void Promise.all([rename('1', giveUp.current.signal), rename('2')]);
  };
  return (
    <>
      <button type="button" onClick={both}>
        Rename both
      </button>
      <button type="button" onClick={() => giveUp.current?.abort(new Error('Ada has given up the first.'))}>
        Give up the first
      </button>
    </>
  );
}

/** Requests that do not wait for a new credential: one that was aborted, and one of a public endpoint. */
const meta = {
  title: 'Proofs/Requests',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly },
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

interface Hold {
  /** Holds back the credential that both renames wait for; returns the function that releases it. */
  hold: () => () => void;
  /** How many requests for the new credential wait. */
  held: () => number;
  /** @default the app's own */
  expire?: () => void;
}

/** Two requests wait, and one of them is aborted. */
function givesUpOne(app: MechanismApp, { hold, held, expire = app.expire }: Hold): Story {
  const rename = (id: string, token: number) =>
    app.write(app.sent.patch(`/article/${id}`), 'ada', token).json({ title: `Renamed ${id}` });
  const play: Story['play'] = async ({ canvas, step, journal, hasSent }) => {
    await canvas.findByText('authenticated');
    expire();
    const release = hold();
    await step('Ada renames two articles, which wait for a new credential', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Rename both' }));
      await waitFor(() =>
        expect(journal.entries.filter(({ status }) => status === 401 || status === 403)).toHaveLength(2),
      );
      await waitFor(() => expect(held()).toBe(1));
    });
    await step('she aborts the first, and its call rejects at once', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Give up the first' }));
      await canvas.findByText('Ada has given up the first.');
    });
    await step('the credential arrives, and the second article is renamed', async () => {
      release();
      await canvas.findByText('Renamed 2');
      await expect(canvas.queryByText('Renamed 1')).not.toBeInTheDocument();
    });
    await hasSent(
      'the first rename is not sent again',
      [
        ...[...app.restores, rename('1', 1), rename('2', 1)],
        // A new CSRF token may be another user's, so whoami comes before the replay.
        ...[...app.refreshes, ...app.restores, rename('2', 2)],
      ],
      { anyOrder: true },
    );
  };
  return {
    parameters: { cookies: app.cookies },
    beforeEach: app.start('ada'),
    render: (_, { journal }) => (
      <CountedPage journal={journal} app={app} buttons={null}>
        <RenameTwo articles={app.Articles} />
      </CountedPage>
    ),
    play,
  };
}

/** A user gives a request up while it waits for a new credential: it is not sent again, and the others are. */
export const GivenUp: Story = inCases({
  'a request that is aborted while it waits for a refresh is not sent again; the other one is': givesUpOne(tokens, {
    hold: tokens.server.holdRefresh,
    held: () => tokens.server.held,
  }),
  'the same during the fetch of a CSRF token': givesUpOne(cookies, {
    hold: cookies.server.hold,
    held: () => cookies.server.held,
  }),
  'the same while the SDK gets a token': givesUpOne(contexts, {
    hold: () => {
      const release = contexts.sdk.hold();
      return () => {
        contexts.server.refuseEverything(false);
        release();
      };
    },
    held: () => contexts.sdk.held,
    // Its first token is issued only when it is sent, so it cannot have expired before.
    expire: contexts.server.refuseEverything,
  }),
});

const notice = new RestEndpoint({ urlPrefix: ownApi, path: '/notice/:id', schema: undefined, public: true });

/** Reads a public notice, and shows the outcome. */
function ReadNotice({ id, children }: { id: string; children: string }) {
  const controller = useController();
  const get = useEndpoint(notice);
  const tell = useOutcomeLog();
  const read = () =>
    controller.fetch(get, { id }).then(
      (said: string) => tell(said),
      (error: { status?: number }) => tell(`Refused: ${error.status}`),
    );
  return (
    <button type="button" onClick={() => void read()}>
      {children}
    </button>
  );
}

/** A public endpoint waits for no refresh and carries no credential, and its 401 starts no refresh. A login does not wait either. */
export const PublicNeverWaits: Story = {
  beforeEach: [
    tokens.start('ada'),
    ({ msw }) => {
      msw.use(
        http.get(`${ownApi}/notice/:id`, ({ params }) =>
          params.id === 'open' ? HttpResponse.json('Open from nine') : new HttpResponse(null, { status: 401 }),
        ),
      );
    },
  ],
  render: (_, { journal }) => (
    <CountedPage journal={journal} app={tokens}>
      <ReadNotice id="closed">Read a closed notice</ReadNotice>
      <ReadNotice id="open">Read the notice</ReadNotice>
      <RenameTwo articles={tokens.Articles} />
    </CountedPage>
  ),
  play: async ({ canvas, step, journal, hasSent }) => {
    await canvas.findByText('authenticated');
    await step('a public endpoint answers 401, and Ada stays signed in', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Read a closed notice' }));
      await canvas.findByText('Refused: 401');
      await expect(canvas.getByText('1 for data, 0 to refresh')).toBeInTheDocument();
      await expect(canvas.getByText('authenticated')).toBeInTheDocument();
    });
    tokens.server.expire();
    const release = tokens.server.holdRefresh();
    await step('two renames of hers wait for a refresh', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Rename both' }));
      await waitFor(() =>
        expect(journal.entries.filter(({ method, status }) => method === 'PATCH' && status === 401)).toHaveLength(2),
      );
      await waitFor(() => expect(tokens.server.held).toBe(1));
    });
    await step('she reads a public notice, which does not wait', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Read the notice' }));
      await canvas.findByText('Open from nine');
    });
    await step('Grace signs in, which calls the renames off', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Grace Hopper' }));
      await waitFor(() =>
        expect(canvas.getAllByText(/^The identity changed while this request was under way/)).toHaveLength(2),
      );
      release();
    });
    await hasSent(
      'the notices are read without credentials',
      [
        tokens.sent.get('/notice/closed').credentials('omit'),
        tokens.sent.patch('/article/1').as('ada').json({ title: 'Renamed 1' }),
        tokens.sent.patch('/article/2').as('ada').json({ title: 'Renamed 2' }),
        ...tokens.refreshes,
        tokens.sent.get('/notice/open').credentials('omit'),
        ...tokens.graceSignsIn,
      ],
      { anyOrder: true },
    );
  },
};
