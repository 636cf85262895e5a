import { AsyncBoundary, useController, useSuspense } from '@data-client/react';
import { useState } from 'react';
import { useAuth, type HookResource, type Resource } from '../../src/index.js';
import { ada, grace, type Article } from './articles.js';

type ArticleHooks = HookResource<Resource<{ path: '/article/:id'; schema: typeof Article; paginationField: 'page' }>>;

/** Who is signed in, in words. */
export function Who() {
  const { status, reason } = useAuth();
  return <p role="status">{reason ? `${status}: ${reason}` : status}</p>;
}

/** The titles of one's articles, a new one, a changed one, and the next page: plain hooks and handlers, no widget. */
export function Titles({ articles }: { articles: ArticleHooks }) {
  const controller = useController();
  const getList = articles.useGetList();
  const partialUpdate = articles.usePartialUpdate();
  const list = useSuspense(getList);
  const [done, setDone] = useState('');
  const [first] = list;
  const say = (what: string, act: Promise<unknown>) =>
    act.then(
      () => setDone(what),
      (error: Error) => setDone(`${what}: ${error.message}`),
    );
  return (
    <section aria-label="Articles">
      <ul>
        {list.map(article => (
          <li key={article.id}>{article.title}</li>
        ))}
      </ul>
      <button type="button" onClick={() => void say('Written', controller.fetch(getList.push, { title: 'On writing' }))}>
        Write
      </button>
      {first && (
        <button type="button" onClick={() => void say('Renamed', controller.fetch(partialUpdate, { id: first.id }, { title: 'On knocking' }))}>
          Rename the first
        </button>
      )}
      <button type="button" onClick={() => void say('Second page read', controller.fetch(getList.getPage, { page: 2 }))}>
        More
      </button>
      <p>{done}</p>
    </section>
  );
}

/** A desk to read at, whatever the provider above it. */
export function Desk({ articles }: { articles: ArticleHooks }) {
  return (
    <AsyncBoundary fallback={<p>Fetching…</p>} errorComponent={({ error }) => <p role="alert">{`Refused: ${error.status}`}</p>}>
      <Titles articles={articles} />
    </AsyncBoundary>
  );
}

/** Signs in and out with the session's own login. */
export function Door() {
  const { login, logout } = useAuth();
  return (
    <p>
      {[ada, grace].map(({ id, name, password }) => (
        <button key={id} type="button" onClick={() => void login({ username: id, password })}>
          Sign in as {name}
        </button>
      ))}
      <button type="button" onClick={() => void logout()}>
        Sign out
      </button>
    </p>
  );
}
