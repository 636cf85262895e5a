// The articles of Ada and Grace as data-client's own guide has them: without a session, by an endpoint class that adds the credential.
import { useController, useSuspense } from '@data-client/react';
import { resource } from '../../src/index.js';
import { ActionButton } from './ActionButton.js';
import { api, Article } from './articles.js';
import { PlainStore } from './PlainStore.js';

/** The articles by endpoints of this class, with request settings of their own. */
export function articlesBy(Endpoint: unknown, urlPrefix = api, requestInit: RequestInit = {}) {
  return resource({ urlPrefix, path: '/article/:id', schema: Article, paginationField: 'page', Endpoint, requestInit });
}

type Endpoints = ReturnType<typeof articlesBy>;

/** The titles of the articles, read by this endpoint. */
export function Titles({ by }: { by: Endpoints['getList'] }) {
  return (
    <ul>
      {useSuspense(by).map(({ id, title }) => (
        <li key={id}>{title}</li>
      ))}
    </ul>
  );
}

/** Renames the first article by this endpoint, and says its new title. */
export function RenameFirst({ by }: { by: Endpoints['partialUpdate'] }) {
  const controller = useController();
  return (
    <ActionButton
      label="Rename the first"
      act={async () => `Now called ${(await controller.fetch(by, { id: '1' }, { title: 'On knocking' })).title}`}
    />
  );
}

/** The titles and the renaming, in a store of their own. */
export function PlainArticles({ articles }: { articles: Endpoints }) {
  return (
    <PlainStore>
      <Titles by={articles.getList} />
      <RenameFirst by={articles.partialUpdate} />
    </PlainStore>
  );
}
