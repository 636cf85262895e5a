import { useState } from 'react';
import {
  createTokenSession,
  Entity,
  hookifyResource,
  PaginatedList,
  resource,
  ResourceList,
  TokenAuthProvider,
} from '../../../src/index.js';

class Memo extends Entity {
  static override key = 'Memo';
  id = '';
}

class Note extends Entity {
  static override key = 'Note';
  id = '';
}

const login = async () => ({ accessToken: 'ada-1', user: { id: 'ada' } });

/** What somebody who is new to the kit writes, and what shows only in a browser. */
export function Mistakes({ urlPrefix }: { urlPrefix: string }) {
  const [renders, setRenders] = useState(0);
  const [memos] = useState(() =>
    hookifyResource(resource({ urlPrefix, path: '/memo/:id', schema: Memo, rows: 'results' })),
  );
  const [notes] = useState(() =>
    hookifyResource(resource({ urlPrefix, path: '/note/:id', schema: Note, rows: 'results' })),
  );
  return (
    <>
      <ResourceList resource={memos} renderItem={({ id }) => `Memo ${id}`} label="Memos" />
      <PaginatedList resource={notes} renderItem={({ id }) => `Note ${id}`} label="Notes" />
      <TokenAuthProvider session={createTokenSession({ login, tabs: false })}>
        <button type="button" onClick={() => setRenders(renders + 1)}>
          Render again
        </button>
      </TokenAuthProvider>
    </>
  );
}
