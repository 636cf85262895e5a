import type { Meta, StoryObj } from '@storybook/react-vite';
import { useEffect } from 'react';
import { expect, userEvent, waitFor } from 'storybook/test';
import { ResourceList } from '../../src/index.js';
import type { Article } from '../support/articles.js';
import { manyArticles } from '../support/manyArticles.js';
import { createTally, Tally } from '../support/Tally.js';
import { widgetWorld } from '../support/widgetWorld.js';

const world = widgetWorld({ rows: manyArticles(1_000).rows });
const renders = createTally();

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
        Stress {article.title}
      </button>
    </>
  );
}

/**
 * A row is rendered again when its own record changes: the store gives the same object for a record that did not, and a row is a
 * `memo` of that object. Give `renderItem` as a function that stays the same, outside the component or from `useCallback`.
 */
const meta = {
  title: 'Widgets/ResourceList/One row renders',
  component: ResourceList<typeof world.Articles>,
  args: {
    resource: world.Articles,
    label: 'Articles',
    // Words of one's own, written in place: equal words are no change.
    labels: { empty: 'No articles.' },
    renderHeader: () => <Tally label="Row renders" tally={renders} />,
    renderItem: (article, { partialUpdate }) => <CountedRow article={article} partialUpdate={partialUpdate} />,
  },
  decorators: [
    Story => (
      <world.Provider>
        <Story />
      </world.Provider>
    ),
  ],
  beforeEach: world.start('ada'),
} satisfies Meta<typeof ResourceList<typeof world.Articles>>;

export default meta;
type Story = StoryObj<typeof meta>;

/** 1,000 rows, one PATCH: the row is rendered when it is busy, when it has changed and when it is done; no other row is. */
export const OneOfAThousand: Story = {
  play: async ({ canvas, step, journal }) => {
    await step('Ada sees a thousand articles', async () => {
      await canvas.findByText('Article 1000');
      await expect(canvas.getAllByRole('listitem')).toHaveLength(1_000);
      await waitFor(() => expect(renders.read()).toBe(1_000));
      renders.reset();
    });
    await step('she changes one', async () => {
      await userEvent.click(canvas.getByText('Stress Article 500'));
      await canvas.findByText('Article 500!');
      await waitFor(() => expect(canvas.getByText('Article 500!')).toHaveAttribute('aria-busy', 'false'));
    });
    await step('at most three renders of a row', async () => {
      await expect(renders.read()).toBeGreaterThan(0);
      await expect(renders.read()).toBeLessThanOrEqual(3);
    });
    await step('one PATCH', () =>
      expect(journal).toHaveSent([
        'GET /api/article  same-origin  access-token: ada-1',
        'PATCH /api/article/500  same-origin  access-token: ada-1  {"title":"Article 500!"}',
      ]));
  },
};
