import { Authenticated, CookieAuthProvider, hookifyResource } from '../../../src/index.js';
import { articleResource } from '../../support/articles.js';
import { ArticlesDemo, AuthStatus, SignInButtons } from '../../support/ArticlesDemo.js';
import { session } from './cookieSession.js';

const Articles = hookifyResource(articleResource('/api'));

export function CookieApp() {
  return (
    <CookieAuthProvider session={session}>
      <AuthStatus />
      <SignInButtons />
      <Authenticated
        loading={<p>Checking whether you are signed in…</p>}
        fallback={<p>Sign in to read your articles.</p>}
      >
        <ArticlesDemo articles={Articles} />
      </Authenticated>
    </CookieAuthProvider>
  );
}
