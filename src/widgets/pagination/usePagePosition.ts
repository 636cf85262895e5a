import { useController, type Controller } from '@data-client/react';
import { useMemo, useRef } from 'react';
import { getResponseExpiry } from '../../dataClient/storedResponses.js';
import { findList, findRowEntity } from '../list/findList.js';
import type { LoadedList } from '../list/ListContent.js';
import { getPrimaryKey } from '../../dataClient/getPrimaryKey.js';
import { paramsKey } from '../shared/resource.js';
import { compareRows, keyOf, type Comparison, type RowKey } from './compareRows.js';
import type { PageSearch } from './detectNextPage.js';
import type { LoadedPages } from './NextPage.js';

interface StoredPosition extends Pick<LoadedPages, 'pages' | 'offset' | 'lastPageSize'> {
  /** The number of rows on the first page. */
  readonly pageSize: number;
  /** The rows that the server has sent, up to the newest response, in its order. Each page adds to the same set: a copy would walk all rows. */
  readonly received: Set<RowKey>;
  /** The other rows that the user had created by then. The server may have put each of them before the next page. */
  readonly own: ReadonlySet<RowKey>;
  /** The number of rows that the server must have had, by then. */
  readonly known: number;
  /** The last row of the newest page. */
  readonly lastSent: RowKey | undefined;
  /** How many rows of further pages may be known already, because rows were created before them. */
  readonly overlap: number;
  /** True if the newest page brought no new row, and nothing explains it. */
  readonly isStuck: boolean;
  /** The number of rows that the newest page added to the shown ones. */
  readonly shown: number;
  /** The pages that were requested since the first one, and whose rows have not moved since. */
  readonly requested: ReadonlySet<string>;
  readonly wasLinked: boolean;
  /** When the newest response expires. Another value means that the list has been fetched from its first page again. */
  readonly expiresAt: number;
}

/** By store and key. A position outlives the widget, as the rows do. */
const positionsByStore = new WeakMap<Controller, Map<string, StoredPosition>>();

/** How far a list has been loaded. */
export interface PagePosition extends Omit<LoadedPages, 'body' | 'items' | 'field'> {
  /** The number of rows that the server must have had at the newest response. */
  readonly received: number;
  /** The number of rows that the user has created since. */
  readonly created: number;
  /** The number of rows in the list, with those whose deletion is pending: the server still has them. */
  readonly rows: number;
  /** True if the newest page brought no new row although it should have, so that more requests may bring none either. */
  readonly isStuck: boolean;
  readonly wasLinked: boolean;
  /** True if this page was requested before, and its rows have not moved since. */
  readonly wasRequested: (search: PageSearch) => boolean;
  /** Returns a function that says whether the list has been fetched again since, or has to be. */
  readonly watchList: () => () => boolean;
  /** Stores the position after the next page, and returns how many rows it adds to the shown ones. Without a page, stores that there is a newer response. */
  readonly advance: (page?: { rows: readonly object[]; search: PageSearch; isLinked: boolean }) => number;
}

/**
 * The position of a list in its pages.
 *
 * The next page starts at the first row that is not in the list yet, or before it, wherever the server puts new rows:
 * - Each row that was deleted since the newest response has moved the later ones up. The position goes back by as many rows, in whole pages
 *   where pages are numbered. A row that the user had created before that response counts too: it may have been before the next page.
 * - A created row moves nothing. If the server has put it before the next page, this page has a row that is loaded already.
 *
 * Rows that are loaded twice appear once. Deletions are found by the keys of the rows: a created row does not make up for a deleted one.
 */
export function usePagePosition({ endpoint, params, body }: LoadedList): PagePosition {
  const controller = useController();
  const positions = positionsByStore.get(controller) ?? new Map<string, StoredPosition>();
  positionsByStore.set(controller, positions);
  const key = endpoint.key(params);
  const readExpiry = () => getResponseExpiry(controller, key);

  // From the response, not from the visible rows: a row that is hidden while its deletion is pending still exists on the server.
  const items = useMemo(() => findList(endpoint.schema, body), [endpoint, body]);
  const expiresAt = readExpiry();
  const stored = positions.get(key);
  const current = stored?.expiresAt === expiresAt ? stored : firstPage(items, expiresAt);
  positions.set(key, current);

  const { received, own, pageSize, requested, lastSent } = current;
  // Another position has the same set of rows, which has grown.
  const size = received.size;
  const compared = useRef<Comparison>(undefined);
  const { receivedCount, created } = useMemo(
    () => (compared.current = compareRows(items, current.received, compared.current)),
    [items, current],
  );
  const ownLeft = useMemo(() => [...own].filter(row => created.has(row)).length, [own, created]);
  const isReceivedGone = receivedCount < size;
  const lastLeft = useMemo(
    () => (isReceivedGone ? findLastLeft(received, items) : lastSent),
    [isReceivedGone, received, items, lastSent],
  );
  const deleted = size - receivedCount + own.size - ownLeft;
  const createdSince = created.size - ownLeft;
  const pagesBack = Math.min(current.pages, Math.ceil(deleted / Math.max(1, pageSize)));
  const pages = current.pages - pagesBack;
  const offset = Math.max(0, current.offset - deleted);

  const advance: PagePosition['advance'] = page => {
    if (!page) {
      positions.set(key, { ...current, expiresAt: readExpiry() });
      return 0;
    }
    const search = paramsKey(page.search);
    const newest = positions.get(key);
    // Another list of these rows has advanced already, with the same page.
    if (newest && newest !== current && newest.requested.has(search)) return newest.shown;
    const entity = findRowEntity(endpoint.schema);
    const rows = page.rows.map(row => keyOfSent(row, entity));
    const shown = rows.filter(row => !received.has(row) && !created.has(row)).length;
    // A row that is deleted while the page is on its way stays among the received ones, and counts as deleted after the page.
    const all = isReceivedGone ? rowsLeft(received, items) : received;
    for (const row of rows) {
      all.delete(row);
      all.add(row);
    }
    const others = (of: Iterable<RowKey>) => [...of].filter(row => typeof row === 'string' && !all.has(row));
    const createdBefore = others(created);
    // Rows may already be read again, or be known although they were not received.
    const explained = current.overlap + createdSince + (deleted > 0 ? deleted + pageSize : 0);
    const known = rows.length - shown;
    positions.set(key, {
      pageSize,
      pages: pages + 1,
      offset: offset + rows.length,
      lastPageSize: rows.length,
      received: all,
      // And those that were created while the page was on its way.
      own: new Set([...createdBefore, ...others(compared.current?.created ?? [])]),
      known: all.size + createdBefore.length,
      lastSent: rows.at(-1) ?? lastLeft,
      overlap: Math.max(0, explained - known),
      isStuck: shown === 0 && (known === 0 || known > explained),
      shown,
      requested: new Set([...(deleted > 0 ? [] : requested), search]),
      wasLinked: page.isLinked,
      expiresAt: readExpiry(),
    });
    return shown;
  };

  return {
    pages,
    pagesBack,
    offset,
    deleted,
    received: current.known,
    created: createdSince,
    rows: receivedCount + created.size,
    lastPageSize: current.lastPageSize,
    lastKey: textOf(lastLeft),
    lastSentKey: textOf(lastSent),
    isStuck: current.isStuck && deleted === 0,
    wasLinked: current.wasLinked,
    wasRequested: search => deleted === 0 && requested.has(paramsKey(search)),
    watchList: () => {
      // Not the value of the render: the controller's state may be that of the render before.
      const atStart = readExpiry();
      return () => readExpiry() !== atStart;
    },
    advance,
  };
}

function firstPage(items: readonly object[], expiresAt: number): StoredPosition {
  const received = new Set(items.map(keyOf));
  return {
    expiresAt,
    pages: 1,
    offset: items.length,
    pageSize: items.length,
    lastPageSize: items.length,
    received,
    own: new Set(),
    known: received.size,
    lastSent: [...received].at(-1),
    overlap: 0,
    isStuck: false,
    shown: items.length,
    requested: new Set(),
    wasLinked: false,
  };
}

/** The received rows that are still in the list, in the order of the server. */
function rowsLeft(received: ReadonlySet<RowKey>, items: readonly object[]): Set<RowKey> {
  const keys = new Set(items.map(keyOf));
  return new Set([...received].filter(row => keys.has(row)));
}

function findLastLeft(received: ReadonlySet<RowKey>, items: readonly object[]): RowKey | undefined {
  return [...rowsLeft(received, items)].at(-1);
}

function textOf(row: RowKey | undefined): string | undefined {
  return typeof row === 'string' ? row : undefined;
}

/** The key of a row as the server sent it: the store has not made an entity of it. */
function keyOfSent(row: object, entity: ReturnType<typeof findRowEntity>): RowKey {
  return (entity && getPrimaryKey(row, entity.prototype)) ?? keyOf(row);
}
