// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { createTokenSession, Entity, hookifyResource, resource, TokenAuthProvider } from '../../src/index.js';
import {
  nextCursor,
  nextPageNumber,
  PaginatedList,
  ResourceDetail,
  type ErrorSlotProps,
  type NextPage,
} from '../../src/entries/widgets.js';
import { json } from '../session/support/answers.js';
import { mockServer } from '../session/support/mockServer.js';

afterEach(cleanup);

class Article extends Entity {
  id = '';
}
const Articles = hookifyResource(
  resource({ urlPrefix: 'https://api.example.com', path: '/article/:id', schema: Article, paginationField: 'page' }),
);
const own = ({ of, retry, error }: ErrorSlotProps) => `${of} ${retry ? 'again' : 'over'}: ${error.constructor.name}`;
const refused = () => json({ detail: 'No.' }, 403);

function show(widget: React.ReactNode) {
  const session = createTokenSession({
    login: async () => ({ accessToken: 'a' }),
    trustedOrigins: ['https://api.example.com'],
  });
  return session.login().then(() => render(<TokenAuthProvider session={session}>{widget}</TokenAuthProvider>));
}

const list = (renderError: (failure: ErrorSlotProps) => string | undefined) => (
  <PaginatedList
    resource={Articles}
    renderError={renderError}
    renderItem={(_, { remove }) => <button onClick={() => void remove()}>Delete</button>}
  />
);
const detail = (renderError: (failure: ErrorSlotProps) => string | undefined) => (
  <ResourceDetail
    resource={Articles}
    params={{ id: '1' }}
    renderError={renderError}
    renderItem={(_, { remove }) => <button onClick={() => void remove()}>Delete</button>}
  />
);

test.each([
  ['a list', 'read', list, {}],
  ['a further page', 'page', list, { 'GET /article': () => json([{ id: '1' }]) }],
  ['a row', 'action', list, { 'GET /article': () => json([{ id: '1' }]) }],
  ['a record', 'read', detail, {}],
  ['its action', 'action', detail, { 'GET /article/1': () => json({ id: '1' }) }],
] as const)(
  '`renderError` gets the error of %s: %s; for undefined, the default is shown',
  async (_, of, widget, routes) => {
    for (const isOwn of [true, false]) {
      const server = mockServer({ '*': refused, ...routes });
      await show(widget(failure => (isOwn ? own(failure) : undefined)));
      if (of !== 'read') {
        const button = await screen.findByRole('button', { name: of === 'page' ? 'Load more' : 'Delete' });
        if (of === 'page') server.routes['GET /article'] = refused;
        fireEvent.click(button);
      }
      await screen.findByText(isOwn ? new RegExp(`^${of} ${of === 'action' ? 'over' : 'again'}: `) : 'No.');
      cleanup();
    }
  },
);

test.each<[string, NextPage, string[]]>([
  ['an offset', ({ pages }) => ({ offset: pages * 20, limit: 20 }), ['?offset=0&limit=20', '?limit=20&offset=20']],
  ['numbers from 0', nextPageNumber({ first: 0 }), ['?page=0', '?page=1']],
])('numbered pages may be requested by `next`: %s', async (_, next, searches) => {
  const server = mockServer({ '*': () => json([{ id: '1' }]) });
  await show(<PaginatedList resource={Articles} paginated="pages" next={next} renderItem={({ id }) => id} />);
  fireEvent.click(await screen.findByRole('button', { name: 'Next' }));
  await screen.findByText('Page 2');
  const sorted = (search: string) => [...new URLSearchParams(search)].map(String).sort();
  expect(server.seen.map(({ url }) => sorted(new URL(url).search))).toEqual(searches.map(sorted));
});

test('a `next` that needs the answer before finds no numbered page: the error says how a page is requested', async () => {
  const cursors = <PaginatedList resource={Articles} paginated="pages" next={nextCursor()} renderItem={() => null} />;
  await expect(show(cursors)).rejects.toThrow(
    '`next` finds none without the answer before. Say how a page is requested',
  );
});
