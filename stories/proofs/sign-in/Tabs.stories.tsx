import type { Meta, StoryObj } from '@storybook/react-vite';
import { delay, http, HttpResponse } from 'msw';
import { expect, waitFor } from 'storybook/test';
import { RestEndpoint } from '../../../src/index.js';
import { api } from '../../support/articles.js';
import { setupTokenApp } from '../../support/setupTokenApp.js';
import { RequestLog } from '../../support/RequestLog.js';
import { requestsOnly } from '../../support/requestsOnly.js';
import { click, placeOfTabs, Tabs, tabsOf } from '../../support/Tabs.js';

/** A storage key of this story: two stories must not share one. */
const storageKey = `tabs-story-${crypto.randomUUID()}`;

/** The first tab. Both tabs keep their tokens under one key, as two tabs of a browser do. */
const app = setupTokenApp({ session: { storage: { in: placeOfTabs(storageKey), key: storageKey } } });
const { sent } = app;
const second = app.anotherSession();

/**
 * Two tabs of one browser share a sign-in: who signs in or out in one does so in both, and a refresh is done once. The two stand side
 * by side here, each with a session and a store of its own; they know of each other only what tabs can.
 */
const meta = {
  title: 'Proofs/Sign-in',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly },
  beforeEach: [
    app.start(),
    () => {
      second.dispose();
    },
  ],
  render: (_, { journal }) => (
    <>
      <RequestLog journal={journal} />
      <Tabs of={{ 'First tab': app.session, 'Second tab': second }} />
    </>
  ),
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

/** Ada signs in in the first tab, and both tabs show her articles. */
async function signIn({ first, second: other }: ReturnType<typeof tabsOf>) {
  await first.findByText('anonymous');
  await click(first, 'Sign in as Ada Lovelace');
  await first.findByText('On signing in');
  await other.findByText('On signing in');
}

/** Her tokens expire, and both tabs rename an article at once: both are refused before either refreshes. */
async function expireAndRename({ first, second: other }: ReturnType<typeof tabsOf>) {
  app.server.expire();
  const release = app.articles.hold();
  await click(first, 'Rename the first');
  await click(other, 'Rename the first');
  await waitFor(() => expect(app.articles.held).toBe(2));
  release();
  await first.findByText('Renamed');
  await other.findByText('Renamed');
}

const ADA_SIGNS_IN = sent.post('/login').json({ username: 'ada', password: 'lovelace' });
const GRACE_SIGNS_IN = sent.post('/login').json({ username: 'grace', password: 'hopper' });
const rename = (token: number) => sent.patch('/article/1').as('ada', token).json({ title: 'On knocking' });

/** Ada signs in in the first tab, and both tabs show her articles. She signs out in the second, and both are signed out. */
export const TabsSignInAndOut: Story = {
  play: async ({ canvas, step, hasSent }) => {
    const tabs = tabsOf(canvas);
    await step('Ada signs in in the first tab, and the second one follows', () => signIn(tabs));
    await step('she signs out in the second tab, and the first one follows', async () => {
      await click(tabs.second, 'Sign out');
      await tabs.second.findByText('anonymous: signed-out');
      await tabs.first.findByText('anonymous: elsewhere');
      await waitFor(() => expect(app.server.counts.logouts).toBe(1));
      await expect(canvas.queryByText('On signing in')).not.toBeInTheDocument();
    });
    await hasSent('one login, one logout, and one list for each tab', [
      ADA_SIGNS_IN,
      sent.get('/article').as('ada'),
      sent.get('/article').as('ada'),
      sent.post('/logout').as('ada'),
    ]);
  },
};

/** Grace signs in in Ada's browser: the other tab leaves Ada’s screen at once, and reads as Grace. */
export const AnotherUserInAnotherTab: Story = {
  play: async ({ canvas, step, hasSent }) => {
    const tabs = tabsOf(canvas);
    await step('both tabs show Ada’s articles', () => signIn(tabs));
    await step('Grace signs in in the first tab, and both tabs show her articles', async () => {
      await click(tabs.first, 'Sign in as Grace Hopper');
      await tabs.first.findByText('A compiler for everyone');
      await tabs.second.findByText('A compiler for everyone');
      await expect(canvas.queryByText('On signing in')).not.toBeInTheDocument();
    });
    await hasSent('nothing is sent as Ada after Grace’s login', [
      ADA_SIGNS_IN,
      sent.get('/article').as('ada'),
      sent.get('/article').as('ada'),
      GRACE_SIGNS_IN,
      sent.get('/article').as('grace'),
      sent.get('/article').as('grace'),
    ]);
  },
};

/** The token expires, and both tabs rename an article at once. A one-time refresh token is used once. */
export const OneRefreshForAllTabs: Story = {
  play: async ({ canvas, step, hasSent }) => {
    const tabs = tabsOf(canvas);
    await step('both tabs show Ada’s articles', () => signIn(tabs));
    await step('her token has expired; both tabs rename an article', async () => {
      await expireAndRename(tabs);
      await expect(canvas.getByText('6 for data, 1 to refresh')).toBeInTheDocument();
      await expect(canvas.getAllByText('authenticated')).toHaveLength(2);
    });
    await hasSent(
      'four renames, two with each token, and one refresh',
      [
        ADA_SIGNS_IN,
        sent.get('/article').as('ada'),
        sent.get('/article').as('ada'),
        rename(1),
        rename(1),
        sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' }),
        rename(2),
        rename(2),
      ],
      { anyOrder: true },
    );
  },
};

/** Whose refresh cookie the browser has; undefined before a sign-in, and while the cookie is exchanged. */
let cookieOf: string | undefined;
/** How long the server takes to exchange it, in milliseconds: another tab that does not take the lock would come in between. */
const EXCHANGE_MS = 50;

const renew = new RestEndpoint({
  urlPrefix: api,
  path: '/renew',
  method: 'POST',
  body: undefined,
  requestInit: { credentials: 'include' },
});
const inMemory = () =>
  app.anotherSession(undefined, {
    storage: 'memory',
    refresh: () => renew(),
    restore: () => renew(),
    // The server clears the cookie; which tab holds which token by then is nobody's promise.
    logout: async () => void (cookieOf = undefined),
  });

const firstInMemory = inMemory();
const secondInMemory = inMemory();
const EXCHANGED = sent.post('/renew').credentials('include');

/**
 * Tokens in memory behind a one-time refresh cookie. Tabs tell each other nothing, but they use the cookie one at a time: a tab finds the
 * sign-in of another one when it asks for it, and its sign-out at its next refresh.
 */
export const TabsInMemory: Story = {
  beforeEach: ({ msw }) => {
    cookieOf = undefined;
    for (const session of [firstInMemory, secondInMemory]) session.dispose();
    msw.use(
      http.post(`${api}/renew`, async () => {
        const person = cookieOf;
        if (person === undefined) return new HttpResponse(null, { status: 401 });
        cookieOf = undefined;
        await delay(EXCHANGE_MS);
        cookieOf = person;
        return HttpResponse.json(app.server.signIn(person));
      }),
      // The mock server answers, and sets the cookie.
      http.post(`${api}/login`, () => void (cookieOf = 'ada')),
    );
  },
  render: (_, { journal }) => (
    <>
      <RequestLog journal={journal} />
      <Tabs of={{ 'First tab': firstInMemory, 'Second tab': secondInMemory }} />
    </>
  ),
  play: async ({ canvas, step, hasSent }) => {
    const tabs = tabsOf(canvas);
    await step('both tabs are signed out', async () => {
      await tabs.first.findByText('anonymous');
      await tabs.second.findByText('anonymous');
    });
    await step('Ada signs in in the first tab; the second one asks, and gets a token of its own', async () => {
      await click(tabs.first, 'Sign in as Ada Lovelace');
      await tabs.first.findByText('On signing in');
      await secondInMemory.refresh();
      await tabs.second.findByText('On signing in');
    });
    await step('both tokens expire, and both tabs rename an article: they use the cookie one after the other', () =>
      expireAndRename(tabs),
    );
    await step('she signs out in the second tab, and the next refresh ends the first one', async () => {
      await click(tabs.second, 'Sign out');
      await tabs.second.findByText('anonymous: signed-out');
      await waitFor(() => expect(cookieOf).toBeUndefined());
      await firstInMemory.refresh().catch(() => {});
      await tabs.first.findByText('anonymous: expired');
    });
    await hasSent(
      'the cookie is used twice by signed-out tabs, then once for each token, and once after its end',
      [
        ...[EXCHANGED, EXCHANGED],
        ...[ADA_SIGNS_IN, sent.get('/article').as('ada'), EXCHANGED, sent.get('/article').as('ada', 2)],
        ...[rename(1), rename(2), EXCHANGED, EXCHANGED, rename(3), rename(4)],
        EXCHANGED,
      ],
      { anyOrder: true },
    );
  },
};
