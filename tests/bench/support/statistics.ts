/** The value below which this part of the values is, between two of them in proportion. */
function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const index = (sorted.length - 1) * part;
  const [below, above] = [sorted[Math.floor(index)]!, sorted[Math.ceil(index)]!];
  return below + (above - below) * (index % 1);
}

/** The value in the middle. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** A median, and the quartiles between which half of the values are. */
export interface Spread {
  readonly median: number;
  readonly quartiles: readonly [number, number];
}

export function spread(values: readonly number[]): Spread {
  return { median: median(values), quartiles: [quantile(values, 0.25), quantile(values, 0.75)] };
}

/** How often one time contains the other: one ratio for each round, in which both were taken one after the other. */
export function ratio(values: readonly number[], base: readonly number[]): Spread {
  return spread(values.map((value, round) => value / base[round]!));
}
