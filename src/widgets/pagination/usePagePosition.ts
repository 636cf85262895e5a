import { type Controller, useController } from '@data-client/react';
import { findList } from '../list/findList.js';
import type { LoadedList } from '../list/ListBase.js';
import { getPrimaryKey } from '../shared/params.js';
import type { LooseEndpoint, LooseParams } from '../shared/resourceTypes.js';
import type { LoadedPages } from './NextPage.js';

/** How far a list has been loaded, as of one answer. */
type Position = Pick<LoadedPages, 'pages' | 'lastPageSize' | 'lastKey'>;

interface StoredPosition extends Position {
  /** How many rows the first page had. */
  readonly pageSize: number;
  /** How many rows were there when the last page had arrived. */
  readonly loaded: number;
  /** When the newest answer expires: another value tells that the list has been fetched from its beginning again. */
  readonly expiresAt: number;
}

/** For each store and key; it outlives the widget as the rows do. */
const positionsByStore = new WeakMap<Controller, Map<string, StoredPosition>>();

interface PagePosition extends Position {
  /** Notes that a page has arrived, or with undefined that it has not. */
  readonly advance: (rows: readonly object[] | undefined) => void;
}

/**
 * The position of a list in its pages.
 *
 * For each row that has been deleted since the last page arrived, the server has moved one from the next page into those that are loaded:
 * so many pages are to be asked for once more. Of their rows, those that are known are there once.
 */
export function usePagePosition({ endpoint, params, body }: LoadedList): PagePosition {
  const controller = useController();
  const positions = positionsByStore.get(controller) ?? new Map<string, StoredPosition>();
  positionsByStore.set(controller, positions);
  const key = endpoint.key(params);
  const expiry = () => controller.getResponse(endpoint, params, controller.getState()).expiresAt;

  // Also those that are not shown while their deletion is under way: the server has them still.
  const items = findList(endpoint.schema, body);
  const expiresAt = expiry();
  const known = positions.get(key);
  const now: StoredPosition = known?.expiresAt === expiresAt ? known : { expiresAt, pages: 1, pageSize: items.length, loaded: items.length, ...measure(items) };
  positions.set(key, now);

  const missing = Math.max(0, now.loaded - items.length);
  const pages = now.pages - (missing > 0 ? Math.ceil(missing / Math.max(1, now.pageSize)) : 0);
  const advance: PagePosition['advance'] = rows =>
    void positions.set(key, { ...now, ...(rows && { pages: pages + 1, loaded: items.length + countNew(rows, items), ...measure(rows) }), expiresAt: expiry() });
  return { ...now, pages, advance };
}

function measure(rows: readonly object[]): Pick<Position, 'lastPageSize' | 'lastKey'> {
  const last = rows.at(-1);
  return { lastPageSize: rows.length, lastKey: last && getPrimaryKey(last) };
}

/** How many of the rows are not known yet. */
export function countNew(rows: readonly object[], known: readonly object[]): number {
  const keys = new Set(known.map(row => getPrimaryKey(row) ?? row));
  return rows.filter(row => !keys.has(getPrimaryKey(row) ?? row)).length;
}

const softEndpoints = new WeakMap<LooseEndpoint, LooseEndpoint>();

/** The endpoint with failures that leave on the screen what is there: a page shares the key of its list. */
function withSoftErrors(endpoint: LooseEndpoint): LooseEndpoint {
  const known = softEndpoints.get(endpoint) ?? endpoint.extend({ errorPolicy: () => 'soft' });
  softEndpoints.set(endpoint, known);
  return known;
}

/**
 * The endpoint that appends a page to the list of these params: `getPage`, or where more than the `paginationField` tells
 * the pages apart, one that appends to the same list all the same.
 */
export function pageEndpoint(getList: LooseEndpoint, params: LooseParams, next: LooseParams): LooseEndpoint {
  const { paginationField: field } = getList;
  const usesPaginationField =
    field !== undefined && !(field in params) && Object.entries(next).every(([name, value]) => name === field || String(params[name]) === String(value));
  return withSoftErrors(usesPaginationField ? getList.getPage : getList.paginated(() => [params]));
}
