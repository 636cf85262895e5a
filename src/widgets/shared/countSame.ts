/**
 * The number of rows at the start that are the same objects in both lists. The store keeps the object of a row that has not changed, so after
 * an append this is the length of the list before, and what was found out about those rows still holds.
 */
export function countSame(before: readonly object[], after: readonly object[]): number {
  const most = Math.min(before.length, after.length);
  let same = 0;
  while (same < most && before[same] === after[same]) same++;
  return same;
}
