import { getPrimaryKey } from '../../dataClient/getPrimaryKey.js';
import { countSame } from '../shared/countSame.js';

/** Identifies a row: its primary key, or the row object if it has none. */
export type RowKey = string | object;

export function keyOf(row: object): RowKey {
  return getPrimaryKey(row) ?? row;
}

export interface Comparison {
  readonly items: readonly object[];
  readonly received: ReadonlySet<RowKey>;
  /** The number of received rows at the start, before the first row that the user created. */
  readonly receivedAtStart: number;
  /** The number of received rows in the list. */
  readonly receivedCount: number;
  /** The keys of the other rows, which the user created. */
  readonly created: ReadonlySet<RowKey>;
}

/**
 * Compares the rows of the list with those that the server has sent. `received` only grows, so a comparison after an append continues after
 * the rows that the last one found at the start.
 */
export function compareRows(
  items: readonly object[],
  received: ReadonlySet<RowKey>,
  before: Comparison | undefined,
): Comparison {
  const isContinued = before?.received === received && countSame(before.items, items) >= before.receivedAtStart;
  const skipped = isContinued ? before.receivedAtStart : 0;
  const created = new Set<RowKey>();
  let receivedAtStart = skipped;
  let receivedCount = skipped;
  for (let index = skipped; index < items.length; index++) {
    const key = keyOf(items[index] as object);
    if (received.has(key)) receivedCount++;
    else created.add(key);
    if (created.size === 0) receivedAtStart = receivedCount;
  }
  return { items, received, receivedAtStart, receivedCount, created };
}
