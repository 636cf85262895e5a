import type { Meta, StoryObj } from '@storybook/react-vite';
import { useEffect, useState } from 'react';
import { expect, userEvent, waitFor, within } from 'storybook/test';
import { Authenticated, TokenAuthProvider } from '../../src/index.js';
import { ArticlesDemo, SignInButtons, AuthStatus } from '../support/ArticlesDemo.js';
import { setupTokenApp } from '../support/setupTokenApp.js';
import { requestsOnly } from '../support/requestsOnly.js';

const bearers = setupTokenApp({ server: { header: 'Authorization' } });
const app = setupTokenApp({ articles: { pagination: { style: 'page', size: 2 } } });
const { sent } = app;

/** Proves which requests carry the token, and what a 401, a switch of users, an outage and a reload change. */
const meta = {
  title: 'Proofs/TokenAuthProvider',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly },
  component: TokenAuthProvider,
  args: { session: app.session, children: <ArticlesDemo articles={app.Articles} /> },
  beforeEach: app.start('ada'),
} satisfies Meta<typeof TokenAuthProvider>;

export default meta;
type Story = StoryObj<typeof meta>;

const PLACES = ['memory', 'session', 'local'] as const;
type Place = (typeof PLACES)[number];

/** A page with tokens in this storage; a reload leaves only what the browser keeps. */
function Page({ storage }: { storage: Place }) {
  const load = () => app.anotherSession(undefined, { storage: { in: storage, key: `page-${storage}`, tabs: false } });
  const [session, setSession] = useState(load);
  useEffect(() => () => session.dispose(), [session]);
  return (
    <section aria-label={`storage: '${storage}'`}>
      <button type="button" onClick={() => setSession(load)}>
        Reload
      </button>
      <TokenAuthProvider session={session}>
        <AuthStatus />
        <SignInButtons />
        <Authenticated>
          <ArticlesDemo articles={app.Articles} label={`Articles with ${storage}`} />
        </Authenticated>
      </TokenAuthProvider>
    </section>
  );
}

/** The keys of these pages with tokens in a storage. */
const keptIn = (store: Storage) =>
  Object.keys(store).filter(key => key.startsWith('page-') && store.getItem(key)!.includes('Token"'));

/**
 * What is left after a reload: nothing with `memory`, the default; with `session` the tokens of this tab; with
 * `local` the tokens that all tabs share, until a sign-out.
 */
export const AfterAReload: Story = {
  render: () => (
    <>
      {PLACES.map(storage => (
        <Page key={storage} storage={storage} />
      ))}
    </>
  ),
  play: async ({ canvas, step, hasSent }) => {
    const at = (storage: Place) => within(canvas.getByRole('region', { name: `storage: '${storage}'` }));
    const press = (storage: Place, name: string) => userEvent.click(at(storage).getByRole('button', { name }));
    const ADA_SIGNS_IN = sent.post('/login').json({ username: 'ada', password: 'lovelace' });
    await step('Ada signs in on three pages', async () => {
      for (const storage of PLACES) {
        await at(storage).findByText('anonymous');
        await press(storage, 'Sign in as Ada Lovelace');
        await at(storage).findByText('On signing in');
      }
    });
    await step('one page keeps her tokens for its tab, one for all tabs, one nowhere', async () => {
      await expect(keptIn(sessionStorage)).toEqual(['page-session']);
      await expect(keptIn(localStorage)).toEqual(['page-local']);
    });
    await step('all three are reloaded, and she is signed in on the two that keep tokens', async () => {
      for (const storage of PLACES) await press(storage, 'Reload');
      await at('session').findByText('On signing in');
      await at('local').findByText('On signing in');
      await at('memory').findByText('anonymous');
      await expect(at('memory').queryByText('On signing in')).not.toBeInTheDocument();
    });
    await step('she signs out on the last page, and after its next reload she is signed out', async () => {
      await press('local', 'Sign out');
      await at('local').findByText('anonymous: signed-out');
      await expect(keptIn(localStorage)).toEqual([]);
      await waitFor(() => expect(app.server.counts.logouts).toBe(1));
      await press('local', 'Reload');
      await at('local').findByText('anonymous');
    });
    await hasSent(
      'after the reload, two lists with the stored tokens, and no other login',
      [
        ...[ADA_SIGNS_IN, sent.get('/article').as('ada')],
        ...[ADA_SIGNS_IN, sent.get('/article').as('ada', 2), sent.get('/article').as('ada', 2)],
        ...[
          ADA_SIGNS_IN,
          sent.get('/article').as('ada', 3),
          sent.get('/article').as('ada', 3),
          sent.post('/logout').as('ada', 3),
        ],
      ],
      { anyOrder: true },
    );
  },
};

/** In `Authorization` the token comes after the word `Bearer`, unless `header` has another one. */
export const InAuthorization: Story = {
  args: { session: bearers.session, children: <ArticlesDemo articles={bearers.Articles} /> },
  beforeEach: bearers.start('ada'),
  play: async ({ canvas, journal }) => {
    await canvas.findByText('On signing in');
    await expect(journal).toHaveSent([bearers.sent.get('/article').as('ada')]);
  },
};
