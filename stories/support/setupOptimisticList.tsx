import type { Meta, StoryContext } from '@storybook/react-vite';
import { expect, waitFor } from 'storybook/test';
import { hookifyResource, resource } from '../../src/index.js';
import { ResourceList } from '../../src/entries/widgets.js';
import { ArticleLine } from './ArticleLine.js';
import { Article } from './articles.js';
import { ownApi } from './setupCookieApp.js';
import { setupWidgetApp } from './setupWidgetApp.js';

/** A list of Ada's articles that shows each change before the server has answered. The server refuses the title “On”. */
export function setupOptimisticList() {
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
    decorators: [
      Story => (
        <app.Provider>
          <Story />
        </app.Provider>
      ),
    ],
    beforeEach: app.start('ada'),
  } satisfies Meta<typeof ResourceList<typeof Articles>>;
  /** The titles of the rows, from top to bottom. */
  const titles = (canvas: StoryContext['canvas']) =>
    canvas.getAllByRole('listitem').map(row => row.querySelector('span')?.textContent);
  /** Waits until one request waits for its answer. */
  const arrived = () => waitFor(() => expect(app.articles.held).toBe(1));
  return { app, Articles, listMeta, titles, arrived };
}
