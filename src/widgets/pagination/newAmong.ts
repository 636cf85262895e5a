import { keyOfItem } from '../shared/keyOfItem.js';

/** How many of the rows are not known yet. */
export function newAmong(rows: readonly object[], known: readonly object[]): number {
  const keys = new Set(known.map(row => keyOfItem(row) ?? row));
  return rows.filter(row => !keys.has(keyOfItem(row) ?? row)).length;
}
