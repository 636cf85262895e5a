import type { Meta } from '@storybook/react-vite';
import { hookifyResource, resource, ResourceList } from '../../src/index.js';
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
  return { app, Articles, listMeta };
}
