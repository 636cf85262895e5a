// The examples with a token that is attached by hand: how each starts, and what it shows.
import { articlesBy, PlainArticles, Titles } from '../support/PlainArticles.js';
import { PlainStore } from '../support/PlainStore.js';
import { AsyncTokenEndpoint } from './shown/AsyncTokenEndpoint.js';
import { setAuthToken } from './shown/authToken.js';
import { ContextArticleResource } from './shown/ContextArticleResource.js';
import { FunctionTokenEndpoint } from './shown/FunctionTokenEndpoint.js';
import { StaticTokenEndpoint } from './shown/StaticTokenEndpoint.js';
import { TokenContext } from './shown/TokenContext.js';
import { vault } from './shown/vault.js';

const staticArticles = articlesBy(StaticTokenEndpoint);
const functionArticles = articlesBy(FunctionTokenEndpoint);
const asyncArticles = articlesBy(AsyncTokenEndpoint);

export const staticToken = {
  start: () => void (StaticTokenEndpoint.accessToken = 'ada-1'),
  App: () => <PlainArticles articles={staticArticles} />,
};

export const functionToken = {
  start: () => setAuthToken('ada-1'),
  App: () => <PlainArticles articles={functionArticles} />,
};

export const asyncToken = {
  start: () => vault.lock(),
  App: () => (
    <>
      <button type="button" onClick={() => vault.unlock('ada-1')}>
        Unlock the keychain
      </button>
      <PlainArticles articles={asyncArticles} />
    </>
  ),
};

function ContextTitles() {
  return <Titles by={ContextArticleResource.useGetList()} />;
}

export const contextToken = {
  App: () => (
    <TokenContext.Provider value="ada-1">
      <PlainStore>
        <ContextTitles />
      </PlainStore>
    </TokenContext.Provider>
  ),
};
