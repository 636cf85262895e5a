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

/** React writes what an error boundary shows to the console as well. */
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

/** Nobody is signed in, and all that could be fetched stands behind a gate: nothing is asked for. */
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
    await step('the reader sees that nobody is here', async () => {
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

/** It is not known yet whether somebody is signed in: what is asked for meanwhile waits, and goes as whoever is found. */
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
    await step('it is Ada, and her articles come', async () => {
      tellWhoIsThere();
      await canvas.findByText('On signing in');
      await expect(canvas.getByRole('status')).toHaveTextContent(/^authenticated$/);
    });
    await step('one GET, with her token', () => expect(journal).toHaveSent([sent.get('/article').as('ada')]));
  },
};

/** Nobody is signed in: the request goes without the header, and the server's 401 ends nothing. */
export const Refused: Story = {
  parameters: { expectedConsoleErrors: [refused] },
  beforeEach: app.start(),
  play: async ({ canvas, step, journal }) => {
    await step('the server refuses a reader it does not know', async () => {
      await canvas.findByText('Refused: 401');
      await expect(canvas.getByRole('status')).toHaveTextContent(/^anonymous$/);
    });
    await step('one GET, without a token', () => expect(journal).toHaveSent([sent.get('/article')]));
  },
};

/** Another person signs in: everything below the provider starts anew, and nothing of Ada's is left on the screen. */
export const SwitchesTheUser: Story = {
  play: async ({ canvas, step, journal }) => {
    await step('Ada sees her articles', async () => {
      await canvas.findByText('On signing in');
    });
    await step('Grace signs in and sees hers, and none of Ada’s', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Grace Hopper' }));
      await canvas.findByText('A compiler for everyone');
      await expect(canvas.queryByText('On signing in')).not.toBeInTheDocument();
    });
    await step('the login carried no token, and the list was fetched again with hers', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.post('/login').json({ username: 'grace', password: 'hopper' }),
        sent.get('/article').as('grace'),
      ]),
    );
  },
};

/** The token has expired: it is refreshed once, and the request is sent once more. The reader sees nothing of it. */
export const Expired: Story = {
  play: async ({ canvas, step, journal }) => {
    await step('Ada sees her articles', async () => {
      await canvas.findByText('On signing in');
    });
    await step('her token expires, and she renames an article all the same', async () => {
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

/** No connection: the act fails and says so, the session and the screen stay, and the next try succeeds. */
export const Offline: Story = {
  play: async ({ canvas, step, journal }) => {
    await step('Ada sees her articles; then the network goes', async () => {
      await canvas.findByText('On signing in');
      app.articles.failNext('network');
      await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
      await canvas.findByText(/^Renamed: /);
      await expect(canvas.getByText('On signing in')).toBeInTheDocument();
      await expect(canvas.getByRole('status')).toHaveTextContent(/^authenticated$/);
    });
    await step('it is back, and she tries again', async () => {
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

/** The refresh token is refused as well: the session ends, and says why. */
export const ExpiredForGood: Story = {
  parameters: { expectedConsoleErrors: [refused] },
  play: async ({ canvas, step, journal }) => {
    await step('Ada sees her articles', async () => {
      await canvas.findByText('On signing in');
    });
    await step('her login is revoked; her next act ends the session', async () => {
      app.server.revoke('ada');
      await userEvent.click(canvas.getByRole('button', { name: 'Rename the first' }));
      await canvas.findByText('anonymous: expired');
      await canvas.findByText('Refused: 401');
      await expect(canvas.queryByText('On signing in')).not.toBeInTheDocument();
    });
    await step('one refresh, no replay, and nothing as Ada afterwards', () =>
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
    await step('she writes a third, which joins the list', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Write' }));
      await canvas.findByText('On writing');
    });
    await step('she asks for the second page, which holds it already: no duplicate', async () => {
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

/** A page whose tokens are kept in this place; a reload leaves it nothing but what the browser keeps. */
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

/** The keys of the pages above in the browser's two stores. */
const keptIn = (store: Storage) => Object.keys(store).filter(key => key.startsWith('page-'));

/**
 * What is left after a reload: nothing in memory, which is the default; with `session` what this tab has kept; with `local` what all
 * tabs share, until somebody signs out.
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
    await step('one of them keeps her tokens for its tab, one for all tabs, one nowhere', async () => {
      await expect(keptIn(sessionStorage)).toEqual(['page-session']);
      await expect(keptIn(localStorage)).toEqual(['page-local']);
    });
    await step('all three are reloaded, and where they were kept she is signed in', async () => {
      for (const storage of PLACES) await press(storage, 'Reload');
      await at('session').findByText('On signing in');
      await at('local').findByText('On signing in');
      await at('memory').findByText('anonymous');
      await expect(at('memory').queryByText('On signing in')).not.toBeInTheDocument();
    });
    await step('she signs out of the last one, and its next reload finds nobody', async () => {
      await press('local', 'Sign out');
      await at('local').findByText('anonymous: signed-out');
      await expect(keptIn(localStorage)).toEqual([]);
      await waitFor(() => expect(app.server.counts.logouts).toBe(1));
      await press('local', 'Reload');
      await at('local').findByText('anonymous');
    });
    await step('after the reload, two lists with the tokens of before, and no other login', () =>
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
