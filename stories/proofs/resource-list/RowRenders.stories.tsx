import type { Meta, StoryObj } from '@storybook/react-vite';
import { useEffect, useState } from 'react';
import { expect, userEvent, waitFor } from 'storybook/test';
import { PaginatedList, ResourceList } from '../../../src/entries/widgets.js';
import { resourceHandlers } from '../../../src/testing/index.js';
import { articleResource, type Article } from '../../support/articles.js';
import { ownApi } from '../../support/setupCookieApp.js';
import { manyArticles } from '../../support/manyArticles.js';
import { createCounter, RenderCounter } from '../../support/RenderCounter.js';
import { setupWidgetApp } from '../../support/setupWidgetApp.js';
import { inCases } from '../../support/inCases.js';
import { below } from '../../support/below.js';

const app = setupWidgetApp({ rows: manyArticles(1_000).rows });
const { sent } = app;
const renders = createCounter();

const forty = resourceHandlers(articleResource(ownApi), manyArticles(40).rows, { auth: app.auth });
/** The titles of the rows that `renderItem` was called for. */
const called = new Set<string>();

interface CountedRowProps {
  article: Article;
  partialUpdate: (body: Partial<Article>) => Promise<unknown>;
}

function CountedRow({ article, partialUpdate }: CountedRowProps) {
  useEffect(() => renders.add());
  return (
    <>
      {article.title}{' '}
      <button type="button" onClick={() => void partialUpdate({ title: `${article.title}!` })}>
        Revise {article.title}
      </button>
    </>
  );
}

/**
 * A row is rendered again when its own record changes: the store gives the same object for a record that did not, and a row is a
 * `memo` of that object. Give `renderItem` as a function that stays the same, outside the component or from `useCallback`.
 */
const meta = {
  title: 'Proofs/ResourceList',
  tags: ['proof', '!autodocs'],
  component: ResourceList<typeof app.Articles>,
  args: {
    resource: app.Articles,
    label: 'Articles',
    // Words of one's own, written in place: equal words are no change.
    labels: { empty: 'No articles.' },
    renderHeader: () => <RenderCounter label="Row renders" counter={renders} />,
    renderItem: (article, { partialUpdate }) => <CountedRow article={article} partialUpdate={partialUpdate} />,
  },
  decorators: below(app),
  beforeEach: app.start('ada'),
} satisfies Meta<typeof ResourceList<typeof app.Articles>>;

export default meta;
type Story = StoryObj<typeof meta>;

/** 1,000 rows, one PATCH: the row renders when it is busy, when it has changed and when it is done; no other row renders. */
export const OneOfAThousand: Story = {
  tags: ['slow'],
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada sees a thousand articles', async () => {
      await canvas.findByText('Article 1000');
      await expect(canvas.getAllByRole('listitem')).toHaveLength(1_000);
      await waitFor(() => expect(renders.read()).toBe(1_000));
      renders.reset();
    });
    await step('she changes one', async () => {
      await userEvent.click(canvas.getByText('Revise Article 500'));
      await canvas.findByText('Article 500!');
      await waitFor(() => expect(canvas.getByText('Article 500!')).toHaveAttribute('aria-busy', 'false'));
    });
    await step('at most three renders of one row', async () => {
      await expect(renders.read()).toBeGreaterThan(0);
      await expect(renders.read()).toBeLessThanOrEqual(3);
    });
    await hasSent('one PATCH', [
      sent.get('/article').as('ada'),
      sent.patch('/article/500').as('ada').json({ title: 'Article 500!' }),
    ]);
  },
};

const oneOfFortyGoes: Story = {
  beforeEach: ({ msw }) => {
    forty.reset();
    msw.use(...forty.handlers);
  },
  render: () => (
    <PaginatedList
      resource={app.Articles}
      label="Articles"
      renderItem={(article, { remove }) => {
        called.add(article.title);
        return (
          <>
            {article.title}{' '}
            <button type="button" onClick={() => void remove()}>
              Delete {article.title}
            </button>
          </>
        );
      }}
    />
  ),
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada sees forty articles', async () => {
      await canvas.findByText('Article 40');
      await expect([...called]).toContain('Article 40');
      called.clear();
    });
    await step('she deletes one: the others move up', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Delete Article 5' }));
      await waitFor(() => expect(canvas.queryByText('Article 5')).not.toBeInTheDocument());
      await expect(canvas.getByText('Article 40')).toHaveAttribute('aria-posinset', '39');
      await expect(canvas.getByText('Article 1')).toHaveAttribute('aria-setsize', '39');
    });
    await step('only the deleted row was rendered, while it was busy', () =>
      expect([...called]).toEqual(['Article 5']),
    );
    await hasSent('one DELETE', [sent.get('/article').as('ada'), sent.delete('/article/5').as('ada')]);
  },
};

/** Titles in capitals or not, by a `renderItem` that is a new function at every render. */
function Loud() {
  const [isLoud, setLoud] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setLoud(true)}>
        Louder
      </button>
      <PaginatedList
        resource={app.Articles}
        label="Articles"
        renderItem={({ title }) => {
          called.add(title);
          return isLoud ? title.toUpperCase() : title;
        }}
      />
    </>
  );
}

const aNewFunctionRendersAll: Story = {
  beforeEach: oneOfFortyGoes.beforeEach!,
  render: () => <Loud />,
  play: async ({ canvas, step, hasSent }) => {
    await step('Ada sees forty articles', async () => {
      await canvas.findByText('Article 40');
      called.clear();
    });
    await step('she presses Louder: all titles are in capitals', async () => {
      await userEvent.click(canvas.getByRole('button', { name: 'Louder' }));
      await canvas.findByText('ARTICLE 40');
      await expect(canvas.getAllByText(/^ARTICLE \d+$/)).toHaveLength(40);
    });
    await step('the new function was called for each row', () => expect(called.size).toBe(40));
    await hasSent('one GET', [sent.get('/article').as('ada')]);
  },
};

/** `renderItem` is called for the rows that have changed, and for all when it is a new function. */
export const OneOfFortyGoes: Story = inCases({
  'a deletion changes the positions of 39 other rows: it is called for none of them': oneOfFortyGoes,
  'a new function renders every row, and nothing is fetched again': aNewFunctionRendersAll,
});
