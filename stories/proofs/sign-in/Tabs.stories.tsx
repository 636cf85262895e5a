import type { Meta, StoryObj } from '@storybook/react-vite';
import { delay, http, HttpResponse } from 'msw';
import { useEffect, useState } from 'react';
import { expect, userEvent, waitFor, within } from 'storybook/test';
import { Authenticated, RestEndpoint, TokenAuthProvider } from '../../../src/index.js';
import { api } from '../../support/articles.js';
import { setupCookieApp } from '../../support/setupCookieApp.js';
import { ArticlesDemo, SignInButtons, AuthStatus } from '../../support/ArticlesDemo.js';
import { createCounter } from '../../support/RenderCounter.js';
import { setupTokenApp } from '../../support/setupTokenApp.js';
import { RequestLog } from '../../support/RequestLog.js';
import { requestsOnly } from '../../support/requestsOnly.js';

/** A storage key of this story: two stories must not share one. */
const storageKey = `tabs-story-${crypto.randomUUID()}`;

/** The first tab. Both tabs keep their tokens under one key, as two tabs of a browser do. */
const app = setupTokenApp({ session: { storage: 'local', storageKey } });
const { sent } = app;
const second = app.anotherSession();

/** Tabs with their names, side by side where there is room. */
function Tabs({ of }: { of: Record<string, typeof second> }) {
  return (
    <div style={{ display: 'flex', flexWrap: 'wrap', gap: '1rem' }}>
      {Object.entries(of).map(([name, session]) => (
        <Tab key={name} name={name} session={session} />
      ))}
    </div>
  );
}

function Tab({ name, session }: { name: string; session: typeof second }) {
  return (
    <section aria-label={name} style={{ flex: 1, border: '1px solid', padding: '0 1rem' }}>
      <h2>{name}</h2>
      <TokenAuthProvider session={session}>
        <AuthStatus />
        <SignInButtons />
        <Authenticated fallback={<p>Nobody is signed in.</p>}>
          <ArticlesDemo articles={app.Articles} label={`Articles in the ${name.toLowerCase()}`} />
        </Authenticated>
      </TokenAuthProvider>
    </section>
  );
}

/**
 * Two tabs of one browser share a sign-in: who signs in or out in one does so in both, and a refresh is done once. The two stand side
 * by side here, each with a session and a store of its own; they know of each other only what tabs can.
 */
const meta = {
  title: 'Proofs/Sign-in',
  tags: ['proof', '!autodocs'],
  parameters: requestsOnly,
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
type Canvas = ReturnType<typeof within>;

const tabsOf = (canvas: Canvas) => ({
  first: within(canvas.getByRole('region', { name: 'First tab' })),
  second: within(canvas.getByRole('region', { name: 'Second tab' })),
});
const click = (tab: Canvas, name: string) => userEvent.click(tab.getByRole('button', { name }));

/** Ada signs in in the first tab, and both tabs show her articles. */
async function signIn({ first, second: other }: ReturnType<typeof tabsOf>) {
  await first.findByText('anonymous');
  await click(first, 'Sign in as Ada Lovelace');
  await first.findByText('On signing in');
  await other.findByText('On signing in');
}

/** Her tokens expire, and both tabs rename an article at once: both are refused before either refreshes. */
async function expireAndRename({ first, second: other }: ReturnType<typeof tabsOf>) {
  app.server.expireAccessTokens();
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
  play: async ({ canvas, step, journal }) => {
    const tabs = tabsOf(canvas);
    await step('Ada signs in in the first tab, and the second one follows', () => signIn(tabs));
    await step('she signs out in the second tab, and the first one follows', async () => {
      await click(tabs.second, 'Sign out');
      await tabs.second.findByText('anonymous: signed-out');
      await tabs.first.findByText('anonymous: elsewhere');
      await waitFor(() => expect(app.server.counts.logouts).toBe(1));
      await expect(canvas.queryByText('On signing in')).not.toBeInTheDocument();
    });
    await step('one login, one logout, and one list for each tab', () =>
      expect(journal).toHaveSent([
        ADA_SIGNS_IN,
        sent.get('/article').as('ada'),
        sent.get('/article').as('ada'),
        sent.post('/logout').as('ada'),
      ]),
    );
  },
};

/** Grace signs in in Ada's browser: the other tab leaves Ada’s screen at once, and reads as Grace. */
export const AnotherUserInAnotherTab: Story = {
  play: async ({ canvas, step, journal }) => {
    const tabs = tabsOf(canvas);
    await step('both tabs show Ada’s articles', () => signIn(tabs));
    await step('Grace signs in in the first tab, and both tabs show her articles', async () => {
      await click(tabs.first, 'Sign in as Grace Hopper');
      await tabs.first.findByText('A compiler for everyone');
      await tabs.second.findByText('A compiler for everyone');
      await expect(canvas.queryByText('On signing in')).not.toBeInTheDocument();
    });
    await step('nothing is sent as Ada after Grace’s login', () =>
      expect(journal).toHaveSent([
        ADA_SIGNS_IN,
        sent.get('/article').as('ada'),
        sent.get('/article').as('ada'),
        GRACE_SIGNS_IN,
        sent.get('/article').as('grace'),
        sent.get('/article').as('grace'),
      ]),
    );
  },
};

/** The token expires, and both tabs rename an article at once. A one-time refresh token is used once. */
export const OneRefreshForAllTabs: Story = {
  play: async ({ canvas, step, journal }) => {
    const tabs = tabsOf(canvas);
    await step('both tabs show Ada’s articles', () => signIn(tabs));
    await step('her token has expired; both tabs rename an article', async () => {
      await expireAndRename(tabs);
      await expect(canvas.getByText('6 for data, 1 to refresh')).toBeInTheDocument();
      await expect(canvas.getAllByText('authenticated')).toHaveLength(2);
    });
    await step('four renames, two with each token, and one refresh', () =>
      expect(journal).toHaveSent(
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
      ),
    );
  },
};

/** Any script of the page's origin, as in another tab: hears the messages of the tabs under this name, and can post its own. */
function MessageRecorder({ name }: { name: string }) {
  const [heard, setHeard] = useState<readonly string[]>([]);
  const [channel] = useState(() => new BroadcastChannel(`data-client-auth:${name}`));
  useEffect(() => {
    channel.onmessage = ({ data }) => setHeard(before => [...before, JSON.stringify(data)]);
    return () => channel.close();
  }, [channel]);
  return (
    <section aria-label="An eavesdropper">
      <button type="button" onClick={() => channel.postMessage({ subject: 'grace' })}>
        Say that Grace is here
      </button>
      <button type="button" onClick={() => channel.postMessage({ subject: null })}>
        Say that nobody is here
      </button>
      <ol>
        {heard.map((message, place) => (
          <li key={place}>{message}</li>
        ))}
      </ol>
    </section>
  );
}

const heardIn = (canvas: Canvas) =>
  within(canvas.getByRole('region', { name: 'An eavesdropper' }))
    .queryAllByRole('listitem')
    .map(item => item.textContent);

/** How often the tab has read the storage of its tokens. */
const looks = createCounter();
const KEY = 'forged-story';
const overheard = app.anotherSession(undefined, {
  tabs: KEY,
  storage: {
    get: () => (looks.add(), localStorage.getItem(KEY)),
    set: text => localStorage.setItem(KEY, text),
    remove: () => localStorage.removeItem(KEY),
  },
});
/** Shares the storage, and posts and hears no messages. */
const byItself = app.anotherSession(undefined, { tabs: false, storageKey: KEY });

/**
 * A message says who is signed in, or which sign-in has ended: no token, no name, no password. A forged message makes
 * the tab read the storage, which decides: Ada stays. A tab with `tabs: false` gets no message.
 */
export const ForgedTabMessages: Story = {
  beforeEach: () => {
    overheard.dispose();
    byItself.dispose();
  },
  render: (_, { journal }) => (
    <>
      <RequestLog journal={journal} />
      <MessageRecorder name={KEY} />
      <Tabs of={{ 'First tab': overheard, 'Third tab': byItself }} />
    </>
  ),
  play: async ({ canvas, step, journal }) => {
    const tab = within(canvas.getByRole('region', { name: 'First tab' }));
    await step('Ada signs in, and the other tabs get her id', async () => {
      await tab.findByText('anonymous');
      await click(tab, 'Sign in as Ada Lovelace');
      await tab.findByText('On signing in');
      await waitFor(() => expect(heardIn(canvas)).toEqual(['{"subject":"ada"}']));
    });
    for (const [place, lie] of ['Grace is here', 'nobody is here'].entries()) {
      await step(`a script claims that ${lie}: the tab reads the storage, and Ada stays`, async () => {
        const before = looks.read();
        await click(canvas, `Say that ${lie}`);
        await waitFor(() => expect(looks.read()).toBeGreaterThan(before));
        await click(tab, 'Rename the first');
        await waitFor(() =>
          expect(journal.entries.filter(({ method, status }) => method === 'PATCH' && status === 200)).toHaveLength(
            place + 1,
          ),
        );
        await expect(tab.getByText('authenticated')).toBeInTheDocument();
      });
    }
    await step('her token is refreshed, and she signs out', async () => {
      await overheard.refresh();
      await waitFor(() => expect(heardIn(canvas)).toHaveLength(2));
      await click(tab, 'Sign out');
      await tab.findByText('anonymous: signed-out');
      await waitFor(() => expect(app.server.counts.logouts).toBe(1));
    });
    await step('one message for each of the three: the id of the user, and of the sign-in that has ended', () =>
      waitFor(() =>
        expect(heardIn(canvas)).toEqual([
          '{"subject":"ada"}',
          '{"subject":"ada"}',
          expect.stringMatching(/^\{"subject":null,"endedId":"[\w.-]+"\}$/),
        ]),
      ),
    );
    await step('the tab without messages is unchanged', () =>
      expect(within(canvas.getByRole('region', { name: 'Third tab' })).getByText(/^anonymous/)).toHaveTextContent(
        /^anonymous$/,
      ),
    );
    await step('every request is Ada’s, and her list is read once', () =>
      expect(journal).toHaveSent([
        ADA_SIGNS_IN,
        sent.get('/article').as('ada'),
        rename(1),
        rename(1),
        sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' }),
        sent.post('/logout').as('ada', 2),
      ]),
    );
  },
};

const cookies = setupCookieApp({ csrf: false, session: { tabs: 'cookie-story' } });

/**
 * With a cookie the tab cannot read who is signed in, so it drops its data and asks `whoami`. A forged message costs
 * that request, or signs this tab out, and no more: the server decides who is signed in.
 */
export const TabMessageOfACookie: Story = {
  parameters: { cookies: cookies.cookies },
  beforeEach: cookies.start('ada'),
  render: (_, { journal }) => (
    <>
      <RequestLog journal={journal} />
      <MessageRecorder name="cookie-story" />
      <section aria-label="The tab">
        <cookies.Provider>
          <AuthStatus />
          <SignInButtons />
          <Authenticated fallback={<p>Nobody is signed in.</p>}>
            <ArticlesDemo articles={cookies.Articles} />
          </Authenticated>
        </cookies.Provider>
      </section>
    </>
  ),
  play: async ({ canvas, step, journal }) => {
    const tab = within(canvas.getByRole('region', { name: 'The tab' }));
    await step('Ada sees her articles', async () => {
      await tab.findByText('On signing in');
    });
    await step('a script claims that Grace is signed in; the cookie is Ada’s, and the page stays hers', async () => {
      await click(canvas, 'Say that Grace is here');
      await waitFor(() => expect(journal.entries.filter(({ status }) => status === 200)).toHaveLength(4));
      await tab.findByText('On signing in');
      await expect(tab.getByText('authenticated')).toBeInTheDocument();
    });
    await step(
      'Grace really signs in in another tab: the browser has her cookie, and this tab drops Ada’s data',
      async () => {
        cookies.server.signIn('grace');
        await click(canvas, 'Say that Grace is here');
        await tab.findByText('A compiler for everyone');
        await expect(tab.queryByText('On signing in')).not.toBeInTheDocument();
      },
    );
    await step('a script claims that the user signed out, and this tab is signed out', async () => {
      await click(canvas, 'Say that nobody is here');
      await tab.findByText('anonymous: elsewhere');
    });
    await step('no request until a user signs in in this tab', async () => {
      await click(tab, 'Sign in as Ada Lovelace');
      await tab.findByText('On signing in');
      await expect(journal).toHaveSent([
        ...[cookies.sent.get('/whoami'), cookies.sent.get('/article')],
        ...[cookies.sent.get('/whoami'), cookies.sent.get('/article')],
        ...[cookies.sent.get('/whoami'), cookies.sent.get('/article')],
        ...[cookies.sent.post('/login').json({ username: 'ada', password: 'lovelace' }), cookies.sent.get('/article')],
      ]);
    });
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
const named = () =>
  app.anotherSession(undefined, {
    storage: 'memory',
    tabs: 'named-story',
    refresh: () => renew(),
    restore: () => renew(),
    // The server clears the cookie; which tab holds which token by then is nobody's promise.
    logout: async () => void (cookieOf = undefined),
  });
const firstNamed = named();
const secondNamed = named();
const otherName = app.anotherSession('grace', { storage: 'memory', tabs: 'other-story' });

/**
 * Tokens in memory behind a one-time refresh cookie. Tabs whose sessions have one name share sign-ins and sign-outs,
 * and use the cookie one at a time. A session of another name hears nothing of it.
 */
export const TabsByName: Story = {
  beforeEach: ({ msw }) => {
    cookieOf = undefined;
    for (const session of [firstNamed, secondNamed, otherName]) session.dispose();
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
      <Tabs of={{ 'First tab': firstNamed, 'Second tab': secondNamed, 'Tab of another name': otherName }} />
    </>
  ),
  play: async ({ canvas, step, journal }) => {
    const tabs = { ...tabsOf(canvas), other: within(canvas.getByRole('region', { name: 'Tab of another name' })) };
    await step('all tabs are signed out, except Grace’s, under another name', async () => {
      await tabs.first.findByText('anonymous');
      await tabs.second.findByText('anonymous');
      await tabs.other.findByText('A compiler for everyone');
    });
    await step('Ada signs in in the first tab; the second gets a token of its own', () => signIn(tabs));
    await step('both tokens expire, and both tabs rename an article: they use the cookie one after the other', () =>
      expireAndRename(tabs),
    );
    await step('she signs out in the second tab, and the first one follows', async () => {
      await click(tabs.second, 'Sign out');
      await tabs.first.findByText('anonymous: elsewhere');
    });
    await step('Grace’s tab is unchanged', async () => {
      await expect(tabs.other.getByText('authenticated')).toBeInTheDocument();
      await expect(tabs.other.getByText('A compiler for everyone')).toBeInTheDocument();
    });
    await step('the cookie is used five times: twice by signed-out tabs, then once for each token', () =>
      expect(journal).toHaveSent(
        [
          ...[
            sent.post('/renew').credentials('include'),
            sent.post('/renew').credentials('include'),
            sent.get('/article').as('grace'),
          ],
          ...[
            ADA_SIGNS_IN,
            sent.get('/article').as('ada'),
            sent.post('/renew').credentials('include'),
            sent.get('/article').as('ada', 2),
          ],
          ...[
            rename(1),
            rename(2),
            sent.post('/renew').credentials('include'),
            sent.post('/renew').credentials('include'),
            rename(3),
            rename(4),
          ],
        ],
        { anyOrder: true },
      ),
    );
  },
};
