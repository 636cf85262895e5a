import { useState } from 'react';
import { Entity, hookifyResource, resource } from '../../../src/index.js';
import { ResourceDetail, ResourceForm, ResourceList } from '../../../src/entries/widgets.js';

class Letter extends Entity {
  static override key = 'Letter';
  id = '';
  title = '';
  author = '';
  // Only where the server sends it.
  declare stamp?: string;
}

/** A list that opens a letter: its detail, and a form that replaces it, filled with the row (`from=row`) or with what the form reads. */
export function PartialRecords({ urlPrefix, from }: { urlPrefix: string; from: string }) {
  const [letters] = useState(() => hookifyResource(resource({ urlPrefix, path: '/letter/:id', schema: Letter })));
  const [opened, setOpened] = useState<Letter>();
  return (
    <>
      <ResourceList
        resource={letters}
        label="Letters"
        renderItem={letter => (
          <button type="button" onClick={() => setOpened(letter)}>
            Open {letter.id}
          </button>
        )}
      />
      {opened && (
        <>
          <ResourceDetail
            resource={letters}
            params={{ id: opened.id }}
            renderItem={({ title, author }) => (
              <p id="letter">
                {title} by {author || 'nobody'}
              </p>
            )}
          />
          <ResourceForm
            resource={letters}
            action="update"
            params={{ id: opened.id }}
            initial={from === 'row' ? opened : undefined}
            fields={[{ name: 'title', label: 'Title' }]}
          />
        </>
      )}
    </>
  );
}
