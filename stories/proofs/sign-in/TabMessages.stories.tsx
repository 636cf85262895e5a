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

/** The messages between tabs: what they say, and that a forged one signs nobody in. */
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
function MessageRecorder({ name, lies }: { name: string; lies: Record<string, unknown> }) {
  const [heard, setHeard] = useState<readonly string[]>([]);
  const [channel] = useState(() => new BroadcastChannel(`data-client-auth:${name}`));
  useEffect(() => {
    channel.onmessage = ({ data }) => setHeard(before => [...before, JSON.stringify(data)]);
    return () => channel.close();
  }, [channel]);
  return (
    <section aria-label="An eavesdropper">
      {Object.entries(lies).map(([what, message]) => (
        <button key={what} type="button" onClick={() => channel.postMessage(message)}>
          Say that {what}
        </button>
      ))}
      <ol>
        {heard.map((message, index) => (
          <li key={index}>{message}</li>
        ))}
      </ol>
    </section>
  );
}

const signInHeard = (revision: number): unknown =>
  expect.stringMatching(new RegExp(`^\\{"id":"[\\w-]+","revision":${revision}\\}$`));

const heardIn = (canvas: TabCanvas) =>
  within(canvas.getByRole('region', { name: 'An eavesdropper' }))
    .queryAllByRole('listitem')
    .map(item => item.textContent);

/** How often the tab has read the storage of its tokens. */
const looks = createCounter();
const KEY = 'forged-story';
const overheard = app.anotherSession(undefined, {
  storage: {
    key: KEY,
    in: {
      get: () => (looks.add(), localStorage.getItem(KEY)),
      set: text => localStorage.setItem(KEY, text),
      remove: () => localStorage.removeItem(KEY),
    },
  },
});
/** Shares the storage, and posts and hears no messages. */
const byItself = app.anotherSession(undefined, { storage: { in: 'local', key: KEY, tabs: false } });
/** A sign-in of tomorrow. */
const forgedId = `${String(Date.now() + 86_400_000).padStart(15, '0')}-forged`;

/**
 * A message says which sign-in has changed or ended: no token, no name, no password. A forged sign-in makes the tab read the storage,
 * which decides: Ada stays. A forged sign-out signs the tab out, and no more. A tab with `tabs: false` gets no message.
 */
export const ForgedTabMessages: Story = {
  beforeEach: () => {
    overheard.dispose();
    byItself.dispose();
  },
  render: (_, { journal }) => (
    <>
      <RequestLog journal={journal} />
      <MessageRecorder
        name={KEY}
        lies={{
          'Grace is here': { id: forgedId, revision: 0 },
          'nobody is here': { id: forgedId, revision: 0, ended: 'signed-out' },
        }}
      />
      <Tabs of={{ 'First tab': overheard, 'Third tab': byItself }} />
    </>
  ),
  play: async ({ canvas, step, journal, hasSent }) => {
    const tab = within(canvas.getByRole('region', { name: 'First tab' }));
    await step('Ada signs in, and the other tabs hear of a sign-in', async () => {
      await tab.findByText('anonymous');
      await click(tab, 'Sign in as Ada Lovelace');
      await tab.findByText('On signing in');
      await waitFor(() => expect(heardIn(canvas)).toEqual([signInHeard(0)]));
    });
    await step('a script claims that Grace is here: the tab reads the storage, and Ada stays', async () => {
      const before = looks.read();
      await click(canvas, 'Say that Grace is here');
      await waitFor(() => expect(looks.read()).toBeGreaterThan(before));
      await click(tab, 'Rename the first');
      await waitFor(() =>
        expect(journal.entries.filter(({ method, status }) => method === 'PATCH' && status === 200)).toHaveLength(1),
      );
      await expect(tab.getByText('authenticated')).toBeInTheDocument();
    });
    await step('her token is refreshed, and she signs out', async () => {
      await overheard.refresh();
      await waitFor(() => expect(heardIn(canvas)).toHaveLength(2));
      await click(tab, 'Sign out');
      await tab.findByText('anonymous: signed-out');
      await waitFor(() => expect(app.server.counts.logouts).toBe(1));
    });
    await step('one message for each of the three', () =>
      waitFor(() =>
        expect(heardIn(canvas)).toEqual([
          signInHeard(0),
          signInHeard(1),
          expect.stringMatching(/^\{"id":"[\w-]+","revision":1,"ended":"signed-out"\}$/),
        ]),
      ),
    );
    await step('she signs in again, a script claims that nobody is here, and the tab is signed out', async () => {
      await click(tab, 'Sign in as Ada Lovelace');
      await tab.findByText('On knocking');
      await click(canvas, 'Say that nobody is here');
      await tab.findByText('anonymous: elsewhere');
    });
    await step('the tab without messages is unchanged', () =>
      expect(within(canvas.getByRole('region', { name: 'Third tab' })).getByText(/^anonymous/)).toHaveTextContent(
        /^anonymous$/,
      ),
    );
    await hasSent('every request is Ada’s, and her list is read once for each sign-in', [
      ADA_SIGNS_IN,
      sent.get('/article').as('ada'),
      rename(1),
      sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' }),
      sent.post('/logout').as('ada', 2),
      ADA_SIGNS_IN,
      sent.get('/article').as('ada', 3),
    ]);
  },
};

const cookies = setupCookieApp({ csrf: false, session: { tabs: 'cookie-story' } });

/**
 * With a cookie the tab cannot read who is signed in: it hears that another tab is about to sign somebody in or out, and asks `whoami`. A
 * forged message costs that request, or signs this tab out, and no more: the server decides who is signed in.
 */
export const TabMessageOfACookie: Story = {
  parameters: { cookies: cookies.cookies },
  beforeEach: cookies.start('ada'),
  render: (_, { journal }) => (
    <>
      <RequestLog journal={journal} />
      <MessageRecorder name="cookie-story" lies={{ 'somebody signs in': 'closing', 'nobody is here': 'signed-out' }} />
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
    await step('a script claims that somebody signs in; the cookie is Ada’s, and the page stays hers', async () => {
      await click(canvas, 'Say that somebody signs in');
      await waitFor(() => expect(journal.entries.filter(({ status }) => status === 200)).toHaveLength(3));
      await tab.findByText('On signing in');
      await expect(tab.getByText('authenticated')).toBeInTheDocument();
    });
    await step(
      'Grace really signs in in another tab: the browser has her cookie, and this tab drops Ada’s data',
      async () => {
        cookies.server.signIn('grace');
        await click(canvas, 'Say that somebody signs in');
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
        cookies.sent.get('/whoami'),
        ...[cookies.sent.get('/whoami'), cookies.sent.get('/article')],
        ...[cookies.sent.post('/login').json({ username: 'ada', password: 'lovelace' }), cookies.sent.get('/article')],
      ]);
    });
  },
};
