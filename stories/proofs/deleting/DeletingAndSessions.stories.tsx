import type { Decorator, Meta, StoryObj } from '@storybook/react-vite';
import { useState } from 'react';
import { expect, userEvent, waitFor } from 'storybook/test';
import { authEndpoint, hookifyResource, resource } from '../../../src/index.js';
import { ResourceList } from '../../../src/entries/widgets.js';
import { resourceHandlers } from '../../../src/testing/index.js';
import { articleResource, Article, rows } from '../../support/articles.js';
import { ownApi } from '../../support/setupCookieApp.js';
import { SignInButtons } from '../../support/ArticlesDemo.js';
import { setupTokenApp } from '../../support/setupTokenApp.js';
import { deleteTheFirst, IS_DELETED, setupDeleting, titleAndDelete } from '../../support/deleteArticles.js';
import type { StoryStart } from '../../support/StoryStart.js';
import { inCases } from '../../support/inCases.js';

const { app, undoTimers, listMeta } = setupDeleting();
const { sent } = app;

const everybodys = resourceHandlers(articleResource(ownApi), rows);
const everybodyMayDelete: StoryStart = ({ msw }) => {
  everybodys.reset();
  msw.use(...everybodys.handlers);
};

const ADA_SIGNS_IN = sent.post('/login').json({ username: 'ada', password: 'lovelace' });

const withSignInButtons: Decorator = Story => (
  <>
    <SignInButtons />
    <Story />
  </>
);

/** A deletion that can still be undone belongs to the user who asked for it. It is dropped when the identity changes. */
const meta = {
  title: 'Proofs/Deleting',
  tags: ['proof', '!autodocs'],
  ...listMeta,
  decorators: [withSignInButtons, ...listMeta.decorators],
} satisfies Meta<typeof listMeta.component>;

export default meta;
type Story = StoryObj<typeof meta>;

const ownApp = setupTokenApp({ url: ownApi });
let visit = ownApp.anotherSession('ada');
const Bound = () => {
  const [bound] = useState(() =>
    hookifyResource(
      resource({ urlPrefix: ownApi, path: '/article/:id', schema: Article, Endpoint: authEndpoint(visit) }),
      () => ({}),
    ),
  );
  return (
    <ResourceList
      resource={bound}
      label="Articles"
      deleteMode="undo"
      getItemLabel={article => article.title}
      renderItem={titleAndDelete}
    />
  );
};

/** A resource with a session of its own: the deletion belongs to the user of that session, and not to the provider's. */
export const SessionOfItsOwn: Story = {
  beforeEach: [
    ownApp.start(),
    () => {
      visit = ownApp.anotherSession('ada');
      return () => visit.dispose();
    },
  ],
  render: () => (
    <ownApp.Provider>
      <Bound />
    </ownApp.Provider>
  ),
  play: async ({ canvas, step, journal, hasSent }) => {
    await step('Ada deletes an article; Grace signs in at that session', async () => {
      await deleteTheFirst(canvas);
      await userEvent.tab();
      await expect(undoTimers.running).toBe(1);
      await visit.login({ username: 'grace', password: 'hopper' });
      await waitFor(() => expect(undoTimers.running).toBe(0));
      await journal.settled();
    });
    await hasSent('no DELETE', [
      sent.get('/article').as('ada'),
      sent.post('/login').json({ username: 'grace', password: 'hopper' }),
    ]);
  },
};

const signOutWhileUndoIsPossible: Story = {
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada deletes an article, and signs out', async () => {
      await deleteTheFirst(canvas);
      await userEvent.click(canvas.getByRole('button', { name: 'Sign out' }));
      await canvas.findByText('Sign in to continue.');
      await expect(undoTimers.running).toBe(0);
    });
    await step('she signs in: her article is there', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Ada Lovelace' }));
      await canvas.findByText('On signing in');
    });
    await hasSent(
      'no DELETE',
      [
        sent.get('/article').as('ada'),
        sent.post('/logout').as('ada'),
        sent.get('/article'),
        ADA_SIGNS_IN,
        sent.get('/article').as('ada', 2),
      ],
      // Here she is signed out at once; the logout request is on its way.
      { anyOrder: true },
    );
  },
};

const anotherUserSignsIn: Story = {
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada deletes an article, and Grace signs in', async () => {
      await deleteTheFirst(canvas);
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Grace Hopper' }));
      await canvas.findByText('A compiler for everyone');
      await expect(undoTimers.running).toBe(0);
    });
    await hasSent('no DELETE', [
      sent.get('/article').as('ada'),
      sent.post('/login').json({ username: 'grace', password: 'hopper' }),
      sent.get('/article').as('grace'),
    ]);
  },
};

const signInWhileUndoIsPossible: Story = {
  beforeEach: [app.start(), everybodyMayDelete],
  play: async ({ canvas, step, journal, hasSent }) => {
    await step('a signed-out user deletes an article, and signs in as Ada', async () => {
      await deleteTheFirst(canvas);
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Ada Lovelace' }));
      await waitFor(() =>
        expect(journal).toHaveSent([sent.get('/article'), ADA_SIGNS_IN, sent.get('/article').as('ada')]),
      );
    });
    await step('the note is gone, the article is back, and no deletion waits', async () => {
      await canvas.findByText('On signing in');
      await expect(undoTimers.running).toBe(0);
    });
    await hasSent('no DELETE', [sent.get('/article'), ADA_SIGNS_IN, sent.get('/article').as('ada')]);
  },
};

const timeEndsAtTheSignIn: Story = {
  beforeEach: [
    app.start(),
    everybodyMayDelete,
    // Subscribed before the list: the time ends first, then the list hears of the sign-in.
    () => app.session.subscribe(() => app.session.getSnapshot().status === 'authenticated' && undoTimers.end()),
  ],
  play: async ({ canvas, step, journal, hasSent }) => {
    await step('a signed-out user deletes an article, and signs in as Ada', async () => {
      await deleteTheFirst(canvas);
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Ada Lovelace' }));
      await waitFor(() =>
        expect(journal).toHaveSent([sent.get('/article'), ADA_SIGNS_IN, sent.get('/article').as('ada')]),
      );
    });
    await step('the time is over, and the article is there', async () => {
      await expect(undoTimers.running).toBe(0);
      await canvas.findByText('On signing in');
      await expect(canvas.queryByText(IS_DELETED)).not.toBeInTheDocument();
    });
    await hasSent('no DELETE', [sent.get('/article'), ADA_SIGNS_IN, sent.get('/article').as('ada')]);
  },
};

/** The user changes while a deletion can be undone: it is not sent, neither without a token nor as the next user. */
export const AnotherUserSignsIn: Story = inCases({
  'Ada signs out': signOutWhileUndoIsPossible,
  'Grace signs in': anotherUserSignsIn,
  'a signed-out user deletes, and signs in as Ada': signInWhileUndoIsPossible,
  'the time to undo ends in the moment in which Ada signs in': timeEndsAtTheSignIn,
});
