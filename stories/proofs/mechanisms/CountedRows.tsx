import { AsyncBoundary, useController, useSuspense } from '@data-client/react';
import { memo, useEffect } from 'react';
import { ContextTokenProvider, type HookResource } from '../../../src/index.js';
import { ContextArticleResource } from '../../mechanisms/shown/ContextArticleResource.js';
import { TokenContext } from '../../mechanisms/shown/TokenContext.js';
import { articleHooks, type Article, type articleResource } from '../../support/articles.js';
import { PlainStore } from '../../support/PlainStore.js';
import type { createCounter } from '../../support/RenderCounter.js';

const KitResource = articleHooks();

interface RowsProps {
  articles: HookResource<ReturnType<typeof articleResource>>;
  counter: ReturnType<typeof createCounter>;
}

const Row = memo(function Row({ articles, article, counter }: RowsProps & { article: Article }) {
  const controller = useController();
  const partialUpdate = articles.usePartialUpdate();
  useEffect(() => counter.add());
  return (
    <li>
      {article.title}{' '}
      <button
        type="button"
        onClick={() => void controller.fetch(partialUpdate, { id: article.id }, { title: 'On knocking' })}
      >
        {`Rename ${article.id}`}
      </button>
    </li>
  );
});

const Rows = memo(function Rows(props: RowsProps) {
  return (
    <ul>
      {useSuspense(props.articles.useGetList()).map(article => (
        <Row key={article.id} article={article} {...props} />
      ))}
    </ul>
  );
});

interface TokenRowsProps {
  accessToken: string;
  /** Counts the renders of the rows. */
  counter: ReturnType<typeof createCounter>;
}

/** Rows that read the token from a context. */
export function RowsBelowContext({ accessToken, counter }: TokenRowsProps) {
  return (
    <TokenContext.Provider value={accessToken}>
      <PlainStore>
        <Rows articles={ContextArticleResource} counter={counter} />
      </PlainStore>
    </TokenContext.Provider>
  );
}

/** The same rows, whose endpoints have the session of the kit's provider. */
export function RowsBelowProvider({ accessToken, counter }: TokenRowsProps) {
  return (
    <ContextTokenProvider token={accessToken} subject="ada">
      <AsyncBoundary fallback={<p>Fetching…</p>}>
        <Rows articles={KitResource} counter={counter} />
      </AsyncBoundary>
    </ContextTokenProvider>
  );
}
