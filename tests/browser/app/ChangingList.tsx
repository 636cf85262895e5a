import { useState } from 'react';
import { Entity, hookifyResource, resource, type HookResource } from '../../../src/index.js';
import {
  type CreateSlotProps,
  nextCursor,
  nextLink,
  nextPageNumber,
  PaginatedList,
  withLinkHeader,
  type NextPage,
} from '../../../src/entries/widgets.js';

class Row extends Entity {
  id = '';
  title = '';
}

/** What the user does. A deletion names a row by its index among those that are shown, modulo their number. */
export type Change = 'load more' | 'create' | { readonly remove: number };

export interface ChangedList {
  /** The ids of the rows, from the first to the last. */
  readonly shown: readonly string[];
  /** The text below the list. */
  readonly note: string;
  /** After each page: the number of all rows that the list says, and the one that the server then had. */
  readonly totals: readonly (readonly [said: number | undefined, right: number])[];
}

declare global {
  interface Window {
    /** Makes these changes, loads the rest of the list, and resolves with what it shows then. */
    changeList: (changes: readonly Change[], rows: number) => Promise<ChangedList>;
  }
}

const path = '/row/:id';
const bareResource = resource({ path, schema: Row, paginationField: 'page' });
type Rows = HookResource<typeof bareResource>;
const list = (options: { paginationField?: string; rows?: string } = {}) =>
  hookifyResource(resource({ path, schema: Row, ...options })) as unknown as Rows;

/** How an app reads each kind of pages. */
const LISTS: Readonly<Record<string, () => { rows: Rows; next?: NextPage }>> = {
  page: () => ({ rows: hookifyResource(bareResource) }),
  'page, by nextPageNumber()': () => ({ rows: list(), next: nextPageNumber({ size: 2 }) }),
  'page, with the number of pages': () => ({ rows: list({ paginationField: 'page', rows: 'items' }) }),
  'page, from 0': () => ({ rows: list({ rows: 'content' }) }),
  'page, in a link': () => ({ rows: list({ paginationField: 'page', rows: 'results' }) }),
  'page, in a link, by nextLink()': () => ({ rows: list({ rows: 'results' }), next: nextLink() }),
  'page, in the Link header': () => ({
    rows: hookifyResource(withLinkHeader(bareResource)) as unknown as Rows,
  }),
  offset: () => ({ rows: list({ paginationField: 'offset' }) }),
  'offset, with a total': () => ({ rows: list({ rows: 'items' }) }),
  'offset, in a link': () => ({ rows: list({ rows: 'results' }) }),
  'offset, by the app': () => ({ rows: list({ rows: 'items' }), next: byOffset }),
  'key of the last row': () => ({ rows: list({ paginationField: 'since' }) }),
  'key of the last row, by nextCursor()': () => ({ rows: list(), next: nextCursor({ param: 'since' }) }),
  'key of the last row, as Stripe has it': () => ({ rows: list({ rows: 'data' }) }),
  'key of the last row, in the answer': () => ({ rows: list({ paginationField: 'cursor', rows: 'results' }) }),
  'key of the last row, in the answer, by nextCursor()': () => ({
    rows: list({ rows: 'results' }),
    next: nextCursor(),
  }),
  'cursor of a place in the order': () => ({ rows: list({ paginationField: 'cursor', rows: 'results' }) }),
};

const byOffset: NextPage = ({ body, offset }) =>
  offset < (body as { total: number }).total ? { skip: offset } : undefined;

let pages = 0;
let totals: [number | undefined, number][] = [];
let count = 0;

const createButton = ({ create }: CreateSlotProps<Rows>) => (
  <button type="button" id="create" onClick={() => void create({ title: 'New' })}>
    Create
  </button>
);

/** A list below which the user creates rows, and deletes them. `list` names its kind of pages, `create` the end that new rows join. */
export default function ChangingList({ search }: { search: URLSearchParams }) {
  const [{ rows, next }] = useState(() => {
    const make = LISTS[search.get('list') ?? ''];
    if (!make) throw new Error(`There is no list “${search.get('list')}”.`);
    return make();
  });
  return (
    <PaginatedList
      resource={rows}
      next={next}
      create={search.get('create') === 'unshift' ? { unshift: createButton } : { push: createButton }}
      labels={{
        loaded: (added, shown, total) => {
          pages++;
          totals.push([total, count]);
          return `Page ${pages}: ${added} more, ${shown} in all.`;
        },
      }}
      renderItem={({ id }, { remove }) => (
        <button type="button" data-id={id} onClick={() => void remove()}>
          Delete {id}
        </button>
      )}
    />
  );
}

/** By a timer: data-client sends a list's request when the page is idle, which a loop of messages never is. */
const nextTask = () => new Promise(resolve => setTimeout(resolve));

async function until(what: string, isSo: () => boolean): Promise<void> {
  const start = performance.now();
  while (!isSo()) {
    if (performance.now() - start > 5_000) throw new Error(`${what}: ${document.body.innerText}`);
    await nextTask();
  }
}

const deleteButtons = () => [...document.querySelectorAll<HTMLElement>('[data-id]')];
const shown = () => deleteButtons().map(({ dataset }) => dataset.id ?? '');
const loadMoreButton = () => document.querySelector<HTMLElement>('.dca-more button');
const note = () => document.querySelector('.dca-more .dca-note')?.textContent ?? '';

/** Presses “Load more”. False at the end of the list. */
async function loadMore(): Promise<boolean> {
  const button = loadMoreButton();
  if (!button) return false;
  const before = pages;
  button.click();
  await until('a page', () => pages > before && (!loadMoreButton() || note().startsWith(`Page ${pages}:`)));
  return true;
}

async function removeRow(index: number): Promise<void> {
  const buttons = deleteButtons();
  const button = buttons[index % Math.max(1, buttons.length)];
  if (!button) return;
  count--;
  button.click();
  await until('a row less', () => !shown().includes(button.dataset.id ?? ''));
}

async function createRow(): Promise<void> {
  const before = deleteButtons().length;
  count++;
  document.getElementById('create')?.click();
  await until('one row more', () => deleteButtons().length > before);
}

window.changeList = async (changes, rows) => {
  pages = 0;
  totals = [];
  count = rows;
  const app = window.mount();
  try {
    await until('the first page', () => document.querySelector('.dca-more') !== null);
    for (const change of changes) {
      if (change === 'load more') await loadMore();
      else if (change === 'create') await createRow();
      else await removeRow(change.remove);
    }
    for (let presses = 0; presses < 40 && (await loadMore()); presses++);
    await nextTask();
    return { shown: shown(), note: note(), totals };
  } finally {
    app.unmount();
    app.dispose();
  }
};
