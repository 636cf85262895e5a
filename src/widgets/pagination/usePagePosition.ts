import { useController, type Controller } from '@data-client/react';
import { useMemo, useRef } from 'react';
import { getPrimaryKey } from '../../dataClient/getPrimaryKey.js';
import { getResponseExpiry } from '../../dataClient/storedResponses.js';
import { getOrCreate } from '../../getOrCreate.js';
import type { LoadedList } from '../list/ListContent.js';
import type { PageSearch } from '../nextPage/detectNextPage.js';
import { findList, findRowEntity } from '../shared/findList.js';
import { paramsKey } from '../shared/resource.js';
import { compareRows, keyOf, type Comparison, type RowKey } from './compareRows.js';
import { firstPage, ListPosition, type CurrentPosition, type StoredPosition } from './ListPosition.js';

/** By store and key. A position outlives the widget, as the rows do. */
const positionsByStore = new WeakMap<Controller, Map<string, StoredPosition>>();

/** How far a list has been loaded. */
export interface PagePosition extends CurrentPosition {
  /** True if this page was requested before, and its rows have not moved since. */
  readonly wasRequested: (search: PageSearch) => boolean;
  /** Returns a function that says whether the list has been fetched again since, or has to be. */
  readonly watchList: () => () => boolean;
  /** Stores the position after the next page, and returns how many rows it adds to the shown ones. Without a page, stores that there is a newer response. */
  readonly advance: (page?: { rows: readonly object[]; search: PageSearch; isLinked: boolean }) => number;
}

/** The position of a list in its pages, shared by the widgets that show it. See `ListPosition`. */
export function usePagePosition({ endpoint, params, body }: LoadedList): PagePosition {
  const controller = useController();
  const positions = getOrCreate(positionsByStore, controller, () => new Map<string, StoredPosition>());
  const key = endpoint.key(params);
  const readExpiry = () => getResponseExpiry(controller, key);

  // From the response, not from the visible rows: a row that is hidden while its deletion is pending still exists on the server.
  const items = useMemo(() => findList(endpoint.schema, body), [endpoint, body]);
  const expiresAt = readExpiry();
  const found = positions.get(key);
  const stored = found?.expiresAt === expiresAt ? found : firstPage(items, expiresAt);
  positions.set(key, stored);

  const compared = useRef<Comparison>(undefined);
  const position = useMemo(() => {
    compared.current = compareRows(items, stored.received, compared.current);
    return new ListPosition(stored, compared.current);
  }, [items, stored]);

  const advance: PagePosition['advance'] = page => {
    if (!page) {
      positions.set(key, { ...stored, expiresAt: readExpiry() });
      return 0;
    }
    const search = paramsKey(page.search);
    const newest = positions.get(key);
    // Another list of these rows has advanced already, with the same page.
    if (newest && newest !== stored && newest.requested.has(search)) return newest.shown;
    const entity = findRowEntity(endpoint.schema);
    const rows = page.rows.map(row => keyOfSent(row, entity));
    const next = position.after(
      { rows, search, isLinked: page.isLinked, expiresAt: readExpiry() },
      compared.current?.created ?? new Set(),
    );
    positions.set(key, next);
    return next.shown;
  };

  return {
    ...position.current,
    wasRequested: search => position.wasRequested(paramsKey(search)),
    watchList: () => {
      // Not the value of the render: the controller's state may be that of the render before.
      const atStart = readExpiry();
      return () => readExpiry() !== atStart;
    },
    advance,
  };
}

/** The key of a row as the server sent it: the store has not made an entity of it. */
function keyOfSent(row: object, entity: ReturnType<typeof findRowEntity>): RowKey {
  return (entity && getPrimaryKey(row, entity.prototype)) ?? keyOf(row);
}
