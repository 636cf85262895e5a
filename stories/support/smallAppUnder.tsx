import type { StoryContext } from '@storybook/react-vite';
import type { ReactNode } from 'react';
import { userEvent } from 'storybook/test';
import { Authenticated, useAuth } from '../../src/index.js';
import { LoginForm, ResourceList } from '../../src/entries/widgets.js';
import type { RequestJournal } from '../../src/testing/index.js';
import { articleHooks } from './articles.js';
import { AuthStatus } from './ArticlesDemo.js';
import { RequestLog } from './RequestLog.js';
import { ownApi } from './setupCookieApp.js';

const Articles = articleHooks(ownApi);

function SignOut() {
  const { logout } = useAuth();
  // The login form shows the error, which is also in the session's snapshot.
  const shown = () => {};
  return (
    <button type="button" onClick={() => void logout().catch(shown)}>
      Sign out
    </button>
  );
}

function SmallApp({ signIn, signOut }: { signIn: ReactNode; signOut: ReactNode }) {
  return (
    <>
      <AuthStatus />
      <Authenticated fallback={signIn}>
        {signOut}
        <ResourceList
          resource={Articles}
          label="My articles"
          create={{ push: [{ name: 'title', label: 'Title', required: true }] }}
          renderItem={(article, { partialUpdate }) => (
            <>
              {article.title}{' '}
              <button type="button" onClick={() => void partialUpdate({ title: 'On knocking' })}>
                Rename {article.title}
              </button>
            </>
          )}
        />
      </Authenticated>
    </>
  );
}

interface SmallAppOptions {
  Provider: (props: { children: ReactNode }) => ReactNode;
  /** How a user signs in. @default the login form */
  signIn?: ReactNode;
  /** How a user signs out. @default a button for the session's logout */
  signOut?: ReactNode;
}

/** Renders a small app under this provider: a sign-in, a list that can grow, and a sign-out. The counts of requests are above it. */
export const smallAppUnder =
  ({ Provider, signIn = <LoginForm />, signOut = <SignOut /> }: SmallAppOptions) =>
  (_: unknown, { journal }: { journal: RequestJournal }) => (
    <>
      <RequestLog journal={journal} />
      <Provider>
        <SmallApp signIn={signIn} signOut={signOut} />
      </Provider>
    </>
  );

export async function signInByForm(canvas: StoryContext['canvas'], password: string) {
  await userEvent.clear(await canvas.findByLabelText('User name'));
  await userEvent.type(canvas.getByLabelText('User name'), 'ada');
  await userEvent.clear(canvas.getByLabelText('Password'));
  await userEvent.type(canvas.getByLabelText('Password'), password);
  await userEvent.click(canvas.getByRole('button', { name: 'Sign in' }));
}
