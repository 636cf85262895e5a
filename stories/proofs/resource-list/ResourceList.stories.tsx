import type { Meta, StoryObj } from '@storybook/react-vite';
import { http } from 'msw';
import { useState } from 'react';
import { expect, userEvent, waitFor } from 'storybook/test';
import { hookifyResource } from '../../../src/index.js';
import { LoginForm, ResourceList } from '../../../src/entries/widgets.js';
import { createGate } from '../../../src/testing/index.js';
import { articleResource } from '../../support/articles.js';
import { ownApi } from '../../support/setupCookieApp.js';
import { fetchAgain } from '../../support/fetchAgain.js';
import { recordText } from '../../support/recordText.js';
import * as examples from '../../widgets/ResourceList.stories.js';
import { setupListApp } from '../../support/setupListApp.js';

const { app, listMeta } = setupListApp();
const { sent } = app;

/** Proves each state of a list, and the form for new rows. */
const meta = {
  title: 'Proofs/ResourceList',
  tags: ['proof', '!autodocs'],
  ...listMeta,
} satisfies Meta<typeof listMeta.component>;

export default meta;
type Story = StoryObj<typeof meta>;

/** Two props are enough: the resource, and the content of a row. */
export const Basic: Story = {
  play: async ({ canvas, step, journal }) => {
    await step('Ada sees her two articles, in a list with a name', async () => {
      await canvas.findByText('On signing in');
      await expect(canvas.getByRole('region', { name: 'Articles' })).toBeVisible();
      await expect(canvas.getAllByRole('listitem')).toHaveLength(2);
    });
    await step('one GET, with her token', () => expect(journal).toHaveSent([sent.get('/article').as('ada')]));
  },
};

/** No rows: the `empty` slot, or a sentence. */
export const Empty: Story = {
  ...examples.Empty,
  play: async ({ canvas, step, journal }) => {
    await step('the reader sees that there are none', async () => {
      await canvas.findByText('No articles by this author.');
      await expect(canvas.queryByRole('list')).not.toBeInTheDocument();
    });
    await step('one GET, with the search param', () =>
      expect(journal).toHaveSent([sent.get('/article?author=katherine').as('ada')]),
    );
  },
};

/** The answer is under way: the `loading` slot, or a text that is announced. */
export const Loading: Story = {
  parameters: { unanswered: true },
  beforeEach: () => void app.articles.hold(),
  play: async ({ canvas, step, journal }) => {
    await step('the reader sees that it is loading', async () => {
      await expect(await canvas.findByText('Loading…')).toBeVisible();
      await waitFor(() => expect(canvas.getByRole('status')).toHaveTextContent('Loading…'));
      await waitFor(() => expect(app.articles.held).toBe(1));
    });
    await step('one GET is under way', () => expect(journal).toHaveSent([sent.get('/article').as('ada')]));
  },
};

/** The server answers 403: a message and a button. The user stays signed in. */
export const Refused: Story = {
  beforeEach: () => app.articles.failNext(403),
  play: async ({ canvas, step, journal }) => {
    await step('the page announces the refusal', async () => {
      await expect(await canvas.findByRole('alert')).toHaveTextContent('You do not have access to this.');
      await expect(canvas.getByRole('button', { name: 'Try again' })).toBeVisible();
    });
    await step('one GET, which is not repeated', () => expect(journal).toHaveSent([sent.get('/article').as('ada')]));
  },
};

/** The token has expired when the list is fetched again: one refresh, and the rows stay on the screen. */
export const Expired: Story = {
  args: { renderHeader: fetchAgain },
  play: async ({ canvas, step, journal }) => {
    await step('Ada sees her articles; then her token expires', async () => {
      await canvas.findByText('On signing in');
      app.server.expire();
    });
    await step('she fetches the list again; the old rows stay until the new ones arrive', async () => {
      const release = app.articles.hold();
      await userEvent.click(canvas.getByRole('button', { name: 'Fetch again' }));
      await waitFor(() => expect(app.articles.held).toBe(1));
      await expect(canvas.getByText('On signing in')).toBeVisible();
      await waitFor(() => expect(canvas.getByRole('list')).toHaveAttribute('aria-busy', 'true'));
      release();
      await waitFor(() => expect(canvas.getByRole('list')).toHaveAttribute('aria-busy', 'false'));
      await expect(canvas.getByText('On signing in')).toBeVisible();
    });
    await step('one refresh between the two tries', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.get('/article').as('ada'),
        sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' }),
        sent.get('/article').as('ada', 2),
      ]),
    );
  },
};

/** No connection, twice: the button keeps the focus while it fails, and passes it to the list when it succeeds. */
export const Offline: Story = {
  beforeEach: () => app.articles.failNext('network', 2),
  play: async ({ canvas, step, journal }) => {
    await step('the reader sees the message', async () => {
      await expect(await canvas.findByRole('alert')).toHaveTextContent('The server could not be reached.');
    });
    await step('a first retry fails too; the button keeps the focus', async () => {
      await userEvent.tab();
      await expect(canvas.getByRole('button', { name: 'Try again' })).toHaveFocus();
      const release = app.articles.hold();
      await userEvent.keyboard('{Enter}');
      await expect(canvas.getByRole('alert')).toHaveTextContent('Trying again…');
      release();
      await waitFor(() => expect(canvas.getByRole('alert')).toHaveTextContent('The server could not be reached.'));
      await expect(canvas.getByRole('button', { name: 'Try again' })).toHaveFocus();
    });
    await step('a second one succeeds; the focus moves to the list', async () => {
      await userEvent.keyboard('{Enter}');
      await canvas.findByText('On signing in');
      await expect(canvas.getByRole('region', { name: 'Articles' })).toHaveFocus();
    });
    await step('three GETs: one for the page, one for each press', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.get('/article').as('ada'),
        sent.get('/article').as('ada'),
      ]),
    );
  },
};

const firstEdit = createGate();

/**
 * Two edits at once, and the server writes the second one first. The answers do not say so: the record is read again, once.
 */
export const EditsAtOnce: Story = {
  beforeEach: ({ msw }) => {
    firstEdit.reset();
    // Then the server's own handler writes it.
    msw.use(http.patch(`${ownApi}/article/:id`, async () => void (await firstEdit.pass())));
  },
  play: async ({ canvas, step, journal }) => {
    await canvas.findByText('On signing in');
    const release = firstEdit.hold();
    await step('Ada revises an article, and rewrites it before the answer arrives', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Revise On signing in' }));
      await release.reached;
      await userEvent.click(canvas.getByRole('button', { name: 'Rewrite On signing in' }));
      await canvas.findByText('On signing in, again');
    });
    await step('the server writes the revision last: she sees that one', async () => {
      release();
      await canvas.findByText('On signing in!');
      await expect(app.articles.rows()[0]).toMatchObject({ title: 'On signing in!' });
    });
    await step('one PATCH, one PUT, and one GET of the article', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.patch('/article/1').as('ada').json({ title: 'On signing in!' }),
        sent
          .put('/article/1')
          .as('ada')
          .json({ id: '1', title: 'On signing in, again', content: 'Rewritten.', author: 'ada' }),
        sent.get('/article/1').as('ada'),
      ]),
    );
  },
};

/** `create={{ push }}`: the new row is at the end of the list, which is not fetched again. */
export const CreatesAtTheEnd: Story = {
  args: { create: { push: [{ name: 'title', label: 'Title', required: true }] } },
  play: async ({ canvas, step, journal }) => {
    await step('Ada types a title and presses Enter', async () => {
      await canvas.findByText('On signing in');
      await userEvent.type(canvas.getByLabelText('Title'), 'On writing{Enter}');
    });
    await step('the article is the last, and the form is empty again', async () => {
      await canvas.findByText('On writing');
      await expect(canvas.getAllByRole('listitem').at(-1)).toHaveTextContent('On writing');
      await waitFor(() => expect(canvas.getByLabelText('Title')).toHaveValue(''));
    });
    await step('one POST', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.post('/article').as('ada').json({ title: 'On writing' }),
      ]),
    );
  },
};

/** `create={{ unshift }}` on a filtered list: the new row is at the start of this list; the POST has no search params. */
export const CreatesAtTheStart: Story = {
  args: { params: { author: 'ada' }, create: { unshift: [{ name: 'title', label: 'Title', required: true }] } },
  play: async ({ canvas, step, journal }) => {
    await step('Ada types a title and presses the button', async () => {
      await canvas.findByText('On signing in');
      await userEvent.type(canvas.getByLabelText('Title'), 'On beginning');
      await userEvent.click(canvas.getByRole('button', { name: 'Create' }));
    });
    await step('the article is the first', async () => {
      await canvas.findByText('On beginning');
      await expect(canvas.getAllByRole('listitem')[0]).toHaveTextContent('On beginning');
    });
    await step('one POST', () =>
      expect(journal).toHaveSent([
        sent.get('/article?author=ada').as('ada'),
        sent.post('/article').as('ada').json({ title: 'On beginning' }),
      ]),
    );
  },
};

/** The server refuses the new row, then the connection fails: each time the form announces it, and keeps the text. */
export const KeepsTheTextOfARefusedRow: Story = {
  args: {
    create: {
      push: [
        { name: 'title', label: 'Title' },
        { name: 'content', label: 'Content', type: 'textarea' },
      ],
    },
  },
  play: async ({ canvas, step, journal }) => {
    await step('Ada sends no title, and sees the error', async () => {
      await canvas.findByText('On signing in');
      await userEvent.type(canvas.getByLabelText('Content'), 'A long text.');
      await userEvent.click(canvas.getByRole('button', { name: 'Create' }));
      await expect(await canvas.findByRole('alert')).toHaveTextContent('The server did not accept this.');
      await expect(canvas.getByLabelText('Content')).toHaveValue('A long text.');
    });
    await step('she adds it, but there is no connection: both texts stay', async () => {
      app.articles.failNext('network');
      await userEvent.type(canvas.getByLabelText('Title'), 'On writing');
      await userEvent.click(canvas.getByRole('button', { name: 'Create' }));
      await expect(await canvas.findByText(/The server could not be reached/)).toBeVisible();
      await expect(canvas.getByLabelText('Title')).toHaveValue('On writing');
      await expect(canvas.getByLabelText('Content')).toHaveValue('A long text.');
    });
    await step('the third time it is accepted', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Create' }));
      await expect(await canvas.findByText('On writing')).toBeVisible();
      await expect(canvas.queryByRole('alert')).not.toBeInTheDocument();
    });
    await step('three POSTs', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.post('/article').as('ada').json({ title: '', content: 'A long text.' }),
        sent.post('/article').as('ada').json({ title: 'On writing', content: 'A long text.' }),
        sent.post('/article').as('ada').json({ title: 'On writing', content: 'A long text.' }),
      ]),
    );
  },
};

/** Its errors expire when they arrive. */
const forgetful = hookifyResource(articleResource(ownApi).extend('getList', { errorExpiryLength: -1 }));

/** The user leaves a list that failed and comes back after the error has expired: the list is fetched again, and the old error is not shown. */
export const TriesAnOldErrorAgain: Story = {
  render: function Leaves({ label }) {
    const [isThere, setThere] = useState(true);
    return (
      <>
        <button type="button" onClick={() => setThere(!isThere)}>
          {isThere ? 'Leave' : 'Come back'}
        </button>
        {isThere && <ResourceList resource={forgetful} label={label} renderItem={article => article.title} />}
      </>
    );
  },
  beforeEach: () => app.articles.failNext(403),
  play: async ({ canvas, canvasElement, step, journal }) => {
    await step('the list is refused, and Ada leaves', async () => {
      await canvas.findByText('You do not have access to this.');
      await userEvent.click(canvas.getByRole('button', { name: 'Leave' }));
    });
    const said = recordText(canvasElement);
    await step('she comes back and sees her articles, without a press and without the error', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Come back' }));
      await canvas.findByText('On signing in');
      await expect(said.since('not allowed')).toEqual([]);
      said.stop();
    });
    await step('two requests', () =>
      expect(journal).toHaveSent([sent.get('/article').as('ada'), sent.get('/article').as('ada')]),
    );
  },
};

/** A list that was refused to a signed-out user is fetched again when a user signs in. */
export const HealsAtSignIn: Story = {
  beforeEach: app.start(),
  decorators: [
    Story => (
      <>
        <LoginForm />
        <Story />
      </>
    ),
  ],
  play: async ({ canvas, step, journal }) => {
    await step('the user is signed out, and the list says so', async () => {
      await expect(await canvas.findByRole('alert')).toHaveTextContent('Sign in to continue.');
    });
    await step('Ada signs in, and sees her articles', async () => {
      await userEvent.type(canvas.getByLabelText('User name'), 'ada');
      await userEvent.type(canvas.getByLabelText('Password'), 'lovelace{Enter}');
      await canvas.findByText('On signing in');
      await expect(canvas.queryByRole('alert')).not.toBeInTheDocument();
    });
    await step('the list is read once without a token, once with Ada’s', () =>
      expect(journal).toHaveSent([
        sent.get('/article'),
        sent.post('/login').json({ username: 'ada', password: 'lovelace' }),
        sent.get('/article').as('ada'),
      ]),
    );
  },
};

/** A user signs in while the list is under way without a token: that answer is dropped, and the list is read once as the user. */
export const UserSignsInDuringTheRead: Story = {
  ...HealsAtSignIn,
  play: async ({ canvas, step, journal }) => {
    const release = app.articles.hold();
    await step('the list is under way without a token', async () => {
      await canvas.findByText('Loading…');
      await waitFor(() => expect(app.articles.held).toBe(1));
    });
    await step('Ada signs in, sees her articles, and changes one', async () => {
      await userEvent.type(canvas.getByLabelText('User name'), 'ada');
      await userEvent.type(canvas.getByLabelText('Password'), 'lovelace{Enter}');
      await waitFor(() => expect(app.articles.held).toBeGreaterThan(1));
      release();
      await userEvent.click(await canvas.findByRole('button', { name: 'Revise On signing in' }));
      await canvas.findByText('On signing in!');
    });
    await step('one GET without a token, one with Ada’s', () =>
      expect(journal).toHaveSent([
        sent.get('/article'),
        sent.post('/login').json({ username: 'ada', password: 'lovelace' }),
        sent.get('/article').as('ada'),
        sent.patch('/article/1').as('ada').json({ title: 'On signing in!' }),
      ]),
    );
  },
};
