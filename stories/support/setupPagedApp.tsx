import type { Meta } from '@storybook/react-vite';
import { nextPageNumber, PaginatedList } from '../../src/entries/widgets.js';
import { ArticleLine } from './ArticleLine.js';
import type { ArticleRow } from './articles.js';
import { setupWidgetApp } from './setupWidgetApp.js';
import { below } from './below.js';

const titles = ['On signing in', 'On signing out', 'On tokens', 'On cookies', 'On clocks'];

/** A list of five articles of Ada's, two on a page. */
export function setupPagedApp() {
  const rows: ArticleRow[] = titles.map((title, index) => ({
    id: String(index + 1),
    title,
    content: '',
    author: 'ada',
  }));
  const app = setupWidgetApp({ rows, articles: { pagination: { style: 'page', size: 2 } } });
  const listMeta = {
    component: PaginatedList<typeof app.Articles>,
    args: {
      resource: app.Articles,
      next: nextPageNumber({ size: 2 }),
      label: 'Articles',
      renderItem: (article, { update, partialUpdate, remove }) => (
        <ArticleLine article={article} update={update} partialUpdate={partialUpdate} remove={remove} />
      ),
    },
    decorators: [below(app)],
    beforeEach: app.start('ada'),
  } satisfies Meta<typeof PaginatedList<typeof app.Articles>>;
  return {
    app,
    rows,
    listMeta,
    /** The line of one page, by its search params. */
    page: (search: string) => app.sent.get(`/article?${search}`).as('ada'),
  };
}
