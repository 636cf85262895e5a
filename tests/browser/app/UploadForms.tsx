import { useState } from 'react';
import { Entity, hookifyResource, resource } from '../../../src/index.js';
import { ResourceForm } from '../../../src/entries/widgets.js';

class Picture extends Entity {
  id = '';
  title = '';
  file = '';
}

/** A form that creates a picture, and one that edits the first. The endpoint of the second sets the type of JSON for every request. */
export function UploadForms({ urlPrefix }: { urlPrefix: string }) {
  const [pictures] = useState(() =>
    hookifyResource(
      resource({ urlPrefix, path: '/article/:id', schema: Picture }).extend('partialUpdate', {
        getHeaders: (headers: HeadersInit) => ({ ...headers, 'content-type': 'application/json' }),
      }),
    ),
  );
  const fields = [
    { name: 'title', label: 'Title' },
    { name: 'file', label: 'File', type: 'file' },
  ] as const;
  return (
    <>
      <ResourceForm resource={pictures} action="push" fields={fields} success="Created." />
      <ResourceForm
        resource={pictures}
        action="partialUpdate"
        params={{ id: '1' }}
        initial={{ title: 'First' }}
        fields={fields}
      />
    </>
  );
}
