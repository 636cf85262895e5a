import type { ArticleRow } from './articles.js';

/** So many articles of Ada's, and their ids: the first is “Article 1”. */
export function manyArticles(count: number): { ids: string[]; rows: ArticleRow[] } {
  const ids = Array.from({ length: count }, (_, place) => String(place + 1));
  return { ids, rows: ids.map(id => ({ id, title: `Article ${id}`, content: '', author: 'ada' })) };
}
