import { cookieAuthHandlers, resourceHandlers, tokenAuthHandlers, type MockAuth } from 'data-client-auth/testing';

const people = [
  { id: 'ada', name: 'Ada Lovelace', password: 'lovelace' },
  { id: 'grace', name: 'Grace Hopper', password: 'hopper' },
];

export const tokens = tokenAuthHandlers({ url: '/api', people, expiresIn: 300 });
export const cookies = cookieAuthHandlers({ url: '/cookie', people, csrf: {} });

/** Accepts what either server has given away. */
const auth: MockAuth = {
  personOf: incoming => tokens.personOf(incoming) ?? cookies.personOf(incoming),
  authorize: incoming => (tokens.personOf(incoming) ? undefined : cookies.authorize(incoming)),
};

const notes = resourceHandlers(
  { get: { path: '/note/:id' }, getList: { path: '/note' } },
  [
    { id: '1', title: 'Buy ink', author: 'ada' },
    { id: '2', title: 'Find the moth', author: 'grace' },
  ],
  { auth, owner: note => note.author, private: true },
);

export const handlers = [...tokens.handlers, ...cookies.handlers, ...notes.handlers];
