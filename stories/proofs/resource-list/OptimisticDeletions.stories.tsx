import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, userEvent, waitFor } from 'storybook/test';
import { ResourceDetail } from '../../../src/entries/widgets.js';
import { SignInButtons } from '../../support/ArticlesDemo.js';
import { ArticleLine } from '../../support/ArticleLine.js';
import { setupOptimisticList } from '../../support/setupOptimisticList.js';

const { app, Articles, listMeta, titles, arrived } = setupOptimisticList();
const { sent } = app;

/** Proves optimistic deletions: where the focus goes, and that a refused one is taken back. */
const meta = {
  title: 'Proofs/ResourceList',
  tags: ['proof', '!autodocs'],
  ...listMeta,
} satisfies Meta<typeof listMeta.component>;

export default meta;
type Story = StoryObj<typeof meta>;

/** A deleted row is gone at once. The focus is on the next row, and after the last row on the list. */
export const Deletes: Story = {
  play: async ({ canvas, step, journal }) => {
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
    await step('two DELETEs', () =>
      expect(journal).toHaveSent([
        sent.get('/article').as('ada'),
        sent.delete('/article/1').as('ada'),
        sent.delete('/article/2').as('ada'),
      ]),
    );
  },
};

/** The server refuses the deletion: the row is back in its place with the reason. The focus stays where it is. */
export const DeletionRefused: Story = {
  play: async ({ canvas, step, journal }) => {
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
    await step('one DELETE', () =>
      expect(journal).toHaveSent([sent.get('/article').as('ada'), sent.delete('/article/1').as('ada')]),
    );
  },
};

/** One record: it is gone at once, and back with the reason. */
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
    await step('one DELETE', () =>
      expect(journal).toHaveSent([sent.get('/article/1').as('ada'), sent.delete('/article/1').as('ada')]),
    );
  },
};

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
  play: async ({ canvas, step, journal }) => {
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
    await step('nothing of Ada’s is sent again', () =>
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
