import { Authenticated, hookifyResource, TokenAuthProvider } from '../../../src/index.js';
import { articleResource } from '../../support/articles.js';
import { ArticlesDemo, AuthStatus, SignInButtons } from '../../support/ArticlesDemo.js';
import { session } from './tokenSession.js';

const Articles = hookifyResource(articleResource());

export function TokenApp() {
  return (
    <TokenAuthProvider session={session}>
      <AuthStatus />
      <SignInButtons />
      <Authenticated fallback={<p>Sign in to read your articles.</p>}>
        <ArticlesDemo articles={Articles} />
      </Authenticated>
    </TokenAuthProvider>
  );
}
