import * as examples from '../../widgets/ResourceList.stories.js';
import type { Meta, StoryObj } from '@storybook/react-vite';
import { http, HttpResponse } from 'msw';
import { useState } from 'react';
import { expect, userEvent, waitFor } from 'storybook/test';
import { hookifyResource } from '../../../src/index.js';
import { LoginForm, ResourceList } from '../../../src/entries/widgets.js';
import { createGate } from '../../../src/testing/index.js';
import { articleResource } from '../../support/articles.js';
import { ownApi } from '../../support/setupCookieApp.js';
import { fetchAgain } from '../../support/fetchAgain.js';
import { recordText } from '../../support/recordText.js';
import { setupListApp } from '../../support/setupListApp.js';
import { inCases } from '../../support/inCases.js';

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
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada sees her two articles, in a list with a name', async () => {
      await canvas.findByText('On signing in');
      await expect(canvas.getByRole('region', { name: 'Articles' })).toBeVisible();
      await expect(canvas.getAllByRole('listitem')).toHaveLength(2);
    });
    await hasSent('one GET, with her token', [sent.get('/article').as('ada')]);
  },
};

/** No rows: the `empty` slot, or a sentence. */
export const Empty: Story = {
  ...examples.Empty,
  play: async ({ canvas, step, hasSent }) => {
    await step('the reader sees that there are none', async () => {
      await canvas.findByText('No articles by this author.');
      await expect(canvas.queryByRole('list')).not.toBeInTheDocument();
    });
    await hasSent('one GET, with the search param', [sent.get('/article?author=katherine').as('ada')]);
  },
};

/** The token has expired when the list is fetched again: one refresh, and the rows stay on the screen. */
export const Expired: Story = {
  args: { renderHeader: fetchAgain },
  play: async ({ canvas, step, hasSent }) => {
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
    await hasSent('one refresh between the two tries', [
      sent.get('/article').as('ada'),
      sent.get('/article').as('ada'),
      sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' }),
      sent.get('/article').as('ada', 2),
    ]);
  },
};

/** No connection, twice: the button keeps the focus while it fails, and passes it to the list when it succeeds. */
export const Offline: Story = {
  beforeEach: () => app.articles.failNext('network', 2),
  play: async ({ canvas, step, hasSent }) => {
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
    await hasSent('three GETs: one for the page, one for each press', [
      sent.get('/article').as('ada'),
      sent.get('/article').as('ada'),
      sent.get('/article').as('ada'),
    ]);
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
  play: async ({ canvas, step, hasSent }) => {
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
    await hasSent('one PATCH, one PUT, and one GET of the article', [
      sent.get('/article').as('ada'),
      sent.patch('/article/1').as('ada').json({ title: 'On signing in!' }),
      sent
        .put('/article/1')
        .as('ada')
        .json({ id: '1', title: 'On signing in, again', content: 'Rewritten.', author: 'ada' }),
      sent.get('/article/1').as('ada'),
    ]);
  },
};

const createsAtTheEnd: Story = {
  args: { create: { push: [{ name: 'title', label: 'Title', required: true }] } },
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada types a title and presses Enter', async () => {
      await canvas.findByText('On signing in');
      await userEvent.type(canvas.getByLabelText('Title'), 'On writing{Enter}');
    });
    await step('the article is the last, and the form is empty again', async () => {
      await canvas.findByText('On writing');
      await expect(canvas.getAllByRole('listitem').at(-1)).toHaveTextContent('On writing');
      await waitFor(() => expect(canvas.getByLabelText('Title')).toHaveValue(''));
    });
    await hasSent('one POST', [
      sent.get('/article').as('ada'),
      sent.post('/article').as('ada').json({ title: 'On writing' }),
    ]);
  },
};

const createsAtTheStart: Story = {
  args: { params: { author: 'ada' }, create: { unshift: [{ name: 'title', label: 'Title', required: true }] } },
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada types a title and presses the button', async () => {
      await canvas.findByText('On signing in');
      await userEvent.type(canvas.getByLabelText('Title'), 'On beginning');
      await userEvent.click(canvas.getByRole('button', { name: 'Create' }));
    });
    await step('the article is the first', async () => {
      await canvas.findByText('On beginning');
      await expect(canvas.getAllByRole('listitem')[0]).toHaveTextContent('On beginning');
    });
    await hasSent('one POST', [
      sent.get('/article?author=ada').as('ada'),
      sent.post('/article').as('ada').json({ title: 'On beginning' }),
    ]);
  },
};

/** A new row is where `create` says, and the list is not fetched again. */
export const CreatesARow: Story = inCases({
  '`create={{ push }}`: at the end': createsAtTheEnd,
  '`create="unshift"` on a filtered list: at the start of this list, and the POST has no search params':
    createsAtTheStart,
});

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
  play: async ({ canvas, step, hasSent }) => {
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
    await hasSent('three POSTs', [
      sent.get('/article').as('ada'),
      sent.post('/article').as('ada').json({ title: '', content: 'A long text.' }),
      sent.post('/article').as('ada').json({ title: 'On writing', content: 'A long text.' }),
      sent.post('/article').as('ada').json({ title: 'On writing', content: 'A long text.' }),
    ]);
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
  play: async ({ canvas, canvasElement, step, hasSent }) => {
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
    await hasSent('two requests', [sent.get('/article').as('ada'), sent.get('/article').as('ada')]);
  },
};

const healsAtSignIn: Story = {
  beforeEach: app.start(),
  play: async ({ canvas, step, hasSent }) => {
    await step('the user is signed out, and the list says so', async () => {
      await expect(await canvas.findByRole('alert')).toHaveTextContent('Sign in to continue.');
    });
    await step('Ada signs in, and sees her articles', async () => {
      await userEvent.type(canvas.getByLabelText('User name'), 'ada');
      await userEvent.type(canvas.getByLabelText('Password'), 'lovelace{Enter}');
      await canvas.findByText('On signing in');
      await expect(canvas.queryByRole('alert')).not.toBeInTheDocument();
    });
    await hasSent('the list is read once without a token, once with Ada’s', [
      sent.get('/article'),
      sent.post('/login').json({ username: 'ada', password: 'lovelace' }),
      sent.get('/article').as('ada'),
    ]);
  },
};

const userSignsInDuringTheRead: Story = {
  ...healsAtSignIn,
  play: async ({ canvas, step, hasSent }) => {
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
    await hasSent('one GET without a token, one with Ada’s', [
      sent.get('/article'),
      sent.post('/login').json({ username: 'ada', password: 'lovelace' }),
      sent.get('/article').as('ada'),
      sent.patch('/article/1').as('ada').json({ title: 'On signing in!' }),
    ]);
  },
};

/** A list that was sent without a token is fetched once more when a user signs in. */
export const HealsAtSignIn: Story = {
  decorators: [
    Story => (
      <>
        <LoginForm />
        <Story />
      </>
    ),
  ],
  ...inCases({
    'it was refused': healsAtSignIn,
    'it is under way: that answer is dropped': userSignsInDuringTheRead,
  }),
};

/** By keyboard alone: after a deletion the focus is on the next row, and after the last row on the list. */
export const DeletesByKeyboard: Story = {
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada tabs to the first row’s Delete and presses Enter; the next row has the focus', async () => {
      await canvas.findByText('On signing in');
      await userEvent.tab();
      await userEvent.tab();
      await userEvent.tab();
      await expect(canvas.getByRole('button', { name: 'Delete On signing in' })).toHaveFocus();
      await userEvent.keyboard('{Enter}');
      await waitFor(() => expect(canvas.queryByText('On signing in')).not.toBeInTheDocument());
      await expect(canvas.getByRole('listitem')).toHaveFocus();
    });
    await step('she deletes that one too; the list has the focus, and says that it is empty', async () => {
      await userEvent.tab();
      await userEvent.tab();
      await userEvent.tab();
      await userEvent.keyboard('{Enter}');
      await canvas.findByText('Nothing here yet.');
      await expect(canvas.getByRole('region', { name: 'Articles' })).toHaveFocus();
    });
    await hasSent('two DELETEs, and the list is not fetched again', [
      sent.get('/article').as('ada'),
      sent.delete('/article/1').as('ada'),
      sent.delete('/article/2').as('ada'),
    ]);
  },
};

/** Two presses are one deletion. When the server refuses it, the row stays, with the message. */
export const KeepsTheRowOfARefusedDeletion: Story = {
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada presses Delete twice while the answer is under way', async () => {
      await canvas.findByText('On signing in');
      app.articles.failNext(403);
      const release = app.articles.hold();
      await userEvent.dblClick(canvas.getByRole('button', { name: 'Delete On signing in' }));
      await waitFor(() => expect(app.articles.held).toBe(1));
      await expect(canvas.getAllByRole('listitem')[0]).toHaveAttribute('aria-busy', 'true');
      release();
    });
    await step('the row announces the refusal', async () => {
      await expect(await canvas.findByRole('alert')).toHaveTextContent('You do not have access to this.');
      await expect(canvas.getAllByRole('listitem')[0]).toContainElement(canvas.getByRole('alert'));
      await expect(canvas.getByText('On signing in')).toBeVisible();
    });
    await hasSent('one DELETE', [sent.get('/article').as('ada'), sent.delete('/article/1').as('ada')]);
  },
};

let refuse: (answer: Response) => void;

/** Two actions on one row, and the first fails last: the row shows the outcome of the newest only. */
export const ShowsTheNewestAct: Story = {
  beforeEach: ({ msw }) => {
    const refusal = new Promise<Response>(resolve => (refuse = resolve));
    msw.use(http.patch('/api/article/1', () => refusal, { once: true }));
  },
  play: async ({ canvas, step, journal }) => {
    await step('Ada changes an article, and replaces it before the first answer arrives', async () => {
      await userEvent.click(await canvas.findByRole('button', { name: 'Revise On signing in' }));
      await userEvent.click(canvas.getByRole('button', { name: 'Rewrite On signing in' }));
      await canvas.findByText('On signing in, again');
    });
    await step('the first action is refused: the row shows the second, and no error of the first', async () => {
      refuse(HttpResponse.json({}, { status: 500 }));
      await journal.settled();
      await waitFor(() => expect(canvas.getAllByRole('listitem')[0]).toHaveAttribute('aria-busy', 'false'));
      await expect(canvas.queryByRole('alert')).not.toBeInTheDocument();
    });
    // The server may have written the two in any order.
    await step('one PATCH and one PUT, then the article is read', () =>
      waitFor(() =>
        expect(journal).toHaveSent([
          sent.get('/article').as('ada'),
          sent.patch('/article/1').as('ada').json({ title: 'On signing in!' }),
          sent
            .put('/article/1')
            .as('ada')
            .json({ id: '1', title: 'On signing in, again', content: 'Rewritten.', author: 'ada' }),
          sent.get('/article/1').as('ada'),
        ]),
      ),
    );
  },
};
