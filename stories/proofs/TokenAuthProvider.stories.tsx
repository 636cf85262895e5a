import type { Meta, StoryObj } from '@storybook/react-vite';
import { useEffect, useState } from 'react';
import { expect, userEvent, waitFor, within } from 'storybook/test';
import { Authenticated, TokenAuthProvider } from '../../src/index.js';
import { ArticlesDemo, SignInButtons, AuthStatus } from '../support/ArticlesDemo.js';
import { setupTokenApp } from '../support/setupTokenApp.js';
import { requestsOnly } from '../support/requestsOnly.js';

const bearers = setupTokenApp({ server: { header: 'Authorization', scheme: 'Bearer' } });
const app = setupTokenApp({ articles: { pagination: { style: 'page', size: 2 } } });
const { sent } = app;

/** React writes to the console what an error boundary shows. */
const refused = /^NetworkError: Unauthorized/;

/** Proves which requests carry the token, and what a 401, a switch of users, an outage and a reload change. */
const meta = {
  title: 'Proofs/TokenAuthProvider',
  tags: ['proof', '!autodocs'],
  parameters: requestsOnly,
  component: TokenAuthProvider,
  args: {
    session: app.session,
    children: (
      <>
        <AuthStatus />
        <SignInButtons />
        <ArticlesDemo articles={app.Articles} />
      </>
    ),
  },
  beforeEach: app.start('ada'),
} satisfies Meta<typeof TokenAuthProvider>;

export default meta;
type Story = StoryObj<typeof meta>;

/** Every request carries the token that the session holds when the request is sent. */
export const Basic: Story = {
  play: async ({ canvas, step, journal }) => {
    await step('Ada sees her articles', async () => {
      await canvas.findByText('On signing in');
    });
    await step('one GET, with her token', () => expect(journal).toHaveSent([sent.get('/article').as('ada')]));
  },
};

/** The user is signed out, and the list is behind a gate: nothing is fetched. */
export const Empty: Story = {
  beforeEach: app.start(),
  args: {
    children: (
      <>
        <AuthStatus />
        <SignInButtons />
        <Authenticated fallback={<p>Nobody is here.</p>}>
          <ArticlesDemo articles={app.Articles} />
        </Authenticated>
      </>
    ),
  },
  play: async ({ canvas, step, journal }) => {
    await step('the reader sees that no user is signed in', async () => {
      await canvas.findByText('Nobody is here.');
      await expect(canvas.getByRole('status')).toHaveTextContent(/^anonymous$/);
    });
    await step('nothing was sent', () => expect(journal).toHaveSent([]));
  },
};

let tellWhoIsThere = () => {};
const slow = setupTokenApp({
  session: { restore: () => new Promise(resolve => (tellWhoIsThere = () => resolve(slow.server.signIn('ada')))) },
});

/** The session is restoring: a request waits until the user is known, and is then sent as that user. */
export const Loading: Story = {
  beforeEach: slow.start(),
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
      await expect(journal).toHaveSent([]);
    });
    await step('the session is Ada’s, and her articles are shown', async () => {
      tellWhoIsThere();
      await canvas.findByText('On signing in');
      await expect(canvas.getByRole('status')).toHaveTextContent(/^authenticated$/);
    });
    await step('one GET, with her token', () => expect(journal).toHaveSent([sent.get('/article').as('ada')]));
  },
};

/** The user is signed out: the request carries no token, and the 401 of the server ends no session. */
export const Refused: Story = {
  parameters: { expectedConsoleErrors: [refused] },
  beforeEach: app.start(),
  play: async ({ canvas, step, journal }) => {
    await step('the server refuses the signed-out reader', async () => {
      await canvas.findByText('Refused: 401');
      await expect(canvas.getByRole('status')).toHaveTextContent(/^anonymous$/);
    });
    await step('one GET, without a token', () => expect(journal).toHaveSent([sent.get('/article')]));
  },
};

/** Another user signs in: the tree below the provider is mounted again, and no data of Ada's is on the screen. */
export const SwitchesTheUser: Story = {
  play: async ({ canvas, step, journal }) => {
    await step('Ada sees her articles', async () => {
      await canvas.findByText('On signing in');
    });
    await step('Grace signs in and sees her articles, and none of Ada’s', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Grace Hopper' }));
      await canvas.findByText('A compiler for everyone');
      await expect(canvas.queryByText('On signing in')).not.toBeInTheDocument();
    });
    await step('the login carries no token, and the list is read again with Grace’s', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.post('/login').json({ username: 'grace', password: 'hopper' }),
        sent.get('/article').as('grace'),
      ]),
    );
  },
};

/** The token has expired: it is refreshed once, and the request is sent again. The reader notices nothing. */
export const Expired: Story = {
  play: async ({ canvas, step, journal }) => {
    await step('Ada sees her articles', async () => {
      await canvas.findByText('On signing in');
    });
    await step('her token expires, and she renames an article', async () => {
      app.server.expireAccessTokens();
      await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
      await canvas.findByText('On knocking');
    });
    await step('one refresh, and the PATCH again with the new token', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.patch('/article/1').as('ada').json({ title: 'On knocking' }),
        sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' }),
        sent.patch('/article/1').as('ada', 2).json({ title: 'On knocking' }),
      ]),
    );
  },
};

/** No connection: the rename fails with a message, the session and the screen stay, and the next try succeeds. */
export const Offline: Story = {
  play: async ({ canvas, step, journal }) => {
    await step('Ada sees her articles; then the network fails, and so does her rename', async () => {
      await canvas.findByText('On signing in');
      app.articles.failNext('network');
      await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
      await canvas.findByText(/^Renamed: /);
      await expect(canvas.getByText('On signing in')).toBeInTheDocument();
      await expect(canvas.getByRole('status')).toHaveTextContent(/^authenticated$/);
    });
    await step('the network works again, and she renames the article', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
      await canvas.findByText('On knocking');
    });
    await step('the PATCH twice, and nothing else', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.patch('/article/1').as('ada').json({ title: 'On knocking' }),
        sent.patch('/article/1').as('ada').json({ title: 'On knocking' }),
      ]),
    );
  },
};

/** The refresh token is refused too: the session ends, with the reason. */
export const ExpiredForGood: Story = {
  parameters: { expectedConsoleErrors: [refused] },
  play: async ({ canvas, step, journal }) => {
    await step('Ada sees her articles', async () => {
      await canvas.findByText('On signing in');
    });
    await step('the server revokes her login; her rename ends the session', async () => {
      app.server.revoke('ada');
      await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
      await canvas.findByText('anonymous: expired');
      await canvas.findByText('Refused: 401');
      await expect(canvas.queryByText('On signing in')).not.toBeInTheDocument();
    });
    await step('one refresh, no request is sent again, and none as Ada afterwards', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.patch('/article/1').as('ada').json({ title: 'On knocking' }),
        sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' }),
        sent.get('/article'),
      ]),
    );
  },
};

/** Mutations and further pages carry the token like the first read. */
export const MutationAndSecondPageCarryIt: Story = {
  play: async ({ canvas, step, journal }) => {
    await step('Ada sees her articles', async () => {
      await canvas.findByText('On signing in');
    });
    await step('she writes a third article, which is at the end', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Write' }));
      await canvas.findByText('On writing');
    });
    await step('she loads the second page, which has that article too: it is shown once', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'More' }));
      await canvas.findByText('Second page read');
    });
    await step('three requests, each with her token', async () => {
      await expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.post('/article').as('ada').json({ title: 'On writing' }),
        sent.get('/article?page=2').as('ada'),
      ]);
      await expect(canvas.getAllByRole('listitem')).toHaveLength(3);
    });
  },
};

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

/** The keys of these pages in the browser's two storages. */
const keptIn = (store: Storage) => Object.keys(store).filter(key => key.startsWith('page-'));

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
  play: async ({ canvas, step, journal }) => {
    await step('Ada sees her articles', async () => {
      await canvas.findByText('On signing in');
    });
    await step('one GET, with the word and the token', () =>
      expect(journal).toHaveSent([bearers.sent.get('/article').as('ada')]),
    );
  },
};
