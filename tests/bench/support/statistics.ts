/** The value in the middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return sorted.length % 2 ? sorted[Math.floor(middle)]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** How often one time contains the other: the median over the rounds, in each of which both were taken one after the other. */
export function ratio(values: readonly number[], base: readonly number[]): number {
  return median(values.map((value, round) => value / base[round]!));
}
