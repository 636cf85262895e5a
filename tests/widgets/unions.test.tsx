// @vitest-environment jsdom
import { schema } from '@data-client/rest';
import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import {
  createTokenSession,
  Entity,
  hookifyResource,
  resource,
  ResourceDetail,
  ResourceList,
  TokenAuthProvider,
} from '../../src/index.js';

class Post extends Entity {
  id = '';
  title = '';
  type = 'post';
}
class Photo extends Post {
  override type = 'photo';
}
const api = 'https://api.example.com';
const Feed = hookifyResource(
  resource({ urlPrefix: api, path: '/feed/:id', schema: new schema.Union({ post: Post, photo: Photo }, 'type') }),
);

const rows = [
  { id: '1', type: 'post', title: 'On writing' },
  { id: '2', type: 'photo', title: 'A harbour' },
];
const deleted: unknown[] = [];
const server = setupServer(
  http.get(`${api}/feed`, () => HttpResponse.json(rows)),
  http.get(`${api}/feed/2`, () => HttpResponse.json(rows[1])),
  http.delete(`${api}/feed/:id`, ({ params }) => {
    deleted.push(params.id);
    return new HttpResponse(null, { status: 204 });
  }),
);

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterEach(() => {
  cleanup();
  deleted.length = 0;
});
afterAll(() => server.close());

const renderItem = ({ title }: Post, { remove }: { remove: () => Promise<boolean> }) => (
  <>
    {title} <button onClick={() => void remove()}>Delete {title}</button>
  </>
);

async function deleteHarbour(widget: React.ReactNode) {
  const session = createTokenSession({ login: async () => ({ accessToken: 'ada-1' }), trustedOrigins: [api] });
  render(<TokenAuthProvider session={session}>{widget}</TokenAuthProvider>);
  await userEvent.click(await screen.findByRole('button', { name: 'Delete A harbour' }));
  await expect.poll(() => screen.queryByText(/A harbour/)).toBeNull();
  expect(deleted).toEqual(['2']);
}

test('a row of a union is deleted: it leaves the list, and the others stay', async () => {
  await deleteHarbour(<ResourceList resource={Feed} renderItem={renderItem} />);
  expect(screen.getByText('On writing')).toBeTruthy();
});

test('a detail of a union says that its record is deleted', async () => {
  await deleteHarbour(<ResourceDetail resource={Feed} params={{ id: '2' }} renderItem={renderItem} />);
  expect(screen.getByText('Deleted.')).toBeTruthy();
});
