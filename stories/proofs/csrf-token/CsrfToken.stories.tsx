import { useController } from '@data-client/react';
import type { Meta, StoryObj } from '@storybook/react-vite';
import { http, HttpResponse } from 'msw';
import { expect, userEvent, waitFor } from 'storybook/test';
import { Authenticated, RestEndpoint, useEndpoint } from '../../../src/index.js';
import { resourceHandlers, type RequestLine } from '../../../src/testing/index.js';
import { articleHooks, articleResource, rows } from '../../support/articles.js';
import { ActionButton } from '../../support/ActionButton.js';
import { csrf, setupCookieApp, ownApi } from '../../support/setupCookieApp.js';
import { ArticlesDemo } from '../../support/ArticlesDemo.js';
import { manyArticles } from '../../support/manyArticles.js';
import { Rename } from '../../support/Rename.js';
import { csrfGate, graceSignsIn, renameLines } from '../../support/csrfGate.js';
import type { StoryStart } from '../../support/StoryStart.js';
import { CountedPage } from '../../support/CountedPage.js';
import { requestsOnly } from '../../support/requestsOnly.js';

const TEN = 10;
const { ids: ten } = manyArticles(TEN);

const app = setupCookieApp();
const { sent } = app;
const many = setupCookieApp({ rows: manyArticles(20).rows });

/** Notes, so that one resource can be slow while the other is not. */
const notesApi = `${ownApi}/notes`;
const Notes = articleHooks(notesApi);
const notes = resourceHandlers(articleResource(notesApi), rows, { auth: app.server });

/**
 * Proves the CSRF token of a cookie session: the session reads it when a request is sent, and fetches it once when the server refuses it.
 * A 401 ends the session, because a cookie cannot be refreshed.
 */
const meta = {
  title: 'Proofs/CSRF token',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly, cookies: app.cookies },
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

const renamesTen: Story['render'] = (_, { journal }) => (
  <CountedPage journal={journal} app={many}>
    <Authenticated>
      <Rename articles={many.Articles} ids={ten}>
        Rename ten
      </Rename>
    </Authenticated>
  </CountedPage>
);

/** Ten writes at once are refused for a stale CSRF token: it is fetched once, and each write is sent again, unchanged. */
export const TenWithAStaleToken: Story = {
  beforeEach: [many.start('ada'), csrfGate.start],
  render: renamesTen,
  play: async ({ canvas, step, journal }) => {
    const button = await canvas.findByRole('button', { name: 'Rename ten' });
    await step('the server expects another CSRF token, and refuses ten renames of Ada’s', async () => {
      many.server.expireCsrf();
      await userEvent.click(button);
      await waitFor(() => expect(journal.entries.filter(({ status }) => status === 403)).toHaveLength(TEN));
    });
    await step('the token is fetched, and all ten are renamed', async () => {
      csrfGate.release();
      await waitFor(() => expect(canvas.getAllByText(/^Renamed \d+$/)).toHaveLength(TEN));
      await expect(canvas.getByText('20 for data, 1 to refresh')).toBeInTheDocument();
      await expect(canvas.getByText('authenticated')).toBeInTheDocument();
    });
    await step('one fetch of the token, and each rename twice', () =>
      expect(journal).toHaveSent(
        [sent.get('/whoami'), ...renameLines(sent, ten, 1), sent.get('/csrf'), ...renameLines(sent, ten, 2)],
        {
          anyOrder: true,
        },
      ),
    );
  },
};

/** A refusal for the old CSRF token arrives after the new token: the request is sent again at once, without another fetch. */
export const LateRefusal: Story = {
  beforeEach: [
    app.start('ada'),
    ({ msw }) => {
      notes.reset();
      msw.use(...notes.handlers);
    },
  ],
  render: (_, { journal }) => (
    <CountedPage journal={journal} app={app}>
      <Rename articles={Notes} ids={['1']}>
        Rename the note
      </Rename>
      <ArticlesDemo articles={app.Articles} />
    </CountedPage>
  ),
  play: async ({ canvas, step, journal }) => {
    await step('Ada sees her articles', async () => {
      await canvas.findByText('On signing in');
    });
    app.server.expireCsrf();
    const release = notes.hold();
    await step('she renames a note with the stale token, and the server does not answer yet', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Rename the note' }));
      await waitFor(() => expect(notes.held).toBe(1));
    });
    await step('she renames an article, which fetches the new token', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
      await canvas.findByText('On knocking');
    });
    await step('the refusal for the note arrives, and the note is renamed', async () => {
      release();
      await canvas.findByText('Renamed 1');
      await expect(canvas.getByText('5 for data, 1 to refresh')).toBeInTheDocument();
    });
    await step('one fetch for both', () =>
      expect(journal).toHaveSent([
        sent.get('/whoami'),
        sent.get('/article'),
        sent.patch('/notes/article/1').headers(csrf(1)).json({ title: 'Renamed 1' }),
        sent.patch('/article/1').headers(csrf(1)).json({ title: 'On knocking' }),
        sent.get('/csrf'),
        sent.patch('/article/1').headers(csrf(2)).json({ title: 'On knocking' }),
        sent.patch('/notes/article/1').headers(csrf(2)).json({ title: 'Renamed 1' }),
      ]),
    );
  },
};

interface FailedRename {
  beforeEach?: StoryStart;
  /** The first rename: what the server does before it, and what the page shows after it. */
  fails: { title: string; before?: () => void; message: RegExp };
  /** The second rename. */
  works: { title: string; before?: () => void; counts: string };
  sends: { title: string; lines: RequestLine[] };
}

const renameWith = (token: number) => sent.patch('/article/1').headers(csrf(token)).json({ title: 'On knocking' });

/** A rename fails for its CSRF token, Ada stays signed in with her articles, and a later try succeeds. */
function renameFails({ beforeEach = () => {}, fails, works, sends }: FailedRename): Story {
  return {
    beforeEach: [app.start('ada'), beforeEach],
    render: (_, { journal }) => (
      <CountedPage journal={journal} app={app}>
        <ArticlesDemo articles={app.Articles} />
      </CountedPage>
    ),
    play: async ({ canvas, step, journal }) => {
      const rename = () => userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
      await step('Ada sees her articles', async () => {
        await canvas.findByText('On signing in');
      });
      await step(`${fails.title}, and she stays signed in with her articles`, async () => {
        app.server.expireCsrf();
        fails.before?.();
        await rename();
        await canvas.findByText(fails.message);
        await expect(canvas.getByText('authenticated')).toBeInTheDocument();
        await expect(canvas.getByText('On signing in')).toBeInTheDocument();
      });
      await step(works.title, async () => {
        works.before?.();
        await rename();
        await canvas.findByText('On knocking');
        await expect(canvas.getByText(works.counts)).toBeInTheDocument();
      });
      await step(sends.title, () =>
        expect(journal).toHaveSent([sent.get('/whoami'), sent.get('/article'), ...sends.lines]),
      );
    },
  };
}

/** The new CSRF token is refused too: the request fails, and the user stays signed in. */
export const RefusedTwice: Story = renameFails({
  beforeEach: ({ msw }) => {
    // The server has yet another one when it has answered, as when a proxy keeps the answer.
    msw.use(http.get(`${ownApi}/csrf`, () => new HttpResponse(null, { status: 204 }), { once: true }));
  },
  fails: { title: 'her rename is refused twice', message: /^Renamed: (\S+: )?Forbidden$/ },
  works: { title: 'she renames the article again, and it works', counts: '5 for data, 2 to refresh' },
  sends: {
    title: 'two tries for each rename, with one fetch between',
    lines: [renameWith(1), sent.get('/csrf'), renameWith(1), renameWith(1), sent.get('/csrf'), renameWith(2)],
  },
});

/** The CSRF token cannot be fetched now: the user stays signed in, the data stays on the screen, and a later try succeeds. */
export const Unavailable: Story = renameFails({
  fails: {
    title: 'the server expects another token and issues none: her rename fails',
    before: () => app.server.unavailable(),
    message:
      /^Renamed: The server that issues the credentials could not be reached\. This signs no user out: try again when the network is back\.$/,
  },
  works: {
    title: 'the server issues tokens again, and she renames the article',
    before: () => app.server.unavailable(false),
    counts: '4 for data, 2 to refresh',
  },
  sends: {
    title: 'one fetch for each rename',
    lines: [renameWith(1), sent.get('/csrf'), renameWith(1), sent.get('/csrf'), renameWith(2)],
  },
});

const ask = new RestEndpoint({ urlPrefix: ownApi, path: '/article', method: 'HEAD', schema: undefined });
const options = new RestEndpoint({
  urlPrefix: ownApi,
  path: '/article',
  method: 'OPTIONS',
  schema: undefined,
  body: undefined,
});

/** Sends requests that change nothing. */
function AskOnly() {
  const controller = useController();
  const head = useEndpoint(ask);
  const preflight = useEndpoint(options);
  const act = async () => {
    await controller.fetch(head);
    await controller.fetch(preflight);
    return 'Asked';
  };
  return <ActionButton label="Ask only" act={act} />;
}

/** Each write carries the current CSRF token: also after another tab or a login has changed it. HEAD and OPTIONS carry none. */
export const Rotates: Story = {
  beforeEach: [
    app.start('ada'),
    ({ msw }) => {
      const nothing = () => new HttpResponse(null, { status: 204 });
      msw.use(http.head(`${ownApi}/article`, nothing), http.options(`${ownApi}/article`, nothing));
    },
  ],
  render: (_, { journal }) => (
    <CountedPage journal={journal} app={app}>
      <AskOnly />
      <ArticlesDemo articles={app.Articles} />
    </CountedPage>
  ),
  play: async ({ canvas, step, journal }) => {
    await step('Ada renames an article, and sends HEAD and OPTIONS', async () => {
      await canvas.findByText('On signing in');
      await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
      await canvas.findByText('On knocking');
      await userEvent.click(canvas.getByRole('button', { name: 'Ask only' }));
      await canvas.findByText('Asked');
    });
    await step('another tab gets another token; she writes an article', async () => {
      app.server.rotateCsrf();
      await userEvent.click(canvas.getByRole('button', { name: 'Write' }));
      await canvas.findByText('On writing');
    });
    await step('Grace signs in, and renames one of hers', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Grace Hopper' }));
      await canvas.findByText('A compiler for everyone');
      await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
      await canvas.findByText('On knocking');
    });
    await step(
      'four writes with three tokens, and no fetch of a token; whoami confirms that the cookie of the other tab is hers',
      () =>
        expect(journal).toHaveSent([
          sent.get('/whoami'),
          sent.get('/article'),
          sent.patch('/article/1').headers(csrf(1)).json({ title: 'On knocking' }),
          sent.head('/article'),
          sent.options('/article'),
          sent.get('/whoami'),
          sent.post('/article').headers(csrf(2)).json({ title: 'On writing' }),
          graceSignsIn(sent, 2),
          sent.get('/article'),
          sent.patch('/article/3').headers(csrf(3)).json({ title: 'On knocking' }),
        ]),
    );
  },
};

/** The page has no CSRF cookie: it is fetched once, before ten writes are sent, and no empty header is sent. */
export const MissingToken: Story = {
  beforeEach: many.start('ada'),
  render: renamesTen,
  play: async ({ canvas, step, journal }) => {
    const button = await canvas.findByRole('button', { name: 'Rename ten' });
    await step('the cookie is gone, and Ada renames ten articles', async () => {
      document.cookie = 'csrftoken=; Path=/; Max-Age=0';
      await userEvent.click(button);
      await waitFor(() => expect(canvas.getAllByText(/^Renamed \d+$/)).toHaveLength(TEN));
      await expect(canvas.getByText('10 for data, 1 to refresh')).toBeInTheDocument();
    });
    await step('one fetch of the token, and ten renames that carry it', () =>
      expect(journal).toHaveSent([sent.get('/whoami'), sent.get('/csrf'), ...renameLines(sent, ten, 1)], {
        anyOrder: true,
      }),
    );
  },
};
