import { authEndpoint, resource } from '../../../src/index.js';
import { api, Article } from '../../support/articles.js';
import { session } from './tokenSession.js';

const ArticleResource = resource({
  urlPrefix: api,
  path: '/article/:id',
  schema: Article,
  Endpoint: authEndpoint(session),
});

export async function renameAll(title: string): Promise<number> {
  const articles = await ArticleResource.getList();
  for (const { id } of articles) await ArticleResource.partialUpdate({ id }, { title });
  return articles.length;
}
