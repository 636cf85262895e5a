import type { Meta, StoryContext, StoryObj } from '@storybook/react-vite';
import { expect, userEvent, waitFor } from 'storybook/test';
import { Authenticated } from '../../../src/index.js';
import { managers } from '../../../src/entries/managers.js';
import type { RequestJournal } from '../../../src/testing/index.js';
import { ArticlesDemo, AuthStatus } from '../../support/ArticlesDemo.js';
import { requestsOnly } from '../../support/requestsOnly.js';
import { setupManagersApp } from '../../support/setupManagersApp.js';
import type { Mechanism } from '../../support/linesUnder.js';
import { inCases } from '../../support/inCases.js';

const app = setupManagersApp();
const { Articles, Clock, feed, Followed, notes, Provider, recipes, SignInButtons, start } = app;

/** All of them at once, as an app has them. */
const recipeManagers = managers(identity => Object.values(recipes).map(create => create(identity)));

/** The managers of data-client's own pages, under each provider. */
const meta = {
  title: 'Proofs/Managers',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly, cookies: app.cookies },
  render: () => <Page />,
  beforeEach: start(),
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

function Page() {
  return (
    <Provider managers={recipeManagers}>
      <AuthStatus />
      <SignInButtons />
      <Clock />
      <Followed />
      <Authenticated>
        <ArticlesDemo articles={Articles} />
      </Authenticated>
      <notes.Notes label="What the managers did" />
    </Provider>
  );
}

const listReads = (journal: RequestJournal) =>
  journal.lines().filter(line => /GET \S*\/article(?:\s|$)/.test(line)).length;

/** A build shortens the names of classes, and the name of an endpoint begins with that of its entity. */
const countNotes = (line: RegExp) => notes.read().filter(one => line.test(one)).length;
const noted = (line: RegExp) => waitFor(() => expect(countNotes(line)).toBeGreaterThan(0));

async function oneMoreListRead(journal: RequestJournal, cause: () => void) {
  const [sent, stored] = [listReads(journal), countNotes(/^measured .*getList$/)];
  cause();
  await waitFor(() => expect(listReads(journal)).toBe(sent + 1));
  // Before its answer is in the store, the next cause would find the list stale and on its way already.
  await waitFor(() => expect(countNotes(/^measured .*getList$/)).toBeGreaterThan(stored));
}

const saved = () => Object.keys(localStorage).filter(key => key.startsWith('saved for'));

async function pushesIntoTheList(canvas: StoryContext['canvas'], user: string) {
  feed.send(user, { id: '1', title: 'Pushed', author: 'ada' });
  await canvas.findByText('Pushed');
  feed.send(`${user}, fast`, { id: '1', title: 'Pushed twice at once', author: 'ada' });
  feed.send(`${user}, fast`, { id: '1', title: 'Pushed in a batch', author: 'ada' });
  await canvas.findByText('Pushed in a batch');
}

function allRecipes(mechanism: Mechanism): Story {
  const play: Story['play'] = async ({ canvas, step, journal }) => {
    const press = (name: string) => userEvent.click(canvas.getByRole('button', { name }));
    await step('a signed-out reader follows an article, and sees the time', async () => {
      await canvas.findByText(/^The clock says \d/);
      await waitFor(() => expect(feed.counts()).toMatchObject({ open: 2, followers: 1 }));
    });
    await step('Ada signs in: logging and metrics see her list, and what is mounted is followed still', async () => {
      await press('Sign in as Ada Lovelace');
      await canvas.findByText('On signing in');
      await noted(/^measured .*getList$/);
      await noted(/^action rdc\/set/);
      await expect(feed.counts()).toMatchObject({ open: 2, followers: 1 });
      feed.publish('2', { id: '2', title: 'Followed, and changed', author: 'ada' });
      await canvas.findByText('Followed while authenticated: Followed, and changed');
    });
    await step('a stream and a batched stream write into her list', () => pushesIntoTheList(canvas, 'ada'));
    await step('a rename shows a toast, and one that fails shows a toast and is reported with her name', async () => {
      await press('Rename the first');
      await noted(/partialUpdate succeeded$/);
      app.articles.failNext('network');
      await press('Rename the first');
      await noted(/partialUpdate failed$/);
      await noted(/partialUpdate failed for ada: /);
    });
    await step(
      'what is shown is fetched again when the page has the focus, and after a change in another tab',
      async () => {
        await oneMoreListRead(journal, () => window.dispatchEvent(new Event('online')));
        const otherTab = new BroadcastChannel('changes of ada');
        await oneMoreListRead(journal, () => otherTab.postMessage('changed'));
        otherTab.close();
      },
    );
    await step('her list is saved under her name, and removed when Grace signs in', async () => {
      await expect(saved()).toContain('saved for ada');
      await press('Sign in as Grace Hopper');
      await canvas.findByText('A compiler for everyone');
      await expect(saved()).toEqual(['saved for grace']);
      await expect(localStorage.getItem('saved for grace')).not.toContain('ada');
    });
    await step(
      'Grace signs out: nothing of hers is saved, and only a signed-out reader’s sockets are open',
      async () => {
        await press('Sign out');
        await waitFor(() => expect(saved()).toEqual([]));
        await waitFor(() => expect(feed.counts()).toMatchObject({ opened: 8, open: 2, mostOpen: 2, followers: 1 }));
      },
    );
  };
  return { globals: { mechanism }, play };
}

/** All recipes at once, across sign-ins and sign-outs. */
export const AllRecipes: Story = inCases({
  'with tokens in a header': allRecipes('token'),
  'with a cookie': allRecipes('cookie'),
  'with the token of an SDK': allRecipes('context'),
});
