import { getPrimaryKey } from '../../dataClient/getPrimaryKey.js';
import { countSame } from '../list/countSame.js';

/** A row by its primary key; a row without one by itself. */
export type RowKey = string | object;

export function keyOf(row: object): RowKey {
  return getPrimaryKey(row) ?? row;
}

export interface Comparison {
  readonly items: readonly object[];
  readonly received: ReadonlySet<RowKey>;
  /** How many rows at the start the server has sent, without one of the user's own among them. */
  readonly start: number;
  /** How many of all rows the server has sent. */
  readonly present: number;
  /** The last one of them. */
  readonly last: RowKey | undefined;
  /** The other rows. */
  readonly created: ReadonlySet<RowKey>;
}

/**
 * Compares the rows of the list with those that the server has sent. A set of received rows only grows, so after an append it does not walk
 * again over the rows at the start that it has found there.
 */
export function compareRows(
  items: readonly object[],
  received: ReadonlySet<RowKey>,
  before: Comparison | undefined,
): Comparison {
  const known = before?.received === received && countSame(before.items, items) >= before.start ? before.start : 0;
  const created = new Set<RowKey>();
  let start = known;
  let present = known;
  let last = known > 0 ? keyOf(items[known - 1] as object) : undefined;
  for (let index = known; index < items.length; index++) {
    const row = keyOf(items[index] as object);
    if (received.has(row)) {
      present++;
      last = row;
    } else created.add(row);
    if (created.size === 0) start = present;
  }
  return { items, received, start, present, last, created };
}
