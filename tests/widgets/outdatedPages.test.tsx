// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import {
  createTokenSession,
  Entity,
  hookifyResource,
  PaginatedList,
  resource,
  TokenAuthProvider,
} from '../../src/index.js';
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
  const session = createTokenSession({ tabs: false, login: async () => ({ accessToken: 'a', user: { id: 'ada' } }) });
  await session.login();
  const onPageChange = vi.fn();
  const list = (author: string) => (
    <TokenAuthProvider session={session}>
      <PaginatedList
        resource={Articles}
        params={{ author }}
        paginated="pages"
        page={page}
        onPageChange={onPageChange}
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

test('where the app keeps a page that the other filter does not have, the way back stays', async () => {
  const { ofGrace, onPageChange } = await chooseAnotherFilter(5);
  await act(async () => ofGrace.resolve());
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Page 9' })).toBeNull());
  fireEvent.click(screen.getByRole('button', { name: 'Page 1' }));
  expect(onPageChange).toHaveBeenCalledWith(1);
});
