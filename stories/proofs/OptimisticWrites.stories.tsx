import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, userEvent, waitFor } from 'storybook/test';
import { hookifyResource, resource, ResourceDetail, ResourceForm, ResourceList } from '../../src/index.js';
import { Article } from '../support/articles.js';
import { ownApi } from '../support/setupCookieApp.js';
import { SignInButtons } from '../support/ArticlesDemo.js';
import { setupWidgetApp } from '../support/setupWidgetApp.js';
import { ArticleLine } from '../support/ArticleLine.js';

const app = setupWidgetApp({
  articles: { validate: ({ title }) => (title === 'On' ? { title: ['A longer title is needed.'] } : undefined) },
});
const { sent } = app;

const Articles = hookifyResource(
  resource({ urlPrefix: ownApi, path: '/article/:id', schema: Article, paginationField: 'page', optimistic: true }),
);

/** Proves that the widgets take back an optimistic change that the server refuses, and say why. */
const meta = {
  title: 'Proofs/ResourceList',
  tags: ['proof', '!autodocs'],
  component: ResourceList<typeof Articles>,
  args: {
    resource: Articles,
    label: 'Articles',
    create: 'push',
    fields: [{ name: 'title', label: 'Title' }],
    renderItem: (article, actions) => <ArticleLine article={article} {...actions} />,
  },
  decorators: [
    Story => (
      <app.Provider>
        <Story />
      </app.Provider>
    ),
  ],
  beforeEach: app.start('ada'),
} satisfies Meta<typeof ResourceList<typeof Articles>>;

export default meta;
type Story = StoryObj<typeof meta>;
type Canvas = Parameters<NonNullable<Story['play']>>[0]['canvas'];

const titles = (canvas: Canvas) => canvas.getAllByRole('listitem').map(row => row.querySelector('span')?.textContent);
const arrived = () => waitFor(() => expect(app.articles.held).toBe(1));

/** A new row is there at once, and nothing can be done with it until the server has answered: it has no key yet. */
export const Creates: Story = {
  play: async ({ canvas, step, journal }) => {
    await canvas.findByText('On signing in');
    const release = app.articles.hold();
    await step('Ada writes an article: it is there before the answer is', async () => {
      await userEvent.type(canvas.getByLabelText('Title'), 'On writing{Enter}');
      await arrived();
      await expect(titles(canvas)).toEqual(['On signing in', 'On signing out', 'On writing']);
      const row = canvas.getByText('On writing').closest('li');
      await expect(row).toHaveAttribute('aria-busy', 'true');
      await expect(row).toHaveAttribute('inert');
    });
    await step('the answer comes: it is a row like the others', async () => {
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
    await step('one POST and one DELETE', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.post('/article').as('ada').json({ title: 'On writing' }),
        sent.delete('/article/5').as('ada'),
      ]),
    );
  },
};

/** The place of a row that has no key yet is nobody's key: the article with the id 2 goes, and the new one at the place 2 stays. */
export const CreatesBesideADeletion: Story = {
  play: async ({ canvas, step, journal }) => {
    await canvas.findByText('On signing in');
    const release = app.articles.hold();
    await step('Ada writes an article, and deletes the second before the answer is there', async () => {
      await userEvent.type(canvas.getByLabelText('Title'), 'On writing{Enter}');
      await arrived();
      await userEvent.click(canvas.getByRole('button', { name: 'Delete On signing out' }));
      await waitFor(() => expect(app.articles.held).toBe(2));
      await expect(titles(canvas)).toEqual(['On signing in', 'On writing']);
    });
    await step('both answers come: the same', async () => {
      release();
      await journal.settled();
      await waitFor(() => expect(canvas.getByText('On writing').closest('li')).not.toHaveAttribute('inert'));
      await expect(titles(canvas)).toEqual(['On signing in', 'On writing']);
    });
    await step('one POST and one DELETE', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.post('/article').as('ada').json({ title: 'On writing' }),
        sent.delete('/article/2').as('ada'),
      ]),
    );
  },
};

/** The server does not accept the new row: it is taken back, and the form has the text and the reason. */
export const CreationRefused: Story = {
  play: async ({ canvas, step, journal }) => {
    await canvas.findByText('On signing in');
    const release = app.articles.hold();
    await step('Ada writes an article: it is there', async () => {
      await userEvent.type(canvas.getByLabelText('Title'), 'On{Enter}');
      await arrived();
      await expect(titles(canvas)).toEqual(['On signing in', 'On signing out', 'On']);
    });
    await step('it is refused: it is gone, and the form says why', async () => {
      release();
      await waitFor(() =>
        expect(canvas.getByLabelText('Title')).toHaveAccessibleDescription('A longer title is needed.'),
      );
      await expect(titles(canvas)).toEqual(['On signing in', 'On signing out']);
      await expect(canvas.getByLabelText('Title')).toHaveValue('On');
      await expect(canvas.getByLabelText('Title')).toHaveFocus();
    });
    await step('she types on, and it is accepted', async () => {
      await userEvent.keyboard(' writing{Enter}');
      await canvas.findByRole('button', { name: 'Delete On writing' });
      await waitFor(() => expect(canvas.getByLabelText('Title')).toHaveValue(''));
    });
    await step('two POSTs', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.post('/article').as('ada').json({ title: 'On' }),
        sent.post('/article').as('ada').json({ title: 'On writing' }),
      ]),
    );
  },
};

/** The same of a form that stands elsewhere on the page. */
export const CreationOffline: Story = {
  render: args => (
    <>
      <ResourceForm resource={Articles} action="unshift" fields={[{ name: 'title', label: 'Title' }]} />
      <ResourceList {...args} create={undefined} />
    </>
  ),
  play: async ({ canvas, step, journal }) => {
    await canvas.findByText('On signing in');
    const release = app.articles.hold();
    await step('Ada writes an article: it is the first of the list', async () => {
      await userEvent.type(canvas.getByLabelText('Title'), 'On writing{Enter}');
      await arrived();
      await expect(titles(canvas)).toEqual(['On writing', 'On signing in', 'On signing out']);
    });
    await step('the connection breaks: it is gone, and the form has its text', async () => {
      release('lost');
      await expect(await canvas.findByRole('alert')).toHaveTextContent(
        'The server could not be reached. Check the connection.',
      );
      await expect(titles(canvas)).toEqual(['On signing in', 'On signing out']);
      await expect(canvas.getByLabelText('Title')).toHaveValue('On writing');
    });
    await step('one POST', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.post('/article').as('ada').json({ title: 'On writing' }),
      ]),
    );
  },
};

/** A change is seen at once; PATCH and PUT alike. */
export const Changes: Story = {
  play: async ({ canvas, step, journal }) => {
    await canvas.findByText('On signing in');
    for (const [button, title] of [
      ['Stress On signing in', 'On signing in!'],
      ['Rewrite On signing in!', 'On signing in!, again'],
    ] as const) {
      const release = app.articles.hold();
      await step(
        `Ada presses “${button}”: the new title is there before the answer is, in a row that is busy`,
        async () => {
          await userEvent.click(canvas.getByRole('button', { name: button }));
          await arrived();
          await expect(canvas.getByText(title).closest('li')).toHaveAttribute('aria-busy', 'true');
        },
      );
      await step('the answer says the same', async () => {
        release();
        await waitFor(() => expect(canvas.getByText(title).closest('li')).toHaveAttribute('aria-busy', 'false'));
      });
    }
    await step('one PATCH and one PUT', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.patch('/article/1').as('ada').json({ title: 'On signing in!' }),
        sent
          .put('/article/1')
          .as('ada')
          .json({ id: '1', title: 'On signing in!, again', content: 'Rewritten.', author: 'ada' }),
      ]),
    );
  },
};

/** The server has a problem with the change: the old title is back, and the row says why. */
export const ChangeRefused: Story = {
  play: async ({ canvas, step, journal }) => {
    await canvas.findByText('On signing in');
    app.articles.failNext(500);
    const release = app.articles.hold();
    await step('Ada changes a title: it is there', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Stress On signing in' }));
      await arrived();
      await expect(titles(canvas)).toEqual(['On signing in!', 'On signing out']);
    });
    await step('it is refused: the old one is back, the row says why, and the focus is where it was', async () => {
      release();
      await expect(await canvas.findByRole('alert')).toHaveTextContent(
        'The server has a problem. Try again in a while.',
      );
      await expect(titles(canvas)).toEqual(['On signing in', 'On signing out']);
      await expect(canvas.getAllByRole('listitem')[0]).toContainElement(canvas.getByRole('alert'));
      await expect(canvas.getByRole('button', { name: 'Stress On signing in' })).toHaveFocus();
    });
    await step('one PATCH', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.patch('/article/1').as('ada').json({ title: 'On signing in!' }),
      ]),
    );
  },
};

/** A form that edits: what is refused is taken back everywhere else, and stays in the form. */
export const EditRefused: Story = {
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
  play: async ({ canvas, step, journal }) => {
    await canvas.findByText('On signing in');
    const release = app.articles.hold();
    await step('Ada saves a title: the list shows it', async () => {
      await userEvent.clear(canvas.getByLabelText('Title'));
      await userEvent.type(canvas.getByLabelText('Title'), 'On{Enter}');
      await arrived();
      await expect(titles(canvas)).toEqual(['On', 'On signing out']);
    });
    await step('it is refused: the list has the old one, the form has hers and the reason', async () => {
      release();
      await waitFor(() =>
        expect(canvas.getByLabelText('Title')).toHaveAccessibleDescription('A longer title is needed.'),
      );
      await expect(titles(canvas)).toEqual(['On signing in', 'On signing out']);
      await expect(canvas.getByLabelText('Title')).toHaveValue('On');
    });
    await step('one PATCH', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.patch('/article/1').as('ada').json({ title: 'On' }),
      ]),
    );
  },
};

/** A deleted row is gone at once; the focus is on the next one, and after the last one on the list. */
export const Deletes: Story = {
  play: async ({ canvas, step, journal }) => {
    await canvas.findByText('On signing in');
    const release = app.articles.hold();
    await step('Ada deletes an article: it is gone before the answer is there', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Delete On signing in' }));
      await arrived();
      await expect(titles(canvas)).toEqual(['On signing out']);
      await expect(canvas.getByRole('listitem')).toHaveFocus();
    });
    await step('the answer comes: it stays away', async () => {
      release();
      await journal.settled();
      await expect(titles(canvas)).toEqual(['On signing out']);
    });
    const releaseLast = app.articles.hold();
    await step('she deletes the other one: there is none', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Delete On signing out' }));
      await arrived();
      await expect(canvas.getByText('Nothing here yet.')).toBeVisible();
      await expect(canvas.getByRole('region', { name: 'Articles' })).toHaveFocus();
      releaseLast();
      await journal.settled();
    });
    await step('two DELETEs', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.delete('/article/1').as('ada'),
        sent.delete('/article/2').as('ada'),
      ]),
    );
  },
};

/** The server does not let her delete it: the row is back in its place, and says why. The focus stays where it went. */
export const DeletionRefused: Story = {
  play: async ({ canvas, step, journal }) => {
    await canvas.findByText('On signing in');
    app.articles.failNext(403);
    const release = app.articles.hold();
    await step('Ada deletes an article: it is gone', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Delete On signing in' }));
      await arrived();
      await expect(titles(canvas)).toEqual(['On signing out']);
    });
    await step('it is refused: it is back where it was, and says why', async () => {
      release();
      await expect(await canvas.findByRole('alert')).toHaveTextContent('You are not allowed to do this.');
      await expect(titles(canvas)).toEqual(['On signing in', 'On signing out']);
      await expect(canvas.getAllByRole('listitem')[0]).toContainElement(canvas.getByRole('alert'));
      await expect(canvas.getAllByRole('listitem')[1]).toHaveFocus();
    });
    await step('one DELETE', () =>
      expect(journal).toHaveSent([sent.get('/article').as('ada'), sent.delete('/article/1').as('ada')]),
    );
  },
};

/** One record: gone at once, and back with the reason. */
export const DetailDeletionRefused: Story = {
  render: () => (
    <ResourceDetail
      resource={Articles}
      label="Article"
      params={{ id: '1' }}
      renderItem={(article, actions) => <ArticleLine article={article} {...actions} />}
    />
  ),
  play: async ({ canvas, step, journal }) => {
    await canvas.findByText('On signing in');
    app.articles.failNext(403);
    const release = app.articles.hold();
    await step('Ada deletes the article: it is gone', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Delete On signing in' }));
      await arrived();
      await expect(canvas.getByText('Deleted.')).toBeVisible();
      await expect(canvas.getByRole('article')).toHaveFocus();
    });
    await step('it is refused: it is back, and says why', async () => {
      release();
      await expect(await canvas.findByRole('alert')).toHaveTextContent('You are not allowed to do this.');
      await expect(canvas.getByText('On signing in')).toBeVisible();
      await expect(canvas.getByRole('article')).toHaveFocus();
    });
    await step('one DELETE', () =>
      expect(journal).toHaveSent([sent.get('/article/1').as('ada'), sent.delete('/article/1').as('ada')]),
    );
  },
};

/** What is not answered yet when somebody else signs in is gone with the store: the other never sees it. */
export const AnotherPersonMeanwhile: Story = {
  decorators: [
    Story => (
      <>
        <SignInButtons />
        <Story />
      </>
    ),
  ],
  play: async ({ canvas, step, journal }) => {
    await canvas.findByText('On signing in');
    const release = app.articles.hold();
    await step('Ada changes a title and writes an article; neither is answered', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Stress On signing in' }));
      await userEvent.type(canvas.getByLabelText('Title'), 'On writing{Enter}');
      await waitFor(() => expect(app.articles.held).toBe(2));
      await expect(titles(canvas)).toEqual(['On signing in!', 'On signing out', 'On writing']);
    });
    await step('Grace signs in: her own articles, and nothing of Ada’s', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Sign in as Grace Hopper' }));
      await waitFor(() => expect(app.articles.held).toBe(3));
      release();
      await canvas.findByText('A compiler for everyone');
      await expect(titles(canvas)).toEqual(['A compiler for everyone', 'On finding the moth']);
    });
    await step('nothing of Ada’s was sent again', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.patch('/article/1').as('ada').json({ title: 'On signing in!' }),
        sent.post('/article').as('ada').json({ title: 'On writing' }),
        sent.post('/login').json({ username: 'grace', password: 'hopper' }),
        sent.get('/article').as('grace'),
      ]),
    );
  },
};
