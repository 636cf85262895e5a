// @vitest-environment jsdom
// Lists and records that are fetched again: by `expireAll`, as the guide's RefreshManager does, and when the network is back.
import { useController } from '@data-client/react';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { afterEach, expect, test, vi } from 'vitest';
import { createTokenSession, Entity, hookifyResource, resource, TokenAuthProvider } from '../../src/index.js';
import { PaginatedList, ResourceDetail, ResourceList } from '../../src/entries/widgets.js';
import { json } from '../session/support/answers.js';
import { mockServer, type Route } from '../session/support/mockServer.js';
import { deferred } from '../session/support/promises.js';

afterEach(cleanup);

class Article extends Entity {
  id = '';
  title = '';
}

const options = { urlPrefix: 'https://api.example.com', path: '/article/:id', schema: Article } as const;
const PagedResource = resource({ ...options, rows: 'results' });
const Paged = hookifyResource(PagedResource);
const Articles = hookifyResource(resource(options));
const Forever = hookifyResource(resource({ ...options, rows: 'results', dataExpiryLength: Infinity }));

const renderItem = ({ id, title }: Article) => <input aria-label={`Note ${id}`} placeholder={title} />;

async function setup(route: Route) {
  const server = mockServer({ '*': seen => server.answer(seen) }) as ReturnType<typeof mockServer> & { answer: Route };
  server.answer = route;
  const session = createTokenSession({
    login: async (id: string) => ({ accessToken: id, user: { id } }),
  });
  await session.login('ada');
  const read: { controller?: ReturnType<typeof useController> } = {};
  function Spy() {
    read.controller = useController();
    return null;
  }
  const show = (children: React.ReactNode) => (
    <TokenAuthProvider session={session}>
      <Spy />
      {children}
    </TokenAuthProvider>
  );
  const expireAll = async () => act(() => void read.controller!.expireAll({ testKey: () => true }));
  const searches = () => server.seen.map(({ url }) => new URL(url).search);
  return { server, session, show, expireAll, searches, read };
}

/** A server with pages of two rows, numbered from 0 or from 1. */
const pagesOf =
  (rows: number, { first = 1, version = '' } = {}): Route =>
  ({ url }) => {
    const number = Number(new URL(url).searchParams.get('page') ?? first);
    const start = (number - first) * 2;
    const ids = Array.from({ length: rows }, (_, index) => index).slice(start, start + 2);
    const next = start + 2 < rows ? `https://api.example.com/article?page=${number + 1}` : null;
    if (ids.length === 0) return json({}, 404);
    return json({ count: rows, next, results: ids.map(id => ({ id: `${id}`, title: `${id}${version}` })) });
  };

const paged = <PaginatedList resource={Paged} renderItem={renderItem} />;
const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms));
const inputs = () => screen.queryAllByRole('textbox').map(input => input.getAttribute('placeholder'));

async function loadPages(count: number) {
  await screen.findByLabelText('Note 0');
  for (let pages = 1; pages < count; pages++) {
    fireEvent.click(screen.getByRole('button', { name: 'Load more' }));
    await screen.findByLabelText(`Note ${pages * 2}`);
  }
}

test.each([0, 1])('pages from %i that were loaded are fetched again in order, and the rows stay', async first => {
  const { server, show, expireAll, searches } = await setup(pagesOf(20, { first }));
  render(show(paged));
  await loadPages(4);
  const row = screen.getByLabelText('Note 5');
  fireEvent.change(row, { target: { value: 'typed' } });
  const answered = deferred();
  const before = searches();
  server.clear();
  server.answer = async seen => {
    await answered.promise;
    return pagesOf(20, { first, version: '!' })(seen);
  };
  await expireAll();
  await waitFor(() => expect(searches()).toEqual(before.slice(0, 1)));
  expect(inputs()).toHaveLength(8);
  await act(async () => answered.resolve());
  await waitFor(() => expect(inputs()).toEqual(['0!', '1!', '2!', '3!', '4!', '5!', '6!', '7!']));
  expect(searches()).toEqual(before);
  expect(screen.getByLabelText('Note 5')).toBe(row);
  expect((row as HTMLInputElement).value).toBe('typed');
  expect(document.querySelector('.dca-note')?.textContent).toContain('8 of 20');
  fireEvent.click(screen.getByRole('button', { name: 'Load more' }));
  await screen.findByLabelText('Note 8');
  expect(searches()).toEqual([...before, `?page=${first + 4}`]);
});

test('a list that is mounted again after its expiry has all its pages', async () => {
  const { server, show, expireAll, searches } = await setup(pagesOf(20));
  const { rerender } = render(show(paged));
  await loadPages(3);
  rerender(show(null));
  await expireAll();
  server.clear();
  rerender(show(paged));
  await waitFor(() => expect(searches()).toEqual(['', '?page=2', '?page=3']));
  await screen.findByText('6 of 20 loaded.');
  expect(inputs()).toHaveLength(6);
});

test('pages that the server does not have any more are left out', async () => {
  const { server, show, expireAll } = await setup(pagesOf(8));
  render(show(paged));
  await loadPages(4);
  server.answer = pagesOf(4);
  await expireAll();
  await waitFor(() => expect(inputs()).toEqual(['0', '1', '2', '3']));
  await screen.findByText('All 4 loaded.');
});

test('the note after a further page has the total of its answer', async () => {
  const { server, show } = await setup(pagesOf(10));
  render(show(paged));
  await screen.findByLabelText('Note 0');
  server.answer = pagesOf(13);
  fireEvent.click(screen.getByRole('button', { name: 'Load more' }));
  await screen.findByLabelText('Note 2');
  await screen.findByText(/4 of 13/);
});

const WIDGETS = {
  list: { widget: <ResourceList resource={Articles} renderItem={renderItem} />, body: [{ id: '0', title: 'A' }] },
  detail: {
    widget: <ResourceDetail resource={Articles} params={{ id: '0' }} renderItem={renderItem} />,
    body: { id: '0', title: 'A' },
  },
  pages: {
    widget: <PaginatedList resource={Paged} paginated="pages" renderItem={renderItem} />,
    body: { results: [{ id: '0', title: 'A' }] },
  },
  appended: { widget: paged, body: { next: null, results: [{ id: '0', title: 'A' }] } },
};

test.each(Object.entries(WIDGETS))('%s: what failed while offline loads when the network is back', async (_, it) => {
  const { server, show } = await setup(() => HttpResponse.error());
  render(show(it.widget));
  await screen.findByRole('alert');
  server.clear();
  server.answer = () => json(it.body);
  window.dispatchEvent(new Event('online'));
  await screen.findByLabelText('Note 0');
  expect(screen.queryByRole('alert')).toBeNull();
  expect(server.seen).toHaveLength(1);
});

const FAILURES: Record<string, Route> = {
  'is throttled': () => json({}, 429),
  'meets a broken server': () => json({}, 500),
  'has no network': () => HttpResponse.error(),
};

test.each(
  Object.entries(WIDGETS).flatMap(([name, it]) => Object.entries(FAILURES).map(f => [name, ...f, it] as const)),
)('%s: a fetch that %s keeps what is shown, and “Try again” works', async (_, __, fails, it) => {
  const { server, show, expireAll } = await setup(() => json(it.body));
  render(show(it.widget));
  const row = await screen.findByLabelText('Note 0');
  fireEvent.change(row, { target: { value: 'typed' } });
  server.answer = fails;
  await expireAll();
  await screen.findByRole('alert');
  expect(screen.getByLabelText('Note 0')).toBe(row);
  server.clear();
  server.answer = () => json(it.body);
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  expect(screen.getByLabelText('Note 0')).toBe(row);
  expect((row as HTMLInputElement).value).toBe('typed');
  expect(server.seen).toHaveLength(1);
});

test('answers that never expire are different answers', async () => {
  const { show, searches } = await setup(pagesOf(20));
  render(show(<PaginatedList resource={Forever} renderItem={renderItem} />));
  await loadPages(4);
  expect(searches()).toEqual(['', '?page=2', '?page=3', '?page=4']);
});

test('a server whose total is too high is not asked without end', async () => {
  let rows = ['0', '1', '2', '3'];
  const { server, show, expireAll, searches, read } = await setup(({ url }) => {
    const page = Number(new URL(url).searchParams.get('page') ?? 1);
    const ids = server.seen.length > 20 ? ['20'] : rows.slice(page * 2 - 2, page * 2);
    return json({ page, total: 100, results: ids.map(id => ({ id, title: id })) });
  });
  render(show(paged));
  await loadPages(2);
  rows = ['1', '2', '3'];
  server.clear();
  await act(async () => void read.controller!.setResponse(PagedResource.delete, { id: '0' }, { id: '0' }));
  fireEvent.click(screen.getByRole('button', { name: 'Load more' }));
  await waitFor(() => expect(searches()).toEqual(['', '?page=2', '?page=3']));
  await waitFor(() => expect(inputs()).toEqual(['1', '2', '3']));
  server.clear();
  await expireAll();
  await waitFor(() => expect(searches()).toEqual(['', '?page=2', '?page=3']));
});

test('another user signs in while a list is fetched again: no further page is requested', async () => {
  const [reached, answered] = [deferred(), deferred()];
  const { server, show, expireAll, session } = await setup(pagesOf(20));
  render(show(paged));
  await loadPages(3);
  server.clear();
  server.answer = async seen => {
    reached.resolve();
    await answered.promise;
    return pagesOf(20)(seen);
  };
  await expireAll();
  await reached.promise;
  await act(() => session.login('grace'));
  await act(async () => answered.resolve());
  await screen.findByLabelText('Note 0');
  await act(() => pause(20));
  const sent = server.seen.map(({ headers, url }) => `${headers.get('Access-Token')} ${new URL(url).search}`);
  expect(sent).toEqual(['ada ', 'grace ']);
  expect(inputs()).toEqual(['0', '1']);
});

test('with paginated="scroll", a list that cannot be fetched again waits for the user', async () => {
  class AlwaysInView {
    isConnected = true;
    constructor(readonly notify: (entries: object[]) => void) {}
    observe = () => setTimeout(() => this.isConnected && this.notify([{ isIntersecting: true }]));
    disconnect = () => (this.isConnected = false);
  }
  vi.stubGlobal('IntersectionObserver', AlwaysInView);
  const { server, show, searches, read } = await setup(seen =>
    new URL(seen.url).search === '?page=3' ? json({}, 500) : pagesOf(20)(seen),
  );
  render(show(<PaginatedList resource={Paged} paginated="scroll" renderItem={renderItem} />));
  await screen.findByRole('alert');
  server.clear();
  server.answer = () => json({}, 500);
  // The error of the page is gone with its rows, so the end of the list in view loads again.
  await act(async () => void read.controller!.setResponse(resource(options).delete, { id: '1' }, { id: '1' }));
  await screen.findByRole('button', { name: 'Load more' });
  await act(() => pause(300));
  expect(searches()).toEqual(['']);
  expect(screen.getAllByRole('alert')).toHaveLength(1);
  expect(inputs()).toEqual(['0', '2', '3']);
});

test('a list is read once more beside deletions, and not for each of a stream', async () => {
  const { server, show, expireAll, searches, read } = await setup(pagesOf(20));
  render(show(paged));
  await loadPages(2);
  server.clear();
  let deleted = 0;
  server.answer = async seen => {
    const id = `other ${deleted++}`;
    if (deleted < 20) await read.controller!.setResponse(resource(options).delete, { id }, { id });
    await pause(30);
    return pagesOf(20, { version: '!' })(seen);
  };
  await expireAll();
  await waitFor(() => expect(inputs()).toEqual(['0!', '1!', '2!', '3!']));
  expect(searches()).toEqual(['', '?page=2', '', '?page=2']);
});

test('a further page that the schema cannot read shows its error below the rows', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const { show } = await setup(seen =>
    new URL(seen.url).search ? json({ next: null, results: [{ title: 'no id' }, 3] }) : pagesOf(4)(seen),
  );
  render(show(paged));
  await screen.findByLabelText('Note 0');
  fireEvent.click(screen.getByRole('button', { name: 'Load more' }));
  expect((await screen.findByRole('alert')).closest('.dca-more')).not.toBeNull();
  expect(inputs()).toEqual(['0', '1']);
});

test('an error whose time has passed is not shown at the next mount, and the rows are', async () => {
  const { server, show, expireAll } = await setup(() => json(WIDGETS.list.body));
  const { rerender } = render(show(WIDGETS.list.widget));
  await screen.findByLabelText('Note 0');
  server.answer = () => json({}, 500);
  await expireAll();
  await screen.findByRole('alert');
  rerender(show(null));
  await pause(1100);
  const answered = deferred();
  server.answer = async () => {
    await answered.promise;
    return json({}, 500);
  };
  rerender(show(WIDGETS.list.widget));
  await act(() => pause(50));
  expect(screen.queryByRole('alert')).toBeNull();
  expect(inputs()).toEqual(['A']);
  await act(async () => answered.resolve());
  await screen.findByRole('alert');
  expect(inputs()).toEqual(['A']);
});
