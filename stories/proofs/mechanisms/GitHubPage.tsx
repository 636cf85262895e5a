import type { ReactNode } from 'react';
import { Authenticated, TokenAuthProvider } from '../../../src/index.js';
import { LoginForm } from '../../../src/entries/widgets.js';
import { requestLines } from '../../../src/testing/index.js';
import { AuthStatus } from '../../support/ArticlesDemo.js';
import { session } from '../../support/github.js';

export const sent = requestLines({
  prefix: 'https://api.github.com',
  as: token => ({ Authorization: `token ${token}` }),
});

/** The owner of the recorded repositories. */
export const owner = 'octokit-fixture-org';

/** A page for users who sign in with a personal access token. */
export function GitHubPage({ children }: { children: ReactNode }) {
  return (
    <TokenAuthProvider session={session}>
      <AuthStatus />
      <Authenticated
        fallback={
          <LoginForm fields={[{ name: 'token', label: 'Personal access token', type: 'password', required: true }]} />
        }
      >
        {children}
      </Authenticated>
    </TokenAuthProvider>
  );
}
