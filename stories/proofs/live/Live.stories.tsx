import { AsyncBoundary, useSubscription, useSuspense, type Controller } from '@data-client/react';
import type { Meta, StoryObj } from '@storybook/react-vite';
import { http, HttpResponse } from 'msw';
import { StrictMode, useState } from 'react';
import { expect, userEvent, waitFor } from 'storybook/test';
import { Authenticated } from '../../../src/index.js';
import { eventStream, liveManager } from '../../../src/entries/live.js';
import { managers, type Managers } from '../../../src/entries/managers.js';
import { articleResource, type ArticleRow } from '../../support/articles.js';
import { createLiveServer } from '../../support/createLiveServer.js';
import { linesUnder, type Mechanism } from '../../support/linesUnder.js';
import { requestsOnly } from '../../support/requestsOnly.js';
import { ownApi } from '../../support/setupCookieApp.js';
import { setupWidgetApp } from '../../support/setupWidgetApp.js';

const ROWS: ArticleRow[] = ['ada', 'grace'].flatMap(author =>
  Array.from({ length: 20 }, (_, index) => ({
    id: `${author}-${index + 1}`,
    title: `${author} ${index + 1}`,
    content: '',
    author,
  })),
);

const app = setupWidgetApp({ rows: ROWS });
const { Articles, sent } = app;
const live = createLiveServer();
const { get } = articleResource(ownApi);
const WS = `${window.location.origin.replace('http', 'ws')}${ownApi}/live`;

const receive = ({ data }: { data: string }, controller: Controller) => {
  const article = JSON.parse(data) as { id: string };
  void controller.setResponse(get, { id: article.id }, article);
};

const sockets = managers(({ session }) => [
  liveManager(session, { open: (token = 'cookie') => new WebSocket(WS, ['bearer', token]), receive }),
]);

const events = managers(({ session }) => [
  liveManager(session, {
    open: () => eventStream(signal => session.fetch(`${ownApi}/events`, { signal })),
    receive,
  }),
]);

function Row({ title }: { title: string }) {
  // Each row subscribes, as where a row is a component of its own.
  useSubscription(Articles.useGetList());
  return <li>{title}</li>;
}

function Rows() {
  const articles = useSuspense(Articles.useGetList());
  return (
    <ul>
      {articles.map(({ id, title }) => (
        <Row key={id} title={title} />
      ))}
    </ul>
  );
}

function Page({ live }: { live: Managers }) {
  const [isShown, setIsShown] = useState(true);
  return (
    <StrictMode>
      <app.Provider managers={live}>
        <app.SignInButtons />
        <button type="button" onClick={() => setIsShown(!isShown)}>
          Show or hide
        </button>
        <Authenticated>
          <AsyncBoundary fallback={<p>Fetching…</p>}>{isShown && <Rows />}</AsyncBoundary>
        </Authenticated>
      </app.Provider>
    </StrictMode>
  );
}

/** One connection for all that subscribe, with the credential of the moment; it ends with its user. */
const meta = {
  title: 'Proofs/Live data',
  tags: ['proof', '!autodocs'],
  component: Page,
  args: { live: sockets },
  parameters: { ...requestsOnly, cookies: app.cookies },
  beforeEach: [
    app.start('ada'),
    ({ msw, auth }) => {
      if (auth.isRerender) return;
      live.reset();
      msw.use(live.handler);
    },
  ],
} satisfies Meta<typeof Page>;

export default meta;
type Story = StoryObj<typeof meta>;

const PATH = `WS ${ownApi}/live`;
const line = (person: string, event: string) => `${PATH}  ${person}  ${event}`;

/** Twenty rows subscribe: one socket, and a frame changes its row without a request. */
export const TwentyRowsOneSocket: Story = {
  play: async ({ canvas, step, journal }) => {
    await step('Ada sees her rows, and her socket is open', async () => {
      await canvas.findByText('ada 20');
      await waitFor(() => expect(live.tokens()).toEqual(['ada-1']));
    });
    await step('a row is renamed elsewhere', async () => {
      await waitFor(() => expect(journal.lines()).toContain(line('ada', 'open')));
      live.send({ id: 'ada-7', title: 'Renamed elsewhere' });
      await canvas.findByText('Renamed elsewhere');
    });
    await step('one read, one socket, one frame', () =>
      expect(journal).toHaveSent([sent.get('/article').as('ada'), line('ada', 'open'), line('ada', 'frame')]),
    );
  },
};

/** The server refuses the token of the socket: one refresh, one new socket, and one read of what was missed. */
export const ExpiredToken: Story = {
  play: async ({ canvas, msw, step, journal }) => {
    await canvas.findByText('ada 20');
    await waitFor(() => expect(journal.lines()).toContain(line('ada', 'open')));
    await step('the token expires, and a row is renamed while the socket is closed', async () => {
      app.server.expire();
      live.refuseWhere(token => token === 'ada-1');
      live.close(4401);
      msw.use(
        http.get(
          `${ownApi}/article`,
          ({ request }) =>
            (app.server.authorize({ request }) as HttpResponse<string>) ??
            HttpResponse.json([{ ...ROWS[2], title: 'Renamed meanwhile' }]),
        ),
      );
      await canvas.findByText('Renamed meanwhile');
    });
    await step('one refresh, one reconnect, one read of the list', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        line('ada', 'open'),
        line('ada', 'close 4401'),
        ...linesUnder.token.refreshes,
        line('ada', 'open'),
        sent.get('/article').as('ada', 2),
      ]),
    );
  },
};

function switchesUnder(mechanism: Mechanism): Story {
  const { restores, read, graceSignsIn } = linesUnder[mechanism];
  return {
    globals: { mechanism },
    play: async ({ canvas, step, journal }) => {
      await canvas.findByText('ada 20');
      await waitFor(() => expect(journal.lines()).toContain(line('ada', 'open')));
      await step('Grace signs in on the same page', async () => {
        await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Grace Hopper' }));
        await canvas.findByText('grace 20');
        await waitFor(() => expect(journal.lines()).toContain(line('grace', 'open')));
      });
      await step('Ada’s server sends a late frame for a row that Grace has', async () => {
        live.send({ id: 'grace-1', title: 'Written by Ada’s socket' }, 0);
        live.send({ id: 'grace-2', title: 'Written by Grace’s socket' });
        await canvas.findByText('Written by Grace’s socket');
        await expect(canvas.getByText('grace 1')).toBeVisible();
        await expect(canvas.queryByText(/^ada /)).toBeNull();
      });
      await step('one close before one open, and one frame', () =>
        expect(journal).toHaveSent([
          ...restores,
          read(sent.get('/article'), 'ada'),
          line('ada', 'open'),
          ...(mechanism === 'context' ? [line('ada', 'close')] : []),
          ...graceSignsIn,
          ...(mechanism === 'context' ? [] : [line('ada', 'close')]),
          read(sent.get('/article'), 'grace'),
          line('grace', 'open'),
          line('grace', 'frame'),
        ]),
      );
    },
  };
}

export const SwitchUnderTokenAuthProvider = switchesUnder('token');
export const SwitchUnderCookieAuthProvider = switchesUnder('cookie');
export const SwitchUnderContextTokenProvider = switchesUnder('context');

/** Without a subscription no socket is open; where it opens again, what was missed is read. */
export const OpenWhileSubscribed: Story = {
  tags: ['slow'],
  play: async ({ canvas, step, journal }) => {
    const toggle = () => userEvent.click(canvas.getByRole('button', { name: 'Show or hide' }));
    await canvas.findByText('ada 20');
    await waitFor(() => expect(journal.lines()).toContain(line('ada', 'open')));
    await step('the rows are hidden for a moment, and then for longer', async () => {
      await toggle();
      await toggle();
      await canvas.findByText('ada 20');
      await toggle();
      await waitFor(() => expect(journal.lines()).toContain(line('ada', 'close')), { timeout: 3_000 });
      await toggle();
    });
    await step('one close, one open, one read', async () => {
      const lines = [line('ada', 'open'), line('ada', 'close'), line('ada', 'open')];
      const read = (await waitFor(() => expect(journal.entries).toHaveLength(5)), sent.get('/article').as('ada'));
      await expect(journal).toHaveSent([read, ...lines, read]);
    });
  },
};

/** Server-sent events by `session.fetch`, over an expired token and a sign-out. */
export const ServerSentEvents: Story = {
  args: { live: events },
  play: async ({ canvas, msw, step, journal }) => {
    let stream!: ReadableStreamDefaultController<Uint8Array>;
    const push = (record: object) => stream.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(record)}\n\n`));
    const states = () => journal.lines().filter(text => text.startsWith('SSE'));
    const events = (...all: string[]) => all.map(event => `SSE ${ownApi}/events  ada  ${event}`);
    msw.use(
      http.get(`${ownApi}/events`, ({ request }) => {
        const refused = app.server.authorize({ request });
        if (refused) return refused as HttpResponse<string>;
        const body = new ReadableStream<Uint8Array>({ start: controller => void (stream = controller) });
        return new HttpResponse(body, { headers: { 'Content-Type': 'text/event-stream' } });
      }),
    );
    await step('the server pushes a row', async () => {
      await canvas.findByText('ada 20');
      await waitFor(() => expect(states()).toEqual(events('open')));
      push({ id: 'ada-7', title: 'Renamed elsewhere' });
      await canvas.findByText('Renamed elsewhere');
    });
    await step('the token expires, and the server ends the stream: it is open again', async () => {
      app.server.expire();
      stream.close();
      await waitFor(() => expect(states()).toEqual(events('open', 'frame', 'close 1006', 'open')), { timeout: 3_000 });
      await canvas.findByText('ada 7');
      push({ id: 'ada-7', title: 'Renamed again' });
      await canvas.findByText('Renamed again');
    });
    await step('Ada signs out', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign out' }));
      await waitFor(() => expect(canvas.queryByText('ada 20')).toBeNull());
      await waitFor(() => expect(journal.lines().join()).toContain('POST'));
    });
    await step('one refresh, one read of what was missed, and the stream ends before the sign-out is sent', () =>
      expect(journal).toHaveSent(
        [
          sent.get('/article').as('ada'),
          sent.get('/events').as('ada'),
          ...events('open', 'frame', 'close 1006'),
          sent.get('/events').as('ada'),
          ...linesUnder.token.refreshes,
          sent.get('/events').as('ada', 2),
          ...events('open'),
          sent.get('/article').as('ada', 2),
          ...events('frame', 'close'),
          sent.post('/logout').as('ada', 2),
        ],
        { anyOrder: true },
      ),
    );
  },
};
