import { median } from '../support/statistics.js';

export interface Rounds {
  /** Rounds before the first that counts. */
  readonly warmUps: number;
  readonly rounds: number;
  /** How often a round takes each variant; their median is its time. One slow take, such as a collection, is then no slow round. @default 1 */
  readonly takes?: number;
}

/** Milliseconds, by variant and round. */
export type Samples = Record<string, number[]>;

declare const gc: (() => void) | undefined;

const macrotask = () => new Promise(done => setTimeout(done));

/** The names in the order of a round, which begins with another one than the round before. */
export function inTurns(names: readonly string[], round: number): readonly string[] {
  const first = round % names.length;
  return [...names.slice(first), ...names.slice(0, first)];
}

/**
 * Times variants of one thing in turns: each in each round, the next turn beginning with the next of them.
 *
 * @param variants Each prepares itself, and resolves with the milliseconds of what is to be timed.
 */
export async function compare(
  variants: Record<string, () => number | Promise<number>>,
  { warmUps, rounds, takes = 1 }: Rounds,
): Promise<Samples> {
  const names = Object.keys(variants);
  const samples: Samples = Object.fromEntries(names.map(name => [name, []]));
  for (let round = -warmUps; round < rounds; round++) {
    const taken: Samples = Object.fromEntries(names.map(name => [name, []]));
    for (let take = 0; take < takes; take++)
      for (const name of inTurns(names, (round + warmUps) * takes + take)) {
        if (typeof gc === 'function') gc();
        await macrotask();
        taken[name]!.push(await variants[name]!());
      }
    if (round >= 0) for (const name of names) samples[name]!.push(median(taken[name]!));
  }
  return samples;
}
