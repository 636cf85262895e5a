import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, userEvent, waitFor } from 'storybook/test';
import { Authenticated } from '../../../src/index.js';
import { resourceHandlers } from '../../../src/testing/index.js';
import { articleResource, articleHooks, rows } from '../../support/articles.js';
import { ArticlesDemo } from '../../support/ArticlesDemo.js';
import { CountedPage } from '../../support/CountedPage.js';
import { csrfGate, renameLines } from '../../support/csrfGate.js';
import { manyArticles } from '../../support/manyArticles.js';
import { Rename } from '../../support/Rename.js';
import { requestsOnly } from '../../support/requestsOnly.js';
import { csrf, ownApi, setupCookieApp } from '../../support/setupCookieApp.js';

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
    await step('one fetch of the token, one whoami before the replays, and each rename twice', () =>
      expect(journal).toHaveSent(
        [
          ...[sent.get('/whoami'), ...renameLines(sent, ten, 1)],
          ...[sent.get('/csrf'), sent.get('/whoami'), ...renameLines(sent, ten, 2)],
        ],
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
    await step('one fetch and one whoami for both', () =>
      expect(journal).toHaveSent([
        sent.get('/whoami'),
        sent.get('/article'),
        sent.patch('/notes/article/1').headers(csrf(1)).json({ title: 'Renamed 1' }),
        sent.patch('/article/1').headers(csrf(1)).json({ title: 'On knocking' }),
        sent.get('/csrf'),
        sent.get('/whoami'),
        sent.patch('/article/1').headers(csrf(2)).json({ title: 'On knocking' }),
        sent.patch('/notes/article/1').headers(csrf(2)).json({ title: 'Renamed 1' }),
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
    await step('one fetch of the token, one whoami, and ten renames that carry it', () =>
      expect(journal).toHaveSent(
        [sent.get('/whoami'), sent.get('/csrf'), sent.get('/whoami'), ...renameLines(sent, ten, 1)],
        { anyOrder: true },
      ),
    );
  },
};
