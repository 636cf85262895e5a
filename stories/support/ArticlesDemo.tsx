import { AsyncBoundary, useController, useSuspense, type NetworkError } from '@data-client/react';
import { useState } from 'react';
import { useAuth, type HookResource, type Resource } from '../../src/index.js';
import { ada, grace, type Article } from './articles.js';
import { useMockSdk } from './MockSdk.js';

export type ArticleHooks = HookResource<
  Resource<{ path: '/article/:id'; schema: typeof Article; paginationField: 'page' }>
>;

/** The status of the session, and the reason of a sign-out. */
export function AuthStatus() {
  const { status, reason } = useAuth();
  return <p role="status">{reason ? `${status}: ${reason}` : status}</p>;
}

export interface ArticlesDemoProps {
  articles: ArticleHooks;
  /** Its accessible name, where a page has two. @default 'Articles' */
  label?: string | undefined;
}

/** The titles of the user's articles, and buttons that create, rename, and load the next page. Made with hooks, without a widget. */
function Titles({ articles, label = 'Articles' }: ArticlesDemoProps) {
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
    <section aria-label={label}>
      <ul>
        {list.map(article => (
          <li key={article.id}>{article.title}</li>
        ))}
      </ul>
      <button
        type="button"
        onClick={() => void say('Written', controller.fetch(getList.push, { title: 'On writing' }))}
      >
        Write
      </button>
      {first && (
        <button
          type="button"
          onClick={() =>
            void say('Renamed', controller.fetch(partialUpdate, { id: first.id }, { title: 'On knocking' }))
          }
        >
          Rename the first
        </button>
      )}
      <button
        type="button"
        onClick={() => void say('Second page read', controller.fetch(getList.getPage, { page: 2 }))}
      >
        More
      </button>
      <p>{done}</p>
    </section>
  );
}

/** The status of a refusal by the server, or the message of another error. */
export function Refusal({ error }: { error: Error & Partial<NetworkError> }) {
  return <p role="alert">{error.response ? `Refused: ${error.status}` : error.message}</p>;
}

/** The user's articles with some actions, under any provider. */
export function ArticlesDemo({ articles, label }: ArticlesDemoProps) {
  return (
    <AsyncBoundary fallback={<p>Fetching…</p>} errorComponent={Refusal}>
      <Titles articles={articles} label={label} />
    </AsyncBoundary>
  );
}

/** Signs in and out with the session's own login, and says why that failed. */
export function SignInButtons() {
  const { login, logout, error } = useAuth();
  // `error` has the failure too, and is shown below.
  const shown = () => {};
  return (
    <div>
      {[ada, grace].map(({ id, name, password }) => (
        <button key={id} type="button" onClick={() => void login({ username: id, password }).catch(shown)}>
          Sign in as {name}
        </button>
      ))}
      <button type="button" onClick={() => void logout().catch(shown)}>
        Sign out
      </button>
      {error && <p role="alert">{error.message}</p>}
    </div>
  );
}

/** The same for a session whose user signs in with an SDK. */
export function SdkSignInButtons() {
  const { loginAs, logout } = useMockSdk();
  return (
    <div>
      {[ada, grace].map(person => (
        <button key={person.id} type="button" onClick={() => loginAs(person)}>
          Sign in as {person.name}
        </button>
      ))}
      <button type="button" onClick={logout}>
        Sign out
      </button>
    </div>
  );
}
