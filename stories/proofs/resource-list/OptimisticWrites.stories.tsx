import type { Meta, StoryContext, StoryObj } from '@storybook/react-vite';
import { expect, userEvent, waitFor } from 'storybook/test';
import { ResourceDetail, ResourceForm, ResourceList } from '../../../src/entries/widgets.js';
import { inCases } from '../../support/inCases.js';
import { SignInButtons } from '../../support/ArticlesDemo.js';
import { ArticleLine } from '../../support/ArticleLine.js';
import { hookifyResource, resource } from '../../../src/index.js';
import { Article } from '../../support/articles.js';
import { ownApi } from '../../support/setupCookieApp.js';
import { setupWidgetApp } from '../../support/setupWidgetApp.js';
import { below } from '../../support/below.js';

/** A list of Ada's articles that shows each change before the server has answered. The server refuses the title “On”. */
function setupOptimisticList() {
  const app = setupWidgetApp({
    articles: { validate: ({ title }) => (title === 'On' ? { title: ['A longer title is needed.'] } : undefined) },
  });
  const Articles = hookifyResource(
    resource({ urlPrefix: ownApi, path: '/article/:id', schema: Article, paginationField: 'page', optimistic: true }),
  );
  const listMeta = {
    component: ResourceList<typeof Articles>,
    args: {
      resource: Articles,
      label: 'Articles',
      create: { push: [{ name: 'title', label: 'Title' }] },
      renderItem: (article, actions) => <ArticleLine article={article} {...actions} />,
    },
    decorators: [below(app)],
    beforeEach: app.start('ada'),
  } satisfies Meta<typeof ResourceList<typeof Articles>>;
  /** The titles of the rows, from top to bottom. */
  const titles = (canvas: StoryContext['canvas']) =>
    canvas.getAllByRole('listitem').map(row => row.querySelector('span')?.textContent);
  /** Waits until one request waits for its answer. */
  const arrived = () => waitFor(() => expect(app.articles.held).toBe(1));
  return { app, Articles, listMeta, titles, arrived };
}

const { app, Articles, listMeta, titles, arrived } = setupOptimisticList();
const { sent } = app;

/** Proves that the widgets take back an optimistic change that the server refuses, and say why. */
const meta = {
  title: 'Proofs/ResourceList',
  tags: ['proof', '!autodocs'],
  ...listMeta,
} satisfies Meta<typeof listMeta.component>;

export default meta;
type Story = StoryObj<typeof meta>;

const creates: Story = {
  play: async ({ canvas, step, journal, hasSent }) => {
    await canvas.findByText('On signing in');
    const release = app.articles.hold();
    await step('Ada writes an article: it is shown before the answer arrives', async () => {
      await userEvent.type(canvas.getByLabelText('Title'), 'On writing{Enter}');
      await arrived();
      await expect(titles(canvas)).toEqual(['On signing in', 'On signing out', 'On writing']);
      const row = canvas.getByText('On writing').closest('li');
      await expect(row).toHaveAttribute('aria-busy', 'true');
      await expect(row).toHaveAttribute('inert');
    });
    await step('the answer arrives: the row has its actions', async () => {
      release();
      await waitFor(() => expect(canvas.getByText('On writing').closest('li')).not.toHaveAttribute('inert'));
      await expect(titles(canvas)).toEqual(['On signing in', 'On signing out', 'On writing']);
      const releaseDeletion = app.articles.hold();
      await userEvent.click(canvas.getByRole('button', { name: 'Delete On writing' }));
      await arrived();
      await expect(titles(canvas)).toEqual(['On signing in', 'On signing out']);
      releaseDeletion();
      await journal.settled();
    });
    await hasSent('one POST and one DELETE', [
      sent.get('/article').as('ada'),
      sent.post('/article').as('ada').json({ title: 'On writing' }),
      sent.delete('/article/5').as('ada'),
    ]);
  },
};

const createsBesideADeletion: Story = {
  play: async ({ canvas, step, journal, hasSent }) => {
    await canvas.findByText('On signing in');
    const release = app.articles.hold();
    await step('Ada writes an article, and deletes the second before the answer arrives', async () => {
      await userEvent.type(canvas.getByLabelText('Title'), 'On writing{Enter}');
      await arrived();
      await userEvent.click(canvas.getByRole('button', { name: 'Delete On signing out' }));
      await waitFor(() => expect(app.articles.held).toBe(2));
      await expect(titles(canvas)).toEqual(['On signing in', 'On writing']);
    });
    await step('both answers arrive: the rows stay as they are', async () => {
      release();
      await journal.settled();
      await waitFor(() => expect(canvas.getByText('On writing').closest('li')).not.toHaveAttribute('inert'));
      await expect(titles(canvas)).toEqual(['On signing in', 'On writing']);
    });
    await hasSent('one POST and one DELETE', [
      sent.get('/article').as('ada'),
      sent.post('/article').as('ada').json({ title: 'On writing' }),
      sent.delete('/article/2').as('ada'),
    ]);
  },
};

/** A new row is shown at once. It has no key yet, so it has no actions until the server has answered, and is no other row by its position. */
export const Creates: Story = inCases({
  alone: creates,
  'beside a deletion: the article with the id 2 goes, and the new one at position 2 stays': createsBesideADeletion,
});

const creationRefused: Story = {
  play: async ({ canvas, step, hasSent }) => {
    await canvas.findByText('On signing in');
    const release = app.articles.hold();
    await step('Ada writes an article, and sees it in the list', async () => {
      await userEvent.type(canvas.getByLabelText('Title'), 'On{Enter}');
      await arrived();
      await expect(titles(canvas)).toEqual(['On signing in', 'On signing out', 'On']);
    });
    await step('the server refuses it: it is gone, and the form says why', async () => {
      release();
      await waitFor(() =>
        expect(canvas.getByLabelText('Title')).toHaveAccessibleDescription('A longer title is needed.'),
      );
      await expect(titles(canvas)).toEqual(['On signing in', 'On signing out']);
      await expect(canvas.getByLabelText('Title')).toHaveValue('On');
      await expect(canvas.getByLabelText('Title')).toHaveFocus();
    });
    await step('she adds to the title, and it is accepted', async () => {
      await userEvent.keyboard(' writing{Enter}');
      await canvas.findByRole('button', { name: 'Delete On writing' });
      await waitFor(() => expect(canvas.getByLabelText('Title')).toHaveValue(''));
    });
    await hasSent('two POSTs', [
      sent.get('/article').as('ada'),
      sent.post('/article').as('ada').json({ title: 'On' }),
      sent.post('/article').as('ada').json({ title: 'On writing' }),
    ]);
  },
};

const creationOffline: Story = {
  render: args => (
    <>
      <ResourceForm resource={Articles} action="unshift" fields={[{ name: 'title', label: 'Title' }]} />
      <ResourceList {...args} create={undefined} />
    </>
  ),
  play: async ({ canvas, step, hasSent }) => {
    await canvas.findByText('On signing in');
    const release = app.articles.hold();
    await step('Ada writes an article: it is the first of the list', async () => {
      await userEvent.type(canvas.getByLabelText('Title'), 'On writing{Enter}');
      await arrived();
      await expect(titles(canvas)).toEqual(['On writing', 'On signing in', 'On signing out']);
    });
    await step('the connection fails: the article is gone, and the form has its text', async () => {
      release('lost');
      await expect(await canvas.findByRole('alert')).toHaveTextContent(
        'The server could not be reached. Check the connection.',
      );
      await expect(titles(canvas)).toEqual(['On signing in', 'On signing out']);
      await expect(canvas.getByLabelText('Title')).toHaveValue('On writing');
    });
    await hasSent('one POST', [
      sent.get('/article').as('ada'),
      sent.post('/article').as('ada').json({ title: 'On writing' }),
    ]);
  },
};

/** The new row is not accepted: it is removed, and the form has the text and the reason. */
export const CreationRefused: Story = inCases({
  'the server refuses it': creationRefused,
  'the connection fails; the form is outside the list': creationOffline,
});

/** A change is shown at once, by PATCH and by PUT. */
export const Changes: Story = {
  play: async ({ canvas, step, hasSent }) => {
    await canvas.findByText('On signing in');
    for (const [button, title] of [
      ['Revise On signing in', 'On signing in!'],
      ['Rewrite On signing in!', 'On signing in!, again'],
    ] as const) {
      const release = app.articles.hold();
      await step(
        `Ada presses “${button}”: the new title is shown before the answer arrives, in a busy row`,
        async () => {
          await userEvent.click(canvas.getByRole('button', { name: button }));
          await arrived();
          await expect(canvas.getByText(title).closest('li')).toHaveAttribute('aria-busy', 'true');
        },
      );
      await step('the answer arrives, and the title stays', async () => {
        release();
        await waitFor(() => expect(canvas.getByText(title).closest('li')).toHaveAttribute('aria-busy', 'false'));
      });
    }
    await hasSent('one PATCH and one PUT', [
      sent.get('/article').as('ada'),
      sent.patch('/article/1').as('ada').json({ title: 'On signing in!' }),
      sent
        .put('/article/1')
        .as('ada')
        .json({ id: '1', title: 'On signing in!, again', content: 'Rewritten.', author: 'ada' }),
    ]);
  },
};

const changeRefused: Story = {
  play: async ({ canvas, step, hasSent }) => {
    await canvas.findByText('On signing in');
    app.articles.failNext(500);
    const release = app.articles.hold();
    await step('Ada changes a title, and sees it', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Revise On signing in' }));
      await arrived();
      await expect(titles(canvas)).toEqual(['On signing in!', 'On signing out']);
    });
    await step(
      'the server refuses it: the old title is back, the row says why, and the focus has not moved',
      async () => {
        release();
        await expect(await canvas.findByRole('alert')).toHaveTextContent(
          'The server has a problem. Try again in a while.',
        );
        await expect(titles(canvas)).toEqual(['On signing in', 'On signing out']);
        await expect(canvas.getAllByRole('listitem')[0]).toContainElement(canvas.getByRole('alert'));
        await expect(canvas.getByRole('button', { name: 'Revise On signing in' })).toHaveFocus();
      },
    );
    await hasSent('one PATCH', [
      sent.get('/article').as('ada'),
      sent.patch('/article/1').as('ada').json({ title: 'On signing in!' }),
    ]);
  },
};

const editRefused: Story = {
  render: args => (
    <>
      <ResourceForm
        resource={Articles}
        action="partialUpdate"
        params={{ id: '1' }}
        initial={{ title: 'On signing in' }}
        fields={[{ name: 'title', label: 'Title' }]}
      />
      <ResourceList {...args} create={undefined} />
    </>
  ),
  play: async ({ canvas, step, hasSent }) => {
    await canvas.findByText('On signing in');
    const release = app.articles.hold();
    await step('Ada saves a title, and the list shows it', async () => {
      await userEvent.clear(canvas.getByLabelText('Title'));
      await userEvent.type(canvas.getByLabelText('Title'), 'On{Enter}');
      await arrived();
      await expect(titles(canvas)).toEqual(['On', 'On signing out']);
    });
    await step('the server refuses it: the list has the old title, the form has hers and the reason', async () => {
      release();
      await waitFor(() =>
        expect(canvas.getByLabelText('Title')).toHaveAccessibleDescription('A longer title is needed.'),
      );
      await expect(titles(canvas)).toEqual(['On signing in', 'On signing out']);
      await expect(canvas.getByLabelText('Title')).toHaveValue('On');
    });
    await hasSent('one PATCH', [
      sent.get('/article').as('ada'),
      sent.patch('/article/1').as('ada').json({ title: 'On' }),
    ]);
  },
};

/** The server refuses a change: the old title is back, and the reason is where it was changed. */
export const ChangeRefused: Story = inCases({
  'in the row': changeRefused,
  'in a form, which keeps the new title': editRefused,
});

/** A deleted row is gone at once. The focus is on the next row, and after the last row on the list. */
export const Deletes: Story = {
  play: async ({ canvas, step, journal, hasSent }) => {
    await canvas.findByText('On signing in');
    const release = app.articles.hold();
    await step('Ada deletes an article: it is gone before the answer arrives', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Delete On signing in' }));
      await arrived();
      await expect(titles(canvas)).toEqual(['On signing out']);
      await expect(canvas.getByRole('listitem')).toHaveFocus();
    });
    await step('the answer arrives, and the article stays away', async () => {
      release();
      await journal.settled();
      await expect(titles(canvas)).toEqual(['On signing out']);
    });
    const releaseLast = app.articles.hold();
    await step('she deletes the other one: the list is empty', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Delete On signing out' }));
      await arrived();
      await expect(canvas.getByText('Nothing here yet.')).toBeVisible();
      await expect(canvas.getByRole('region', { name: 'Articles' })).toHaveFocus();
      releaseLast();
      await journal.settled();
    });
    await hasSent('two DELETEs', [
      sent.get('/article').as('ada'),
      sent.delete('/article/1').as('ada'),
      sent.delete('/article/2').as('ada'),
    ]);
  },
};

const deletionRefused: Story = {
  play: async ({ canvas, step, hasSent }) => {
    await canvas.findByText('On signing in');
    app.articles.failNext(403);
    const release = app.articles.hold();
    await step('Ada deletes an article, and it is gone', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Delete On signing in' }));
      await arrived();
      await expect(titles(canvas)).toEqual(['On signing out']);
    });
    await step('the server refuses it: the row is back in its place, with the reason', async () => {
      release();
      await expect(await canvas.findByRole('alert')).toHaveTextContent('You do not have access to this.');
      await expect(titles(canvas)).toEqual(['On signing in', 'On signing out']);
      await expect(canvas.getAllByRole('listitem')[0]).toContainElement(canvas.getByRole('alert'));
      await expect(canvas.getAllByRole('listitem')[1]).toHaveFocus();
    });
    await hasSent('one DELETE', [sent.get('/article').as('ada'), sent.delete('/article/1').as('ada')]);
  },
};

const detailDeletionRefused: Story = {
  render: () => (
    <ResourceDetail
      resource={Articles}
      label="Article"
      params={{ id: '1' }}
      renderItem={(article, actions) => <ArticleLine article={article} {...actions} />}
    />
  ),
  play: async ({ canvas, step, hasSent }) => {
    await canvas.findByText('On signing in');
    app.articles.failNext(403);
    const release = app.articles.hold();
    await step('Ada deletes the article, and it is gone', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Delete On signing in' }));
      await arrived();
      await expect(canvas.getByText('Deleted.')).toBeVisible();
      await expect(canvas.getByRole('article')).toHaveFocus();
    });
    await step('the server refuses it: the article is back, with the reason', async () => {
      release();
      await expect(await canvas.findByRole('alert')).toHaveTextContent('You do not have access to this.');
      await expect(canvas.getByText('On signing in')).toBeVisible();
      await expect(canvas.getByRole('article')).toHaveFocus();
    });
    await hasSent('one DELETE', [sent.get('/article/1').as('ada'), sent.delete('/article/1').as('ada')]);
  },
};

/** The server refuses the deletion: what was deleted is back in its place, with the reason. */
export const DeletionRefused: Story = inCases({
  'a row: the focus stays where it is': deletionRefused,
  'one record': detailDeletionRefused,
});

/** Another user signs in before the answers arrive: the optimistic changes are gone with the store, and the other user never sees them. */
export const AnotherUserSignsIn: Story = {
  decorators: [
    Story => (
      <>
        <SignInButtons />
        <Story />
      </>
    ),
  ],
  play: async ({ canvas, step, hasSent }) => {
    await canvas.findByText('On signing in');
    const release = app.articles.hold();
    await step('Ada changes a title and writes an article; the server answers neither', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Revise On signing in' }));
      await userEvent.type(canvas.getByLabelText('Title'), 'On writing{Enter}');
      await waitFor(() => expect(app.articles.held).toBe(2));
      await expect(titles(canvas)).toEqual(['On signing in!', 'On signing out', 'On writing']);
    });
    await step('Grace signs in: she sees her own articles, and nothing of Ada’s', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Grace Hopper' }));
      await waitFor(() => expect(app.articles.held).toBe(3));
      release();
      await canvas.findByText('A compiler for everyone');
      await expect(titles(canvas)).toEqual(['A compiler for everyone', 'On finding the moth']);
    });
    await hasSent('nothing of Ada’s is sent again', [
      sent.get('/article').as('ada'),
      sent.patch('/article/1').as('ada').json({ title: 'On signing in!' }),
      sent.post('/article').as('ada').json({ title: 'On writing' }),
      sent.post('/login').json({ username: 'grace', password: 'hopper' }),
      sent.get('/article').as('grace'),
    ]);
  },
};
