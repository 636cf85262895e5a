import type { Meta, StoryObj } from '@storybook/react-vite';
import { useEffect, useState } from 'react';
import { expect, userEvent, waitFor, within } from 'storybook/test';
import { Authenticated, TokenAuthProvider } from '../../src/index.js';
import { ArticlesDemo, SignInButtons, AuthStatus } from '../support/ArticlesDemo.js';
import { setupTokenApp } from '../support/setupTokenApp.js';
import {
  articlesPage,
  expiredForGood,
  offline,
  readsTheList,
  refusedWhileSignedOut,
  renamesAfter,
  signedOutBehindAGate,
  switchesTheUser,
  writesAndLoadsMore,
} from '../support/providerFlows.js';
import { requestsOnly } from '../support/requestsOnly.js';

const bearers = setupTokenApp({ server: { header: 'Authorization', scheme: 'Bearer' } });
const app = setupTokenApp({ articles: { pagination: { style: 'page', size: 2 } } });
const { sent } = app;

/** Proves which requests carry the token, and what a 401, a switch of users, an outage and a reload change. */
const meta = {
  title: 'Proofs/TokenAuthProvider',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly },
  component: TokenAuthProvider,
  args: {
    session: app.session,
    children: articlesPage(app, SignInButtons),
  },
  beforeEach: app.start('ada'),
} satisfies Meta<typeof TokenAuthProvider>;

export default meta;
type Story = StoryObj<typeof meta>;

/** Every request carries the token that the session holds when the request is sent. */
export const Basic: Story = readsTheList({ title: 'one GET, with her token', lines: [sent.get('/article').as('ada')] });

/** The user is signed out, and the list is behind a gate: nothing is fetched. */
export const Empty: Story = signedOutBehindAGate(app, SignInButtons, { title: 'nothing was sent', lines: [] });

let tellWhoIsThere: (() => void) | undefined;
const slow = setupTokenApp({
  session: { restore: () => new Promise(resolve => (tellWhoIsThere = () => resolve(slow.server.signIn('ada')))) },
});

/** The session is restoring: a request waits until the user is known, and is then sent as that user. */
export const Loading: Story = {
  beforeEach: [
    slow.start(),
    () => {
      tellWhoIsThere = undefined;
    },
  ],
  args: {
    session: slow.session,
    children: (
      <>
        <AuthStatus />
        <ArticlesDemo articles={slow.Articles} />
      </>
    ),
  },
  play: async ({ canvas, step, journal }) => {
    await step('the page waits', async () => {
      await canvas.findByText('restoring');
      await canvas.findByText('Fetching…');
      await waitFor(() => expect(tellWhoIsThere).toBeDefined());
      await expect(journal).toHaveSent([]);
    });
    await step('the session is Ada’s, and her articles are shown', async () => {
      tellWhoIsThere!();
      await canvas.findByText('On signing in');
      await expect(canvas.getByRole('status')).toHaveTextContent(/^authenticated$/);
    });
    await step('one GET, with her token', () => expect(journal).toHaveSent([sent.get('/article').as('ada')]));
  },
};

/** The user is signed out: the request carries no token, and the 401 of the server ends no session. */
export const Refused: Story = refusedWhileSignedOut(app, {
  title: 'one GET, without a token',
  lines: [sent.get('/article')],
});

/** Another user signs in: the tree below the provider is mounted again, and no data of Ada's is on the screen. */
export const SwitchesTheUser: Story = switchesTheUser({
  title: 'the login carries no token, and the list is read again with Grace’s',
  lines: [
    sent.get('/article').as('ada'),
    sent.post('/login').json({ username: 'grace', password: 'hopper' }),
    sent.get('/article').as('grace'),
  ],
});

/** The token has expired: it is refreshed once, and the request is sent again. The reader notices nothing. */
export const Expired: Story = renamesAfter(
  { title: 'her token expires', act: app.server.expire },
  {
    title: 'one refresh, and the PATCH again with the new token',
    lines: [
      sent.get('/article').as('ada'),
      sent.patch('/article/1').as('ada').json({ title: 'On knocking' }),
      sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' }),
      sent.patch('/article/1').as('ada', 2).json({ title: 'On knocking' }),
    ],
  },
);

/** No connection: the rename fails with a message, the session and the screen stay, and the next try succeeds. */
export const Offline: Story = offline(app, {
  title: 'the PATCH twice, and one refresh: a refusal of another origin may look like a lost connection',
  lines: [
    sent.get('/article').as('ada'),
    sent.patch('/article/1').as('ada').json({ title: 'On knocking' }),
    sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' }),
    sent.patch('/article/1').as('ada', 2).json({ title: 'On knocking' }),
  ],
});

/** The refresh token is refused too: the session ends, with the reason. */
export const ExpiredForGood: Story = expiredForGood(
  { title: 'the server revokes her login', act: () => app.server.revoke('ada') },
  {
    title: 'one refresh, no request is sent again, and none as Ada afterwards',
    lines: [
      sent.get('/article').as('ada'),
      sent.patch('/article/1').as('ada').json({ title: 'On knocking' }),
      sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' }),
      sent.get('/article'),
    ],
  },
);

/** Mutations and further pages carry the token like the first read. */
export const MutationAndSecondPageCarryIt: Story = writesAndLoadsMore({
  title: 'three requests, each with her token',
  lines: [
    sent.get('/article').as('ada'),
    sent.post('/article').as('ada').json({ title: 'On writing' }),
    sent.get('/article?page=2').as('ada'),
  ],
});

const PLACES = ['memory', 'session', 'local'] as const;
type Place = (typeof PLACES)[number];

/** A page with tokens in this storage; a reload leaves only what the browser keeps. */
function Page({ storage }: { storage: Place }) {
  const load = () => app.anotherSession(undefined, { storage, storageKey: `page-${storage}`, tabs: false });
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
  play: async ({ canvas, step, journal }) => {
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
    await step('after the reload, two lists with the stored tokens, and no other login', () =>
      expect(journal).toHaveSent(
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
      ),
    );
  },
};

/** In `Authorization` the token comes after the word `Bearer`, which another `scheme` replaces. */
export const InAuthorization: Story = {
  args: { session: bearers.session, children: <ArticlesDemo articles={bearers.Articles} /> },
  beforeEach: bearers.start('ada'),
  ...readsTheList({ title: 'one GET, with the word and the token', lines: [bearers.sent.get('/article').as('ada')] }),
};
