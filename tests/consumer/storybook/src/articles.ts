import { Entity, hookifyResource, resource } from 'data-client-auth';

export const api = 'https://api.example.com';

export class Article extends Entity {
  id = '';
  title = '';
  author = '';
}

export const ArticleResource = resource({
  urlPrefix: api,
  path: '/article/:id',
  schema: Article,
  paginationField: 'page',
});
export const Articles = hookifyResource(ArticleResource);
