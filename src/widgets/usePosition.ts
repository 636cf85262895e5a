import { useController, type Controller } from '@data-client/react';
import { keyOfItem } from './keyOfItem.js';
import type { LoadedList } from './ListFrame.js';
import type { LoadedPages } from './NextPage.js';

/** How far a list has been loaded, as of one answer. */
type Position = Pick<LoadedPages, 'pages' | 'lastPageSize' | 'lastKey'>;

interface Kept extends Position {
  /** When the newest answer expires: another value tells that the list has been fetched from its beginning again. */
  readonly expiresAt: number;
}

/** For each store and key; it outlives the widget as the rows do. */
const kept = new WeakMap<Controller, Map<string, Kept>>();

interface KeptPosition extends Position {
  /** Notes that a page has arrived, or with undefined that it has not. */
  readonly advance: (rows: readonly object[] | undefined) => void;
}

/** The position of a list in its pages. Rows that are made or deleted here do not change it. */
export function usePosition({ endpoint, params, items }: LoadedList): KeptPosition {
  const controller = useController();
  const positions = kept.get(controller) ?? new Map<string, Kept>();
  kept.set(controller, positions);
  const key = endpoint.key(params);
  const expiry = () => controller.getResponse(endpoint, params, controller.getState()).expiresAt;

  const expiresAt = expiry();
  const known = positions.get(key);
  const now: Kept = known?.expiresAt === expiresAt ? known : { expiresAt, pages: 1, ...measure(items) };
  positions.set(key, now);

  const advance = (rows: readonly object[] | undefined) =>
    void positions.set(key, { ...now, ...(rows && { pages: now.pages + 1, ...measure(rows) }), expiresAt: expiry() });
  return { ...now, advance };
}

function measure(rows: readonly object[]): Pick<Position, 'lastPageSize' | 'lastKey'> {
  const last = rows.at(-1);
  return { lastPageSize: rows.length, lastKey: last && keyOfItem(last) };
}
