import { Authenticated, useAuth } from 'data-client-auth';
import { LoginForm, PaginatedList, ResourceForm } from 'data-client-auth/widgets';
import type { ReactNode } from 'react';
import { Notes } from './notes';

function Notebook() {
  const { user, logout } = useAuth();
  return (
    <>
      <h1>{`Notes of ${user?.name}`}</h1>
      <ResourceForm resource={Notes} action="push" fields={[{ name: 'title', label: 'Title', required: true }]} />
      <PaginatedList
        label="Notes"
        resource={Notes}
        renderItem={(note, { remove, pending }) => (
          <>
            {note.title}{' '}
            <button disabled={pending} onClick={() => void remove()}>
              Delete {note.title}
            </button>
          </>
        )}
      />
      <button onClick={() => void logout()}>Sign out</button>
    </>
  );
}

/** What stands below the provider, whichever it is. */
export function Page({ signIn = <LoginForm /> }: { signIn?: ReactNode }) {
  return (
    <Authenticated fallback={signIn} loading={<p>One moment…</p>}>
      <Notebook />
    </Authenticated>
  );
}
