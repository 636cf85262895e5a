import { Authenticated, ContextTokenProvider, hookifyResource } from '../../../src/index.js';
import { api, articleResource } from '../../support/articles.js';
import { ArticlesDemo, AuthStatus, SdkSignInButtons } from '../../support/ArticlesDemo.js';
import { useMockSdk } from '../../support/MockSdk.js';

const Articles = hookifyResource(articleResource());

export function SdkApp() {
  const { user, getAccessTokenSilently } = useMockSdk();
  return (
    <ContextTokenProvider
      subject={user?.sub ?? null}
      getToken={({ forceRefresh }) => getAccessTokenSilently({ cacheMode: forceRefresh ? 'off' : 'on' })}
      trustedOrigins={[api]}
    >
      <AuthStatus />
      <SdkSignInButtons />
      <Authenticated fallback={<p>Sign in to read your articles.</p>}>
        <ArticlesDemo articles={Articles} />
      </Authenticated>
    </ContextTokenProvider>
  );
}
