import type { ArticleRow } from './articles.js';

/** Articles of Ada, named “Article 1” and so on, and their ids. */
export function manyArticles(count: number): { ids: string[]; rows: ArticleRow[] } {
  const ids = Array.from({ length: count }, (_, place) => String(place + 1));
  return { ids, rows: ids.map(id => ({ id, title: `Article ${id}`, content: '', author: 'ada' })) };
}
