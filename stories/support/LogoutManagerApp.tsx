import { AsyncBoundary } from '@data-client/react';
import { useState, useSyncExternalStore, type ReactNode } from 'react';
import { getAuthToken, setAuthToken, subscribeToAuthToken } from '../mechanisms/shown/authToken.js';
import { createManagers } from '../mechanisms/shown/createManagers.js';
import { FunctionTokenEndpoint } from '../mechanisms/shown/FunctionTokenEndpoint.js';
import { login } from '../mechanisms/shown/login.js';
import { ActionButton } from './ActionButton.js';
import { articlesBy, RenameFirst, Titles } from './PlainArticles.js';
import { PlainStore } from './PlainStore.js';

const articles = articlesBy(FunctionTokenEndpoint);

/** The articles while there is a token, and else a sign-in. */
function Page({ children }: { children: ReactNode }) {
  const accessToken = useSyncExternalStore(subscribeToAuthToken, getAuthToken);
  // The boundary goes with the data: it would keep showing the error to whoever signs in next.
  if (accessToken) {
    return (
      <AsyncBoundary fallback={<p>Fetching…</p>}>
        <Titles by={articles.getList} />
        <RenameFirst by={articles.partialUpdate} />
        {children}
      </AsyncBoundary>
    );
  }
  return (
    <ActionButton
      label="Sign in again"
      act={async () => {
        setAuthToken((await login({ username: 'ada', password: 'lovelace' })).accessToken);
        return 'Signed in';
      }}
    />
  );
}

/** An app with data-client's `LogoutManager` and without the kit: after a 401 the token and the data are gone, and Ada signs in again. */
export function LogoutManagerApp({ children }: { children?: ReactNode }) {
  const [managers] = useState(createManagers);
  return (
    <PlainStore managers={managers}>
      <Page>{children}</Page>
    </PlainStore>
  );
}
