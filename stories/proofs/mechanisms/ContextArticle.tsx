import { useSuspense } from '@data-client/react';
import { useState } from 'react';
import { ContextArticleResource } from '../../mechanisms/shown/ContextArticleResource.js';
import { ContextTokenEndpoint } from '../../mechanisms/shown/ContextTokenEndpoint.js';
import { useTokenEndpoint } from '../../mechanisms/shown/useTokenEndpoint.js';
import { articlesBy, RenameFirst } from '../../support/PlainArticles.js';
import { useCountOf } from '../../support/useCountOf.js';

/** Ada's article by the hooks of `hookifyResource`. */
export function Hookified() {
  return (
    <>
      <p>{useSuspense(ContextArticleResource.useGet(), { id: '1' }).title}</p>
      <RenameFirst by={ContextArticleResource.usePartialUpdate()} />
    </>
  );
}

const ArticleResource = articlesBy(ContextTokenEndpoint);

/** Ada's article by endpoints that a hook extends with the token. */
export function Extended() {
  const [renders, setRenders] = useState(1);
  const article = useSuspense(useTokenEndpoint(ArticleResource.get), { id: '1' });
  const partialUpdate = useTokenEndpoint(ArticleResource.partialUpdate);
  const endpoints = useCountOf(partialUpdate);
  return (
    <>
      <p>{article.title}</p>
      <p>{`Endpoints so far: ${endpoints}`}</p>
      <button type="button" onClick={() => setRenders(renders + 1)}>
        {`Rendered ${renders}`}
      </button>
      <RenameFirst by={partialUpdate} />
    </>
  );
}
