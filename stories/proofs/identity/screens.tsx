import { AsyncBoundary, useLive } from '@data-client/react';
import { hookifyResource, resource, useAuth } from '../../../src/index.js';
import { PaginatedList, ResourceDetail, ResourceList } from '../../../src/entries/widgets.js';
import { Article } from '../../support/articles.js';
import { Refusal } from '../../support/ArticlesDemo.js';
import { ownApi } from '../../support/setupCookieApp.js';
import { Owns } from './setupOwnThings.js';

const Articles = hookifyResource(
  resource({ urlPrefix: ownApi, path: '/article/:id', schema: Article, paginationField: 'page', optimistic: true }),
);

/** Shows the signed-in user, by the id that every mechanism knows. */
function Holder() {
  const { user } = useAuth();
  const { id, subject } = (user ?? {}) as { id?: string; subject?: string };
  return <p role="status">{`Signed in: ${id ?? subject ?? 'nobody'}`}</p>;
}

function News() {
  return <p>{useLive(Owns.useGetNews(), { id: 'news' }).text}</p>;
}

/** The screens that are mounted all the time. */
export const screens = (
  <>
    <Holder />
    <PaginatedList
      resource={Articles}
      label="By pages"
      renderItem={(article, { partialUpdate }) => (
        <>
          <span>{article.title}</span>{' '}
          <button
            type="button"
            onClick={() => void partialUpdate({ title: `${article.title}, edited` }).catch(() => {})}
          >
            Edit {article.title}
          </button>
        </>
      )}
    />
    <ResourceList
      resource={Articles}
      params={{ shelf: 'top' }}
      label="In one"
      renderItem={article => <span>{article.title}</span>}
    />
    <ResourceDetail resource={Owns} params={{ id: 'motto' }} label="Motto" renderItem={({ text }) => <p>{text}</p>} />
    <AsyncBoundary fallback={<p>Fetching…</p>} errorComponent={Refusal}>
      <News />
    </AsyncBoundary>
  </>
);
