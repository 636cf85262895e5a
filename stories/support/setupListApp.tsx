import type { Meta } from '@storybook/react-vite';
import { ResourceList } from '../../src/entries/widgets.js';
import { ArticleLine } from './ArticleLine.js';
import { setupWidgetApp } from './setupWidgetApp.js';
import { below } from './below.js';

/** A list of Ada's articles, each with buttons for its actions, on a server that refuses an empty title. */
export function setupListApp() {
  const app = setupWidgetApp({
    articles: { validate: ({ title }) => (title === '' ? { title: ['A title is needed.'] } : undefined) },
  });
  const listMeta = {
    component: ResourceList<typeof app.Articles>,
    args: {
      resource: app.Articles,
      label: 'Articles',
      renderItem: (article, { update, partialUpdate, remove }) => (
        <ArticleLine article={article} update={update} partialUpdate={partialUpdate} remove={remove} />
      ),
    },
    decorators: [below(app)],
    beforeEach: app.start('ada'),
  } satisfies Meta<typeof ResourceList<typeof app.Articles>>;
  return { app, listMeta };
}
