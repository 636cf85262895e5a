// The resources of the examples. Imported, they keep their names under “Show code”.
import { Collection, hookifyResource, resource } from '../../src/index.js';
import { Article, articleHooks } from '../support/articles.js';
import { ownApi } from '../support/setupCookieApp.js';

export const Articles = articleHooks(ownApi);

export const OptimisticArticles = hookifyResource(
  resource({ urlPrefix: ownApi, path: '/article/:id', schema: Article, paginationField: 'page', optimistic: true }),
);

/** The list is `{ results, cursor }`. */
export const CursorArticles = hookifyResource(
  resource({ urlPrefix: ownApi, path: '/article/:id', schema: Article, paginationField: 'cursor' }).extend('getList', {
    schema: { results: new Collection([Article]), cursor: '' },
  }),
);

/** The list is `{ results, next }`, with a link. */
export const LinkedArticles = hookifyResource(
  resource({ urlPrefix: ownApi, path: '/article/:id', schema: Article, paginationField: 'page' }).extend('getList', {
    schema: { results: new Collection([Article]), next: '' },
  }),
);
