import type { Meta, StoryContext, StoryObj } from '@storybook/react-vite';
import type { Middleware } from '@data-client/react';
import { StrictMode } from 'react';
import { expect, userEvent, waitFor } from 'storybook/test';
import { Authenticated, useAuth } from '../../../src/index.js';
import { managers, type Identity } from '../../../src/entries/managers.js';
import { ArticlesDemo, AuthStatus } from '../../support/ArticlesDemo.js';
import { linesUnder, type Mechanism } from '../../support/linesUnder.js';
import { requestsOnly } from '../../support/requestsOnly.js';
import { setupManagersApp } from '../../support/setupManagersApp.js';
import { useRenderCount } from '../../support/useRenderCount.js';
import { inCases } from '../../support/inCases.js';

const app = setupManagersApp();
const { Articles, feed, notes, Provider, recipes, sent, SignInButtons, start } = app;

/** Notes what happens to it. */
class CountingManager {
  readonly #user: string;

  constructor({ subject = 'signed out', signal }: Identity) {
    this.#user = subject;
    notes.add(`factory: ${subject}`);
    signal.addEventListener('abort', () => notes.add(`aborted: ${subject}`));
  }

  middleware: Middleware = () => next => next;

  init() {
    notes.add(`init: ${this.#user}`);
  }

  cleanup() {
    notes.add(`cleanup: ${this.#user}`);
  }
}

const counted = managers(identity => [new CountingManager(identity), recipes.stream(identity)]);

/** Renders when the session changes, and says how often. */
function Header() {
  useAuth();
  return <p>{`The header has rendered ${useRenderCount()} times`}</p>;
}

/**
 * An app's own managers, one set for each identity: the old set ends before the new one starts, and a refresh
 * keeps it.
 */
const meta = {
  title: 'Proofs/Managers',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly, cookies: app.cookies },
  render: () => <Page />,
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

function Page() {
  return (
    <StrictMode>
      <notes.Notes label="Managers" />
      <Provider managers={counted}>
        <AuthStatus />
        <Header />
        <SignInButtons />
        <Authenticated>
          <ArticlesDemo articles={Articles} />
        </Authenticated>
      </Provider>
    </StrictMode>
  );
}

const pressIn = (canvas: StoryContext['canvas']) => (name: string) =>
  userEvent.click(canvas.getByRole('button', { name }));

const setOf = (user: string) => [`factory: ${user}`, `init: ${user}`, `aborted: ${user}`, `cleanup: ${user}`];

/** Signed out, Ada, Grace, signed out: the same under each provider. */
function fourIdentities(mechanism: Mechanism): Story {
  const play: Story['play'] = async ({ canvas, step }) => {
    const press = pressIn(canvas);
    await step('a signed-out user: one set', async () => {
      await waitFor(() => expect(canvas.getByRole('status')).toHaveTextContent(/^anonymous/));
      await waitFor(() => expect(notes.read()).toEqual(['factory: signed out', 'init: signed out']));
    });
    await step('Ada signs in, and her socket writes into her list', async () => {
      await press('Sign in as Ada Lovelace');
      await canvas.findByText('On signing in');
      feed.send('ada', { id: '1', title: 'On signing in, live', author: 'ada' });
      await canvas.findByText('On signing in, live');
    });
    await step('Grace signs in; a late message of Ada’s socket is not in her store, and her own is', async () => {
      await press('Sign in as Grace Hopper');
      await canvas.findByText('A compiler for everyone');
      feed.send('ada', { id: '3', title: 'A message for Ada', author: 'ada' });
      feed.send('grace', { id: '4', title: 'On finding the moth, live', author: 'grace' });
      await canvas.findByText('On finding the moth, live');
      await expect(canvas.getByText('A compiler for everyone')).toBeVisible();
      await expect(canvas.queryByText('A message for Ada')).not.toBeInTheDocument();
    });
    await step('Grace signs out', async () => {
      await press('Sign out');
      await waitFor(() => expect(canvas.getByRole('status')).toHaveTextContent(/^anonymous/));
    });
    await step('four sets; each has ended before the next one began, and one socket was open at a time', async () => {
      await waitFor(() =>
        expect(notes.read()).toEqual([
          ...setOf('signed out'),
          ...setOf('ada'),
          ...setOf('grace'),
          ...setOf('signed out').slice(0, 2),
        ]),
      );
      await expect(feed.counts()).toMatchObject({ opened: 4, open: 1, mostOpen: 1 });
    });
  };
  return {
    globals: { mechanism },
    beforeEach: start(),
    play,
  };
}

/** Signed out, Ada, Grace, signed out: one set of managers for each, which has ended before the next one begins. */
export const FourIdentities: Story = inCases({
  'with tokens in a header': fourIdentities('token'),
  'with a cookie: while the session checks who is signed in, there is no set': fourIdentities('cookie'),
  'with the token of an SDK': fourIdentities('context'),
});

/** A cookie is found when the page loads: the check makes no set of its own. */
export const RestoredUser: Story = {
  globals: { mechanism: 'cookie' },
  beforeEach: start('ada'),
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada sees her articles, and the only set is hers', async () => {
      await canvas.findByText('On signing in');
      await waitFor(() => expect(notes.read()).toEqual(['factory: ada', 'init: ada']));
      await expect(feed.counts()).toMatchObject({ opened: 1, open: 1 });
    });
    await hasSent('one check, and one list', [...linesUnder.cookie.restores, sent.get('/article')]);
  },
};

/** A change that makes the session get a new token: the set goes on, and nothing renders. */
function refreshes(mechanism: Mechanism): Story {
  return {
    globals: { mechanism },
    beforeEach: start('ada'),
    play: async ({ canvas, step, journal }) => {
      await canvas.findByText('On signing in');
      const { textContent: header } = canvas.getByText(/^The header has rendered/);
      await step('her token has expired, and a rename goes through with the next one', async () => {
        app.expire();
        await pressIn(canvas)('Rename the first');
        await canvas.findByText('On knocking');
        await expect(journal.lines().filter(line => line.includes('/article/1'))).toHaveLength(2);
      });
      await step('no factory ran, no socket was opened, and the header has not rendered', async () => {
        await expect(notes.read()).toEqual(['factory: ada', 'init: ada']);
        await expect(feed.counts()).toMatchObject({ opened: 1, open: 1 });
        await expect(canvas.getByText(/^The header has rendered/)).toHaveTextContent(header);
      });
    },
  };
}

/** A refresh is no other identity: the set of managers stays. */
export const MereRefresh: Story = inCases({
  'the kit refreshes the token': refreshes('token'),
  'the kit fetches another CSRF token': refreshes('cookie'),
  'the SDK refreshes the token': refreshes('context'),
});
