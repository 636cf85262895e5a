// Renders each provider in plain Node, as a server without a bundler does, and prints what came out.
import {
  Authenticated,
  ContextTokenProvider,
  CookieAuthProvider,
  createCookieSession,
  createTokenSession,
  Entity,
  hookifyResource,
  resource,
  TokenAuthProvider,
} from 'data-client-auth';
import { PaginatedList } from 'data-client-auth/widgets';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';

class Note extends Entity {
  id = '';
  title = '';
}
const Notes = hookifyResource(
  resource({ urlPrefix: 'https://api.example.com', path: '/note/:id', schema: Note, paginationField: 'page' }),
);
const page = createElement(
  Authenticated,
  { fallback: 'Nobody is here.', loading: 'One moment…' },
  createElement(PaginatedList, { resource: Notes, label: 'Notes', renderItem: note => note.title }),
);

const tokens = createTokenSession({ login: () => Promise.reject(new Error('not now')) });
const cookies = createCookieSession({
  login: () => Promise.reject(new Error('not now')),
  whoami: () => Promise.reject(new Error('asked on the server')),
});

console.log(
  JSON.stringify({
    token: renderToString(createElement(TokenAuthProvider, { session: tokens }, page)),
    cookie: renderToString(createElement(CookieAuthProvider, { session: cookies }, page)),
    context: renderToString(createElement(ContextTokenProvider, { token: 'a-token', subject: 'ada' }, page)),
  }),
);
