import type { Meta, StoryObj } from '@storybook/react-vite';
import { http, HttpResponse } from 'msw';
import { expect, userEvent } from 'storybook/test';
import type { RequestLine } from '../../../src/testing/index.js';
import { ArticlesDemo } from '../../support/ArticlesDemo.js';
import { CountedPage } from '../../support/CountedPage.js';
import { requestsOnly } from '../../support/requestsOnly.js';
import { csrf, ownApi, setupCookieApp } from '../../support/setupCookieApp.js';
import type { StoryStart } from '../../support/StoryStart.js';

const app = setupCookieApp();
const { sent } = app;

/** The server refuses the CSRF token, and no new one helps: only the request fails. */
const meta = {
  title: 'Proofs/CSRF token',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly, cookies: app.cookies },
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

interface FailedRename {
  beforeEach?: StoryStart;
  /** The first rename: what the server does before it, and what the page shows after it. */
  fails: { title: string; before?: () => void; message: RegExp };
  /** The second rename. */
  works: { title: string; before?: () => void; counts: string };
  sends: { title: string; lines: RequestLine[] };
}

/** The new token may be another user’s, so whoami comes before the replay. */
const fetchesToken = [sent.get('/csrf'), sent.get('/whoami')];

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
    lines: [
      ...[renameWith(1), ...fetchesToken, renameWith(1)],
      // The refusal after a fresh token says that somebody else may be signed in.
      ...[sent.get('/whoami'), renameWith(1), ...fetchesToken, renameWith(2)],
    ],
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
    lines: [renameWith(1), sent.get('/csrf'), sent.get('/whoami'), renameWith(1), ...fetchesToken, renameWith(2)],
  },
});
