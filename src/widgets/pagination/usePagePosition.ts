import { useController, type Controller } from '@data-client/react';
import { useMemo, useRef } from 'react';
import { getExpiry } from '../../dataClient/getExpiry.js';
import { findList, findRowEntity } from '../list/findList.js';
import type { LoadedList } from '../list/ListContent.js';
import { getPrimaryKey } from '../../dataClient/getPrimaryKey.js';
import { paramsKey } from '../shared/params.js';
import { compareRows, keyOf, type Comparison, type RowKey } from './compareRows.js';
import type { PageSearch } from './detectNextPage.js';
import type { LoadedPages } from './NextPage.js';

interface StoredPosition extends Pick<LoadedPages, 'pages' | 'lastPageSize'> {
  /** The number of rows on the first page. */
  readonly pageSize: number;
  /** The rows that the server has sent, up to the newest response. Grows with each page, for a copy would walk all rows. */
  readonly received: Set<RowKey>;
  /** The number of rows on the newest page that no page before it had. */
  readonly added: number;
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
export interface PagePosition extends Pick<LoadedPages, 'pages' | 'lastPageSize' | 'lastKey'> {
  /** The number of rows that the server has sent, up to the newest response. */
  readonly received: number;
  /** How many of them were deleted since. */
  readonly deleted: number;
  /** The number of pages that have moved back because of them. */
  readonly pagesBack: number;
  /** The number of rows that this page created, and no response has held. */
  readonly created: number;
  /** True if the newest page brought no new row, so that more requests may bring none either. */
  readonly isStuck: boolean;
  readonly wasLinked: boolean;
  /** True if this page was requested before, and its rows have not moved since. */
  readonly wasRequested: (search: PageSearch) => boolean;
  /** Returns a function that says whether the list has been fetched again since, or has to be. */
  readonly watchList: () => () => boolean;
  /** Stores the position after the next page, and returns how many rows it adds to the shown ones. Without a page, only that the newest response is another. */
  readonly advance: (page?: { rows: readonly object[]; search: PageSearch; isLinked: boolean }) => number;
}

/**
 * The position of a list in its pages.
 *
 * For each row that was deleted since the last page was loaded, the server has moved one row from the next page into the loaded ones. The
 * position goes back by as many pages as were affected, and they are fetched again. Rows that are loaded twice appear once. Deletions are
 * found by the keys of the rows: a row that was created since then does not make up for a deleted one.
 */
export function usePagePosition({ endpoint, params, body }: LoadedList): PagePosition {
  const controller = useController();
  const positions = positionsByStore.get(controller) ?? new Map<string, StoredPosition>();
  positionsByStore.set(controller, positions);
  const key = endpoint.key(params);
  const readExpiry = () => getExpiry(controller, key);

  // From the response, not from the visible rows: a row that is hidden while its deletion is pending still exists on the server.
  const items = useMemo(() => findList(endpoint.schema, body), [endpoint, body]);
  const expiresAt = readExpiry();
  const stored = positions.get(key);
  const current = stored?.expiresAt === expiresAt ? stored : firstPage(items, expiresAt);
  positions.set(key, current);

  const { received, pageSize, requested } = current;
  const size = received.size;
  // Another position has the same set of rows, which has grown.
  const compared = useRef<Comparison>(undefined);
  const { receivedCount, created, lastReceived } = useMemo(
    () => (compared.current = compareRows(items, current.received, compared.current)),
    [items, current],
  );
  const deleted = size - receivedCount;
  const pagesBack = Math.ceil(deleted / Math.max(1, pageSize));
  const pages = current.pages - pagesBack;

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
    const all = deleted > 0 ? new Set(items.map(keyOf).filter(row => received.has(row))) : received;
    for (const row of rows) all.add(row);
    positions.set(key, {
      pageSize,
      pages: pages + 1,
      lastPageSize: rows.length,
      received: all,
      added: all.size - receivedCount,
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
    deleted,
    received: size,
    created: created.size,
    lastPageSize: current.lastPageSize,
    lastKey: typeof lastReceived === 'string' ? lastReceived : undefined,
    isStuck: current.added === 0 && deleted === 0,
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
  return {
    expiresAt,
    pages: 1,
    pageSize: items.length,
    lastPageSize: items.length,
    received: new Set(items.map(keyOf)),
    added: items.length,
    shown: items.length,
    requested: new Set(),
    wasLinked: false,
  };
}

/** The key of a row as the server sent it: the store has not made an entity of it. */
function keyOfSent(row: object, entity: ReturnType<typeof findRowEntity>): RowKey {
  return (entity && getPrimaryKey(row, entity.prototype)) ?? keyOf(row);
}
