import type { Meta } from '@storybook/react-vite';
import { fn } from 'storybook/test';
import { ResourceForm, ResourceList } from '../../src/entries/widgets.js';
import { setupWidgetApp } from './setupWidgetApp.js';

/** A form for Ada's articles, on a server that refuses an empty title. The list beside it is another widget. */
export function setupFormApp() {
  const app = setupWidgetApp({
    articles: { validate: ({ title }) => (title === '' ? { title: ['A title is needed.'] } : undefined) },
  });
  const formMeta = {
    component: ResourceForm<typeof app.Articles, 'push' | 'unshift' | 'update' | 'partialUpdate'>,
    args: {
      resource: app.Articles,
      action: 'push',
      fields: [
        { name: 'title', label: 'Title' },
        { name: 'content', label: 'Content', type: 'textarea' },
      ],
      onSuccess: fn(),
    },
    decorators: [
      Story => (
        <app.Provider>
          <Story />
          <ResourceList resource={app.Articles} label="Articles" renderItem={article => <span>{article.title}</span>} />
        </app.Provider>
      ),
    ],
    beforeEach: app.start('ada'),
  } satisfies Meta<typeof ResourceForm<typeof app.Articles, 'push' | 'unshift' | 'update' | 'partialUpdate'>>;
  return { app, formMeta };
}
