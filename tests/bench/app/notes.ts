import {
  createResource,
  Entity as PlainEntity,
  hookifyResource as stockHookify,
  RestEndpoint as PlainEndpoint,
} from '@data-client/rest';
import { createContext, useContext } from 'react';
import { createTokenSession, Entity, hookifyResource, resource } from '../../../src/index.js';

class Note extends Entity {
  id = '';
  title = '';
}

class PlainNote extends PlainEntity {
  id = '';
  title = '';
  override pk() {
    return this.id;
  }
}

const PATH = '/note/:id';

/** The kit's way: hooks that carry the session of the provider above. */
export const notesAt = (urlPrefix: string) =>
  hookifyResource(resource({ urlPrefix, path: PATH, schema: Note, paginationField: 'page' }));

/** data-client without any hook. */
export const plainNotesAt = (urlPrefix: string, Endpoint: typeof PlainEndpoint = PlainEndpoint) =>
  createResource({ urlPrefix, path: PATH, schema: PlainNote, paginationField: 'page', Endpoint });

/** data-client's own way: a token in a context, read by each hook while it renders. */
export const TokenContext = createContext('');
export const stockNotesAt = (urlPrefix: string) =>
  stockHookify(plainNotesAt(urlPrefix), () => ({ headers: { Authorization: `Bearer ${useContext(TokenContext)}` } }));

/** A session that signs in without a server: the person is the token. */
export function localSession() {
  let refreshes = 0;
  return createTokenSession({
    login: async (person: string) => ({ accessToken: person, refreshToken: person, user: { id: person } }),
    refresh: async () => ({ accessToken: `fresh-${++refreshes}` }),
    header: 'Authorization',
  });
}
