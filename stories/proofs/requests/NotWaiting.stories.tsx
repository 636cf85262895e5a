import { useController } from '@data-client/react';
import type { Meta, StoryObj } from '@storybook/react-vite';
import { http, HttpResponse } from 'msw';
import { useRef } from 'react';
import { expect, userEvent, waitFor } from 'storybook/test';
import { RestEndpoint, useEndpoint } from '../../../src/index.js';
import type { RequestLine } from '../../../src/testing/index.js';
import { setupContextApp } from '../../support/setupContextApp.js';
import { setupCookieApp, ownApi } from '../../support/setupCookieApp.js';
import { type ArticleHooks } from '../../support/ArticlesDemo.js';
import { setupTokenApp } from '../../support/setupTokenApp.js';
import { useOutcomeLog } from '../../support/OutcomeLog.js';
import type { Mechanism } from '../../support/setupWidgetApp.js';
import { withCredential } from '../../support/withCredential.js';
import { requestsOnly } from '../../support/requestsOnly.js';
import { CountedPage } from '../../support/CountedPage.js';

const tokens = setupTokenApp({ url: ownApi });
const { sent } = tokens;
const cookies = setupCookieApp();
const contexts = setupContextApp({ url: ownApi });

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
const REFRESH = sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' });

interface GivenUp {
  expire: () => void;
  /** Holds back the credential that both renames wait for; returns the function that releases it. */
  hold: () => () => void;
  /** Resolves when the new credential has been requested. */
  isHeld: () => void | Promise<void>;
  asked?: RequestLine[];
  refreshed?: RequestLine[];
  mechanism: Mechanism;
}

/** Two requests wait, and one of them is aborted. */
function givesUpOne({
  expire,
  hold,
  isHeld,
  asked = [],
  refreshed = [],
  mechanism,
}: GivenUp): NonNullable<Story['play']> {
  const rename = (id: string, token: number) =>
    withCredential[mechanism].write(sent.patch(`/article/${id}`), 'ada', token).json({ title: `Renamed ${id}` });
  return async ({ canvas, step, journal }) => {
    await canvas.findByText('authenticated');
    expire();
    const release = hold();
    await step('Ada renames two articles, which wait for a new credential', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Rename both' }));
      await waitFor(() =>
        expect(journal.entries.filter(({ status }) => status === 401 || status === 403)).toHaveLength(2),
      );
      await waitFor(isHeld);
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
    await step('the first rename is not sent again', () =>
      expect(journal).toHaveSent([...asked, rename('1', 1), rename('2', 1), ...refreshed, rename('2', 2)], {
        anyOrder: true,
      }),
    );
  };
}

/** A request that is aborted while it waits for a refresh is not sent again; the other one is. */
export const GivenUpDuringARefresh: Story = {
  beforeEach: tokens.start('ada'),
  render: (_, { journal }) => (
    <CountedPage journal={journal} app={tokens} buttons={null}>
      <RenameTwo articles={tokens.Articles} />
    </CountedPage>
  ),
  play: givesUpOne({
    expire: tokens.server.expireAccessTokens,
    hold: tokens.server.holdRefresh,
    isHeld: () => expect(tokens.server.held).toBe(1),
    refreshed: [REFRESH],
    mechanism: 'token',
  }),
};

/** The same during the fetch of a CSRF token. */
export const GivenUpDuringACsrfFetch: Story = {
  parameters: { cookies: cookies.cookies },
  beforeEach: cookies.start('ada'),
  render: (_, { journal }) => (
    <CountedPage journal={journal} app={cookies} buttons={null}>
      <RenameTwo articles={cookies.Articles} />
    </CountedPage>
  ),
  play: givesUpOne({
    expire: cookies.server.expireCsrf,
    hold: cookies.server.hold,
    isHeld: () => expect(cookies.server.held).toBe(1),
    asked: [sent.get('/whoami')],
    refreshed: [sent.get('/csrf')],
    mechanism: 'cookie',
  }),
};

/** The same while the SDK gets a token. */
export const GivenUpWhileTheSdkIsAsked: Story = {
  beforeEach: contexts.start('ada'),
  render: (_, { journal }) => (
    <CountedPage journal={journal} app={contexts} buttons={null}>
      <RenameTwo articles={contexts.Articles} />
    </CountedPage>
  ),
  play: givesUpOne({
    // Its first token is issued only when it is sent, so it cannot have expired before.
    expire: contexts.server.refuseEverything,
    hold: () => {
      const release = contexts.sdk.hold();
      return () => {
        contexts.server.refuseEverything(false);
        release();
      };
    },
    isHeld: () => expect(contexts.sdk.held).toBe(1),
    mechanism: 'context',
  }),
};

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
  play: async ({ canvas, step, journal }) => {
    await canvas.findByText('authenticated');
    await step('a public endpoint answers 401, and Ada stays signed in', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Read a closed notice' }));
      await canvas.findByText('Refused: 401');
      await expect(canvas.getByText('1 for data, 0 to refresh')).toBeInTheDocument();
      await expect(canvas.getByText('authenticated')).toBeInTheDocument();
    });
    tokens.server.expireAccessTokens();
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
    await step('the notices are read without credentials', () =>
      expect(journal).toHaveSent(
        [
          sent.get('/notice/closed').credentials('omit'),
          sent.patch('/article/1').as('ada').json({ title: 'Renamed 1' }),
          sent.patch('/article/2').as('ada').json({ title: 'Renamed 2' }),
          REFRESH,
          sent.get('/notice/open').credentials('omit'),
          sent.post('/login').json({ username: 'grace', password: 'hopper' }),
        ],
        { anyOrder: true },
      ),
    );
  },
};
