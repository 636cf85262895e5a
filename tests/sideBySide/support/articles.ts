import { API, type Library } from './sideBySide.js';

/** The articles of `articleServer`, as the library declares them. */
export function articlesOf({ resource, Entity, hookifyResource }: Library, options: object = {}) {
  class Article extends Entity {
    static override key = 'Article';
    id = '';
    title = '';
    author = '';
  }
  const base = resource({
    urlPrefix: API,
    path: '/article/:id',
    schema: Article,
    paginationField: 'cursor',
    ...options,
  });
  return { Article, base, ...hookifyResource(base) };
}
