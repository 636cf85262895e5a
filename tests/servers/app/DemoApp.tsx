import { useCache } from '@data-client/react';
import { useState, type ReactNode } from 'react';
import { Authenticated, Collection, Entity, hookifyResource, resource, useAuth } from '../../../src/index.js';
import { PaginatedList, ResourceDetail, ResourceForm, ResourceList } from '../../../src/entries/widgets.js';

class Note extends Entity {
  id = 0;
  title = '';
  text = '';

  static override key = 'Note';
}

class Folder extends Entity {
  id = '';
  name = '';
}

export const Notes = hookifyResource(
  resource({ path: '/api/note/:id', schema: Note, paginationField: 'cursor' }).extend('getList', {
    schema: { results: new Collection([Note]), cursor: '' },
  }),
);
const Folders = hookifyResource(resource({ path: '/api/folder/:id', schema: Folder }));

const BURST = 10;

/** Who is signed in, in one line: status, reason. */
export function AuthStatus() {
  const { status, reason } = useAuth();
  return <p id="who">{[status, reason].filter(Boolean).join(' ')}</p>;
}

export function SignOut({ onSignOut }: { onSignOut: (() => Promise<void>) | undefined }) {
  const { logout } = useAuth();
  return (
    <button type="button" onClick={() => void (onSignOut ?? logout)()}>
      Sign out
    </button>
  );
}

/** Ten requests in the same millisecond, past the store; says when all of them have settled. */
function Burst({ note }: { note: string }) {
  const get = Notes.useGet();
  const [outcome, setOutcome] = useState('');
  const fire = async () => {
    setOutcome('waiting');
    const results = await Promise.allSettled(Array.from({ length: BURST }, () => get({ id: note })));
    const answered = results.filter(({ status }) => status === 'fulfilled').length;
    setOutcome(`${answered} answered, ${BURST - answered} failed`);
  };
  return (
    <p>
      <button type="button" onClick={() => void fire()}>
        Ask ten times
      </button>
      <output id="outcome">{outcome}</output>
    </p>
  );
}

/** The numbers of all notes that are in the list, in its order, for whoever counts them. */
function Numbers() {
  const list = useCache(Notes.useGetList());
  return <output id="numbers">{list?.results?.map(({ id }) => id).join(' ')}</output>;
}

function OneNote({ id }: { id: string }) {
  return (
    <ResourceDetail
      label="Note"
      resource={Notes}
      params={{ id }}
      renderItem={(note, { remove }) => (
        <>
          <h2>{note.title}</h2>
          <p>{note.text}</p>
          <ResourceForm
            label="Change it"
            resource={Notes}
            action="partialUpdate"
            params={{ id }}
            initial={note}
            fields={[{ name: 'title', label: 'Title', required: true }]}
          />
          <button type="button" onClick={() => void remove()}>
            Delete it
          </button>
        </>
      )}
    />
  );
}

interface DemoAppProps {
  /** Shown while no user is signed in. */
  loginForm: ReactNode;
  /** The number of the open note. */
  note: string | null;
  /** @default the session's own logout */
  onSignOut?: () => Promise<void>;
}

/** An app as a user writes it from the kit's widgets. */
export function DemoApp({ loginForm, note, onSignOut }: DemoAppProps) {
  return (
    <>
      <AuthStatus />
      <Authenticated fallback={loginForm} locked={loginForm} loading={<p>One moment…</p>}>
        <SignOut onSignOut={onSignOut} />
        <ResourceList label="Folders" resource={Folders} renderItem={({ name }) => name} />
        <ResourceForm
          label="New note"
          resource={Notes}
          action="push"
          fields={[
            { name: 'title', label: 'Title', required: true },
            { name: 'text', label: 'Text' },
          ]}
        />
        {note && <OneNote id={note} />}
        {note && <Burst note={note} />}
        <PaginatedList
          label="Notes"
          resource={Notes}
          renderHeader={({ invalidate }) => (
            <button type="button" onClick={() => void invalidate()}>
              Read again
            </button>
          )}
          renderItem={({ title }) => title}
        />
        <Numbers />
      </Authenticated>
    </>
  );
}
