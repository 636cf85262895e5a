// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { createTokenSession, Entity, hookifyResource, resource, TokenAuthProvider } from '../../src/index.js';
import { PaginatedList } from '../../src/entries/widgets.js';
import { json } from '../session/support/answers.js';
import { mockServer } from '../session/support/mockServer.js';
import { deferred } from '../session/support/promises.js';

afterEach(cleanup);

class Article extends Entity {
  id = '';
}

const Articles = hookifyResource(
  resource({ urlPrefix: 'https://api.example.com', path: '/article/:id', schema: Article, rows: 'results' }),
);

/** A list of nine pages, in which another filter has been chosen whose list has two. Its answers wait for `ofGrace`. */
async function chooseAnotherFilter(page?: number) {
  const ofGrace = deferred();
  const server = mockServer({
    '*': async ({ url }) => {
      const { searchParams } = new URL(url);
      const [author, number] = [searchParams.get('author'), searchParams.get('page')];
      if (author === 'grace') await ofGrace.promise;
      if (author === 'grace' && Number(number) > 2) return json({}, 404);
      return json({ results: [{ id: `${author}-${number}` }], pages: author === 'grace' ? 2 : 9 });
    },
  });
  const session = createTokenSession({ login: async () => ({ accessToken: 'a', user: { id: 'ada' } }) });
  await session.login();
  const onPageChange = vi.fn();
  const list = (author: string) => (
    <TokenAuthProvider session={session}>
      <PaginatedList
        resource={Articles}
        params={{ author }}
        paginated={{ page, onPageChange }}
        renderItem={({ id }: Article) => `Article ${id}`}
      />
    </TokenAuthProvider>
  );
  const { rerender } = render(list('ada'));
  await screen.findByText(`Article ada-${page ?? 1}`);
  rerender(list('grace'));
  const pagesOfGrace = () =>
    server.seen
      .map(({ url }) => new URL(url).searchParams)
      .filter(params => params.get('author') === 'grace')
      .map(params => params.get('page'));
  return { ofGrace, pagesOfGrace, onPageChange };
}

test('until another filter has its first page, the buttons for the pages of the filter before do nothing', async () => {
  const { ofGrace, pagesOfGrace } = await chooseAnotherFilter();
  const ninth = screen.getByRole('button', { name: 'Page 9' });
  fireEvent.click(ninth);
  fireEvent.click(screen.getByRole('button', { name: /next/i }));
  await waitFor(() => expect(ninth.getAttribute('aria-disabled')).toBe('true'));
  await act(async () => ofGrace.resolve());
  await screen.findByText('Article grace-1');
  expect(screen.queryByRole('button', { name: 'Page 9' })).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Page 2' }));
  await screen.findByText('Article grace-2');
  expect(pagesOfGrace()).toEqual(['1', '2']);
});

test('where the app keeps a page that the other filter does not have, only the way back to the first page works', async () => {
  const { ofGrace, pagesOfGrace, onPageChange } = await chooseAnotherFilter(5);
  const button = (name: string) => screen.getByRole('button', { name });
  for (const name of ['Previous', 'Page 4', 'Page 6', 'Page 9', 'Next']) fireEvent.click(button(name));
  expect(onPageChange).not.toHaveBeenCalled();
  await act(async () => ofGrace.resolve());
  await screen.findByText('This page is empty.');
  await waitFor(() => expect(button('Page 4').getAttribute('aria-disabled')).toBe('true'));
  expect(button('Page 1').getAttribute('aria-disabled')).toBeNull();
  fireEvent.click(button('Page 1'));
  expect(onPageChange).toHaveBeenCalledWith(1);
  expect(pagesOfGrace()).toEqual(['5']);
});

test.each<Record<string, string | boolean>[]>([
  [{ read: true }, { read: 'true' }],
  // @ts-expect-error: JavaScript apps pass null.
  [{}, { author: null }],
])('params %o and %o lead to the same response, so the buttons work', async (before, after) => {
  const server = mockServer({
    '*': async ({ url }) => json({ results: [{ id: new URL(url).searchParams.get('page') }], pages: 9 }),
  });
  const session = createTokenSession({ login: async () => ({ accessToken: 'a', user: { id: 'ada' } }) });
  await session.login();
  const list = (params: Record<string, string | boolean>) => (
    <TokenAuthProvider session={session}>
      <PaginatedList
        resource={Articles}
        params={params}
        paginated="pages"
        renderItem={({ id }: Article) => `Article ${id}`}
      />
    </TokenAuthProvider>
  );
  const { rerender } = render(list(before));
  await screen.findByText('Article 1');
  rerender(list(after));
  fireEvent.click(screen.getByRole('button', { name: 'Page 2' }));
  await screen.findByText('Article 2');
  expect(server.seen).toHaveLength(2);
});
