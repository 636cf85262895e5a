// A server component that reads as the user whose token the request brought: one session for each request, and no React state.
// Run with `--conditions=react-server`, as frameworks load the modules of server components. Prints what each user's page shows.
import { authEndpoint, createTokenSession, Entity, resource, SessionExpiredError } from 'data-client-auth/core';

const [, , api] = process.argv;

class Note extends Entity {
  id = '';
  title = '';
}

const login = () => Promise.reject(new Error('A server component signs no user in.'));

/** The text of a page, for one request. */
async function NotesPage({ token }) {
  const session = createTokenSession({
    login,
    restore: async () => token && { accessToken: token, user: { id: token } },
    header: 'Authorization',
    trustedOrigins: [api],
    server: true,
  });
  const Notes = resource({ urlPrefix: api, path: '/api/note/:id', schema: Note, Endpoint: authEndpoint(session) });
  await session.refresh();
  try {
    const notes = await Notes.getList();
    return notes.map(({ title }) => title).join(', ');
  } catch (error) {
    return error instanceof SessionExpiredError ? 'the token was refused' : `status ${error.status}`;
  } finally {
    session.dispose();
  }
}

const pages = await Promise.all(['for-ada', undefined, 'for-ada', 'made-up'].map(token => NotesPage({ token })));
console.log(JSON.stringify(pages));
