// The examples whose session has a mechanism of its own: how each starts, and what it shows.
import { Authenticated, TokenAuthProvider, type TokenAuthProviderProps } from '../../src/index.js';
import { articleHooks } from '../support/articles.js';
import { ArticlesDemo } from '../support/ArticlesDemo.js';
import { apiKeyHandlers, signatureHandlers } from '../support/keyServers.js';
import type { StartContext } from '../support/StoryStart.js';
import { session as apiKeySession } from './shown/apiKeySession.js';
import { session as hmacSession } from './shown/hmacSession.js';

const Articles = articleHooks();

function SignedInArticles({ session }: Pick<TokenAuthProviderProps, 'session'>) {
  return (
    <TokenAuthProvider session={session}>
      <Authenticated fallback={<p>Signed out.</p>}>
        <ArticlesDemo articles={Articles} />
      </Authenticated>
    </TokenAuthProvider>
  );
}

export const hmac = {
  start: async ({ msw }: StartContext) => {
    msw.use(...signatureHandlers());
    hmacSession.dispose();
    await hmacSession.login({ keyId: 'ada', secret: 'lovelace' });
  },
  App: () => <SignedInArticles session={hmacSession} />,
};

export const apiKey = {
  start: async ({ msw }: StartContext) => {
    msw.use(...apiKeyHandlers());
    apiKeySession.dispose();
    await apiKeySession.login('key-lovelace');
  },
  App: () => <SignedInArticles session={apiKeySession} />,
};
