import type { Samples } from '../app/compare.js';
import type { Check, Measured } from '../Result.js';
import { median, ratio, type Spread } from './statistics.js';

export const KIT = 'data-client-auth';

/** Median, least and most of each variant, and how often it contains the first one. */
export function timesBeside(base: string, samples: Samples, prefix = ''): Pick<Measured, 'columns' | 'lines'> {
  return {
    columns: ['', 'median, ms', 'least', 'most', `x ${base}`, 'lower quartile', 'upper quartile'],
    lines: Object.entries(samples).map(([name, ms]) => {
      const beside = ratio(ms, samples[base]!);
      return [prefix + name, median(ms), Math.min(...ms), Math.max(...ms), beside.median, ...beside.quartiles];
    }),
  };
}

export const exactly = (what: string, measured: number, count: number): Check => ({
  what,
  measured,
  unit: '',
  atMost: count,
  atLeast: count,
});

export const timesAs = (what: string, { median, quartiles }: Spread, atMost: number): Check => ({
  what,
  measured: median,
  quartiles,
  unit: 'x',
  atMost,
});
