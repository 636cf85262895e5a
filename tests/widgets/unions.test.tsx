// @vitest-environment jsdom
import { schema } from '@data-client/rest';
import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { afterEach, expect, test } from 'vitest';
import { Entity, hookifyResource, resource } from '../../src/index.js';
import { ResourceDetail, ResourceList } from '../../src/entries/widgets.js';
import { api, serve, showToAda } from './support/articles.js';

class Post extends Entity {
  id = '';
  title = '';
  type = 'post';
}
class Photo extends Post {
  override type = 'photo';
}
const Feed = hookifyResource(
  resource({ urlPrefix: api, path: '/feed/:id', schema: new schema.Union({ post: Post, photo: Photo }, 'type') }),
);

const rows = [
  { id: '1', type: 'post', title: 'On writing' },
  { id: '2', type: 'photo', title: 'A harbour' },
];
const deleted: unknown[] = [];
serve(
  http.get(`${api}/feed`, () => HttpResponse.json(rows)),
  http.get(`${api}/feed/2`, () => HttpResponse.json(rows[1])),
  http.delete(`${api}/feed/:id`, ({ params }) => {
    deleted.push(params.id);
    return new HttpResponse(null, { status: 204 });
  }),
);

afterEach(() => void deleted.splice(0));

const renderItem = ({ title }: Post, { remove }: { remove: () => Promise<boolean> }) => (
  <>
    {title} <button onClick={() => void remove()}>Delete {title}</button>
  </>
);

async function deleteHarbour(widget: React.ReactNode) {
  await showToAda(widget);
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
