import { Entity, hookifyResource, resource } from 'data-client-auth';

export class Note extends Entity {
  id = '';
  title = '';
}

/** The same notes under each provider. */
export const Notes = hookifyResource(resource({ path: '/api/note/:id', schema: Note, paginationField: 'page' }));
