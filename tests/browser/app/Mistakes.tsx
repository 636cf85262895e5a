import { useSuspense } from '@data-client/react';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import {
  authEndpoint,
  Authenticated,
  createTokenSession,
  Entity,
  hookifyResource,
  resource,
  RestEndpoint,
  TokenAuthProvider,
} from '../../../src/index.js';
import { PaginatedList, ResourceList } from '../../../src/entries/widgets.js';

class Memo extends Entity {
  static override key = 'Memo';
  id = '';
}

class Note extends Entity {
  static override key = 'Note';
  id = '';
}

const login = async () => ({ accessToken: 'ada-1', user: { id: 'ada' } });

/** Sends a request to a server that allows no other origin. */
async function sendElsewhere(urlPrefix: string) {
  const session = createTokenSession({ login });
  await session.login();
  const Endpoint = authEndpoint(session);
  await new Endpoint({ urlPrefix, path: '/memo/:id', method: 'PATCH' })({ id: '1' }, { title: 'New' }).catch(() => {});
  await new RestEndpoint({ urlPrefix, path: '/lost', method: 'GET' })().catch(() => {});
}

const CityResource = resource({ path: '/city/:id', schema: Memo });

function Cities() {
  return useSuspense(CityResource.getList, {}).length;
}

/** A tree without a boundary, whose list has no session. */
async function mountPlain(container: HTMLElement) {
  const session = createTokenSession({ login });
  await session.login();
  createRoot(container).render(
    <TokenAuthProvider session={session}>
      <Authenticated>
        <Cities />
      </Authenticated>
    </TokenAuthProvider>,
  );
}

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
      <button type="button" onClick={() => void sendElsewhere(new URLSearchParams(location.search).get('elsewhere')!)}>
        Send elsewhere
      </button>
      <button
        type="button"
        onClick={({ currentTarget }) => void mountPlain(currentTarget.appendChild(document.createElement('div')))}
      >
        Read without a session
      </button>
      <TokenAuthProvider session={createTokenSession({ login })}>
        <button type="button" onClick={() => setRenders(renders + 1)}>
          Render again
        </button>
      </TokenAuthProvider>
    </>
  );
}
