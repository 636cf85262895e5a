import { useController, useSuspense, type Controller } from '@data-client/react';
import { Suspense, type ReactNode } from 'react';
import { nextPageNumber, PaginatedList, ResourceList, TokenAuthProvider } from '../../../src/index.js';
import { compare, type Rounds } from './compare.js';
import { mount, painted, until } from './mount.js';
import { localSession, notesAt } from './notes.js';

const THERE = 10_000;
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

/** Times how long 10,000 rows take to become 10,100. The page is answered without a network, so that only the work counts. */
export async function appendPage(rounds: Rounds) {
  const session = localSession();
  await session.login('ada');
  const [there, more] = [rowsFrom(0, THERE), rowsFrom(THERE, MORE)];
  const { fetch } = window;
  window.fetch = async input =>
    new Response((input as string).includes('page=') ? more : there, {
      headers: { 'Content-Type': 'application/json' },
    });

  /** @param rows Tells how many rows the element shows. */
  const appending =
    (
      content: (handle: Handle) => ReactNode,
      rows: (element: HTMLElement) => number,
      append: (element: HTMLElement, handle: Handle) => unknown,
    ) =>
    async () => {
      const handle: Handle = { append: () => {} };
      const { element, unmount } = mount(
        <TokenAuthProvider session={session}>
          <Suspense fallback={<p>One moment…</p>}>{content(handle)}</Suspense>
        </TokenAuthProvider>,
      );
      await until(element, () => rows(element) === THERE);
      // Where a person is who asks for more.
      window.scrollTo(0, document.body.scrollHeight);
      await painted();
      const start = performance.now();
      append(element, handle);
      await until(element, () => rows(element) === THERE + MORE);
      element.getBoundingClientRect();
      const ms = performance.now() - start;
      await painted();
      unmount();
      return ms;
    };
  const withHandle = (list: ReactNode) => (handle: Handle) => (
    <>
      {list}
      <Append handle={handle} />
    </>
  );
  const byHandle = (_: HTMLElement, handle: Handle) => handle.append();

  try {
    return await compare(
      {
        'the store alone': appending(
          withHandle(<Count />),
          element => Number(element.querySelector('output')?.textContent),
          byHandle,
        ),
        PaginatedList: appending(
          () => (
            <PaginatedList resource={Notes} next={nextPageNumber({ size: MORE })} renderItem={note => note.title} />
          ),
          element => Number(element.querySelector('li:last-child')?.getAttribute('aria-setsize')),
          element => element.querySelector<HTMLElement>('.dca-more button')?.click(),
        ),
        'ResourceList, all rows in the document': appending(
          withHandle(<ResourceList resource={Notes} renderItem={note => note.title} />),
          element => element.querySelector('ul')?.childElementCount ?? 0,
          byHandle,
        ),
      },
      rounds,
    );
  } finally {
    window.fetch = fetch;
  }
}
