import { useController, type Controller } from '@data-client/react';
import { findList } from '../list/findList.js';
import type { LoadedList } from '../list/ListContent.js';
import { getPrimaryKey } from '../shared/params.js';
import type { LoadedPages } from './NextPage.js';

/** How far a list has been loaded. */
type Position = Pick<LoadedPages, 'pages' | 'lastPageSize' | 'lastKey'>;

interface StoredPosition extends Position {
  /** The number of rows on the first page. */
  readonly pageSize: number;
  /** The number of rows when the last page had been loaded. */
  readonly loaded: number;
  /** When the newest response expires. Another value means that the list has been fetched from its first page again. */
  readonly expiresAt: number;
}

/** By store and key. A position outlives the widget, as the rows do. */
const positionsByStore = new WeakMap<Controller, Map<string, StoredPosition>>();

interface PagePosition extends Position {
  /** Stores the position after the next page: its rows, or undefined when it failed. */
  readonly advance: (rows: readonly object[] | undefined) => void;
}

/**
 * The position of a list in its pages.
 *
 * For each row that was deleted since the last page was loaded, the server has moved one row from the next page into the loaded ones. The
 * position goes back by as many pages as were affected, and they are fetched again. Rows that are loaded twice appear once.
 */
export function usePagePosition({ endpoint, params, body }: LoadedList): PagePosition {
  const controller = useController();
  const positions = positionsByStore.get(controller) ?? new Map<string, StoredPosition>();
  positionsByStore.set(controller, positions);
  const key = endpoint.key(params);
  const readExpiry = () => controller.getResponse(endpoint, params, controller.getState()).expiresAt;

  // From the response, not from the visible rows: a row that is hidden while its deletion is pending still exists on the server.
  const items = findList(endpoint.schema, body);
  const expiresAt = readExpiry();
  const stored = positions.get(key);
  const current: StoredPosition =
    stored?.expiresAt === expiresAt
      ? stored
      : { expiresAt, pages: 1, pageSize: items.length, loaded: items.length, ...lastOf(items) };
  positions.set(key, current);

  const missing = Math.max(0, current.loaded - items.length);
  const pages = current.pages - (missing > 0 ? Math.ceil(missing / Math.max(1, current.pageSize)) : 0);
  const advance: PagePosition['advance'] = rows => {
    const next = rows && { pages: pages + 1, loaded: items.length + countNew(rows, items), ...lastOf(rows) };
    positions.set(key, { ...current, ...next, expiresAt: readExpiry() });
  };
  return { ...current, pages, advance };
}

function lastOf(rows: readonly object[]): Pick<Position, 'lastPageSize' | 'lastKey'> {
  const last = rows.at(-1);
  return { lastPageSize: rows.length, lastKey: last && getPrimaryKey(last) };
}

/** Counts the rows whose keys are not among the loaded ones. */
export function countNew(rows: readonly object[], loaded: readonly object[]): number {
  const keys = new Set(loaded.map(row => getPrimaryKey(row) ?? row));
  return rows.filter(row => !keys.has(getPrimaryKey(row) ?? row)).length;
}
