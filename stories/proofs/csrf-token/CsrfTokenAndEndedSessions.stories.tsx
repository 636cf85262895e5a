import type { Meta, StoryObj } from '@storybook/react-vite';
import type { ReactNode } from 'react';
import { expect, userEvent, waitFor } from 'storybook/test';
import { Authenticated } from '../../../src/index.js';
import type { RequestLine } from '../../../src/testing/index.js';
import { CountedPage } from '../../support/CountedPage.js';
import { graceSignsIn, renameLines } from '../../support/csrfGate.js';
import { manyArticles } from '../../support/manyArticles.js';
import { ManyDetails } from '../../support/ManyDetails.js';
import { Rename } from '../../support/Rename.js';
import { requestsOnly } from '../../support/requestsOnly.js';
import { setupCookieApp } from '../../support/setupCookieApp.js';

const { ids: twenty, rows } = manyArticles(20);
const app = setupCookieApp({ rows });
const { sent } = app;

/** What becomes of requests that the server refuses because it has forgotten the cookie. */
const meta = {
  title: 'Proofs/CSRF token',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly, cookies: app.cookies },
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;
type Canvas = Parameters<NonNullable<Story['play']>>[0]['canvas'];

const EXPIRED =
  'The session has expired: the server refused its credentials. Sign in again, then start the request again.';

interface Twenty {
  /** The button that starts the twenty requests. */
  label: string;
  widgets: ReactNode;
  title: string;
  /** One more look at the ended session. */
  sees?: (canvas: Canvas) => Promise<unknown>;
  lines: RequestLine[];
}

/** The server has forgotten the cookie when twenty requests arrive: it refuses each once, and Grace signs in without a reload. */
function twentyMeetTheEnd({ label, widgets, title, sees, lines }: Twenty): Story {
  return {
    beforeEach: app.start('ada'),
    render: (_, { journal }) => (
      <CountedPage journal={journal} app={app}>
        <Authenticated>{widgets}</Authenticated>
      </CountedPage>
    ),
    play: async ({ canvas, step, journal }) => {
      const button = await canvas.findByRole('button', { name: label });
      app.server.expire();
      const release = app.articles.hold();
      await step(`Ada’s session has ended on the server; ${title}`, async () => {
        await userEvent.click(button);
        await waitFor(() => expect(app.articles.held).toBe(20));
        release();
        await canvas.findByText('anonymous: expired');
        await sees?.(canvas);
        await expect(canvas.getByText('20 for data, 0 to refresh')).toBeInTheDocument();
      });
      await step('Grace signs in without a reload', async () => {
        await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Grace Hopper' }));
        await canvas.findByText('authenticated');
      });
      await step('each request was sent once, and one whoami for all', () =>
        expect(journal).toHaveSent([sent.get('/whoami'), ...lines, sent.get('/whoami'), graceSignsIn(sent, 1)], {
          anyOrder: true,
        }),
      );
    },
  };
}

/** The server has forgotten the cookie: twenty widgets are refused once each, the session ends once, and nothing is sent again. */
export const TwentyMeetTheEnd: Story = twentyMeetTheEnd({
  label: 'Show twenty',
  widgets: (
    <ManyDetails articles={app.Articles} ids={twenty}>
      Show twenty
    </ManyDetails>
  ),
  title: 'she opens twenty widgets, and the session ends',
  lines: twenty.map(id => sent.get(`/article/${id}`)),
});

/** The server has forgotten the cookie: twenty writes reject with the same reason. */
export const TwentyWritesMeetTheEnd: Story = twentyMeetTheEnd({
  label: 'Rename twenty',
  widgets: (
    <Rename articles={app.Articles} ids={twenty}>
      Rename twenty
    </Rename>
  ),
  title: 'she renames twenty articles, and each call rejects with the reason',
  sees: canvas => waitFor(() => expect(canvas.getAllByText(EXPIRED)).toHaveLength(20)),
  lines: renameLines(sent, twenty, 1),
});
