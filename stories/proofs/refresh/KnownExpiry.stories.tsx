import type { Meta, StoryObj } from '@storybook/react-vite';
import { http, HttpResponse } from 'msw';
import { expect, userEvent, waitFor } from 'storybook/test';
import type { RequestLine } from '../../../src/testing/index.js';
import { api } from '../../support/articles.js';
import { ArticlesDemo } from '../../support/ArticlesDemo.js';
import { CountedPage } from '../../support/CountedPage.js';
import { Rename } from '../../support/Rename.js';
import type { StoryStart } from '../../support/StoryStart.js';
import { setupTokenApp } from '../../support/setupTokenApp.js';
import { requestsOnly } from '../../support/requestsOnly.js';
import { inCases } from '../../support/inCases.js';

const MINUTE_MS = 60_000;
const clock = offsetClock();

/** Its answers say how long a token lives: ten minutes. */
const app = setupTokenApp({ server: { expiresIn: 600 }, session: { clock } });
const { sent } = app;
/** The answers of its `/refresh`, and of the start, say when a token ends by the server's clock. */
const dated = setupTokenApp({
  session: {
    clock,
    restore: async () => datedTokens(),
  },
});

/** The clock of a computer that is fast or slow. It runs, unlike a `manualClock`. Milliseconds. */
function offsetClock() {
  let aheadMs = 0;
  return {
    now: () => Date.now() + aheadMs,
    setTimeout(callback: () => void, delayMs: number) {
      const timer = setTimeout(callback, delayMs);
      return () => clearTimeout(timer);
    },
    /** Negative: the computer is slow. */
    set: (ms: number) => void (aheadMs = ms),
  };
}

/** Tokens that end in five minutes by the server's clock. */
function datedTokens() {
  return { ...dated.server.signIn('ada'), expiresAt: Date.now() + 5 * MINUTE_MS };
}

/** Its answers name no expiry, and its tokens are no JWTs. */
const opaque = setupTokenApp({ session: { clock } });
/** Its answers name no expiry, but its tokens are JWTs of one hour. */
const jwt = setupTokenApp({ server: { jwt: true }, session: { clock } });

/** The session's timers of more than a minute, with the time at which each is due. A story runs them by hand. */
const alarms = new Map<() => void, number>();
const timed = setupTokenApp({
  server: { expiresIn: 600 },
  session: {
    refresh: { auto: true },
    clock: {
      now: clock.now,
      setTimeout(callback, delayMs) {
        if (delayMs < MINUTE_MS) return clock.setTimeout(callback, delayMs);
        alarms.set(callback, clock.now() + delayMs);
        return () => void alarms.delete(callback);
      },
    },
  },
});

/** Renders the counts, and below them the articles and two requests that start together. */
const pageOf =
  (app: Pick<typeof opaque, 'Articles' | 'Provider'>): NonNullable<Story['render']> =>
  (_, { journal }) => (
    <CountedPage journal={journal} app={app} buttons={null}>
      <Rename articles={app.Articles} ids={['1', '2']}>
        Rename both
      </Rename>
      <ArticlesDemo articles={app.Articles} />
    </CountedPage>
  );

/** When the server says how long a token lives, it is renewed before it is sent, and not after it was refused. */
const meta = {
  title: 'Proofs/Refresh',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly },
  beforeEach: () => clock.set(0),
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;
const rename = (id: string, token: number) =>
  sent
    .patch(`/article/${id}`)
    .as('ada', token)
    .json({ title: `Renamed ${id}` });
const write = (token: number) => sent.post('/article').as('ada', token).json({ title: 'On writing' });
const knock = (token: number) => sent.patch('/article/1').as('ada', token).json({ title: 'On knocking' });

/** Answers `/refresh` with tokens of five minutes by the server's clock. */
const refreshIsDated: StoryStart = ({ msw }) => {
  msw.use(http.post(`${api}/refresh`, () => HttpResponse.json(datedTokens())));
};

/** Ada's laptop sleeps for an hour, and then two requests start together. */
const sleeps =
  (server: typeof app.server, lines: readonly RequestLine[]): NonNullable<Story['play']> =>
  async ({ canvas, step, hasSent }) => {
    await step('Ada sees her articles, and closes the laptop', async () => {
      await canvas.findByText('On signing in');
    });
    await step('an hour later she renames two of them', async () => {
      clock.set(60 * MINUTE_MS);
      server.expire();
      await userEvent.click(canvas.getByRole('button', { name: 'Rename both' }));
      await waitFor(() => expect(canvas.getAllByText(/^Renamed \d$/)).toHaveLength(4));
      await expect(canvas.getByText(`${lines.length} for data, 1 to refresh`)).toBeInTheDocument();
      await expect(canvas.getByText('authenticated')).toBeInTheDocument();
    });
    await hasSent('one refresh', [...lines, sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' })], {
      anyOrder: true,
    });
  };
const onceEach = [sent.get('/article').as('ada'), rename('1', 2), rename('2', 2)];

const sleptForAnHour: Story = {
  beforeEach: app.start('ada'),
  render: pageOf(app),
  play: sleeps(app.server, onceEach),
};

const expiryAsATime: Story = {
  beforeEach: [dated.start('ada'), refreshIsDated],
  render: pageOf(dated),
  play: sleeps(dated.server, onceEach),
};

/** The session reads the expiry from the token itself, the `exp` of a JWT. */
export const ExpiryFromAJwt: Story = {
  beforeEach: jwt.start('ada'),
  render: pageOf(jwt),
  play: async ({ canvas, step, journal }) => {
    await step('Ada sees her articles, and closes the laptop', async () => {
      await canvas.findByText('On signing in');
    });
    await step('an hour later she renames one of them', async () => {
      clock.set(60 * MINUTE_MS);
      await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
      await canvas.findByText('On knocking');
    });
    await step('the refresh is sent first, although the server would have accepted the old token', async () => {
      const [before = '', after = ''] = journal.entries
        .map(({ headers }) => headers['access-token'])
        .filter(token => token !== undefined);
      await expect(after).not.toBe(before);
      await expect(journal).toHaveSent([
        sent.get('/article').headers({ 'access-token': before }),
        sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' }),
        sent.patch('/article/1').headers({ 'access-token': after }).json({ title: 'On knocking' }),
      ]);
    });
  },
};

const expiryUnknown: Story = {
  beforeEach: opaque.start('ada'),
  render: pageOf(opaque),
  play: sleeps(opaque.server, [...onceEach, rename('1', 1), rename('2', 1)]),
};

/** After an hour two requests start together: they wait for one refresh, and the old token is sent only where nothing says that it has ended. */
export const SleptForAnHour: Story = inCases({
  'the server says how long a token lives': sleptForAnHour,
  'the server names the time at which a token ends, by `expiresAt`': expiryAsATime,
  'neither the server nor the token names an expiry: a refresh after the 401': expiryUnknown,
});

/** With `refresh: { auto: true }`, the token is refreshed before it ends, even when no request is sent. */
export const RefreshedByTimer: Story = {
  beforeEach: [timed.start('ada'), () => alarms.clear()],
  render: pageOf(timed),
  play: async ({ canvas, step, journal, hasSent }) => {
    await step('Ada sees her articles, and sends nothing more', async () => {
      await canvas.findByText('On signing in');
      await expect(journal).toHaveSent([sent.get('/article').as('ada')]);
    });
    await step('nine of the ten minutes are over, and her token is refreshed', async () => {
      clock.set(9 * MINUTE_MS);
      for (const [ring, due] of alarms) if (due <= clock.now()) ring();
      await canvas.findByText('1 for data, 1 to refresh');
      // The alarm of the new token: the page has it.
      await waitFor(() => expect(Math.max(...alarms.values())).toBeGreaterThan(clock.now()));
    });
    await step('her next request carries the new one', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
      await canvas.findByText('On knocking');
    });
    await hasSent('one refresh, which no request waited for', [
      sent.get('/article').as('ada'),
      sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' }),
      knock(2),
    ]);
  },
};

/** Renames an article, and lets the token expire on the server, twice. */
const livesWithAWrongClock: NonNullable<Story['play']> = async ({ canvas, step, hasSent }) => {
  await step('Ada sees her articles; the clock of her computer is wrong', async () => {
    await canvas.findByText('On signing in');
  });
  await step('her token expires, and she renames an article', async () => {
    dated.server.expire();
    await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
    await canvas.findByText('On knocking');
    await expect(canvas.getByText('3 for data, 1 to refresh')).toBeInTheDocument();
  });
  await step('it expires again, and she writes an article', async () => {
    dated.server.expire();
    await userEvent.click(canvas.getByRole('button', { name: 'Write' }));
    await canvas.findByText('On writing');
    await expect(canvas.getByText('5 for data, 2 to refresh')).toBeInTheDocument();
    await expect(canvas.getByText('authenticated')).toBeInTheDocument();
  });
  await hasSent('one refresh and one refused request for each expiry', [
    sent.get('/article').as('ada'),
    knock(1),
    sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' }),
    knock(2),
    write(2),
    sent.post('/refresh').json({ refreshToken: 'ada-refresh-2' }),
    write(3),
  ]);
};

const clockTenMinutesFast: Story = {
  beforeEach: [() => clock.set(10 * MINUTE_MS), dated.start('ada'), refreshIsDated],
  render: pageOf(dated),
  play: livesWithAWrongClock,
};

const clockTenMinutesSlow: Story = {
  beforeEach: [() => clock.set(-10 * MINUTE_MS), dated.start('ada'), refreshIsDated],
  render: pageOf(dated),
  play: livesWithAWrongClock,
};

/** The clock of the computer is wrong: the token is sent anyway, and the server decides. */
export const ClockTenMinutesFast: Story = inCases({
  'ten minutes fast: every token has ended on arrival': clockTenMinutesFast,
  'ten minutes slow: a token lives too long': clockTenMinutesSlow,
});

/** Each refresh returns a token that has ended already: two tries, two refreshes, the end of the session, and no loop. */
export const RefreshedWithAnExpiredToken: Story = {
  parameters: { expectedConsoleErrors: [/^NetworkError: (\S+: )?Unauthorized/] },
  beforeEach: [
    app.start('ada'),
    ({ msw }) => {
      msw.use(
        http.post(`${api}/refresh`, () => {
          const tokens = app.server.signIn('ada');
          app.server.expire();
          return HttpResponse.json({ ...tokens, expiresIn: 0 });
        }),
      );
    },
  ],
  render: pageOf(app),
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada sees her articles', async () => {
      await canvas.findByText('On signing in');
    });
    await step('an hour later she renames an article; the server refuses each new token', async () => {
      clock.set(60 * MINUTE_MS);
      app.server.expire();
      await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
      await canvas.findByText('anonymous: expired');
      await canvas.findByText('Refused: 401');
      await expect(canvas.getByText('5 for data, 2 to refresh')).toBeInTheDocument();
    });
    await hasSent(
      'one refresh before the first try, one before the second, a late try, and then a list without a token',
      [
        sent.get('/article').as('ada'),
        sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' }),
        knock(2),
        sent.post('/refresh').json({ refreshToken: 'ada-refresh-2' }),
        knock(3),
        knock(3),
        sent.get('/article'),
      ],
    );
  },
};
