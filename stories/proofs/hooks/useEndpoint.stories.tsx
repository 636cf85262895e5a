import { AsyncBoundary, useController, useSuspense } from '@data-client/react';
import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, userEvent, waitFor } from 'storybook/test';
import { resource, useEndpoint } from '../../../src/index.js';
import { ActionButton } from '../../support/ActionButton.js';
import { api, Article, articleResource } from '../../support/articles.js';
import { setupTokenApp } from '../../support/setupTokenApp.js';
import { requestsOnly } from '../../support/requestsOnly.js';

const app = setupTokenApp();
const { sent } = app;
const ArticleResource = articleResource();

/** One article, read and changed with endpoints of a resource without hooks of its own. */
function OneArticle({ id }: { id: string }) {
  const controller = useController();
  const article = useSuspense(useEndpoint(ArticleResource.get), { id });
  const partialUpdate = useEndpoint(ArticleResource.partialUpdate);
  return (
    <article>
      <p>{article.title}</p>
      <button type="button" onClick={() => void controller.fetch(partialUpdate, { id }, { title: 'On knocking' })}>
        Rename
      </button>
    </article>
  );
}

/** Proves that an endpoint of `useEndpoint()` carries the token, for a read, a mutation and an optimistic resource. */
const meta = {
  title: 'Proofs/Hooks',
  tags: ['proof', '!autodocs'],
  parameters: { ...requestsOnly },
  render: () => (
    <app.Provider>
      <AsyncBoundary fallback={<p>Fetching…</p>}>
        <OneArticle id="1" />
      </AsyncBoundary>
    </app.Provider>
  ),
  beforeEach: app.start('ada'),
} satisfies Meta;

export default meta;
type Story = StoryObj<typeof meta>;

/** A read and a write carry the token, and the write survives its expiry. */
export const CarriesTheToken: Story = {
  play: async ({ canvas, step, journal }) => {
    await step('Ada sees her article', async () => {
      await canvas.findByText('On signing in');
    });
    await step('her token expires, and she renames it', async () => {
      app.server.expire();
      await userEvent.click(canvas.getByRole('button', { name: 'Rename' }));
      await canvas.findByText('On knocking');
    });
    await step('one refresh, and the PATCH again', () =>
      expect(journal).toHaveSent([
        sent.get('/article/1').as('ada'),
        sent.patch('/article/1').as('ada').json({ title: 'On knocking' }),
        sent.post('/refresh').json({ refreshToken: 'ada-refresh-1' }),
        sent.patch('/article/1').as('ada', 2).json({ title: 'On knocking' }),
      ]),
    );
  },
};

const Optimistic = resource({ urlPrefix: api, path: '/article/:id', schema: Article, optimistic: true });
const removeWhenAnswered = Optimistic.delete.extend({ getOptimisticResponse: undefined });

/** A list of an optimistic resource, and a deletion of the app that waits for the server. */
function OwnDeletion() {
  const controller = useController();
  const articles = useSuspense(useEndpoint(Optimistic.getList));
  const remove = useEndpoint(removeWhenAnswered);
  return (
    <>
      <ul>
        {articles.map(({ id, title }) => (
          <li key={id}>{title}</li>
        ))}
      </ul>
      <ActionButton label="Delete the first" act={() => controller.fetch(remove, { id: '1' }).then(() => 'Deleted')} />
    </>
  );
}

/**
 * A deletion of the app on an optimistic resource, without a widget: `getOptimisticResponse: undefined` waits for the
 * server's answer, and a failed deletion leaves the row in place.
 */
export const DeletesWhenAnswered: Story = {
  render: () => (
    <app.Provider>
      <AsyncBoundary fallback={<p>Fetching…</p>}>
        <OwnDeletion />
      </AsyncBoundary>
    </app.Provider>
  ),
  play: async ({ canvas, step, journal }) => {
    await step('the server fails to delete Ada’s article: it stays in the list all the time', async () => {
      await canvas.findByText('On signing in');
      app.articles.failNext(503);
      const release = app.articles.hold();
      await userEvent.click(canvas.getByRole('button', { name: 'Delete the first' }));
      await waitFor(() => expect(app.articles.held).toBe(1));
      await expect(canvas.getByText('On signing in')).toBeInTheDocument();
      release();
      await canvas.findByText(/^NetworkError: /);
      await expect(canvas.getByText('On signing in')).toBeInTheDocument();
    });
    await step('the next try succeeds, and the row goes', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Delete the first' }));
      await canvas.findByText('Deleted');
      await expect(canvas.queryByText('On signing in')).not.toBeInTheDocument();
    });
    await step('one list, two deletions', () => {
      const DELETE = sent.delete('/article/1').as('ada');
      return expect(journal).toHaveSent([sent.get('/article').as('ada'), DELETE, DELETE]);
    });
  },
};
