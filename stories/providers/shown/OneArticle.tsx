import { useController, useSuspense } from '@data-client/react';
import { useEndpoint } from '../../../src/index.js';
import { articleResource } from '../../support/articles.js';

const ArticleResource = articleResource();

export function OneArticle({ id }: { id: string }) {
  const controller = useController();
  const article = useSuspense(useEndpoint(ArticleResource.get), { id });
  const partialUpdate = useEndpoint(ArticleResource.partialUpdate);
  return (
    <p>
      {article.title}{' '}
      <button type="button" onClick={() => void controller.fetch(partialUpdate, { id }, { title: 'On knocking' })}>
        Rename
      </button>
    </p>
  );
}
