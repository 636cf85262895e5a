import type { Machine } from './support/machine.js';

/** One thing that was to be reached. */
export interface Check {
  what: string;
  measured: number;
  /** The quartiles of the rounds, where `measured` is the median of rounds. */
  quartiles?: readonly [number, number];
  /** `x` is a ratio. */
  unit: '' | 'x' | '%' | 'KB' | 's';
  atMost: number;
  /** For counts of which fewer would be wrong too. */
  atLeast?: number;
}

/** What was measured for one row of the table of targets. */
export interface Measured {
  /** The first column names what was measured. */
  columns: readonly string[];
  lines: readonly (readonly [string, ...number[]])[];
  checks: readonly Check[];
}

/** The outcome of a run: what `docs/benchmark.json` holds. */
export interface Result {
  measuredOn: string;
  machine: Machine;
  versions: Record<string, string>;
  rounds: number;
  rows: (Measured & { row: string })[];
}

/** The value that decides: of a time, the upper quartile, so that a lucky median does not count. */
export const decisive = ({ measured, quartiles }: Check): number => quartiles?.[1] ?? measured;

export const isReached = (check: Check): boolean =>
  decisive(check) <= check.atMost && check.measured >= (check.atLeast ?? -Infinity);
