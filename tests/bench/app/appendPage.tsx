import { useController, useSuspense, type Controller } from '@data-client/react';
import { Suspense, type ReactNode } from 'react';
import { TokenAuthProvider } from '../../../src/index.js';
import { nextPageNumber, PaginatedList, ResourceList } from '../../../src/entries/widgets.js';
import { mount, painted, until } from './mount.js';
import { localSession, notesAt } from './notes.js';

const MORE = 100;

const rowsFrom = (first: number, count: number) =>
  JSON.stringify(
    Array.from({ length: count }, (_, place) => ({ id: `${first + place}`, title: `Note ${first + place}` })),
  );

const Notes = notesAt('');

/** The store with a reader that renders no row. */
function Count() {
  return <output>{useSuspense(Notes.useGetList()).length}</output>;
}

interface Handle {
  append: () => unknown;
}

function Append({ handle }: { handle: Handle }) {
  const controller: Controller = useController();
  const { getPage } = Notes.useGetList();
  handle.append = () => controller.fetch(getPage, { page: 2 });
  return null;
}

interface List {
  content: (handle: Handle) => ReactNode;
  /** How many rows the element shows. */
  rows: (element: HTMLElement) => number;
  append: (element: HTMLElement, handle: Handle) => unknown;
}

const byHandle: List['append'] = (_, handle) => handle.append();
const withHandle = (list: ReactNode) => (handle: Handle) => (
  <>
    {list}
    <Append handle={handle} />
  </>
);

const LISTS: Record<string, List> = {
  'the store alone': {
    content: withHandle(<Count />),
    rows: element => Number(element.querySelector('output')?.textContent),
    append: byHandle,
  },
  PaginatedList: {
    content: () => (
      <PaginatedList resource={Notes} next={nextPageNumber({ size: MORE })} virtual renderItem={note => note.title} />
    ),
    rows: element => Number(element.querySelector('li:last-child')?.getAttribute('aria-setsize')),
    append: element => element.querySelector<HTMLElement>('.dca-more button')?.click(),
  },
  'ResourceList, all rows in the document': {
    content: withHandle(<ResourceList resource={Notes} renderItem={note => note.title} />),
    rows: element => element.querySelector('ul')?.childElementCount ?? 0,
    append: byHandle,
  },
};

/** Appends a page to a list of so many rows; the runner reads the CPU time around it. Pages are answered without a network. */
export async function appendPage(loaded: number) {
  const session = localSession();
  await session.login('ada');
  const [first, more] = [rowsFrom(0, loaded), rowsFrom(loaded, MORE)];
  window.fetch = async input =>
    new Response((input as string).includes('page=') ? more : first, {
      headers: { 'Content-Type': 'application/json' },
    });
  return {
    show: async (name: string) => {
      const { content, rows, append } = LISTS[name]!;
      const handle: Handle = { append: () => {} };
      const { element, unmount } = mount(
        <TokenAuthProvider session={session}>
          <Suspense fallback={<p>One moment…</p>}>{content(handle)}</Suspense>
        </TokenAuthProvider>,
      );
      await until(element, () => rows(element) === loaded);
      // Where a person is who asks for more.
      window.scrollTo(0, document.body.scrollHeight);
      await painted();
      return {
        append: async () => {
          append(element, handle);
          await until(element, () => rows(element) === loaded + MORE);
          element.getBoundingClientRect();
        },
        unmount,
      };
    },
  };
}
