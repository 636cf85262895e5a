import type { Meta, StoryObj } from '@storybook/react-vite';
import { useEffect, useState } from 'react';
import { expect, waitFor, within } from 'storybook/test';
import { Authenticated } from '../../../src/index.js';
import { setupCookieApp } from '../../support/setupCookieApp.js';
import { ArticlesDemo, SignInButtons, AuthStatus } from '../../support/ArticlesDemo.js';
import { createCounter } from '../../support/RenderCounter.js';
import { setupTokenApp } from '../../support/setupTokenApp.js';
import { RequestLog } from '../../support/RequestLog.js';
import { requestsOnly } from '../../support/requestsOnly.js';
import { click, Tabs, type TabCanvas } from '../../support/Tabs.js';

const app = setupTokenApp();
const { sent } = app;

/** The messages between tabs: what they say, and that a forged one changes nothing that the server or the storage decides. */
const meta = {
  title: 'Proofs/Sign-in',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly },
  beforeEach: app.start(),
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

const ADA_SIGNS_IN = sent.post('/login').json({ username: 'ada', password: 'lovelace' });
const rename = (token: number) => sent.patch('/article/1').as('ada', token).json({ title: 'On knocking' });

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
        {heard.map((message, index) => (
          <li key={index}>{message}</li>
        ))}
      </ol>
    </section>
  );
}

const heardIn = (canvas: TabCanvas) =>
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
const byItself = app.anotherSession(undefined, { tabs: false, storage: 'local', storageKey: KEY });

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
    for (const [index, lie] of ['Grace is here', 'nobody is here'].entries()) {
      await step(`a script claims that ${lie}: the tab reads the storage, and Ada stays`, async () => {
        const before = looks.read();
        await click(canvas, `Say that ${lie}`);
        await waitFor(() => expect(looks.read()).toBeGreaterThan(before));
        await click(tab, 'Rename the first');
        await waitFor(() =>
          expect(journal.entries.filter(({ method, status }) => method === 'PATCH' && status === 200)).toHaveLength(
            index + 1,
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
